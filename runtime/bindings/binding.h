#ifndef PALFREY_BINDINGS_BINDING_H
#define PALFREY_BINDINGS_BINDING_H
// What the files of the bindings share: from Lua values to the engine and back. Every bound function reads and checks all
// its arguments (and may raise), then calls the engine (which cannot raise), then pushes the results.
#include <lauxlib.h>
#include <lua.h>

#include "bindings/host.h"

Host *binding_host(lua_State *L);

/// The platform; raises while conf.lua runs, when there is none yet.
Platform *binding_platform(lua_State *L);

// --- The words of enumerations, in the order of these ---

extern const char *const KIND_NAMES[NODE_KIND_COUNT],
    *const VIEW_NAMES[4], *const FOG_NAMES[3], *const LIGHT_NAMES[4], *const CAMERA_NAMES[2],
                                                                          *const MODE_NAMES[4],
                                                                              *const COLLIDE_NAMES[4],
                                                                                  *const FORWARD_NAMES[4];
/// Degrees about +Y that bring a model's front, by FORWARD_NAMES, to -Z.
extern const float FORWARD_TURNS[4];

// --- Worlds and nodes as Lua values ---

/// The value of a world. `world` is NULL once it was collected.
typedef struct WorldBox {
  uint64_t tag;
  World *world;
} WorldBox;

/// The value of a node: one a living node. User values: the world's value, the script's data, its handlers.
typedef struct NodeRef {
  uint64_t tag;
  WorldBox *box;
  Handle handle;
  NodeKind kind;
} NodeRef;

enum { NODE_WORLD = 1, NODE_DATA = 2, NODE_HANDLERS = 3 };  ///< user values of a node
enum { WORLD_NODES = 1, WORLD_HANDLERS = 2 };               ///< user values of a world

World *binding_check_world(lua_State *L, int index);

/// The living node at an index; raises for anything else, "<kind> was removed" for a dead one.
Node *binding_check_node(lua_State *L, int index, World **world);

/// The same for nodes that show a model, characters, NPCs, players, lights, cameras.
ModelInstance *binding_check_model(lua_State *L, int index, World **world);
Character *binding_check_character(lua_State *L, int index, World **world);
LightInstance *binding_check_light(lua_State *L, int index, World **world);
CameraInstance *binding_check_camera(lua_State *L, int index, World **world);

/// The reference if the value is a node, dead or alive, else NULL.
NodeRef *binding_to_node(lua_State *L, int index);

/// Whether the value is a world, alive or not.
bool binding_is_world(lua_State *L, int index);

/// Pushes the value of a node of the world whose value is at `world_index`; nil for {0}.
void binding_push_node(lua_State *L, int world_index, Handle handle);

/// Pushes the value of the world a node's value at `index` belongs to.
void binding_push_world_of(lua_State *L, int index);

/// palfrey.addLoader
extern const luaL_Reg BINDING_LOADER_FUNCTIONS[];

/// Forgets the values of nodes that were removed.
void binding_forget_removed(lua_State *L, int world_index);

/// Pushes a world's value without a world. It owns the one that is put into its box.
WorldBox *binding_push_new_world(lua_State *L);

/// Raises when something that the engine was just asked for found no memory.
void binding_check_memory(lua_State *L, World *world);

/// nil and the message, or raises it when it is the caller's mistake or memory is exhausted.
int binding_fail(lua_State *L, const Error *error);

/// Remembers that the running function returns nil with this message.
void binding_note_nil(lua_State *L, const char *message);

/// true, or as binding_fail.
int binding_result(lua_State *L, bool is_good, const Error *error);

/// Pushes the bytes as a string and frees them, also when Lua runs out of memory; returns 1.
int binding_give_bytes(lua_State *L, Memory *memory, Bytes *bytes);

// --- Arguments ---

/// A finite number of a sane size.
float binding_check_number(lua_State *L, int index);
const char *binding_check_string(lua_State *L, int index);  ///< without zero bytes
Vec3 binding_check_vec3(lua_State *L, int index);           ///< three numbers from `index` on
int binding_check_choice(lua_State *L, int index, const char *const *names, int count);

// --- Options: one table, checked by name and type ---

typedef struct OptionTable {
  lua_State *lua;
  int table;             ///< stack index
  const char *function;  ///< for messages
} OptionTable;

/// Raises unless every key of the table is one of `known` (NULL after the last), naming the one that was meant. `owner` starts
/// the message.
void binding_check_keys(lua_State *L, int index, const char *owner, const char *const *known);

/// Checks that the value is a plain table all of whose keys are in `known` (NULL-terminated); raises with the nearest one.
/// Reading it runs no code of the game.
OptionTable options_open(lua_State *L, int index, const char *function, const char *const *known);

