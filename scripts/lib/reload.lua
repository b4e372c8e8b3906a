-- Hot reload: a changed Lua file is run again between two steps, and what it makes takes the place of what it made
-- before. docs/hot-reload.md says what survives. The parts: prototypes.lua tells functions of a file apart, names.lua
-- and match.lua which is which in two versions, merge.lua what becomes of values, swap.lua puts functions in the
-- place of others, heap.lua finds all that scripts can reach.
--
-- The runtime loads files through compile and runs them through run, so that each is known when it changes.
-- order: whatever is done to one value does not depend on the others
local native, _, _, ownScript, debug = ...

local prototypes = ownScript "scripts/lib/reload/prototypes.lua"
local namesOf = ownScript "scripts/lib/reload/names.lua"
local match = ownScript "scripts/lib/reload/match.lua"
local newHeap = ownScript "scripts/lib/reload/heap.lua"
local newMerge = ownScript "scripts/lib/reload/merge.lua"
local newSwap = ownScript "scripts/lib/reload/swap.lua"
local levels = ownScript "scripts/lib/level_reload.lua"

local sandbox, loaded = native.getSandbox()
local heap = newHeap(debug, native.stackOf)
local swap = newSwap(debug, prototypes)

local IS_OBJECT = { ["table"] = true, ["function"] = true, userdata = true, thread = true }

local reload = {}

-- path -> {text, version, versions = {[number] = {id, text, prototypes, names}}, order, module, arguments, result,
-- locals, globals, fields}: the last four as the last run has made them; `fields` are those of the module palfrey.
local records = {}
local bases = setmetatable({}, { __mode = "k" }) -- table -> a copy of it as the run of its file had made it
local runCount = 0

-- What the walk through all that scripts can reach must leave out: this file's own.
local function excluded()
  return { [reload] = true, [records] = true, [bases] = true, [heap] = true, [swap] = true, [native] = true,
           [reload.compile] = true, [reload.run] = true, [reload.take] = true, [debug] = true }
end

local function copy(t)
  local fields = {}
  for k, v in next, t do fields[k] = v end
  return fields
end

-- ---------------------------------------------------------------------------------------------- versions of a file

local function newVersion(path, text, id)
  local chunk, message = load(text, "@" .. path, "t", sandbox)
  if not chunk then return nil, message end
  local version = { id = id, text = text, prototypes = prototypes.read(string.dump(chunk)) }
  return version, assert(load(prototypes.write(version.prototypes, path, id), path, "b", sandbox))
end

local function prepare(version)
  version.names = version.names or namesOf(version.text)
  return version
end

--- Compiles a file of the game that is read for the first time, or anew by its script. Returns the function, or nil
--- and a message.
function reload.compile(path, text)
  local record = records[path] or { versions = {}, last = 0, locals = {}, globals = {}, fields = {} }
  -- Run again unchanged, as by dofile, it is the same version.
  local isSame = record.version and record.version.text == text
  local version, chunk = newVersion(path, text, isSame and record.version.id or record.last + 1)
  if not version then return nil, chunk end
  if not isSame then
    record.version, record.last = version, version.id
    record.versions[version.id] = version
  end
  records[path] = record
  return chunk
end

-- ---------------------------------------------------------------------------------------------- what a run has made

