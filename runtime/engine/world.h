#ifndef PALFREY_ENGINE_WORLD_H
#define PALFREY_ENGINE_WORLD_H
// A world: a scene of nodes and what they are (models, lights, cameras, characters), stepped at a fixed rate. Scripts work
// on it between steps; queries see it as the last step left it; what happens in a step is told as events, which scripts
// get at the start of the next one. Handles in, plain data out; nothing here knows Lua.
#include "engine/animation.h"
#include "engine/assets.h"
#include "engine/collider.h"
#include "engine/mover.h"
#include "engine/render.h"
#include "engine/scene.h"

typedef struct World World;

typedef enum CollideKind { COLLIDE_NONE = 0, COLLIDE_BOX, COLLIDE_SPHERE, COLLIDE_MESH } CollideKind;

/// What moves the nodes of a file: of the node that was given the model.
typedef struct Rig {
  Handle *parts;  ///< one a node of the file; dead where a script removed it
  int *cursors;   ///< one a track of the file
  int part_count;
  int clip;  ///< that the parts show, at `time`; -1 for none. Nothing is moved again until it changes
  float time;
  uint8_t *
      rests;  ///< one a track: whether a clip before moved by it what the present one does not, and it goes back to rest
  int rest_count;   ///< of those
  uint32_t *moved;  ///< scratch, one a part: bits of the properties that a clip moves
} Rig;

/// A part that a changed file has no more, until it has it again.
typedef struct LostPart {
  Handle node;       ///< dead where a script had removed it
  char *name;        ///< in the file
  ModelNode source;  ///< what the file said of it last, but for its name and weights
  int found;         ///< scratch: the part that it is in the file at hand, or -1
} LostPart;

/// A node that shows a mesh, or (mesh -1) the root of a model whose parts are nodes below it.
typedef struct ModelInstance {
  Handle node;
  ModelAsset *asset;
  int mesh;
  TextureAsset *skin;  ///< in place of all textures, or NULL
  Animation animation;
  Rig rig;
  ARRAY(LostPart) lost_parts;  ///< of a root
  int node_skin;               ///< of the model, whose joints carry the mesh; or -1
  float *morph_weights;        ///< one a morph target of the mesh, or NULL
  Handle host;                 ///< attached to a frame of this model node: shows the same frame, or {0}
  Affine geometry;             ///< from the mesh into the node
  CollideKind collide;
  int collider;      ///< id, or -1
  float tall;        ///< height its first frame was scaled to, metres, or 0
  Vec3 asked_scale;  ///< the node's scale before `tall` changed it
  Bounds bounds;     ///< in the world, of the pose, as of the last step
} ModelInstance;

typedef struct LightInstance {
  Handle node;
  LightKind kind;
  Color color;
  float intensity, range;
  float angle;         ///< full cone of a spot, degrees
  float inner_angle;   ///< up to where it is full; 0 for four fifths
  Handle target_node;  ///< a spot keeps shining at it
} LightInstance;

typedef enum CameraMode { CAMERA_FIXED = 0, CAMERA_FIRST, CAMERA_THIRD, CAMERA_ORBIT } CameraMode;

typedef struct CameraInstance {
  Handle node;
  CameraKind kind;
  float fov;  ///< vertical, degrees
  float size, near_plane, far_plane;
  CameraMode mode;
  Handle follow;
  Handle target_node;
  bool has_target;
  Vec3 target;
  float roll;                                  ///< degrees about its own axis, while it looks at target_node
  float distance, orbit_heading, orbit_pitch;  ///< third person and orbit: metres, degrees
} CameraInstance;

#define CAMERA_ORBIT_PITCH (-20.0f)  // degrees, until a script says otherwise

typedef enum GoalKind { GOAL_IDLE = 0, GOAL_WALK, GOAL_FOLLOW, GOAL_PATROL, GOAL_FLEE, GOAL_FACE } GoalKind;

enum { GOAL_MAX_POINTS = 64 };

typedef struct Goal {
  GoalKind kind;
  Vec3 point;
  Handle node;     ///< followed, fled from, faced
  float distance;  ///< kept when following
  Vec3 *points;    ///< of a patrol
  int point_count, next_point;
  bool has_arrived;
  float settling;  ///< seconds since then
} Goal;

