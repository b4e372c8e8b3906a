// Handlers of events, and the handing out of events to them. A list of handlers is never changed, only replaced, so a
// handler may take itself or others away while the list is walked.
#include <string.h>

#include "bindings/binding.h"

static int check_event(lua_State *L, int index) {
  return binding_check_choice(L, index, WORLD_EVENT_NAMES, EVENT_KIND_COUNT);
}

// Pushes the table event name -> list of handlers of the value at 1, made at need.
static void push_handlers(lua_State *L, int user_value) {
  if (lua_getiuservalue(L, 1, user_value) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, 1, user_value);
}

int binding_add_handler(lua_State *L, int user_value) {
  check_event(L, 2);
  luaL_checktype(L, 3, LUA_TFUNCTION);
  push_handlers(L, user_value);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  int old = lua_gettop(L), count = lua_istable(L, old) ? (int)lua_rawlen(L, old) : 0;
  lua_createtable(L, count + 1, 0);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, old, i);
    lua_rawseti(L, -2, i);
  }
  lua_pushvalue(L, 3);
  lua_rawseti(L, -2, count + 1);
  lua_pushvalue(L, 2);
  lua_insert(L, -2);
  lua_rawset(L, old - 1);
  return 0;
}

int binding_remove_handler(lua_State *L, int user_value) {
  lua_settop(L, 3);
  check_event(L, 2);
  if (!lua_isnil(L, 3)) luaL_checktype(L, 3, LUA_TFUNCTION);
  push_handlers(L, user_value);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  int old = lua_gettop(L), count = lua_istable(L, old) && !lua_isnil(L, 3) ? (int)lua_rawlen(L, old) : 0;
  lua_newtable(L);
  for (int i = 1, kept = 0; i <= count; i++) {
    lua_rawgeti(L, old, i);
    if (lua_rawequal(L, -1, 3))
      lua_pop(L, 1);
    else
      lua_rawseti(L, -2, ++kept);
  }
  lua_pushvalue(L, 2);
  lua_insert(L, -2);
  lua_rawset(L, old - 1);
  return 0;
}

static void set_name(lua_State *L, const char *field, const char *text) {
  if (text[0])
    lua_pushstring(L, text);
  else
    lua_pushnil(L);
  lua_setfield(L, -2, field);
}

/// type Event: {type: EventName, node: Node, name?: string}
/// What a handler gets. Events are told at the start of the step after the one in which they happened, before
/// palfrey.update: first to the node's own handlers, then to the world's.
/// - `type`: name of the event
/// - `node`: the node it happened to; another handler may have removed it meanwhile
/// - `name`: of the nearest named node, at the time
///
/// event hit: Hit & {damage: number, by?: Node}
/// A shot hit the node, or a script called `damage` for it; then the fields of Hit beyond `node` and `name` are
/// missing. It comes before "death".
/// - `damage`: taken from the health of a player or NPC
/// - `by`: who shot or caused it
///
/// event death
/// The health of a player or NPC has come down to 0.
///
/// event marker: {marker: string}
/// A clip passed a frame that addMarker had named.
/// - `marker`: the name given to addMarker
///
/// event clipEnd: {clip: string}
/// A clip came to its end: once without `loop`, else at each turn.
/// - `clip`: name of the clip
///
/// event arrived
/// An NPC reached the goal of walkTo, or a point of its patrol.
///
/// event touch: {other: Node}
/// Two players or NPCs began to touch; told at both.
/// - `other`: the other one
// Pushes the table a handler gets.
static void push_event(lua_State *L, int world_index, const WorldEvent *event) {
  if (event->has_hit) {
    WorldHit hit = event->hit;
    hit.name = event->name[0] ? event->name : NULL;
    hit.part = event->part[0] ? event->part : NULL;
    hit.material = event->material[0] ? event->material : NULL;
    binding_push_hit(L, world_index, &hit);
  } else {
    lua_newtable(L);
    binding_push_node(L, world_index, event->node);
    lua_setfield(L, -2, "node");
    set_name(L, "name", event->name);
  }
  lua_pushstring(L, WORLD_EVENT_NAMES[event->kind]);
  lua_setfield(L, -2, "type");
  if (event->kind == EVENT_KIND_HIT) {
    lua_pushnumber(L, event->damage);
    lua_setfield(L, -2, "damage");
    binding_push_node(L, world_index, event->other);
    lua_setfield(L, -2, "by");
  } else if (event->other.generation) {
    binding_push_node(L, world_index, event->other);
    lua_setfield(L, -2, "other");
  }
  if (event->kind == EVENT_KIND_MARKER) set_name(L, "marker", event->marker);
  if (event->kind == EVENT_KIND_CLIP_END) set_name(L, "clip", event->marker);
}

// Calls every handler of the event's kind in the handler table at the top, which it pops. The event is at `event_index`.
static bool call_handlers(Host *host, WorldEventKind kind, int event_index, Error *error) {
  lua_State *L = host->lua;
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    return true;
  }
  lua_getfield(L, -1, WORLD_EVENT_NAMES[kind]);
  lua_remove(L, -2);
  bool is_good = true;
  for (int i = 1; is_good && lua_istable(L, -1) && lua_rawgeti(L, -1, i) == LUA_TFUNCTION; i++) {
    lua_pushvalue(L, event_index);
    is_good = binding_call(host, 1, 0, error);
  }
  lua_settop(L, event_index);
  return is_good;
}

static bool deliver(Host *host, int world_index, const WorldEvent *event, Error *error) {
  lua_State *L = host->lua;
  push_event(L, world_index, event);
  int event_index = lua_gettop(L);
  lua_getfield(L, event_index, "node");
  NodeRef *ref = binding_to_node(L, -1);
  // A node removed since has no handlers left to call; the world's handlers still hear of it.
  bool is_alive = ref && scene_get(&ref->box->world->scene, event->node);
  if (is_alive)
    lua_getiuservalue(L, -1, NODE_HANDLERS);
  else
    lua_pushnil(L);
  lua_remove(L, -2);
  if (!call_handlers(host, event->kind, event_index, error)) return false;
  lua_getiuservalue(L, world_index, WORLD_HANDLERS);
  bool is_good = call_handlers(host, event->kind, event_index, error);
  lua_settop(L, event_index - 1);
  return is_good;
}

bool binding_deliver_events(Host *host, Error *error) {
  lua_State *L = host->lua;
  World *world = host->world;
  if (!world || world->delivered.count == 0) return true;
  int top = lua_gettop(L);
  luaL_checkstack(L, 16, "events");
  lua_rawgeti(L, LUA_REGISTRYINDEX, host->world_ref);
  int world_index = lua_gettop(L);
  bool is_good = true;
  // A handler may make a new world, which is then the one to step; the rest of the old one's events still come.
  for (int i = 0; is_good && i < world->delivered.count; i++) {
    WorldEvent event = world->delivered.items[i];
    is_good = deliver(host, world_index, &event, error);
  }
  lua_settop(L, top);
  return is_good;
}
