-- Everything scripts can reach, as lists of tables, functions, userdata and coroutines; and what is done to all of it:
-- remembering, putting back, and replacing values wherever they are held. Tables are read raw.
--
-- Running coroutines are left alone: their local variables belong to code that is at work.
-- order: whatever is done to one value does not depend on the others
return function(debug, stackOf)
  local getMetatable, setMetatable = debug.getmetatable, debug.setmetatable
  local getInfo, getLocal, setLocal = debug.getinfo, debug.getlocal, debug.setlocal

  local LISTS = { ["table"] = "tables", ["function"] = "functions", userdata = "userdata", thread = "threads" }

  -- What functions and userdata hold beside tables: get(value, n) tells whether there is an n-th, and which.
  local function getUserValue(userdata, n)
    local value, has = debug.getuservalue(userdata, n)
    return has or nil, value
  end
  local function setUserValue(userdata, n, value) debug.setuservalue(userdata, value, n) end
  local HOLDERS = {
    functions = { get = debug.getupvalue, set = debug.setupvalue },
    userdata = { get = getUserValue, set = setUserValue },
  }

  local heap = {}

  -- Calls visit(value, set) for each value on the stack of a suspended coroutine; set(value) replaces it.
  local function eachOnStack(thread, visit)
    if not getInfo(thread, 0, "l") then
      -- Not started yet: its function and arguments wait on its stack.
      for i = 1, stackOf(thread) do
        visit(stackOf(thread, i), function(value) stackOf(thread, i, value) end)
      end
      return
    end
    local level = 0
    while getInfo(thread, level, "l") do
      for step = 1, -1, -2 do -- local variables and what is being computed; then the arguments behind `...`
        local i = step
        local name, value = getLocal(thread, level, i)
        while name do
          local at, depth = i, level
          visit(value, function(new) setLocal(thread, depth, at, new) end)
          i = i + step
          name, value = getLocal(thread, level, i)
        end
      end
      level = level + 1
    end
  end

  local function isSuspended(thread) return coroutine.status(thread) == "suspended" end

  --- Everything reachable from the registry and from `root`, without what `excluded` has as keys.
  function heap.collect(excluded, root)
    local found = { tables = {}, functions = {}, userdata = {}, threads = {}, seen = {} }
    local seen, waiting, count = found.seen, {}, 0
    local function note(value)
      local list = LISTS[type(value)]
      if list and not seen[value] and not excluded[value] then
        seen[value] = true
        list = found[list]
        list[#list + 1] = value
        count = count + 1
        waiting[count] = value
      end
    end
    note(debug.getregistry())
    note(getMetatable(""))
    note(root)
    while count > 0 do
      local value = waiting[count]
      waiting[count] = nil
      count = count - 1
      local kind = type(value)
      if kind == "table" then
        for k, v in next, value do
          note(k)
          note(v)
        end
        note(getMetatable(value))
      elseif kind ~= "thread" then
        local get, n = HOLDERS[LISTS[kind]].get, 1
        local has, held = get(value, 1)
        while has do
          note(held)
          n = n + 1
          has, held = get(value, n)
        end
        note(getMetatable(value))
      elseif isSuspended(value) then
        local level = 0
        while getInfo(value, level, "l") do
          note(getInfo(value, level, "f").func)
          level = level + 1
        end
        eachOnStack(value, note)
      end
    end
    return found
  end

  --- A shallow copy.
  function heap.copy(t)
    local copy = {}
    for k, v in next, t do copy[k] = v end
    return copy
  end

  -- What each of the values holds: a list with its length as `count`.
  local function copyHeld(values, get)
    local copies = {}
    for i, value in ipairs(values) do
      local copy, n = {}, 1
      local has, held = get(value, 1)
      while has do
        copy[n] = held
        n = n + 1
        has, held = get(value, n)
      end
      copy.count = n - 1
      copies[i] = copy
    end
    return copies
  end

  --- Remembers the contents of tables, upvalues and userdata.
  function heap.remember(found)
    local memory = { found = found, tables = {}, metatables = {}, held = {} }
    for i, t in ipairs(found.tables) do
      memory.tables[i] = heap.copy(t)
      memory.metatables[i] = getMetatable(t) or false
    end
    for list, holder in next, HOLDERS do memory.held[list] = copyHeld(found[list], holder.get) end
    return memory
  end

  local function putBackTable(t, copy)
    for k in next, t do
      if copy[k] == nil then rawset(t, k, nil) end
    end
    for k, v in next, copy do rawset(t, k, v) end
  end

  --- Puts back what was remembered.
  function heap.putBack(memory)
    for i, t in ipairs(memory.found.tables) do
      putBackTable(t, memory.tables[i])
      local metatable = memory.metatables[i] or nil
      if getMetatable(t) ~= metatable then setMetatable(t, metatable) end
    end
    for list, holder in next, HOLDERS do
      for i, value in ipairs(memory.found[list]) do
        local copy = memory.held[list][i]
        for n = 1, copy.count do holder.set(value, n, copy[n]) end
      end
    end
  end

  --- Replaces values in one table: as keys, as values and as its metatable.
  function heap.replaceInTable(t, newOf)
    local moved
    for k, v in next, t do
      local newValue = newOf[v]
      if newValue ~= nil then rawset(t, k, newValue) end
      if newOf[k] ~= nil then
        moved = moved or {}
        moved[#moved + 1] = k
      end
    end
    for _, k in ipairs(moved or {}) do
      local value = rawget(t, k)
      rawset(t, k, nil)
      rawset(t, newOf[k], value)
    end
    local metatable = getMetatable(t)
    if metatable and newOf[metatable] then setMetatable(t, newOf[metatable]) end
  end

  --- Replaces values wherever they are held: newOf[old] is the new value.
  function heap.replace(found, newOf)
    for _, t in ipairs(found.tables) do heap.replaceInTable(t, newOf) end
    for list, holder in next, HOLDERS do
      local get, set = holder.get, holder.set
      for _, value in ipairs(found[list]) do
        local n = 1
        local has, held = get(value, 1)
        while has do
          if newOf[held] ~= nil then set(value, n, newOf[held]) end
          n = n + 1
          has, held = get(value, n)
        end
      end
    end
    for _, thread in ipairs(found.threads) do
      if isSuspended(thread) then
        eachOnStack(thread, function(value, set)
          if newOf[value] ~= nil then set(newOf[value]) end
        end)
      end
    end
  end

  return heap
end
