#ifndef PALFREY_LOADERS_MD2_H
#define PALFREY_LOADERS_MD2_H
// The parts of the MD2 loader that stand on their own: naming clips by the frames' names, and the list of OpenGL
// commands.
#include "loaders/model.h"

/// What a frame's name says about its clip: the frame number goes (the last two digits where the name ends in three or
/// more, else all its last digits, with zeros before it), then a trailing "_".
void md2_clip_name(const char frame_name[17], char clip_name[17]);

/// Adds a clip for each run of frames whose names say the same. `kept` are the frames that stay in the model, ascending
/// and counted in `frames`, or NULL for all; a clip of which no frame stays is left out.
bool md2_add_clips(Model *model, const VertexFrames *frames, const int *kept, int kept_count);

/// Counts the triangles of a list of strips and fans: -1 when the list is not sound, and `problem` tells why. A list that
/// lacks its end is read to the last word, with a `problem` too.
int md2_count_glcmds_triangles(const uint8_t *words, int word_count, int vertex_count, const char **problem);

#endif
