#ifndef PALFREY_SKIN_VERTEX_FRAMES_H
#define PALFREY_SKIN_VERTEX_FRAMES_H
// Packed keyframes of a vertex animation, kept as an MD2 file stores them (Quake II, qfiles.h): every frame has a scale
// and a translation and, for each vertex, three bytes of position and one byte of normal. A position is
// byte * scale + translation in the axes of the file; vertex_frames_to_engine leads from there into the engine's.
#include <stddef.h>
#include <stdint.h>

#include "vmath.h"

enum {
  PACKED_FRAME_HEADER_SIZE = 40,  ///< float scale[3], float translation[3], char name[16], little-endian
  PACKED_VERTEX_SIZE = 4,         ///< x, y, z and the index of the normal
  PACKED_NORMAL_COUNT = 162,
  PACKED_NORMAL_DIRECTION_COUNT = 27,  ///< the 162 up to the signs of x, y and z
};

typedef struct VertexFrames {
  const uint8_t *bytes;  ///< of each frame a header, then vertex_count vertices
  size_t stride;         ///< bytes from one frame to the next, which may be more than it needs
  int frame_count;
  int vertex_count;
} VertexFrames;

/// Scale and translation of one frame, in file axes.
typedef struct FrameTransform {
  Vec3 scale, translation;
} FrameTransform;

/// Bytes of x, y, z and normal index.
typedef struct PackedRange {
  uint8_t low[4], high[4];
} PackedRange;

/// The pose between two frames: frame_a at mix 0, frame_b at mix 1.
typedef struct FramePose {
  int frame_a, frame_b;
  float mix;
} FramePose;

/// The file axes of MD2 (x forward, y left, z up) in the engine's: (x, y, z) becomes (-y, z, -x).
static inline Vec3 vertex_frames_to_engine(Vec3 v) {
  return vec3(-v.y, v.z, -v.x);
}

FrameTransform vertex_frames_transform(const VertexFrames *frames, int frame);

/// The frame's name, which may lack a NUL: writes at most 16 characters and a NUL into `name`.
void vertex_frames_name(const VertexFrames *frames, int frame, char name[17]);

/// The smallest and the largest byte of x, y, z and normal index in a frame.
PackedRange vertex_frames_range(const VertexFrames *frames, int frame);

/// The exact box of a frame with that range and transform, in engine axes.
Bounds packed_range_bounds(PackedRange range, FrameTransform transform);

/// Positions of one frame pair, blended, in engine axes. `positions` holds 3 floats for each of the vertex_count
/// vertices.
void vertex_frames_blend(const VertexFrames *frames, FramePose pose, float *positions);

/// The exact box of a pose: of the very positions that vertex_frames_blend gives.
Bounds vertex_frames_bounds(const VertexFrames *frames, FramePose pose);

/// The unit normal of an index, in file axes; indexes above 161 give the last one.
Vec3 vertex_frames_normal(int index);

/// One of the 27 directions with no negative part, in file axes. The 162 normals are the corners of an icosahedron cut
/// 4 times and pushed to the sphere, which is symmetric in every axis.
Vec3 vertex_frames_normal_direction(int direction);

/// The byte a GPU gets for a normal: the direction in bits 0-4, the signs of x, y, z in bits 5, 6, 7.
uint8_t vertex_frames_normal_code(int index);

/// The index of the normal nearest to a direction in file axes, which need not be of unit length.
int vertex_frames_nearest_normal(Vec3 direction);

#endif
