// Assimp through its C interface. Its 3DS loader makes normals from smoothing groups itself.
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

#include "load/peer.h"

extern const LoadPeer LOAD_PEER;

typedef struct Opened {
  const void *bytes;
  size_t size;
  const char *extension;
  const struct aiScene *scene;
} Opened;

static void *open_bytes(const void *bytes, size_t size, const char *file_name) {
  Opened *opened = calloc(1, sizeof *opened);
  const char *dot = strrchr(file_name, '.');
  if (opened) *opened = (Opened){bytes, size, dot ? dot + 1 : "", NULL};
  return opened;
}

static bool load(void *user) {
  Opened *opened = user;
  opened->scene = aiImportFileFromMemory(opened->bytes, (unsigned)opened->size,
                                         aiProcess_Triangulate | aiProcess_JoinIdenticalVertices, opened->extension);
  return opened->scene != NULL;
}

static void tell(const void *user, LoadFacts *facts) {
  const Opened *opened = user;
  load_facts_start(facts);
  for (unsigned i = 0; i < opened->scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = opened->scene->mMeshes[i];
    if (mesh->mNormals) facts->triangle_count += mesh->mNumFaces;
    for (unsigned k = 0; k < mesh->mNumVertices; k++)
      load_facts_add_point(facts, mesh->mVertices[k].x, mesh->mVertices[k].y, mesh->mVertices[k].z);
  }
}

static void close_opened(void *user) {
  Opened *opened = user;
  aiReleaseImport(opened->scene);
  free(opened);
}

const LoadPeer LOAD_PEER = {"assimp", " obj 3ds glb ", open_bytes, load, tell, close_opened};
