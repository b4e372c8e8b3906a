// Worlds and nodes as Lua values. A world's value owns the world; a node's value is a checked handle. A living node has
// one value: the world's value keeps it in a table by slot until the node is removed, so that `==`, table keys and the
// script's own data hold. A node's value keeps its world's value alive.
#include <string.h>

#include "bindings/binding.h"

#define WORLD_TAG 0x70616c6672657957u
#define NODE_TAG 0x70616c667265794eu

/// type NodeKind: "group"|"model"|"light"|"camera"|"player"|"npc"
/// What a node is. The option `mask` of queries and shots is a list of these.
const char *const KIND_NAMES[NODE_KIND_COUNT] = {"group", "model", "light", "camera", "player", "npc"};

// A value is ours when size and tag say so. Comparing metatables would cost a table look-up more at every call. The size
// comes first: it is 0 for light userdata, behind which there may be nothing to read.
static void *to_tagged(lua_State *L, int index, size_t size, uint64_t tag) {
  uint64_t *value = lua_rawlen(L, index) == size ? lua_touserdata(L, index) : NULL;
  return value && *value == tag ? value : NULL;
}

static NodeRef *to_node(lua_State *L, int index) {
  return to_tagged(L, index, sizeof(NodeRef), NODE_TAG);
}

NodeRef *binding_to_node(lua_State *L, int index) {
  return to_node(L, index);
}

static WorldBox *to_world(lua_State *L, int index) {
  return to_tagged(L, index, sizeof(WorldBox), WORLD_TAG);
}

bool binding_is_world(lua_State *L, int index) {
  return to_world(L, index) != NULL;
}

World *binding_check_world(lua_State *L, int index) {
  WorldBox *box = to_world(L, index);
  if (!box) luaL_typeerror(L, index, "world");
  if (!box->world) luaL_error(L, "world was removed");
  return box->world;
}

Node *binding_check_node(lua_State *L, int index, World **world) {
  NodeRef *ref = to_node(L, index);
  if (!ref) luaL_typeerror(L, index, "node");
  Node *node = ref->box->world ? scene_get(&ref->box->world->scene, ref->handle) : NULL;
  if (!node) luaL_error(L, "%s was removed", KIND_NAMES[ref->kind]);
  *world = ref->box->world;
  return node;
}

ModelInstance *binding_check_model(lua_State *L, int index, World **world) {
  Node *node = binding_check_node(L, index, world);
  if (node->model < 0) luaL_argerror(L, index, lua_pushfstring(L, "this %s shows no model", KIND_NAMES[node->kind]));
  return &(*world)->models.items[node->model];
}

Character *binding_check_character(lua_State *L, int index, World **world) {
  Node *node = binding_check_node(L, index, world);
  if (node->character < 0)
    luaL_argerror(L, index, lua_pushfstring(L, "npc or player expected, got %s", KIND_NAMES[node->kind]));
  return &(*world)->characters.items[node->character];
}

LightInstance *binding_check_light(lua_State *L, int index, World **world) {
  Node *node = binding_check_node(L, index, world);
  if (node->light < 0) luaL_argerror(L, index, lua_pushfstring(L, "light expected, got %s", KIND_NAMES[node->kind]));
  return &(*world)->lights.items[node->light];
}

CameraInstance *binding_check_camera(lua_State *L, int index, World **world) {
  Node *node = binding_check_node(L, index, world);
  if (node->camera < 0) luaL_argerror(L, index, lua_pushfstring(L, "camera expected, got %s", KIND_NAMES[node->kind]));
  return &(*world)->cameras.items[node->camera];
}

static void push_new_node(lua_State *L, int world_index, const Node *node, Handle handle, NodeKind kind) {
  NodeRef *ref = lua_newuserdatauv(L, sizeof *ref, 3);
  *ref = (NodeRef){NODE_TAG, lua_touserdata(L, world_index), handle, node ? node->kind : kind};
  lua_pushvalue(L, world_index);
  lua_setiuservalue(L, -2, NODE_WORLD);
  luaL_setmetatable(L, KIND_NAMES[ref->kind]);
}

void binding_push_node(lua_State *L, int world_index, Handle handle) {
  if (!handle.generation) {
    lua_pushnil(L);
    return;
  }
  world_index = lua_absindex(L, world_index);
  WorldBox *box = lua_touserdata(L, world_index);
  const Node *node = scene_get(&box->world->scene, handle);
  lua_getiuservalue(L, world_index, WORLD_NODES);
  lua_rawgeti(L, -1, (lua_Integer)handle.index + 1);
  NodeRef *known = to_node(L, -1);
  if (known && handle_equals(known->handle, handle)) {
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  push_new_node(L, world_index, node, handle, NODE_GROUP);
  if (node) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, (lua_Integer)handle.index + 1);
  }
  lua_remove(L, -2);
}

void binding_push_world_of(lua_State *L, int index) {
  lua_getiuservalue(L, index, NODE_WORLD);
}

void binding_forget_removed(lua_State *L, int world_index) {
  world_index = lua_absindex(L, world_index);
  World *world = ((WorldBox *)lua_touserdata(L, world_index))->world;
  lua_getiuservalue(L, world_index, WORLD_NODES);
  for (int i = 0; i < world->removed.count; i++) {
    lua_pushnil(L);
    lua_rawseti(L, -2, (lua_Integer)world->removed.items[i].index + 1);
  }
  world->removed.count = 0;
  lua_pop(L, 1);
}

