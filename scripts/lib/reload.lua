-- Hot reload: a changed Lua file is run again between two steps, and what it makes takes the place of what it made
-- before. docs/hot-reload.md says what survives. The parts: prototypes.lua tells functions of a file apart, names.lua
-- and match.lua which is which in two versions, heap.lua finds all that scripts can reach, adopt.lua puts the new in
-- the place of the old, by merge.lua for values and swap.lua for functions.
--
-- The runtime loads files through compile and runs them through run, so that each is known when it changes.
-- order: whatever is done to one value does not depend on the others
local native, _, _, ownScript, debug = ...

local prototypes = ownScript "scripts/lib/reload/prototypes.lua"
local newHeap = ownScript "scripts/lib/reload/heap.lua"

local sandbox, loaded = native.getSandbox()
local heap = newHeap(debug, native.stackOf)

local reload = {}

-- path -> what is known of a file that was loaded:
--   version, versions   the one that runs, and by id all of which functions may live: {id, text, bytes, prototypes};
--                       `last` is the highest id
--   order, arguments    when and with what it was run; nil where its script has only loaded it
--   result, locals      what its last run returned, and its variables at the top, as they were then
--   globals, fields     what it has written into the globals and into the module palfrey
local records = {}
local bases = setmetatable({}, { __mode = "k" }) -- table -> a copy of it as the run of its file had made it
local runCount = 0

-- What the walk through all that scripts can reach must leave out: this file's own.
local function excluded()
  return { [reload] = true, [records] = true, [bases] = true, [heap] = true, [native] = true,
           [reload.compile] = true, [reload.run] = true, [reload.take] = true, [debug] = true }
end

-- ---------------------------------------------------------------------------------------------- versions of a file

local function newVersion(path, text, id)
  local chunk, message = load(text, "@" .. path, "t", sandbox)
  if not chunk then return nil, message end
  local list = prototypes.read(string.dump(chunk))
  return { id = id, text = text, prototypes = list, bytes = prototypes.write(list, path, id) }
end

local function newChunk(path, version) return assert(load(version.bytes, path, "b", sandbox)) end

--- Compiles a file of the game that is read for the first time, or anew by its script. Returns the function, or nil
--- and a message.
function reload.compile(path, text)
  local record = records[path] or { versions = {}, last = 0, locals = {}, globals = {}, fields = {} }
  -- Read again unchanged, as by dofile, it is the same version.
  if not record.version or record.version.text ~= text then
    local version, message = newVersion(path, text, record.last + 1)
    if not version then return nil, message end
    record.version, record.last = version, version.id
    record.versions[version.id] = version
    records[path] = record
  end
  return newChunk(path, record.version)
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
      bases[value] = heap.copy(value)
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
  local globals, fields, locals = heap.copy(sandbox), heap.copy(palfrey), {}
  local results = table.pack(native.runChunk(chunk, locals, ...))
  local record = records[path]
  runCount = runCount + 1
  record.order, record.arguments, record.result = runCount, table.pack(...), results[1]
  record.locals, record.globals, record.fields = locals, written(sandbox, globals), written(palfrey, fields)
  for _, roots in ipairs { { record.result }, locals, record.globals, record.fields } do keepBases(roots) end
  return table.unpack(results, 1, results.n)
end

-- ---------------------------------------------------------------------------------------------- reloading

local adopt -- made with the first change: until then its scripts need not be read

local function newAdopt()
  return ownScript "scripts/lib/reload/adopt.lua" {
    native = native, debug = debug, ownScript = ownScript, heap = heap, sandbox = sandbox, loaded = loaded,
    records = records, bases = bases, keepBases = keepBases, excluded = excluded,
  }
end

-- Runs the new version; what it has changed in Lua is put back when it fails. A file that its script has loaded
-- without running it is not run here either.
local function runAgain(path, record, version)
  local memory = heap.remember(heap.collect(excluded()))
  local run = { locals = {}, globalsBefore = heap.copy(sandbox), fieldsBefore = heap.copy(palfrey) }
  local world = native.getWorld()
  local good, result = true, nil
  if record.arguments then
    good, result = native.callGame(native.runChunk, newChunk(path, version), run.locals,
                                   table.unpack(record.arguments, 1, record.arguments.n))
    run.result = result
  end
  local hasFailed = not good
  adopt = adopt or newAdopt()
  if good then good, result = pcall(adopt, path, record, version, run, memory.found.seen) end
  if world then native.setWorld(world) end
  if good then return result end
  heap.putBack(memory)
  if hasFailed then
    return nil, result .. "\nThe old code goes on. Calls it had made into the engine are not undone."
  end
  return nil, "hot reload: " .. result
end

-- Takes a changed file. Returns a list of warnings, or nil and a message when the old code goes on.
local function reloadFile(path, text)
  local record = records[path]
  if record.version.text == text then return {} end
  local version, message = newVersion(path, text, record.last + 1)
  if not version then return nil, message end
  record.last = version.id
  local warnings
  warnings, message = runAgain(path, record, version)
  if warnings then record.version, record.versions[version.id] = version, version end
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

-- Whether worlds show what a level, model or image gave.
local function isShown(path) return ownScript "scripts/lib/level_reload.lua".knows(path) or native.isShown(path) end

-- A level, model or image. Returns whether anything came from that file, or nil and a message.
local function reloadAsset(path)
  local levels = ownScript "scripts/lib/level_reload.lua"
  if levels.knows(path) then return levels.reload(path) end
  return native.reloadAsset(path)
end

local assetFailures = {} -- path -> message, until the file is taken

-- Assets that failed may have lacked what another file now has.
local function retryAssets(changes)
  local failed = {}
  for path in next, assetFailures do failed[#failed + 1] = path end
  for _, change in ipairs(changes) do
    if not change.isGone then
      for i = #failed, 1, -1 do
        if failed[i] == change.path then table.remove(failed, i) end -- this one was just tried
      end
    end
  end
  for _, path in ipairs(failed) do
    local _, message = reloadAsset(path)
    assetFailures[path] = message
  end
end

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
      if not change.isGone then
        isTaken, message = reloadAsset(path)
      elseif isShown(path) then
        notices[#notices + 1] = path .. ": the file is gone; what it gave stays until the game is started again"
      end
      assetFailures[path] = message
      if isTaken then taken[#taken + 1] = path end
    end
  end
  retryAssets(changes)
  reloadAll(paths, taken, notices)
  local messages = messagesOf(failures)
  for _, more in ipairs { messagesOf(assetFailures), notices } do
    table.move(more, 1, #more, #messages + 1, messages)
  end
  return taken, messages[1] and table.concat(messages, "\n")
end

return reload
