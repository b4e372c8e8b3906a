-- New functions in the place of old ones, sharing the local variables that the old ones held.
--
-- A function is spoken of as an entry {f, version, number}: the closure, its version {prototypes, names} of the file
-- and its number therein. Variables at the top of the file are told apart by name, and where blocks have variables of
-- the same name, by the functions that use them.
local MAIN = 1 -- number of the function that is the file itself

return function(debug, prototypes)
  local getUpvalue, setUpvalue, joinUpvalues, upvalueId =
    debug.getupvalue, debug.setupvalue, debug.upvaluejoin, debug.upvalueid

  local swap = {}

  local function upvaluesOf(entry) return entry.version.prototypes[entry.number].upvalues end

  -- The variables at the top of the file that functions hold, in the order in which they are met: a list of {name,
  -- value, places = {{entry, index}}}, and a table name -> such a list.
  local function collectVariables(entries)
    local list, byName, byId = {}, {}, {}
    for _, entry in ipairs(entries) do
      for i, upvalue in ipairs(upvaluesOf(entry)) do
        local id = upvalue.owner == MAIN and upvalueId(entry.f, i)
        local variable = byId[id]
        if id and not variable then
          local _, value = getUpvalue(entry.f, i)
          variable = { name = upvalue.name, value = value, places = {} }
          byId[id] = variable
          list[#list + 1] = variable
          byName[variable.name] = byName[variable.name] or {}
          table.insert(byName[variable.name], variable)
        end
        if id then table.insert(variable.places, { entry = entry, index = i }) end
      end
    end
    return list, byName
  end

  local function sharesUser(old, new, areCounterparts)
    for _, oldPlace in ipairs(old.places) do
      for _, newPlace in ipairs(new.places) do
        if areCounterparts(oldPlace.entry, newPlace.entry) then return true end
      end
    end
    return false
  end

  local function findOld(new, olds, newCount, areCounterparts)
    for _, old in ipairs(olds) do
      if sharesUser(old, new, areCounterparts) then return old end
    end
    if #olds == 1 and newCount == 1 then return olds[1] end
  end

  --- Lets new functions hold the variables at the top of the file that the old ones held, each set to
  --- resolve(old value, new value, name, isAlone). `areCounterparts(old, new)` tells which functions belong together.
  --- Returns name -> place of a variable, for what is to be joined to them later.
  function swap.joinVariables(oldEntries, newEntries, areCounterparts, resolve)
    local _, oldByName = collectVariables(oldEntries)
    local news, newByName = collectVariables(newEntries)
    local places = {}
    for _, new in ipairs(news) do
      local olds = oldByName[new.name] or {}
      local old = findOld(new, olds, #newByName[new.name], areCounterparts)
      local place = (old or new).places[1]
      if old then
        local isAlone = #olds == 1 and #newByName[new.name] == 1
        setUpvalue(place.entry.f, place.index, resolve(old.value, new.value, new.name, isAlone))
        for _, other in ipairs(new.places) do joinUpvalues(other.entry.f, other.index, place.entry.f, place.index) end
      end
      places[new.name] = places[new.name] or place
    end
    return places
  end

  -- Where an old function holds the variable `name` of the function `owner` of the new version.
  local function findHeld(old, name, owner, newOf)
    for i, upvalue in ipairs(upvaluesOf(old)) do
      if upvalue.name == name and newOf { version = old.version, number = upvalue.owner } == owner then return i end
    end
  end

  --- Lets a function that the new run has made hold what its counterpart held of enclosing functions.
  function swap.joinHeld(old, new, newOf)
    for i, upvalue in ipairs(upvaluesOf(new)) do
      local held = upvalue.owner > MAIN and findHeld(old, upvalue.name, upvalue.owner, newOf)
      if held then joinUpvalues(new.f, i, old.f, held) end
    end
  end

  --- Makes function `number` of the new version with the variables of an old function. Returns it and the names of
  --- variables that the old one did not hold, which are nil.
  function swap.instantiate(path, version, number, old, newOf, places, globals)
    local bytes = prototypes.write(version.prototypes, path, version.id, number)
    local f = assert(load(bytes, path, "b"))
    local missing = {}
    for i, upvalue in ipairs(version.prototypes[number].upvalues) do
      local held = findHeld(old, upvalue.name, upvalue.owner, newOf)
      local place = upvalue.owner <= MAIN and places[upvalue.name]
      if place then
        joinUpvalues(f, i, place.entry.f, place.index)
      elseif held then
        joinUpvalues(f, i, old.f, held)
      elseif upvalue.owner < MAIN then
        setUpvalue(f, i, globals)
      else
        setUpvalue(f, i, nil) -- what is loaded gets the globals as its first
        missing[#missing + 1] = upvalue.name
      end
    end
    return f, missing
  end

  return swap
end