static int collect_world(lua_State *L) {
  WorldBox *box = to_world(L, 1);
  if (!box || !box->world) return 0;
  Host *host = binding_host(L);
  if (host->world == box->world) host->world = NULL;
  world_free(box->world);
  assets_trim(host->assets);
  box->world = NULL;
  return 0;
}

static int nodes_are_equal(lua_State *L) {
  const NodeRef *a = to_node(L, 1), *b = to_node(L, 2);
  lua_pushboolean(L, a && b && a->box == b->box && handle_equals(a->handle, b->handle));
  return 1;
}

static int node_to_string(lua_State *L) {
  const NodeRef *ref = to_node(L, 1);
  if (!ref) return luaL_typeerror(L, 1, "node");
  const Node *node = ref->box->world ? scene_get(&ref->box->world->scene, ref->handle) : NULL;
  if (!node) {
    lua_pushfstring(L, "%s (removed)", KIND_NAMES[ref->kind]);
  } else if (node->name) {
    lua_pushfstring(L, "%s \"%s\"", KIND_NAMES[ref->kind], node->name);
  } else {
    lua_pushstring(L, KIND_NAMES[ref->kind]);
  }
  return 1;
}

static int world_to_string(lua_State *L) {
  lua_pushliteral(L, "world");
  return 1;
}

// A new metatable, whose methods scripts can call but whose insides they cannot reach.
static void push_metatable(lua_State *L, const char *name) {
  luaL_newmetatable(L, name);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
}

WorldBox *binding_push_new_world(lua_State *L) {
  WorldBox *box = lua_newuserdatauv(L, sizeof *box, 2);
  *box = (WorldBox){WORLD_TAG, NULL};
  luaL_setmetatable(L, "world");
  lua_newtable(L);
  lua_setiuservalue(L, -2, WORLD_NODES);
  lua_newtable(L);
  lua_setiuservalue(L, -2, WORLD_HANDLERS);
  return box;
}

void binding_check_memory(lua_State *L, World *world) {
  if (!world->is_out_of_memory) return;
  world->is_out_of_memory = false;
  luaL_error(L, "out of memory");
}

static void open_node_kind(lua_State *L, NodeKind kind, const luaL_Reg *const *method_lists, int count) {
  push_metatable(L, KIND_NAMES[kind]);
  for (int i = 0; i < count; i++)
    luaL_setfuncs(L, method_lists[i], 0);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, nodes_are_equal);
  lua_setfield(L, -2, "__eq");
  lua_pushcfunction(L, node_to_string);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
}

void binding_open_values(lua_State *L) {
  push_metatable(L, "world");
  luaL_setfuncs(L, WORLD_METHODS, 0);
  luaL_setfuncs(L, WORLD_ADD_METHODS, 0);
  luaL_setfuncs(L, WORLD_QUERY_METHODS, 0);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, collect_world);
  lua_setfield(L, -2, "__gc");
  lua_pushcfunction(L, world_to_string);
  lua_setfield(L, -2, "__tostring");
  lua_pop(L, 1);
  open_node_kind(L, NODE_GROUP, (const luaL_Reg *[]){NODE_METHODS}, 1);
  open_node_kind(L, NODE_MODEL, (const luaL_Reg *[]){NODE_METHODS, MODEL_METHODS}, 2);
  open_node_kind(L, NODE_LIGHT, (const luaL_Reg *[]){NODE_METHODS, LIGHT_METHODS}, 2);
  open_node_kind(L, NODE_CAMERA, (const luaL_Reg *[]){NODE_METHODS, CAMERA_METHODS}, 2);
  open_node_kind(L, NODE_PLAYER, (const luaL_Reg *[]){NODE_METHODS, MODEL_METHODS, CHARACTER_METHODS, PLAYER_METHODS},
                 4);
  open_node_kind(L, NODE_NPC, (const luaL_Reg *[]){NODE_METHODS, MODEL_METHODS, CHARACTER_METHODS, NPC_METHODS}, 4);
}

int binding_fail(lua_State *L, const Error *error) {
  if (error->is_mistake || error->is_out_of_memory) return luaL_error(L, "%s", error->text);
  binding_note_nil(L, error->text);
  lua_pushnil(L);
  lua_pushstring(L, error->text);
  return 2;
}

int binding_result(lua_State *L, bool is_good, const Error *error) {
  if (!is_good) return binding_fail(L, error);
  lua_pushboolean(L, true);
  return 1;
}

static int push_bytes(lua_State *L) {
  const Bytes *bytes = lua_touserdata(L, 1);
  lua_pushlstring(L, (const char *)bytes->data, bytes->size);
  return 1;
}

int binding_give_bytes(lua_State *L, Memory *memory, Bytes *bytes) {
  lua_pushcfunction(L, push_bytes);
  lua_pushlightuserdata(L, bytes);
  int status = lua_pcall(L, 1, 1, 0);
  memory_free(memory, bytes->data);
  return status == LUA_OK ? 1 : lua_error(L);
}