/// A player or an NPC: health, a body that blocks, and where it wants to go.
typedef struct Character {
  Handle node;
  bool is_player;
  float health;
  bool is_dead;
  MoverShape shape;
  MoverState mover;
  float speed;                       ///< m/s
  float turn_rate;                   ///< degrees a second
  float arrive;                      ///< metres
  float jump_speed;                  ///< m/s
  float slope_limit;                 ///< degrees, as in `shape`
  float eye_height;                  ///< metres above the feet
  float asked_radius, asked_height;  ///< as the script gave them, or 0: of the model's first frame
  float foot_offset;                 ///< of the model's lowest point from the node's origin, metres
  float pitch;                       ///< degrees, of a player's look
  float forward_turn;                ///< degrees the model is turned so that its front is -Z
  bool blocks;
  int collider;  ///< id, or -1
  Goal goal;
  bool has_moved;   ///< an NPC stays where it was put until it first moves
  bool is_resting;  ///< stands on the ground and wants nothing: not moved until something changes
  Vec3 avoidance;   ///< velocity that keeps it apart from its neighbours
  // What the script asked of a player for this step.
  float wish_forward, wish_right;
  bool wish_jump;
} Character;

typedef enum WorldEventKind {
  EVENT_KIND_HIT = 0,
  EVENT_KIND_DEATH,
  EVENT_KIND_MARKER,
  EVENT_KIND_CLIP_END,
  EVENT_KIND_ARRIVED,
  EVENT_KIND_TOUCH,
  EVENT_KIND_SEE,
  EVENT_KIND_HEAR,
  EVENT_KIND_COUNT,
} WorldEventKind;

/// "hit", "death", "marker", "clipEnd", "arrived", "touch", "see", "hear"
extern const char *const WORLD_EVENT_NAMES[EVENT_KIND_COUNT];

/// A hit of a ray, sweep or shot. Strings belong to the model or node and live as long as these.
typedef struct WorldHit {
  Handle node;           ///< the character the part belongs to, else the node with the mesh
  Handle part_node;      ///< the node with the mesh
  const char *name;      ///< of the nearest named node upwards, or NULL
  const char *part;      ///< name of the part of a character, or NULL
  const char *material;  ///< or NULL
  float distance;        ///< metres
  Vec3 point, normal;
  int triangle;  ///< of the mesh, or -1
  float u, v;    ///< texture coordinates
} WorldHit;

enum { WORLD_NAME_SIZE = 64 };

typedef struct WorldEvent {
  WorldEventKind kind;
  Handle node;                 ///< may have been removed meanwhile
  char name[WORLD_NAME_SIZE];  ///< of the node at the time
  Handle other;                ///< by whom, or what was touched
  float damage;
  bool has_hit;
  WorldHit hit;  ///< its strings are not valid any more; use the copies
  char part[WORLD_NAME_SIZE], material[WORLD_NAME_SIZE];
  char marker[WORLD_NAME_SIZE];  ///< or the clip's name of clipEnd
} WorldEvent;

typedef struct WorldLimits {
  int nodes, npcs;
} WorldLimits;

typedef struct WorldDesc {
  Color ambient, background;
  ModelFog fog;
  float gravity;  ///< downwards, m/s^2
  float step_seconds;
  uint64_t seed;
  WorldLimits limits;
} WorldDesc;

typedef ARRAY(WorldEvent) WorldEvents;

typedef struct TouchPair {
  Handle a, b;
} TouchPair;

