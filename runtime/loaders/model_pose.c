#include "loaders/model_pose.h"

int model_clip_frames(const ModelClip *clip) {
  const float MOST = 1 << 30;
  if (clip->kind == CLIP_VERTEX) return clip->frame_count;
  return (int)lrintf(fminf((clip->end - clip->start) * clip->fps, MOST)) + 1;
}

FramePose model_clip_pose(const ModelClip *clip, float time, bool loops) {
  int last = clip->frame_count - 1;
  float position = fmaxf(time * clip->fps, 0);
  int frame = position < (float)last ? (int)position : last;
  float mix = position - (float)frame;
  int next = frame < last ? frame + 1 : loops ? 0 : last;
  if (next == frame || mix < 0 || mix > 1) mix = 0;
  return (FramePose){clip->first_frame + frame, clip->first_frame + next, mix};
}

Affine model_node_transform(const ModelNode *node) {
  Affine local = affine_from_trs(node->translation, node->rotation, node->scale);
  return node->has_matrix ? affine_mul(local, node->matrix) : local;
}

void model_node_worlds(const ModelNode *nodes, int count, Affine *worlds) {
  for (int i = 0; i < count; i++) {
    worlds[i] = model_node_transform(&nodes[i]);
    if (nodes[i].parent >= 0) worlds[i] = affine_mul(worlds[nodes[i].parent], worlds[i]);
  }
}

void model_move_node(ModelNode *node, const Track *keys, float time) {
  float v[4];
  int cursor = 0;
  if (keys->component_count > 4) return;
  track_sample(keys, time, &cursor, v);
  switch (keys->property) {
    case TRACK_TRANSLATION:
      node->translation = vec3(v[0], v[1], v[2]);
      break;
    case TRACK_ROTATION:
      node->rotation = (Quat){v[0], v[1], v[2], v[3]};
      break;
    case TRACK_SCALE:
      node->scale = vec3(v[0], v[1], v[2]);
      break;
    case TRACK_VISIBILITY:
      node->is_hidden = v[0] < 0.5f;
      break;
    case TRACK_ALPHA:
      node->alpha = v[0];
      break;
    default:  // of lights, cameras and meshes, not of the node
      break;
  }
}

void model_pose_nodes(const Model *model, const ModelClip *clip, float time, ModelNode *nodes) {
  for (int i = clip->first_track; i < clip->first_track + clip->track_count; i++) {
    const ModelTrack *track = &model->tracks[i];
    if (!track->is_material) model_move_node(&nodes[track->target], &track->keys, time);
  }
}