-- Copies the tables that a run has made, from the values of `roots` on. What others made is known already.
local function keepBases(roots)
  local waiting, known = {}, { [sandbox] = true, [loaded] = true, [palfrey] = true }
  for _, library in next, sandbox do known[library] = true end
  for _, module in next, loaded do
    if not bases[module] then known[module] = true end
  end
  for _, value in next, roots do waiting[#waiting + 1] = value end
  while #waiting > 0 do
    local value = table.remove(waiting)
    if type(value) == "table" and not bases[value] and not known[value] then
      bases[value] = copy(value)
      for _, field in next, value do waiting[#waiting + 1] = field end
    end
  end
end

local function written(t, before)
  local fields = {}
  for k, v in next, t do
    if not rawequal(v, before[k]) then fields[k] = v end
  end
  return fields
end

--- Runs what compile has returned, with the arguments behind it, and returns what it returns. Errors are raised.
function reload.run(path, chunk, ...)
  local globals, fields, locals = copy(sandbox), copy(palfrey), {}
  local results = table.pack(native.runChunk(chunk, locals, ...))
  local record = records[path]
  runCount = runCount + 1
  record.order, record.arguments, record.result = runCount, table.pack(...), results[1]
  record.locals, record.globals, record.fields = locals, written(sandbox, globals), written(palfrey, fields)
  for _, roots in ipairs { { record.result }, locals, record.globals, record.fields } do keepBases(roots) end
  return table.unpack(results, 1, results.n)
end

-- ---------------------------------------------------------------------------------------------- reloading

-- The functions of a file among all, as entries of swap.lua.
local function findFunctions(path, record, functions, version)
  local olds, news = {}, {}
  for _, f in ipairs(functions) do
    local source = debug.getinfo(f, "S").source
    local of, id, number = prototypes.readMark(source)
    if of == path then
      if id == version.id then
        news[#news + 1] = { f = f, version = version, number = number }
      elseif record.versions[id] then
        olds[#olds + 1] = { f = f, version = prepare(record.versions[id]), number = number }
      end
    end
  end
  return olds, news
end

local function codeOf(f)
  local info = debug.getinfo(f, "S")
  return info.what == "C" and "C" or info.source
end

local function gone(path, entry)
  local name = entry.version.names[entry.number]
  local line = entry.version.prototypes[entry.number].line
  return function()
    error(string.format("%s: this function (%s, line %d before) is no longer in the file", path,
                        name == "" and "without a name" or name, line), 2)
  end
end

local function countByNumber(entries)
  local lists = {}
  for _, entry in ipairs(entries) do
    lists[entry.number] = lists[entry.number] or {}
    table.insert(lists[entry.number], entry)
  end
  return lists
end

-- Takes functions that are gone out of tables where their absence is understood, and handlers out of their lists;
-- keeps one of handlers that have become the same.
local function cleanLists(found, isGone, newOf)
  for _, value in ipairs(found.userdata) do
    local handlers = native.handlersOf(value)
    for event, list in next, handlers or {} do
      local kept, has = {}, {}
      for _, f in ipairs(list) do
        local new = newOf[f] or f
        if not isGone[f] and not has[new] then kept[#kept + 1], has[new] = new, true end
      end
      handlers[event] = kept
    end
  end
end

-- Puts what a new run has made in the place of what was there. `before` is what was reachable before it.
local function adopt(path, record, version, run, before)
  local found = heap.collect(excluded(), run)
  local olds, news = findFunctions(path, record, found.functions, version)
  local matches = {}
  local function newOf(entry)
    if entry.number == 0 then return 0 end
    matches[entry.version.id] = matches[entry.version.id] or match(prepare(entry.version), prepare(version))
    return matches[entry.version.id][entry.number]
  end

  local isOld, isNew = {}, {}
  for _, entry in ipairs(olds) do isOld[entry.f] = entry end
  for _, entry in ipairs(news) do isNew[entry.f] = entry end
  local merge = newMerge(debug, bases, {
    isFresh = function(value) return IS_OBJECT[type(value)] and not before.seen[value] end,
    isOwn = function(value) return isOld[value] or isNew[value] end,
    isAlike = function(f, g) return codeOf(f) == codeOf(g) end,
  })

  -- Values: the module, the variables at the top of the file, the globals and callbacks it has written.
  local result
  if type(record.result) == "table" and type(run.result) == "table" and not before.seen[run.result] then
    merge.mergeTables(record.result, run.result, true)
    result = record.result
  else
    result = merge.resolve(record.result, run.result, record.result, true)
  end
  local pairedWith = {}
  for old, new in next, merge.newOf do
    if isOld[old] then pairedWith[new] = isOld[old] end
  end
  local function counterparts(old, new)
    if pairedWith[new.f] then return pairedWith[new.f].f == old.f end
    return newOf(old) == new.number
  end
  local places = swap.joinVariables(olds, news, counterparts, function(current, fresh, name, isAlone)
    local base = isAlone and record.locals[name]
    return merge.resolve(current, fresh, base, isAlone and base ~= nil)
  end)
  merge.mergeWritten(sandbox, run.globals, record.globals)
  merge.mergeWritten(palfrey, run.fields, record.fields)

  -- Functions: counterparts of the new run, then those made in calls.
  local oldLists, newLists = countByNumber(olds), countByNumber(news)
  local isGone, warnings = {}, {}
  for _, entry in ipairs(olds) do
    local number = newOf(entry)
    local fresh = number and newLists[number]
    local new = merge.newOf[entry.f]
    if new and isNew[new] then
      swap.joinHeld(entry, isNew[new], newOf)
    elseif not number then
      isGone[entry.f], merge.newOf[entry.f] = true, gone(path, entry)
    elseif fresh and #fresh == 1 and #oldLists[entry.number] == 1 and
           version.prototypes[number].parent == 1 then
      merge.newOf[entry.f] = fresh[1].f
    else
      local missing
      merge.newOf[entry.f], missing = swap.instantiate(path, version, number, entry, newOf, places, sandbox)
      for _, name in ipairs(missing) do
        warnings[#warnings + 1] = string.format(
          "%s:%d: '%s' is nil here until the function around it is called anew: the old code did not use it", path,
          version.prototypes[number].line, name)
      end
    end
  end

  for t, base in next, { [sandbox] = record.globals, [palfrey] = record.fields } do
    for k, v in next, t do
      if isGone[v] and (t == palfrey or base[k] ~= nil) then
        rawset(t, k, nil)
        base[k] = nil
      end
    end
  end
  if isGone[native.getQuit()] then palfrey.quit = nil end
  cleanLists(found, isGone, merge.newOf)
  heap.replace(found, merge.newOf)

  -- What the next change is compared with.
  record.locals = run.locals
  for t, base in next, merge.newBases do bases[t] = base end
  for _, base in next, bases do heap.replaceInTable(base, merge.newOf) end
  for _, other in next, records do
    for _, t in ipairs { other.locals, other.globals, other.fields } do heap.replaceInTable(t, merge.newOf) end
    if merge.newOf[other.result] ~= nil then other.result = merge.newOf[other.result] end
  end
  local module = record.arguments and record.arguments[1]
  if module and not rawequal(record.result, result) and rawequal(loaded[module], record.result) then
    loaded[module] = result
  end
  record.result = result
  keepBases { result }
  keepBases(run.locals)
  for t in next, merge.newBases do keepBases(t) end
  return warnings
end

-- Runs the new version; what it has changed in Lua is put back when it fails. A file that its script has loaded
-- without running it is not run here either.
local function runAgain(path, record, version, chunk)
  local memory = heap.remember(heap.collect(excluded()))
  local run = { locals = {}, globals = copy(sandbox), fields = copy(palfrey) }
  local world = native.getWorld()
  local good, result = true, nil
  if record.arguments then
    good, result = native.callSafely(native.runChunk, chunk, run.locals,
                                     table.unpack(record.arguments, 1, record.arguments.n))
    run.result = result
  end
  local failed = not good
  if good then
    good, result = native.callSafely(adopt, path, record, version, run, memory.found)
  end
  if world then native.setWorld(world) end
  if good then return result end
  heap.putBack(memory)
  return nil, failed and result .. "\nThe old code goes on. Calls it had made into the engine are not undone."
              or "hot reload: " .. result
end

-- Takes a changed file. Returns a list of warnings, or nil and a message when the old code goes on.
local function reloadFile(path, text)
  local record = records[path]
  if record.version.text == text then return {} end
  local version, chunk = newVersion(path, text, record.last + 1)
  if not version then return nil, chunk end
  record.last = version.id
  record.versions[version.id] = version
  local warnings, message = runAgain(path, record, version, chunk)
  if warnings then
    record.version = version
  else
    record.versions[version.id] = nil
  end
  return warnings, message
end

-- ---------------------------------------------------------------------------------------------- changes

local failures = {} -- path -> message, until the file is taken

-- Files that failed before are tried again: what they lacked may be there now. Of several, those that ran first go
-- first, as others need them.
local function sortPaths(paths)
  local list = {}
  for path in next, paths do list[#list + 1] = path end
  table.sort(list, function(a, b)
    local first, second = records[a].order or 0, records[b].order or 0
    if first ~= second then return first < second end
    return a < b
  end)
  return list
end

local function reloadAll(paths, taken, notices)
  local isStuck = false
  while not isStuck do
    isStuck = true
    for _, path in ipairs(sortPaths(paths)) do
      local text, message = native.readSource(path)
      local warnings
      if text then warnings, message = reloadFile(path, text) end
      failures[path] = message
      if warnings then
        paths[path], isStuck = nil, false
        taken[#taken + 1] = path
        table.move(warnings, 1, #warnings, #notices + 1, notices)
      end
    end
    if next(paths) == nil then return end
  end
end

-- A level, model or image. Returns whether anything came from that file, or nil and a message.
local function reloadAsset(path)
  if levels.knows(path) then return levels.reload(path) end
  return native.reloadAsset(path)
end

local assetFailures = {} -- path -> message, until the file is taken

local function messagesOf(failed)
  local paths, messages = {}, {}
  for path in next, failed do paths[#paths + 1] = path end
  table.sort(paths)
  for i, path in ipairs(paths) do messages[i] = failed[path] end
  return messages
end

--- Takes what the watch has told: a list of {path, isGone}. Returns the list of paths that were taken and a message
--- to show until the next change, or nil.
function reload.take(changes)
  local paths, taken, notices = {}, {}, {}
  for path in next, failures do paths[path] = true end
  for _, change in ipairs(changes) do
    local path = change.path
    if path == "conf.lua" then
      notices[#notices + 1] = native.compareConf()
    elseif records[path] and change.isGone then
      paths[path], failures[path] = nil, nil
      notices[#notices + 1] = path .. ": the file is gone; its code goes on until the game is started again"
    elseif records[path] then
      paths[path] = true
    else
      local isTaken, message
      if not change.isGone then isTaken, message = reloadAsset(path) end -- what was loaded of one that is gone stays
      assetFailures[path] = message
      if isTaken then taken[#taken + 1] = path end
    end
  end
  reloadAll(paths, taken, notices)
  local messages = messagesOf(failures)
  for _, more in ipairs { messagesOf(assetFailures), notices } do table.move(more, 1, #more, #messages + 1, messages) end
  return taken, messages[1] and table.concat(messages, "\n")
end

return reload