struct World {
  Memory *memory;
  Assets *assets;
  WorldDesc desc;
  ViewMode view_mode;
  Scene scene;
  ColliderSet *colliders;
  ARRAY(ModelInstance) models;
  ARRAY(LightInstance) lights;
  ARRAY(CameraInstance) cameras;
  ARRAY(Character) characters;
  WorldEvents events;     ///< told at the next step
  WorldEvents delivered;  ///< being told now
  WorldEvents shots;      ///< hits whose damage is dealt at the end of this step
  ARRAY(Handle) removed;  ///< since the bindings last asked
  ARRAY(TouchPair) touching, touching_before;
  Handle camera;     ///< set by the script, or {0}: the first one made
  bool needs_refit;  ///< colliders changed since the last refit
  Random random;
  int64_t step;
  int static_collider_count;  ///< of models: what can be stood on
  bool has_ground_changed;    ///< a collider of a model came, went or moved: whoever rests must look again
  // Scratch of queries and drawing, reused.
  ARRAY(float) positions;
  ARRAY(Affine) joint_scratch;
  ARRAY(Affine) draw_joints;
  ARRAY(uint32_t) ignored;  ///< owners that a sweep leaves out
  int posed_instance;       ///< whose pose `positions` holds, or -1
  ARRAY(DrawItem) draw_items;
  ARRAY(DrawLight) draw_lights;
  ARRAY(DrawBox) draw_boxes;
  /// Something found no memory in a function that cannot fail, and was left out: who asked, or else the step, fails.
  bool is_out_of_memory;
};

World *world_create(Memory *memory, Assets *assets, const WorldDesc *desc, Error *error);
void world_free(World *world);

// --- Making nodes. A failure leaves the world as it was. ---

typedef struct Placement {
  const char *name;
  Handle parent;
  Vec3 position, scale;
  bool has_rotation;  ///< else the heading
  float heading;      ///< degrees
  float angle;        ///< degrees about axis
  Vec3 axis;
} Placement;

typedef struct ModelDesc {
  Placement place;
  const char *model, *skin;
  CollideKind collide;
  FrameSelection frames;
  const char *clip;  ///< played in a loop, or NULL
  int frame;         ///< shown while no clip plays, counted in the file; -1 for the first
  float tall;
} ModelDesc;

typedef struct CharacterDesc {
  ModelDesc model;                                               ///< model.model NULL: a player without a body to see
  float health, speed, turn_rate, arrive, jump, radius, height;  ///< 0 radius or height: from the model's first frame
  bool blocks;
  float forward_turn;
  bool has_forward;                ///< else by the model's format
  float step_height, slope_limit;  ///< metres, degrees
} CharacterDesc;

bool world_add_group(World *world, const Placement *place, Handle *node, Error *error);
bool world_add_model(World *world, const ModelDesc *desc, Handle *node, Error *error);
bool world_add_light(World *world, const Placement *place, const LightInstance *light, Handle *node, Error *error);
bool world_add_camera(World *world, const Placement *place, const CameraInstance *camera, Handle *node, Error *error);
bool world_add_player(World *world, const CharacterDesc *desc, Handle *node, Error *error);
bool world_add_npc(World *world, const CharacterDesc *desc, Handle *node, Error *error);

/// Adds a model that shows the frame of its host and moves with it.
bool world_attach(World *world, Handle host, const ModelDesc *desc, Handle *node, Error *error);

/// The node of the host's model with that name in the file, a joint of its skeleton or another one; {0} without one.
Handle world_find_joint(const World *world, Handle host, const char *name);

/// Puts a node below another, {0} for none; its place in the world stays. What comes off its host keeps the pose.
bool world_set_parent(World *world, Handle node, Handle parent, Error *error);

/// Removes a node with all below it, at any time.
void world_remove(World *world, Handle node);

// --- What nodes are ---

ModelInstance *world_model(const World *world, Handle node);  ///< NULL for other nodes
LightInstance *world_light(const World *world, Handle node);
CameraInstance *world_camera(const World *world, Handle node);
Character *world_character(const World *world, Handle node);

bool world_set_skin(World *world, Handle node, const char *path, Error *error);

/// The file frame of a loaded frame and back; -1 when the frame was not loaded.
int world_file_frame(const ModelInstance *model, int loaded);
int world_loaded_frame(const ModelInstance *model, int file_frame);

/// Stands still at a frame: of the file, or of the clip at hand (else the first one) where clips move nodes. False where
/// there is no such frame; `count` is how many there are.
bool world_show_frame(ModelInstance *model, int frame, int *count);

