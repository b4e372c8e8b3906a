#ifndef PALFREY_LOADERS_MODEL_POSE_H
#define PALFREY_LOADERS_MODEL_POSE_H
// Where the nodes of a model are: at rest, and at a time of a clip.
#include "loaders/model.h"

/// Frames of a clip: those of vertex animation, else the keys' time counted at the clip's rate, both ends included.
int model_clip_frames(const ModelClip *clip);

/// The pair of frames at `time` seconds of a vertex clip. Past the last frame a loop blends into the first, a single run holds.
FramePose model_clip_pose(const ModelClip *clip, float time, bool loops);

/// From the node into its parent.
Affine model_node_transform(const ModelNode *node);

/// From each node into the model's root, `count` of them with parents before their children.
void model_node_worlds(const ModelNode *nodes, int count, Affine *worlds);

/// Writes what a track has at a time into its node; tracks of lights, cameras and meshes change nothing there.
void model_move_node(ModelNode *node, const Track *keys, float time);

/// Writes into `nodes`, a copy of the model's, what the tracks of a clip move at a time (of the tracks, not counted from the
/// clip's start): places, visibility and opacity.
void model_pose_nodes(const Model *model, const ModelClip *clip, float time, ModelNode *nodes);

#endif
