#ifndef PALFREY_BINDINGS_LOADER_TABLE_H
#define PALFREY_BINDINGS_LOADER_TABLE_H
// Tables that describe a model, as loaders in Lua return them.
#include <lua.h>

#include "loaders/model.h"

/// Fills an empty model from the table at the top of the stack. Raises with the place in the table; what the model has
/// taken by then is in its arena.
void loader_table_read(lua_State *L, Model *model);

#endif
