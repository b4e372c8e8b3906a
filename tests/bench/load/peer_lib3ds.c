// lib3ds 1.3: reading and the normals of smoothing groups, three a face. It makes no indices.
#include <lib3ds/file.h>
#include <lib3ds/io.h>
#include <lib3ds/mesh.h>
#include <stdlib.h>
#include <string.h>

#include "load/peer.h"

extern const LoadPeer LOAD_PEER;

typedef struct Opened {
  const char *bytes;
  long size, at;
  Lib3dsFile *file;
  Lib3dsVector *normals;
} Opened;

static Lib3dsBool tell_error(void *self) {
  (void)self;
  return LIB3DS_FALSE;
}

static long seek(void *self, long offset, Lib3dsIoSeek origin) {
  Opened *opened = self;
  long base = origin == LIB3DS_SEEK_SET ? 0 : origin == LIB3DS_SEEK_CUR ? opened->at : opened->size;
  opened->at = base + offset;
  return 0;
}

static long tell_place(void *self) {
  return ((Opened *)self)->at;
}

static size_t read_bytes(void *self, void *buffer, size_t size) {
  Opened *opened = self;
  size_t left = opened->at < opened->size ? (size_t)(opened->size - opened->at) : 0;
  if (size > left) size = left;
  memcpy(buffer, opened->bytes + opened->at, size);
  opened->at += (long)size;
  return size;
}

static size_t write_nothing(void *self, const void *buffer, size_t size) {
  (void)self;
  (void)buffer;
  (void)size;
  return 0;
}

static void *open_bytes(const void *bytes, size_t size, const char *file_name) {
  (void)file_name;
  Opened *opened = calloc(1, sizeof *opened);
  if (opened) *opened = (Opened){.bytes = bytes, .size = (long)size};
  return opened;
}

static bool load(void *user) {
  Opened *opened = user;
  Lib3dsIo *io = lib3ds_io_new(opened, tell_error, seek, tell_place, read_bytes, write_nothing);
  opened->file = lib3ds_file_new();
  if (!io || !opened->file || !lib3ds_file_read(opened->file, io)) return false;
  size_t face_count = 0;
  for (Lib3dsMesh *mesh = opened->file->meshes; mesh; mesh = mesh->next)
    face_count += mesh->faces;
  opened->normals = malloc(3 * face_count * sizeof *opened->normals);
  if (!opened->normals) return false;
  Lib3dsVector *normals = opened->normals;
  for (Lib3dsMesh *mesh = opened->file->meshes; mesh; mesh = mesh->next) {
    lib3ds_mesh_calculate_normals(mesh, normals);
    normals += 3 * mesh->faces;
  }
  lib3ds_io_free(io);
  return true;
}

static void tell(const void *user, LoadFacts *facts) {
  const Opened *opened = user;
  load_facts_start(facts);
  for (const Lib3dsMesh *mesh = opened->file->meshes; mesh; mesh = mesh->next) {
    facts->triangle_count += mesh->faces;
    for (unsigned i = 0; i < mesh->points; i++) {
      const float *p = mesh->pointL[i].pos;
      load_facts_add_point(facts, p[0], p[1], p[2]);
    }
  }
}

static void close_opened(void *user) {
  Opened *opened = user;
  if (opened->file) lib3ds_file_free(opened->file);
  free(opened->normals);
  free(opened);
}

const LoadPeer LOAD_PEER = {"lib3ds", " 3ds ", open_bytes, load, tell, close_opened};
