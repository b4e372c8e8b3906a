#ifndef PALFREY_ENGINE_ANIMATION_H
#define PALFREY_ENGINE_ANIMATION_H
// Plays the clips of one model: which clip, where in it, and the pose that follows. Time counts in seconds of the clip. A
// looping clip of n frames lasts n / fps, its last frame blending into the first; a single run lasts (n - 1) / fps.
#include "array.h"
#include "loaders/model.h"

typedef struct Marker {
  int clip;    ///< or -1 while the model has no such clip
  float time;  ///< seconds of the clip
  char *name;
  char *lost_clip;  ///< its name while the model has no such clip, else NULL
} Marker;

typedef struct Animation {
  int clip;         ///< of the model, or -1: stands still at `frame`
  char *lost_clip;  ///< the name of the one it stopped at while the model has no such clip, or NULL
  bool is_lost;     ///< nothing else was asked for since
  bool has_played;  ///< when it got lost
  float time, speed;
  bool loops, is_playing;
  float frame;            ///< shown while no clip is set; whole numbers are frames of the model from 0
  float fade, fade_left;  ///< seconds
  int fade_frame;         ///< shown at the start of a fade
  FramePose pose, previous_pose;
  ARRAY(Marker) markers;
} Animation;

typedef struct PlayOptions {
  bool has_loop, loop;
  bool has_speed;
  float fade, speed;
  bool restart;
} PlayOptions;

/// What happened while a clip advanced, told to the caller in the order of time.
typedef void AnimationNotice(void *user, const Marker *marker);  ///< marker NULL: the clip ended or wrapped

void animation_init(Animation *animation);
void animation_free(Animation *animation, Memory *memory);

/// Starts a clip, or changes the options of the one already playing.
void animation_play(Animation *animation, const Model *model, int clip, const PlayOptions *options);
void animation_stop(Animation *animation);

/// Leaves the clip and stands still at a frame of the model.
void animation_set_frame(Animation *animation, float frame);

/// Stands still at a time of a clip.
void animation_stand_at(Animation *animation, int clip, float time);
float animation_get_frame(const Animation *animation, const Model *model);

/// Marks a time of a clip; `frame` counts in the clip from 0.
bool animation_add_marker(Animation *animation, Memory *memory, const Model *model, int clip, float frame,
                          const char *name, Error *error);

/// Advances by one step and computes the pose.
void animation_step(Animation *animation, const Model *model, float seconds, AnimationNotice *notice, void *user);

/// Recomputes the pose without advancing.
void animation_update_pose(Animation *animation, const Model *model);

/// Goes on with the model that a changed file gave: clips and markers are found again by the names of clips. A clip that
/// is gone leaves the first frame, standing still; when it comes back it starts again, and its markers are there.
void animation_change_model(Animation *animation, Memory *memory, const Model *old, const Model *model);

/// The pose for drawing `alpha` of the way from the previous step to the last one.
FramePose animation_drawn_pose(const Animation *animation, const Model *model, float alpha, float step_seconds);

/// Seconds one run of a clip takes.
float clip_duration(const ModelClip *clip, bool loops);

#endif
