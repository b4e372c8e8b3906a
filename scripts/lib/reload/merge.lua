-- What becomes of values when a file has been run again. Three values meet: the one held now, the fresh one that the
-- new run has made, and the one the run before had made, its base. Like in a version control system, what the game
-- has not touched since follows the file, and what it has changed stays. Tables keep their identity and are merged
-- field by field; functions follow the file; objects of the engine and coroutines are state and stay.
--
-- `bases` holds a copy of each table as the file had made it. `context` tells old from new:
--   copy(t)            a shallow copy
--   isFresh(value)     whether it was made by the new run
--   isOwn(value)       whether it is a function of the file
--   isAlike(f, g)      whether two functions of other files run the same code
-- order: whatever is done to one value does not depend on the others
return function(debug, bases, context)
  local merge = {
    newOf = {},   -- fresh table -> the one it was merged into; function -> the one that takes its place
    newBases = {}, -- the next bases
  }
  local newOf = merge.newOf

  local mergeTables

  -- A fresh function of the file in the place of another value.
  local function resolveOwn(current, fresh, isUntouched, hasBase)
    if not isUntouched and hasBase then return current end -- the game has put something else there
    if context.isOwn(current) then newOf[current] = newOf[current] or fresh end
    return fresh
  end

  -- Objects of the engine, coroutines and functions made by other code hold state.
  local function isState(current, fresh)
    local kind = type(fresh)
    if kind == "userdata" or kind == "thread" then return type(current) == kind end
    return kind == "function" and type(current) == kind and context.isAlike(current, fresh)
  end

  --- The value to hold from now on. Without a base only what is missing takes the fresh value.
  function merge.resolve(current, fresh, base, hasBase)
    if rawequal(current, fresh) then return current end
    local isUntouched
    if hasBase then isUntouched = rawequal(current, base) else isUntouched = current == nil end
    if context.isFresh(fresh) then
      if type(fresh) == "table" and type(current) == "table" and not context.isFresh(current) then
        if hasBase and not isUntouched then
          newOf[fresh] = newOf[fresh] or current -- the game has put a table of its own there
        else
          mergeTables(current, fresh)
        end
        return current
      end
      if context.isOwn(fresh) then return resolveOwn(current, fresh, isUntouched, hasBase) end
      if isState(current, fresh) then return current end
    end
    if isUntouched then return fresh end
    return current
  end

  local function mergeMetatables(current, fresh)
    local old, new = debug.getmetatable(current), debug.getmetatable(fresh)
    if new and not old then
      debug.setmetatable(current, new)
    elseif new and old ~= new and context.isFresh(new) then
      mergeTables(old, new)
    end
  end

  -- Fields the new run has not made. Named ones of a module's own table stay, as others may hold on to them, and are
  -- still the file's; only its functions go, as their code is gone.
  local function dropFields(current, fresh, base, isShared)
    for k, v in next, base do
      if rawget(fresh, k) == nil and rawequal(rawget(current, k), v) then
        if isShared and type(k) == "string" and not context.isOwn(v) then
          merge.newBases[current][k] = v
        else
          rawset(current, k, nil)
        end
      end
    end
  end

  --- Merges a fresh table into the one that stays; `isShared` for the table a module returns.
  function mergeTables(current, fresh, isShared)
    if newOf[fresh] or rawequal(current, fresh) then return end
    newOf[fresh] = current
    local base = bases[current]
    merge.newBases[current] = context.copy(fresh)
    for k, v in next, fresh do
      rawset(current, k, merge.resolve(rawget(current, k), v, base and base[k], base ~= nil))
    end
    if base then dropFields(current, fresh, base, isShared) end
    mergeMetatables(current, fresh)
  end
  merge.mergeTables = mergeTables

  --- Merges what a run has written into a table of all, such as the globals: `before` is a copy from before the run.
  function merge.mergeWritten(t, before, base)
    local written = {}
    for k, v in next, t do
      if not rawequal(v, before[k]) then written[k] = v end
    end
    for k, v in next, written do
      rawset(t, k, merge.resolve(before[k], v, base[k], base[k] ~= nil or before[k] == nil))
      base[k] = v
    end
  end

  return merge
end
