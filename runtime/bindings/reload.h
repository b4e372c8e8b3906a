#ifndef PALFREY_BINDINGS_RELOAD_H
#define PALFREY_BINDINGS_RELOAD_H
// Hot reload of Lua files: what scripts/lib/reload.lua does when a file changes, seen from C. Files are compiled and run
// through here while the host watches, so that each is known again.
#include "bindings/binding.h"

/// Loads reload.lua, when the host watches its game.
void reload_open(lua_State *L);

/// Compiles the text at the top of the stack as a file of the game: puts the function in its place, or returns false with the
/// message in its place.
bool reload_compile(lua_State *L, const char *path);

/// Puts what notes a run below the compiled function at the top of the stack. Returns how many values more the function
/// gets before its own arguments: 0 when nothing is watched.
int reload_prepare_run(lua_State *L, const char *path);

#endif
