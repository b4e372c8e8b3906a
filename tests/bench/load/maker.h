#ifndef PALFREY_BENCH_LOAD_MAKER_H
#define PALFREY_BENCH_LOAD_MAKER_H
// Makes the input files of the benchmark "load": always the same bytes for the same size, of bodies as body.h has them.
#include "load/peer.h"

/// Writes a file of about `size` bytes and tells what it holds.
typedef bool MakeFile(const char *path, size_t size, LoadFacts *facts);

/// As modelling programs write it: v, vt and vn with six digits, objects of two groups each, materials, mostly quads and
/// every eighth row triangles. The material library stands beside it.
MakeFile load_make_obj;

/// Meshes with texture coordinates, faces of four materials, a smoothing group for every few rows.
MakeFile load_make_3ds;

/// Meshes in turn interleaved with 16-bit indices, and in plain arrays with 32-bit indices.
MakeFile load_make_glb;

/// The model of an OBJ file of 10 MB as Palfrey converts it: `size` is not looked at.
MakeFile load_make_mbj;

#endif
