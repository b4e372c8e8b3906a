-- Level files that change while their worlds live. What is new in a file is made, what is gone is removed, and what has
-- changed is changed at the node that is there, so that scripts keep their hands on it. Nodes stay where the game has
-- moved them unless the file says another place than before. Where there is nothing to set, as for another model, the
-- node is made anew.
--
-- Entries are known again by id or name, and those without by their order among such.
local _, _, _, ownScript = ...

local level = ownScript "scripts/lib/level.lua"

local levelReload = {}

-- world -> list of {path, data, entries}; a world that is gone takes its list with it.
local loaded = setmetatable({}, { __mode = "k" })

local function hasLivingNodes(record)
  for _, entry in ipairs(record.entries) do
    if entry.node:isAlive() then return true end
  end
  return false
end

--- Remembers what a world has loaded, and forgets levels of which no node lives.
function levelReload.remember(world, path, data, entries)
  local kept = {}
  for _, record in ipairs(loaded[world] or {}) do
    if hasLivingNodes(record) then kept[#kept + 1] = record end
  end
  kept[#kept + 1] = { path = path, data = data, entries = entries }
  loaded[world] = kept
end

local function isSame(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do -- order: all of them are compared
    if not isSame(v, b[k]) then return false end
  end
  for k in pairs(b) do -- order: all of them are looked at
    if a[k] == nil then return false end
  end
  return true
end

-- What can be set at a node that is there. Each returns whether that is so for this value.
local SETTERS = {
  position = function(node, v) node:setPosition(table.unpack(v or { 0, 0, 0 })) return true end,
  heading = function(node, v) node:setHeading(v or 0) return true end,
  rotation = function(node, v) node:setRotation(table.unpack(v or { 0, 0, 1, 0 })) return true end,
  visible = function(node, v) node:setVisible(v ~= false) return true end,
  pickable = function(node, v) node:setPickable(v ~= false) return true end,
  health = function(node, v) return v ~= nil and (node:setHealth(v) or true) end,
  color = function(node, v) return v ~= nil and (node:setColor(table.unpack(v)) or true) end,
  intensity = function(node, v) node:setIntensity(v or 1) return true end,
  fov = function(node, v) return v ~= nil and (node:setFov(v) or true) end,
  skin = function(node, v) return v ~= nil and assert(node:setSkin(v)) end,
  animation = function(node, v) return v ~= nil and (node:play(v) or true) end,
  scale = function(node, v)
    if type(v) == "table" then node:setScale(table.unpack(v)) else node:setScale(v or 1) end
    return true
  end,
}

-- The keys in which two entries differ.
local function differences(old, new)
  local keys = {}
  for key, value in pairs(old) do -- order: sorted below
    if not isSame(value, new[key]) then keys[#keys + 1] = key end
  end
  for key in pairs(new) do -- order: sorted below
    if old[key] == nil then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function pairUp(olds, news)
  local function keysOf(entries)
    local counts, byKey = {}, {}
    for _, entry in ipairs(entries) do
      local name = entry.options.id or entry.options.name or ""
      local key = entry.list.field .. " " .. tostring(name)
      counts[key] = (counts[key] or 0) + 1
      byKey[key .. " " .. counts[key]] = entry
      entry.key = key .. " " .. counts[key]
    end
    return byKey
  end
  local before = keysOf(olds)
  keysOf(news)
  local partners = {}
  for _, entry in ipairs(news) do
    local old = before[entry.key]
    if old and old.node:isAlive() then partners[entry] = old end
  end
  return partners
end

-- Whether an entry's node can stay: each difference can be set, and so can those of what it hangs on.
local function canStay(entry, old)
  if entry.options.tall ~= nil and not isSame(entry.options.scale, old.options.scale) then return false end
  for _, key in ipairs(differences(old.options, entry.options)) do
    if not SETTERS[key] then return false end
  end
  return true
end

-- Sorts entries into those whose nodes stay and those that are made. Children go with their parents.
local function sortEntries(news, partners)
  local isMade, hasChanged = {}, true
  for _, entry in ipairs(news) do
    if not partners[entry] or not canStay(entry, partners[entry]) then isMade[entry] = true end
  end
  while hasChanged do
    hasChanged = false
    for _, entry in ipairs(news) do
      for _, other in ipairs(news) do
        local name = entry.options.parent
        local isParent = name ~= nil and (name == other.options.name or name == other.options.id)
        if isParent and isMade[other] and not isMade[entry] then isMade[entry], hasChanged = true, true end
      end
    end
  end
  return isMade
end

local function removeAll(nodes)
  for _, node in ipairs(nodes) do
    if node:isAlive() then node:remove() end
  end
end

-- Makes what has to be made, then changes the rest; with an error nothing has changed but what the setters had done.
local function apply(world, record, data, news)
  local partners = pairUp(record.entries, news)
  local isMade = sortEntries(news, partners)
  local known, names, making, made = {}, {}, {}, {}
  for _, entry in ipairs(news) do
    if isMade[entry] then
      making[#making + 1] = entry
    else
      entry.node = partners[entry].node
      if entry.options.id then known[entry.options.id] = entry.node end
      level.rememberNames(entry.node, known, names)
    end
  end
  local good, message = level.makeNodes(world, making, made, known)
  if not good then
    removeAll(made)
    return nil, message
  end
  for _, entry in ipairs(news) do
    if not isMade[entry] then
      for _, key in ipairs(differences(partners[entry].options, entry.options)) do
        good, message = pcall(SETTERS[key], entry.node, entry.options[key])
        if not good then
          removeAll(made)
          return nil, string.format("%s: %s: %s", entry.place, key, tostring(message))
        end
      end
    end
  end
  local stays = {}
  for _, entry in ipairs(news) do stays[entry.node] = true end
  for _, entry in ipairs(record.entries) do
    if not stays[entry.node] and entry.node:isAlive() then entry.node:remove() end
  end
  local changed = {}
  for _, field in ipairs(level.WORLD_FIELDS) do
    if not isSame(record.data[field], data[field]) then changed[field] = data[field] end
  end
  level.applyWorld(world, changed)
  return true
end

--- Whether a level was loaded from this file.
function levelReload.knows(path)
  for _, records in pairs(loaded) do -- order: any will do
    for _, record in ipairs(records) do
      if record.path == path then return true end
    end
  end
  return false
end

--- Brings all worlds up to date that have loaded this file. Returns true, or nil and a message.
function levelReload.reload(path)
  local first
  for world, records in pairs(loaded) do -- order: worlds do not know of each other
    for _, record in ipairs(records) do
      if record.path == path then
        local data, news = level.read(path)
        local good, message = data, news
        if data then good, message = apply(world, record, data, news) end
        if good then record.data, record.entries = data, news else first = first or message end
      end
    end
  end
  if first then return nil, first end
  return true
end

return levelReload