bool options_has(OptionTable options, const char *name);
float options_number(OptionTable options, const char *name, float fallback);
float options_positive(OptionTable options, const char *name, float fallback);
float options_not_negative(OptionTable options, const char *name, float fallback);
int options_integer(OptionTable options, const char *name, int fallback);
bool options_boolean(OptionTable options, const char *name, bool fallback);
/// The text stays valid while the options table is not changed.
const char *options_string(OptionTable options, const char *name, const char *fallback);
Vec3 options_vec3(OptionTable options, const char *name, Vec3 fallback);
Color options_color(OptionTable options, const char *name, Color fallback);
int options_choice(OptionTable options, const char *name, const char *const *names, int count, int fallback);
/// The node of an option, or {0}; it must belong to `world`.
Handle options_node(OptionTable options, const char *name, World *world);
_Noreturn void options_raise(OptionTable options, const char *name, const char *expected);

/// Reads {x, y, z} or {r, g, b[, a]} at the top of the stack, which it pops; false when it is something else.
bool binding_pop_numbers(lua_State *L, float *numbers, int least, int most, int *count);

/// The layers of a `mask` option: names of node kinds.
uint32_t options_mask(OptionTable options);

/// Reads a table of fog options; raises for anything else.
ModelFog binding_read_fog(lua_State *L, int index, const char *function);

// --- Parts of the interface, one file each ---

void binding_open_module(lua_State *L);  ///< leaves the table `palfrey` on the stack
void binding_open_values(lua_State *L);  ///< metatables of world and nodes
void binding_open_input(lua_State *L);   ///< these add to the table at the top
void binding_open_hud(lua_State *L);
void binding_open_files(lua_State *L);
void binding_open_screen(lua_State *L);
void binding_open_testing(lua_State *L);

extern const luaL_Reg WORLD_METHODS[], WORLD_ADD_METHODS[], WORLD_QUERY_METHODS[], NODE_METHODS[], MODEL_METHODS[],
    LIGHT_METHODS[], CAMERA_METHODS[], CHARACTER_METHODS[], NPC_METHODS[], PLAYER_METHODS[], BINDING_LEVEL_FUNCTIONS[],
    BINDING_RELOAD_FUNCTIONS[], BINDING_COROUTINE_FUNCTIONS[];

int binding_attach(lua_State *L);  ///< node:attach

// --- Events and calls ---

int binding_add_handler(lua_State *L, int user_value);     ///< on(event, fn) of the value at 1
int binding_remove_handler(lua_State *L, int user_value);  ///< off(event[, fn])

/// Tells the script of the events of the world's last step.
bool binding_deliver_events(Host *host, Error *error);

/// Pushes a callback of the module; false, and nothing pushed, when the game has none.
bool binding_push_callback(Host *host, const char *name);

/// Pushes what the game set as palfrey.quit, or nil.
void binding_push_quit_callback(lua_State *L);

/// Calls the function below its `count` arguments; on failure the error holds message and traceback.
bool binding_call(Host *host, int count, int results, Error *error);

/// Runs a part of the host that puts names and values on Lua's stack: where a script has used up its memory, not even the
/// arguments of a callback find room, and the part fails.
typedef bool HostPart(Host *host, void *user, Error *error);
bool binding_protect(Host *host, HostPart *run, void *user, Error *error);

/// The time that code of the game may take begins to run, and ends.
void binding_start_time(Host *host);
void binding_stop_time(Host *host);

/// How many functions are at work.
int binding_count_levels(lua_State *L);

/// Pushes a message handler that adds a traceback.
void binding_push_traceback_handler(lua_State *L);

/// Pushes a table with the fields of a hit.
void binding_push_hit(lua_State *L, int world_index, const WorldHit *hit);

/// Builds the environment of the game's code on top of the stack: what a script may use, and nothing else.
void binding_open_sandbox(lua_State *L);

/// Loads a Lua file of the game with the sandbox as environment; pushes the function, or returns false.
bool binding_load_file(lua_State *L, const char *path, Error *error);

/// compareConf(): runs conf.lua again and says what in it needs a restart; nil when nothing does.
int binding_compare_conf(lua_State *L);

/// Pushes the text of a Lua file of the game, without byte order mark; nil and a message where it cannot be read.
int binding_read_source(lua_State *L);

/// Pushes that environment.
void binding_push_sandbox(lua_State *L);

/// Makes room for the runtime's own scripts.
void binding_open_own_scripts(lua_State *L);

/// Runs one of the runtime's own scripts ("scripts/lib/level.lua") and pushes what it returns.
bool binding_load_own_script(lua_State *L, const char *path, Error *error);

#endif
