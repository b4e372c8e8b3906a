#include "engine/animation.h"

#include <string.h>

#include "loaders/model_pose.h"

void animation_init(Animation *animation) {
  *animation = (Animation){.clip = -1, .speed = 1};
}

static void free_marker(Memory *memory, Marker *marker) {
  memory_free(memory, marker->name);
  memory_free(memory, marker->lost_clip);
}

void animation_free(Animation *animation, Memory *memory) {
  for (int i = 0; i < animation->markers.count; i++)
    free_marker(memory, &animation->markers.items[i]);
  array_free(memory, &animation->markers);
  memory_free(memory, animation->lost_clip);
}

float clip_duration(const ModelClip *clip, bool loops) {
  if (clip->kind != CLIP_VERTEX) return clip->end - clip->start;
  return (float)(loops ? clip->frame_count : clip->frame_count - 1) / clip->fps;
}

static const ModelClip *current_clip(const Animation *animation, const Model *model) {
  return animation->clip >= 0 && animation->clip < model->clip_count ? &model->clips[animation->clip] : NULL;
}

static FramePose still_pose(float frame) {
  int whole = (int)floorf(frame);
  return (FramePose){whole, frame > (float)whole ? whole + 1 : whole, frame - (float)whole};
}

static int nearest_frame(FramePose pose) {
  return pose.mix < 0.5f ? pose.frame_a : pose.frame_b;
}

static FramePose unfaded_pose(const Animation *animation, const Model *model) {
  const ModelClip *clip = current_clip(animation, model);
  if (!clip || clip->kind != CLIP_VERTEX) return still_pose(animation->frame);
  return model_clip_pose(clip, animation->time, animation->loops);
}

void animation_update_pose(Animation *animation, const Model *model) {
  FramePose pose = unfaded_pose(animation, model);
  // Two frames are all a pose can hold, so a fade leads from the frame shown last to the nearest one of the new clip.
  if (animation->fade_left > 0 && animation->fade > 0)
    pose = (FramePose){animation->fade_frame, nearest_frame(pose), 1 - animation->fade_left / animation->fade};
  animation->pose = pose;
}

void animation_play(Animation *animation, const Model *model, int clip, const PlayOptions *options) {
  bool is_same = animation->clip == clip && animation->is_playing;
  if (options->has_speed) animation->speed = options->speed;
  if (options->has_loop) animation->loops = options->loop;
  if (is_same && !options->restart) return;
  if (!options->has_speed) animation->speed = 1;
  if (!options->has_loop) animation->loops = true;
  animation->fade = animation->fade_left = options->fade;
  animation->fade_frame = nearest_frame(animation->pose);
  animation->clip = clip;
  animation->is_playing = true;
  animation->is_lost = false;
  animation->time = animation->speed < 0 ? clip_duration(&model->clips[clip], animation->loops) : 0;
}

void animation_stop(Animation *animation) {
  animation->is_playing = animation->has_played = false;
}

void animation_set_frame(Animation *animation, float frame) {
  animation->clip = -1;
  animation->is_playing = animation->is_lost = false;
  animation->frame = frame;
  animation->fade_left = 0;
}

void animation_stand_at(Animation *animation, int clip, float time) {
  animation_set_frame(animation, 0);
  animation->clip = clip;
  animation->time = time;
}

float animation_get_frame(const Animation *animation, const Model *model) {
  const ModelClip *clip = current_clip(animation, model);
  if (!clip) return animation->frame;
  if (clip->kind != CLIP_VERTEX) return animation->time * clip->fps;
  FramePose pose = model_clip_pose(clip, animation->time, animation->loops);
  return (float)pose.frame_a + pose.mix;
}

bool animation_add_marker(Animation *animation, Memory *memory, const Model *model, int clip, float frame,
                          const char *name, Error *error) {
  Marker marker = {.clip = clip, .time = frame / model->clips[clip].fps, .name = memory_copy_string(memory, name)};
  if (!marker.name || !array_push(memory, &animation->markers, marker)) {
    memory_free(memory, marker.name);
    return error_set_out_of_memory(error);
  }
  return true;
}

// Tells of the markers in (from, to], or [from, to] at a clip's start; in time's order, backwards for backward play.
static void notice_markers(const Animation *animation, float from, float to, bool includes_from,
                           AnimationNotice *notice, void *user) {
  bool forward = to >= from;
  float done = from;
  for (bool first = includes_from;; first = false) {
    const Marker *next = NULL;
    for (int i = 0; i < animation->markers.count; i++) {
      const Marker *marker = &animation->markers.items[i];
      if (marker->clip != animation->clip) continue;
      bool is_ahead = forward ? (marker->time > done || (first && marker->time == done)) && marker->time <= to
                              : (marker->time < done || (first && marker->time == done)) && marker->time >= to;
      bool is_nearer = !next || (forward ? marker->time < next->time : marker->time > next->time);
      if (is_ahead && is_nearer) next = marker;
    }
    if (!next) return;
    for (int i = 0; i < animation->markers.count; i++) {
      const Marker *marker = &animation->markers.items[i];
      if (marker->clip == animation->clip && marker->time == next->time) notice(user, marker);
    }
    done = next->time;
  }
}

