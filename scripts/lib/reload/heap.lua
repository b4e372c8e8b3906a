-- Everything scripts can reach, as lists of tables, functions, userdata and coroutines; and what is done to all of it:
-- remembering, putting back, and replacing values wherever they are held. Tables are read raw.
--
-- Running coroutines are left alone: their local variables belong to code that is at work.
-- order: whatever is done to one value does not depend on the others
return function(debug, stackOf)
  local getUpvalue, setUpvalue, getUserValue, setUserValue, getMetatable, setMetatable =
    debug.getupvalue, debug.setupvalue, debug.getuservalue, debug.setuservalue, debug.getmetatable, debug.setmetatable
  local getInfo, getLocal, setLocal = debug.getinfo, debug.getlocal, debug.setlocal

  local LISTS = { ["table"] = "tables", ["function"] = "functions", userdata = "userdata", thread = "threads" }

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
      elseif kind == "function" then
        local i = 1
        local name, upvalue = getUpvalue(value, 1)
        while name do
          note(upvalue)
          i = i + 1
          name, upvalue = getUpvalue(value, i)
        end
      elseif kind == "userdata" then
        local i = 1
        local content, has = getUserValue(value, 1)
        while has do
          note(content)
          i = i + 1
          content, has = getUserValue(value, i)
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

  local function copyTable(t)
    local copy = {}
    for k, v in next, t do copy[k] = v end
    return copy
  end

  --- Remembers the contents of tables, upvalues and userdata.
  function heap.remember(found)
    local memory = { found = found, tables = {}, metatables = {}, upvalues = {}, userValues = {} }
    for i, t in ipairs(found.tables) do
      memory.tables[i] = copyTable(t)
      memory.metatables[i] = getMetatable(t) or false
    end
    for i, f in ipairs(found.functions) do
      local values, n = {}, 1
      local name, value = getUpvalue(f, 1)
      while name do
        values[n] = value
        n = n + 1
        name, value = getUpvalue(f, n)
      end
      values.count = n - 1
      memory.upvalues[i] = values
    end
    for i, u in ipairs(found.userdata) do
      local values, n = {}, 1
      local value, has = getUserValue(u, 1)
      while has do
        values[n] = value
        n = n + 1
        value, has = getUserValue(u, n)
      end
      values.count = n - 1
      memory.userValues[i] = values
    end
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
      setMetatable(t, memory.metatables[i] or nil)
    end
    for i, f in ipairs(memory.found.functions) do
      local values = memory.upvalues[i]
      for n = 1, values.count do setUpvalue(f, n, values[n]) end
    end
    for i, u in ipairs(memory.found.userdata) do
      local values = memory.userValues[i]
      for n = 1, values.count do setUserValue(u, values[n], n) end
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
    for _, f in ipairs(found.functions) do
      local i = 1
      local name, value = getUpvalue(f, 1)
      while name do
        if newOf[value] ~= nil then setUpvalue(f, i, newOf[value]) end
        i = i + 1
        name, value = getUpvalue(f, i)
      end
    end
    for _, u in ipairs(found.userdata) do
      local i = 1
      local value, has = getUserValue(u, 1)
      while has do
        if newOf[value] ~= nil then setUserValue(u, newOf[value], i) end
        i = i + 1
        value, has = getUserValue(u, i)
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
