-- Level files: one Lua table of data, written by hand or by world:save, read by world:load. Nodes stand in lists by
-- kind, each the options of its world:add... call. Parents, targets and whom a camera follows are names, or numbers
-- given as `id` where a name would not be clear. Parents stand before their children in what is written; in what is
-- read, any order will do.
--
-- The runtime loads this file with its own access to worlds: `native` describes nodes as options.
local native, files, loadText, ownScript = ...

-- Methods of strings are the game's, which may have changed them.
local find, format = string.find, string.format

local level = {}

-- The lists of a level file, in the order in which they are read, and the method that makes their nodes.
local LISTS = {
  { field = "groups", kind = "group", method = "addGroup" },
  { field = "models", kind = "model", method = "addModel" },
  { field = "lights", kind = "light", method = "addLight" },
  { field = "players", kind = "player", method = "addPlayer" },
  { field = "npcs", kind = "npc", method = "addNPC" },
  { field = "cameras", kind = "camera", method = "addCamera" },
}
local REFERENCES = { "parent", "follow", "target" }
local NOT_OPTIONS = { id = true, attached = true, visible = true, pickable = true, objects = true, active = true,
                      orbit = true }
local WORLD_FIELDS = { "ambient", "background", "gravity", "fog", "viewMode" }

-- ---------------------------------------------------------------------------------------------------------- writing

local KEYWORDS = {}
for word in string.gmatch([[and break do else elseif end false for function goto if in local nil not or repeat return
  then true until while]], "%a+") do KEYWORDS[word] = true end