// Advances within one clip. A step longer than the whole clip wraps several times; the count is bounded all the same.
static void advance(Animation *animation, const ModelClip *clip, float seconds, AnimationNotice *notice, void *user) {
  enum { MAX_WRAPS_PER_STEP = 16 };
  float duration = clip_duration(clip, animation->loops);
  float rest = seconds * animation->speed;
  bool is_forward = rest >= 0, is_at_start = animation->time == (is_forward ? 0 : duration);
  for (int wraps = 0; wraps < MAX_WRAPS_PER_STEP; wraps++) {
    float target = animation->time + rest, end = is_forward ? duration : 0;
    bool reaches_end = is_forward ? target >= end : target <= end;
    float stop = reaches_end ? end : target;
    notice_markers(animation, animation->time, stop, is_at_start, notice, user);
    animation->time = stop;
    if (!reaches_end) return;
    notice(user, NULL);
    if (!animation->loops) {
      animation->is_playing = false;
      return;
    }
    if (duration <= 0) return;
    rest = target - end;
    animation->time = is_forward ? 0 : duration;
    is_at_start = true;
  }
}

void animation_step(Animation *animation, const Model *model, float seconds, AnimationNotice *notice, void *user) {
  animation->previous_pose = animation->pose;
  const ModelClip *clip = current_clip(animation, model);
  if (animation->fade_left > 0) animation->fade_left -= seconds;
  if (clip && animation->is_playing && animation->speed != 0) advance(animation, clip, seconds, notice, user);
  animation_update_pose(animation, model);
}

FramePose animation_drawn_pose(const Animation *animation, const Model *model, float alpha, float step_seconds) {
  const ModelClip *clip = current_clip(animation, model);
  bool is_plain = clip && clip->kind == CLIP_VERTEX && animation->is_playing && animation->fade_left <= 0;
  float back = (1 - alpha) * step_seconds * animation->speed;
  if (!is_plain || animation->time < back) return alpha < 1 && !is_plain ? animation->previous_pose : animation->pose;
  return model_clip_pose(clip, animation->time - back, animation->loops);
}

// --- Another model ---

static void change_marker(Marker *marker, Memory *memory, const Model *old, const Model *model) {
  const char *clip_name = marker->lost_clip   ? marker->lost_clip
                          : marker->clip >= 0 ? old->clips[marker->clip].name
                                              : "";
  marker->clip = model_find_clip(model, clip_name);
  if (marker->clip < 0) {
    // For want of memory the marker is lost for good.
    if (!marker->lost_clip) marker->lost_clip = memory_copy_string(memory, clip_name);
    return;
  }
  memory_free(memory, marker->lost_clip);
  marker->lost_clip = NULL;
}

static int last_frame(const Model *model) {
  int count = model->mesh_count > 0 ? model->meshes[0].frames.frame_count : 0;
  return count > 0 ? count - 1 : 0;
}

// For want of memory the clip is lost for good.
static void lose_clip(Animation *animation, Memory *memory, const char *name) {
  bool has_played = animation->is_playing;
  memory_free(memory, animation->lost_clip);
  animation->lost_clip = memory_copy_string(memory, name);
  animation_set_frame(animation, 0);
  animation->has_played = has_played;
  animation->is_lost = animation->lost_clip != NULL;
}

static void find_lost_clip(Animation *animation, const Model *model) {
  int clip = model_find_clip(model, animation->lost_clip);
  if (clip < 0) return;
  animation->clip = clip;
  animation->time = 0;
  animation->is_playing = animation->has_played;
  animation->is_lost = false;
}

static void change_clip(Animation *animation, Memory *memory, const Model *old, const Model *model) {
  const char *name = old->clips[animation->clip].name;
  int clip = model_find_clip(model, name);
  if (clip < 0) {
    lose_clip(animation, memory, name);
    return;
  }
  animation->clip = clip;
  float duration = clip_duration(&model->clips[clip], animation->loops);
  if (animation->time <= duration) return;
  animation->time = animation->loops && duration > 0 ? fmodf(animation->time, duration) : duration;
}

void animation_change_model(Animation *animation, Memory *memory, const Model *old, const Model *model) {
  int last = last_frame(model);
  for (int i = 0; i < animation->markers.count; i++)
    change_marker(&animation->markers.items[i], memory, old, model);
  if (current_clip(animation, old))
    change_clip(animation, memory, old, model);
  else if (animation->is_lost)
    find_lost_clip(animation, model);
  else if (animation->frame > (float)last)
    animation_set_frame(animation, (float)last);
  if (animation->fade_frame > last) animation->fade_left = 0;
  animation_update_pose(animation, model);
  animation->previous_pose = animation->pose;
}