/// The box of a node and all below it, in the world, of the pose; false when there is nothing to see.
bool world_node_bounds(World *world, Handle node, Bounds *bounds);

/// Tells the colliders of a script's change of place.
void world_place_changed(World *world, Handle node);

/// The camera that is drawn, or {0}.
Handle world_active_camera(const World *world);
DrawCamera world_draw_camera(const World *world, Handle camera, float alpha);

// --- Characters ---

void world_set_goal(World *world, Handle npc, const Goal *goal);  ///< takes over goal->points
void world_damage(World *world, Handle victim, float damage, Handle by);
void world_set_health(World *world, Handle character, float health);

typedef struct ShotDesc {
  float range, damage, spread;  ///< metres, health, degrees
  uint32_t mask;
} ShotDesc;

/// Shoots from the eye along the look. The hit is known at once, damage and events follow at the next step.
bool world_shoot(World *world, Handle shooter, const ShotDesc *shot, WorldHit *hit);

// --- Queries, against the last finished step ---

typedef struct RayQuery {
  Vec3 from, direction;   ///< direction of any length
  float range;            ///< metres
  uint32_t mask;          ///< 0 for all
  const Handle *ignored;  ///< with all below them
  int ignored_count;
  bool hits_backfaces;
} RayQuery;

bool world_raycast(World *world, const RayQuery *query, WorldHit *hit);

/// All hits, one a node, nearest first: at most `capacity` are written, the count of all is returned.
int world_raycast_all(World *world, const RayQuery *query, WorldHit *hits, int capacity);

typedef struct SweepQuery {
  Vec3 from, to;
  float radius, height;
  uint32_t mask;
  const Handle *ignored;
  int ignored_count;
} SweepQuery;

bool world_sweep(World *world, const SweepQuery *query, WorldHit *hit);
int world_overlap(World *world, const SweepQuery *query, Handle *nodes, int capacity);

// --- One step ---

/// Starts a step: hands out the events of the last one in `delivered`, valid until the next begin.
void world_begin_step(World *world);

/// Ends it, after the script ran: damage of shots, characters, animations, transforms, colliders.
bool world_end_step(World *world, Error *error);

/// FNV-1a 64 over the state of the simulation, in the order of making. `seed` chains several worlds.
uint64_t world_hash(const World *world, uint64_t seed);

// --- Drawing ---

typedef struct WorldDraw {
  float alpha;  ///< 0 the step before, 1 the last one
  bool shows_boxes;
} WorldDraw;

/// Fills a scene to draw; its arrays belong to the world until the next call.
bool world_fill_scene(World *world, const WorldDraw *draw, DrawScene *scene, Error *error);

// --- Parts shared by the files of the world ---

void world_push_event(World *world, const WorldEvent *event);
void world_set_event_hit(WorldEvent *event, const WorldHit *hit);
void world_sync_collider(World *world, ModelInstance *model);
bool world_add_collider(World *world, ModelInstance *model, CollideKind collide, Error *error);
void world_remove_collider(World *world, ModelInstance *model);
bool world_is_vertex_animated(const Model *model);
/// Makes a node show a mesh of the asset. Takes over neither asset nor skin: both get one more user.
bool world_give_mesh(World *world, Handle node, ModelAsset *asset, int mesh, TextureAsset *skin, Error *error);
void world_take_mesh(World *world, Node *node);  ///< of a node that shows one
/// Makes a node for a node of the file.
typedef struct PartDesc {
  Handle root, parent;
  ModelAsset *asset;
  int index;
  TextureAsset *skin;
  CollideKind collide;
} PartDesc;
bool world_add_part(World *world, const PartDesc *part, Handle *node, Error *error);
/// A part's light and camera as the new file has them; without them there (part -1: without the node) they go.
void world_change_light_and_camera(World *world, Node *node, const Model *old, int old_part, const Model *model,
                                   int part);