local function sortedKeys(values)
  local keys = {}
  for key in pairs(values) do keys[#keys + 1] = key end   -- order: sorted below
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function formatKey(key)
  if string.match(key, "^[%a_][%w_]*$") and not KEYWORDS[key] then return key end
  return format("[%s]", string.gsub(format("%q", key), "\\\n", "\\n"))
end

-- Floats have nine significant digits at most; with these they read back as they were.
local function formatNumber(value)
  if value == math.floor(value) and math.abs(value) < 1e9 then return format("%d", value) end
  return format("%.9g", value)
end

local formatTable

local function formatValue(value)
  if type(value) == "number" then return formatNumber(value) end
  if type(value) == "string" then return (string.gsub(format("%q", value), "\\\n", "\\n")) end
  if type(value) == "table" then return formatTable(value) end
  return tostring(value)
end

-- A table on one line: a list in its order, anything else by sorted names with the name of the node first.
function formatTable(values)
  local parts = {}
  if #values > 0 then
    for i, value in ipairs(values) do parts[i] = formatValue(value) end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  if values.name ~= nil then parts[1] = "name = " .. formatValue(values.name) end
  for _, key in ipairs(sortedKeys(values)) do
    if key ~= "name" then parts[#parts + 1] = formatKey(key) .. " = " .. formatValue(values[key]) end
  end
  return #parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}"
end

-- The nodes a level file lists: all but those that come with a model file.
local function listNodes(world)
  local nodes = {}
  for node in world:each() do
    local _, isPart = native.describePart(node)
    if not isPart then nodes[#nodes + 1] = node end
  end
  return nodes
end

-- What scripts changed on the parts of a model below `node`: name in the model's file -> changes.
local function describeParts(node, owner, objects)
  for _, child in ipairs(node:getChildren()) do
    local changes, isPart, key, partOf = native.describePart(child)
    if isPart then
      if changes and partOf == owner then objects[key] = changes end
      describeParts(child, owner, objects)
    end
  end
end

local function describeObjects(node)
  local objects = {}
  describeParts(node, node, objects)
  for _, key in ipairs(native.describeMissing(node)) do objects[key] = { removed = true } end
  return next(objects) and objects or nil
end

-- Where the number of a node is kept to which others refer: its entry, or what is told of it as a part of a model.
local function holderOf(node, entries)
  if entries[node] then return entries[node] end
  local _, _, key, owner = native.describePart(node)
  local entry = owner and entries[owner]
  if not entry then return nil end
  entry.objects = entry.objects or {}
  entry.objects[key] = entry.objects[key] or {}
  return entry.objects[key]
end

-- How other entries refer to a node: by its name, if it has one of its own, else by a number.
local function makeReferences(world, entries)
  local count = 0
  return function(node)
    local name = node:getName()
    if name and #world:findAll(name) == 1 then return name end
    local holder = holderOf(node, entries)
    if holder and not holder.id then
      count = count + 1
      holder.id = count
    end
    return holder and holder.id
  end
end

-- The nodes by the lists in which they are written.
local function sortByLists(nodes)
  local sorted = {}
  for _, list in ipairs(LISTS) do
    for _, node in ipairs(nodes) do
      if node:getKind() == list.kind then sorted[#sorted + 1] = node end
    end
  end
  return sorted
end

-- The order in which loading makes nodes that are written in the order given: those that refer to later ones wait.
local function orderOfMaking(nodes, entries)
  local made, isMade = {}, {}
  local function isReady(node)
    for _, field in ipairs(REFERENCES) do
      local other = entries[node][field]
      if type(other) == "userdata" then
        local owner = entries[other] and other or select(4, native.describePart(other))
        if entries[owner] and not isMade[owner] then return false end
      end
    end
    return true
  end
  while #nodes > 0 do
    local later = {}
    for _, node in ipairs(nodes) do
      if isReady(node) then
        made[#made + 1] = node
        isMade[node] = true
      else
        later[#later + 1] = node
      end
    end
    if #later == #nodes then return table.move(later, 1, #later, #made + 1, made) end
    nodes = later
  end
  return made
end

local function isSameList(a, b)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then return false end
  end
  return true
end

-- The order of writing: the one that comes out again when what was written is loaded.
local function sortNodes(nodes, entries)
  local MOST_ROUNDS = 100 -- each round settles a generation of parents at least
  local sorted = sortByLists(nodes)
  for _ = 1, MOST_ROUNDS do
    local again = sortByLists(orderOfMaking(sorted, entries))
    if isSameList(sorted, again) then break end
    sorted = again
  end
  return sorted
end

local function describeNodes(world)
  local nodes, entries = listNodes(world), {}
  for _, node in ipairs(nodes) do
    local entry = native.describe(node)
    entry.attached = entry.attached and true or nil
    entry.objects = describeObjects(node)
    entries[node] = entry
  end
  local sorted, refer = sortNodes(nodes, entries), makeReferences(world, entries)
  local active = native.describeWorld(world).camera
  for _, node in ipairs(sorted) do
    local entry = entries[node]
    for _, field in ipairs(REFERENCES) do
      if type(entry[field]) == "userdata" then entry[field] = refer(entry[field]) end
    end
    if node == active then entry.active = true end
  end
  return sorted, entries
end

local function writeLevel(world)
  local lines = { "return {" }
  local described = native.describeWorld(world)
  for _, field in ipairs(WORLD_FIELDS) do
    if described[field] ~= nil then lines[#lines + 1] = format("  %s = %s,", field, formatValue(described[field])) end
  end
  local nodes, entries = describeNodes(world)
  for _, list in ipairs(LISTS) do
    local isOpen = false
    for _, node in ipairs(nodes) do
      if node:getKind() == list.kind then
        if not isOpen then lines[#lines + 1] = format("  %s = {", list.field) end
        isOpen = true
        lines[#lines + 1] = format("    %s,", formatTable(entries[node]))
      end
    end
    if isOpen then lines[#lines + 1] = "  }," end
  end
  lines[#lines + 1] = "}\n"
  return table.concat(lines, "\n")
end

function level.save(world, path)
  native.warnOfMovedParts(world, path)
  return files.write(path, writeLevel(world))
end

-- ---------------------------------------------------------------------------------------------------------- reading

local function readTable(path)
  local text, message = files.read(path)
  if not text then return nil, message end
  local chunk
  chunk, message = loadText(text, "@" .. path)
  if not chunk then return nil, message end
  local good, data = native.runData(chunk)
  if not good then
    message = tostring(data)
    return nil, find(message, path, 1, true) and message or format("%s: %s", path, message)
  end
  if type(data) ~= "table" then
    return nil, format("%s: a level file returns a table, this one returned a %s", path, type(data))
  end
  return data
end

local function checkFields(path, data)
  local known = { player = true }
  for _, field in ipairs(WORLD_FIELDS) do known[field] = true end
  for _, list in ipairs(LISTS) do known[list.field] = true end
  for _, key in ipairs(sortedKeys(data)) do
    if not known[key] then return nil, format("%s: unknown field '%s'", path, tostring(key)) end
  end
  return true
end

-- All entries of the file with the method that makes them. `player` is short for a list of one.
local function collectEntries(path, data)
  local entries = {}
  local function add(list, entry, place)
    if type(entry) ~= "table" then
      return nil, format("%s: %s: a table expected, got %s", path, place, type(entry))
    end
    if entry.id ~= nil and not (type(entry.id) == "number" and entry.id == entry.id) then
      return nil, format("%s: %s: id: a number expected, got %s", path, place, tostring(entry.id))
    end
    entries[#entries + 1] = { list = list, options = entry, place = format("%s: %s", path, place) }
    return true
  end
  for _, list in ipairs(LISTS) do
    local values = data[list.field] or {}
    if type(values) ~= "table" then return nil, format("%s: %s is not a list", path, list.field) end
    for i, entry in ipairs(values) do
      local good, message = add(list, entry, format("%s[%d]", list.field, i))
      if not good then return nil, message end
    end
    if list.field == "players" and data.player ~= nil then
      local good, message = add(list, data.player, "player")
      if not good then return nil, message end
    end
  end
  return entries
end

local function applyChanges(node, changes)
  if changes.visible ~= nil then node:setVisible(changes.visible) end
  if changes.pickable ~= nil then node:setPickable(changes.pickable) end
end

local function applyPart(part, changes)
  applyChanges(part, changes)
  if changes.name ~= nil then part:setName(changes.name or nil) end
  if changes.position then part:setPosition(table.unpack(changes.position)) end
  if changes.scale then part:setScale(table.unpack(changes.scale)) end
  if changes.rotation then part:setRotation(table.unpack(changes.rotation)) end
end

local function applyObjects(node, objects, known)
  for _, child in ipairs(node:getChildren()) do
    local _, _, key = native.describePart(child)
    local changes = key and (objects[key] or objects[child:getName() or false])
    if changes and changes.removed then
      child:remove()
    else
      if changes then applyPart(child, changes) end
      if changes and changes.id then known[changes.id] = child end
      applyObjects(child, objects, known)
    end
  end
end

-- The options of an entry with nodes for references; nil and the name of one that is not there yet.
local function resolve(entry, known)
  local options = {}
  for key, value in pairs(entry.options) do   -- order: the copy is a table too
    if not NOT_OPTIONS[key] then options[key] = value end
  end
  for _, field in ipairs(REFERENCES) do
    local reference = options[field]
    if type(reference) == "string" or type(reference) == "number" then
      if not known[reference] and not (field == "follow" and entry.followsLater) then return nil, reference end
      options[field] = known[reference]
    end
  end
  if entry.followsLater then options.mode = options.mode or "third" end
  return options
end

-- Whom a camera follows may itself hang on the camera: where nothing else leads on, cameras are made first and told
-- afterwards whom to follow. Returns whether that helps.
local function putOffFollowing(waiting, known)
  local helps = false
  for _, entry in ipairs(waiting) do
    local follow = entry.options.follow
    if follow ~= nil and not known[follow] and not entry.followsLater then
      entry.followsLater, helps = true, true
    end
  end
  return helps
end

local function followNow(entries, known)
  for _, entry in ipairs(entries) do
    if entry.followsLater then
      local followed = known[entry.options.follow]
      if not followed then
        return nil, format("%s: there is no node '%s'", entry.place, tostring(entry.options.follow))
      end
      entry.node:setFollow(followed)
    end
  end
  return true
end

local function rememberNames(node, known, nodes)
  local name = node:getName()
  if name then
    known[name] = known[name] or node
    nodes[name] = nodes[name] or node
  end
  for _, child in ipairs(node:getChildren()) do rememberNames(child, known, nodes) end
end

-- What is not an option of the node's making.
local function finishNode(world, node, entry, known)
  applyChanges(node, entry)
  if entry.orbit then node:setOrbit(table.unpack(entry.orbit)) end
  if entry.objects then applyObjects(node, entry.objects, known) end
  if entry.active then world:setCamera(node) end
end

-- A message without the place in this file that raised it.
local function plain(message) return (string.gsub(tostring(message), "^scripts/lib/level%.lua:%d+: ", "")) end

local function makeNode(world, entry, options, known)
  local good, node, message
  if entry.options.attached then
    local host = options.parent
    options.parent = nil
    if type(host) ~= "userdata" then return nil, entry.place .. ": an attached model needs a parent" end
    good, node, message = pcall(host.attach, host, options)
  else
    good, node, message = pcall(world[entry.list.method], world, options)
  end
  if not good then return nil, format("%s: %s", entry.place, tostring(node)) end
  if not node then return nil, format("%s: %s", entry.place, message) end
  good, message = pcall(finishNode, world, node, entry.options, known)
  if good then return node end
  node:remove()
  return nil, format("%s: %s", entry.place, plain(message))
end

-- Makes all nodes, those whose references are not there yet after the others. `known` leads from names and ids to nodes
-- that are there already.
function level.makeNodes(world, entries, made, known)
  local nodes, waiting = {}, entries
  while #waiting > 0 do
    local later, missing = {}, nil
    for _, entry in ipairs(waiting) do
      local options, reference = resolve(entry, known)
      if options then
        local node, message = makeNode(world, entry, options, known)
        if not node then return nil, message end
        made[#made + 1] = node
        entry.node = node
        if entry.options.id then known[entry.options.id] = node end
        rememberNames(node, known, nodes)
      else
        missing = missing or format("%s: there is no node '%s'", entry.place, tostring(reference))
        later[#later + 1] = entry
      end
    end
    if #later == #waiting and not putOffFollowing(later, known) then return nil, missing end
    waiting = later
  end
  local good, message = followNow(entries, known)
  return good and nodes, message
end

function level.applyWorld(world, data)
  if data.ambient then world:setAmbient(table.unpack(data.ambient)) end
  if data.background then world:setBackground(table.unpack(data.background)) end
  if data.fog then world:setFog(data.fog) end
  if data.viewMode then world:setViewMode(data.viewMode) end
  if data.gravity then native.setGravity(world, data.gravity) end
end

-- Puts back what a level that failed has changed.
local function restoreWorld(world, before)
  level.applyWorld(world, { ambient = before.ambient, background = before.background, gravity = before.gravity or 9.81,
                      fog = before.fog or { mode = "none" }, viewMode = before.viewMode or "textured" })
  if before.camera then world:setCamera(before.camera) end
end

--- The table of a level file and its entries; nil and a message when it is not one.
function level.read(path)
  local data, message = readTable(path)
  if not data then return nil, message end
  local good, entries
  good, message = checkFields(path, data)
  if not good then return nil, message end
  entries, message = collectEntries(path, data)
  if not entries then return nil, message end
  return data, entries
end

function level.load(world, path)
  local data, entries = level.read(path)
  if not data then return nil, entries end
  local made, before = {}, native.describeWorld(world)
  local nodes, message = level.makeNodes(world, entries, made, {})
  local good = true
  if nodes then good, message = pcall(level.applyWorld, world, data) end
  if nodes and good then
    if native.isWatching() then ownScript "scripts/lib/level_reload.lua".remember(world, path, data, entries) end
    return nodes
  end
  for _, node in ipairs(made) do
    if node:isAlive() then node:remove() end
  end
  restoreWorld(world, before)
  return nil, good and message or format("%s: %s", path, plain(message))
end

level.rememberNames, level.WORLD_FIELDS = rememberNames, WORLD_FIELDS

return level
