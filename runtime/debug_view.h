#ifndef PALFREY_DEBUG_VIEW_H
#define PALFREY_DEBUG_VIEW_H
// The lines F3 shows over the picture.
#include "bindings/host.h"

/// `stats` are those of the frame before.
bool debug_view_draw(Host *host, const RenderStats *stats, double frame_seconds, Error *error);

#endif