void world_place_part(Node *node, const ModelNode *source);
/// Finds the parts of a root again after they were made or changed.
bool world_link_rig(World *world, Handle root, Error *error);
void world_free_rig(Memory *memory, Rig *rig);
void world_free_lost_parts(Memory *memory, ModelInstance *root);
/// Puts back to rest, as `model` has it, what clips have moved: before the parts become those of another file. `model` is the one
/// that the rig was linked with.
void world_rest_rig(World *world, ModelInstance *root, const Model *model);
/// Moves the parts to where the root's clip has them now. `seconds` is how much of a fade goes by.
void world_pose_rig(World *world, ModelInstance *root, float seconds);
/// Whether a clip of its model says where the part is.
bool world_is_animated_part(const World *world, const Node *part);
Affine world_source_transform(const Model *source, int node);  ///< from a node of the file to the model's root
/// Scales the model so that its first frame is `tall` metres high.
void world_make_tall(ModelInstance *model, Node *node, float tall);
void world_leave_host(World *world, ModelInstance *model);                       ///< keeps the pose
void world_change_model(void *world, ModelAsset *asset, const ModelAsset *old);  ///< a file was read again
bool world_add_character(World *world, const CharacterDesc *desc, Handle node, bool is_player, Error *error);
void world_free_character(World *world, Character *character);
void world_measure_again(World *world, Character *character);        ///< after its model changed
bool world_block(World *world, Character *character, Error *error);  ///< gives it the capsule others run into
Vec3 world_eye(const World *world, const Character *character);
Vec3 world_look(const World *world, const Character *character);
void world_deal_shots(World *world);
void world_character_placed(World *world, Character *character);              ///< after a script moved it
void world_character_carried(World *world, Character *character);             ///< after a node above it was moved
bool world_unknown_clip(const Model *model, const char *name, Error *error);  ///< sets the error that lists the clips
Bounds world_first_bounds(const ModelInstance *model);  ///< of the first loaded frame, in the model's space
/// Moves, turns or scales what a model shows against its node, in the node's space: all parts together.
void world_change_geometry(World *world, Handle root, Affine change);
float world_heading(const World *world, const Node *node);  ///< degrees, in the world
/// When a place is asked for: as it is now, or as drawn `alpha` of the way from the step before to the last one (1: the last).
typedef struct Moment {
  bool is_now;
  float alpha;
} Moment;

#define MOMENT_LAST_STEP ((Moment){false, 1})
#define MOMENT_NOW ((Moment){true, 1})
Affine world_place(const World *world, const Node *node, Moment moment);

/// From the space that a mesh is shaped in, its own or for a skinned one that of the model, into the world.
Affine world_shape_transform(const World *world, const ModelInstance *model, Moment moment);

// Meshes whose shape is not the one on the GPU: of morph targets and joints.
bool world_is_skinned(const World *world, const ModelInstance *model);
bool world_is_deformed(const World *world, const ModelInstance *model);
/// Of a skinned mesh; 0 for others.
int world_joint_count(const World *world, const ModelInstance *model);
/// One for each joint: from the mesh at the bind pose into the space it is shaped in. Returns how many.
int world_joint_transforms(const World *world, const ModelInstance *model, Moment moment, Affine *transforms);
/// Gives the mesh of a model the skin and the weights of morph targets that its node in the file has.
bool world_set_deformation(World *world, ModelInstance *model, const ModelNode *node, Error *error);
/// 3 floats for each of the mesh's vertices. False, with is_out_of_memory set, for want of memory.
bool world_deform(World *world, const ModelInstance *model, Moment moment, float *positions);
/// A box around the deformed mesh, before world_shape_transform: never too small.
Bounds world_deformed_bounds(World *world, const ModelInstance *model, Moment moment);

/// 3 floats a vertex in mesh space, of the pose; valid until the next call. NULL when memory is exhausted.
const float *world_posed_positions(World *world, const ModelInstance *model);
/// A box around the posed mesh in the world, as of the last step, without looking at each vertex: never too small.
Bounds world_loose_bounds(World *world, const ModelInstance *model);
WorldEvent world_make_event(const World *world, WorldEventKind kind, Handle node);
Handle world_character_above(const World *world, Handle node);
void world_move_characters(World *world);
void world_place_cameras(World *world);  ///< and turns spots to what they shine at
FramePose world_pose(const World *world, const ModelInstance *model);
uint32_t world_owner(Handle node);

#endif
