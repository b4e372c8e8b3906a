#ifndef PALFREY_LOADERS_FRAMES_H
#define PALFREY_LOADERS_FRAMES_H
// Some of the vertex frames of a file in place of all: request->frames, which must not be NULL here.
#include "loaders/loader.h"

/// Whether a file with that many frames has those of the request, and they ascend; else sets the error.
bool frames_check(const LoadRequest *request, int frame_count, Error *error);

/// Copies the request's frames of `all` into the model's arena, without filling between them, and sets `kept` to them. False
/// without memory.
bool frames_copy(Model *model, const LoadRequest *request, const VertexFrames *all, VertexFrames *kept);

/// Leaves a validated model only the request's frames, and the clips that have some of them. A model without vertex frames, and
/// frames that it has not, are errors.
bool frames_keep(Model *model, const LoadRequest *request, Error *error);

#endif
