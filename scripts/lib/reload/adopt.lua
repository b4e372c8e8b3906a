-- Puts what the new run of a file has made in the place of what was there: first its values, which merge.lua decides
-- on, then its functions, which swap.lua joins to the variables of the old ones.
-- order: whatever is done to one value does not depend on the others
local IS_OBJECT = { ["table"] = true, ["function"] = true, userdata = true, thread = true }
local MAIN = 1 -- number of the function that is the file itself

--- What reload.lua shares: native, debug, ownScript, heap, sandbox, loaded, records, bases, keepBases, excluded.
return function(shared)
  local native, debug, heap, sandbox = shared.native, shared.debug, shared.heap, shared.sandbox
  local records, bases = shared.records, shared.bases
  local prototypes = shared.ownScript "scripts/lib/reload/prototypes.lua"
  local namesOf = shared.ownScript "scripts/lib/reload/names.lua"
  local match = shared.ownScript "scripts/lib/reload/match.lua"
  local newMerge = shared.ownScript "scripts/lib/reload/merge.lua"
  local swap = shared.ownScript "scripts/lib/reload/swap.lua"(debug, prototypes)

  local function withNames(version)
    version.names = version.names or namesOf(version.text)
    return version
  end

  -- Sorts the functions of the file into old and new ones, as entries of swap.lua.
  local function findFunctions(change)
    change.olds, change.news, change.oldOf, change.newEntryOf = {}, {}, {}, {}
    for _, f in ipairs(change.found.functions) do
      local path, id, number = prototypes.readMark(debug.getinfo(f, "S").source)
      local version = path == change.path and change.record.versions[id]
      if path == change.path and id == change.version.id then
        local entry = { f = f, version = change.version, number = number }
        change.news[#change.news + 1], change.newEntryOf[f] = entry, entry
      elseif version then
        local entry = { f = f, version = version, number = number }
        change.olds[#change.olds + 1], change.oldOf[f] = entry, entry
      end
    end
  end

  -- Returns a function that gives the number of an old function in the new version, or nil.
  local function newMatcher(version)
    local matches = {}
    return function(entry)
      if entry.number < MAIN then return entry.number end -- what is outside of the file, its globals
      local id = entry.version.id
      matches[id] = matches[id] or match(withNames(entry.version), withNames(version))
      return matches[id][entry.number]
    end
  end

  local function codeOf(f)
    local info = debug.getinfo(f, "S")
    return info.what == "C" and "C" or info.source
  end

  local function newContext(change, seenBefore)
    return {
      copy = heap.copy,
      isFresh = function(value) return IS_OBJECT[type(value)] and not seenBefore[value] end,
      isOwn = function(value) return change.oldOf[value] or change.newEntryOf[value] end,
      isAlike = function(f, g) return codeOf(f) == codeOf(g) end,
    }
  end

  -- The module, the variables at the top of the file, the globals and callbacks it has written. Returns the module.
  local function mergeValues(change, seenBefore)
    local record, run, merge = change.record, change.run, change.merge
    local result
    if type(record.result) == "table" and type(run.result) == "table" and not seenBefore[run.result] then
      merge.mergeTables(record.result, run.result, true)
      result = record.result
    else
      result = merge.resolve(record.result, run.result, record.result, true)
    end
    local pairedWith = {}
    for old, new in next, merge.newOf do
      if change.oldOf[old] then pairedWith[new] = old end
    end
    local function areCounterparts(old, new)
      if pairedWith[new.f] then return pairedWith[new.f] == old.f end
      return change.numberOf(old) == new.number
    end
    local function resolve(current, fresh, name, isAlone)
      local base = isAlone and record.locals[name]
      return merge.resolve(current, fresh, base, isAlone and base ~= nil)
    end
    change.places = swap.joinVariables(change.olds, change.news, areCounterparts, resolve)
    merge.mergeWritten(sandbox, run.globalsBefore, record.globals)
    merge.mergeWritten(palfrey, run.fieldsBefore, record.fields)
    return result
  end

  -- Holds nothing of the old function, which would go on to live.
  local function newGone(change, entry)
    local path, name = change.path, withNames(entry.version).names[entry.number]
    local line = entry.version.prototypes[entry.number].line
    return function()
      error(string.format("%s: this function (%s, line %d before) is no longer in the file", path,
                          name == "" and "without a name" or name, line), 2)
    end
  end

  local function groupByNumber(entries)
    local groups = {}
    for _, entry in ipairs(entries) do
      groups[entry.number] = groups[entry.number] or {}
      table.insert(groups[entry.number], entry)
    end
    return groups
  end

  -- Gives each old function the one that takes its place: the one merging has found at the same place, its only
  -- counterpart of the new run, one made for it, or, when it is gone, one that says so. Returns what those that were
  -- made lack.
  local function placeFunctions(change)
    local newOf, version = change.merge.newOf, change.version
    local oldGroups, newGroups = groupByNumber(change.olds), groupByNumber(change.news)
    local warnings = {}
    for _, entry in ipairs(change.olds) do
      local number, paired = change.numberOf(entry), change.newEntryOf[newOf[entry.f]]
      local fresh = number and newGroups[number] or {}
      local isOnly = #fresh == 1 and #oldGroups[entry.number] == 1 and version.prototypes[number].parent == MAIN
      if paired then
        swap.joinHeld(entry, paired, change.numberOf)
      elseif not number then
        change.isGone[entry.f], newOf[entry.f] = true, newGone(change, entry)
      elseif isOnly then
        newOf[entry.f] = fresh[1].f
      else
        local missing
        newOf[entry.f], missing =
          swap.instantiate(change.path, version, number, entry, change.numberOf, change.places, sandbox)
        for _, name in ipairs(missing) do
          warnings[#warnings + 1] = string.format(
            "%s:%d: '%s' is nil here until the function around it is called anew: the old code did not use it",
            change.path, version.prototypes[number].line, name)
        end
      end
    end
    return warnings
  end

  -- Takes functions that are gone out of where their absence is understood.
  local function dropGone(change)
    local isGone = change.isGone
    for t, base in next, { [sandbox] = change.record.globals, [palfrey] = change.record.fields } do
      for k, v in next, t do
        if isGone[v] and (t == palfrey or base[k] ~= nil) then
          rawset(t, k, nil)
          base[k] = nil
        end
      end
    end
    if isGone[native.getQuit()] then palfrey.quit = nil end
  end

  -- Handlers that are gone leave their lists, and of those that have become the same one stays.
  local function cleanHandlers(change)
    local newOf = change.merge.newOf
    for _, value in ipairs(change.found.userdata) do
      local handlers = native.handlersOf(value)
      for event, list in next, handlers or {} do
        local kept, has = {}, {}
        for _, f in ipairs(list) do
          local new = newOf[f] or f
          if not change.isGone[f] and not has[new] then kept[#kept + 1], has[new] = new, true end
        end
        handlers[event] = kept
      end
    end
  end

  -- What the next change is compared with.
  local function keepForNext(change, result)
    local record, newOf = change.record, change.merge.newOf
    record.locals = change.run.locals
    for t, base in next, change.merge.newBases do bases[t] = base end
    for _, base in next, bases do heap.replaceInTable(base, newOf) end
    for _, other in next, records do
      for _, t in ipairs { other.locals, other.globals, other.fields } do heap.replaceInTable(t, newOf) end
      if newOf[other.result] ~= nil then other.result = newOf[other.result] end
    end
    local module = record.arguments and record.arguments[1]
    if module and not rawequal(record.result, result) and rawequal(shared.loaded[module], record.result) then
      shared.loaded[module] = result
    end
    record.result = result
    shared.keepBases { result }
    shared.keepBases(record.locals)
    for t in next, change.merge.newBases do shared.keepBases(t) end
    -- Versions of which no function was left.
    local isUsed = {}
    for _, entry in ipairs(change.olds) do isUsed[entry.version.id] = true end
    for id in next, record.versions do
      if not isUsed[id] then record.versions[id] = nil end
    end
  end

  --- Adopts what a run {locals, result, globalsBefore, fieldsBefore} of a version has made; `seenBefore` is the set of
  --- all there was before it. Returns a list of warnings.
  return function(path, record, version, run, seenBefore)
    local change = { path = path, record = record, version = version, run = run, isGone = {} }
    change.found = heap.collect(shared.excluded(), run)
    findFunctions(change)
    change.numberOf = newMatcher(version)
    change.merge = newMerge(debug, bases, newContext(change, seenBefore))
    local result = mergeValues(change, seenBefore)
    local warnings = placeFunctions(change)
    dropGone(change)
    cleanHandlers(change)
    heap.replace(change.found, change.merge.newOf)
    keepForNext(change, result)
    return warnings
  end
end
