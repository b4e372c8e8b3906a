// Irrlicht with the device that draws nothing. A device for each file: meshes are cached in its scene manager.
#include <irrlicht.h>

#include <cstring>

extern "C" {
#include "load/peer.h"
extern const LoadPeer LOAD_PEER;
}

using namespace irr;

namespace {

struct Opened {
  IrrlichtDevice *device;
  io::IReadFile *file;
  scene::IAnimatedMesh *mesh;
};

void *open_bytes(const void *bytes, size_t size, const char *file_name) {
  SIrrlichtCreationParameters parameters;
  parameters.DriverType = video::EDT_NULL;
  parameters.LoggingLevel = ELL_NONE;
  IrrlichtDevice *device = createDeviceEx(parameters);
  if (!device) return nullptr;
  io::IReadFile *file =
      device->getFileSystem()->createMemoryReadFile(const_cast<void *>(bytes), (s32)size, file_name, false);
  return new Opened{device, file, nullptr};
}

bool load(void *user) {
  Opened *opened = static_cast<Opened *>(user);
  opened->mesh = opened->device->getSceneManager()->getMesh(opened->file);
  return opened->mesh != nullptr;
}

// Its OBJ loader turns x round, the other loaders swap y and z.
void add_frame(scene::IMesh *mesh, bool is_obj, LoadFacts *facts) {
  facts->triangle_count = 0;
  for (u32 i = 0; i < mesh->getMeshBufferCount(); i++) {
    scene::IMeshBuffer *buffer = mesh->getMeshBuffer(i);
    facts->triangle_count += buffer->getIndexCount() / 3;
    for (u32 k = 0; k < buffer->getVertexCount(); k++) {
      const core::vector3df &p = buffer->getPosition(k);
      if (is_obj)
        load_facts_add_point(facts, -p.X, p.Y, p.Z);
      else
        load_facts_add_point(facts, p.X, p.Z, p.Y);
    }
  }
}

void tell(const void *user, LoadFacts *facts) {
  const Opened *opened = static_cast<const Opened *>(user);
  bool is_obj = opened->mesh->getMeshType() == scene::EAMT_OBJ;
  // Between two keyframes of an MD2 file there are four of its own.
  u32 step = opened->mesh->getMeshType() == scene::EAMT_MD2 ? 4 : 1;
  load_facts_start(facts);
  for (u32 frame = 0; frame < opened->mesh->getFrameCount(); frame += step)
    add_frame(opened->mesh->getMesh((s32)frame, 255), is_obj, facts);
}

void close_opened(void *user) {
  Opened *opened = static_cast<Opened *>(user);
  opened->file->drop();
  opened->device->closeDevice();
  opened->device->drop();
  delete opened;
}

}  // namespace

const LoadPeer LOAD_PEER = {"irrlicht", " obj 3ds md2 ", open_bytes, load, tell, close_opened};
