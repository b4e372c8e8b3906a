-- Which function of a changed file is which of the old one. Functions are compared below the same enclosing function:
-- those of one name that do the same, then those of one name, then those that do the same under another name. Where a
-- function was there in several forms, as in two branches, and one is left, it takes the place of all.

-- Sorts numbers of functions into lists by a key.
local function group(numbers, key)
  local groups = {}
  for _, number in ipairs(numbers) do
    local k = key(number)
    groups[k] = groups[k] or {}
    table.insert(groups[k], number)
  end
  return groups
end

-- Pairs those of the same key, the first with the first.
local function pairByKey(old, new, oldKey, newKey, pair)
  local groups = group(new, newKey)
  for _, number in ipairs(old) do
    local others = groups[oldKey(number)]
    if others and others[1] then pair(number, table.remove(others, 1)) end
  end
end

local function withoutPaired(numbers, paired)
  local rest = {}
  for _, number in ipairs(numbers) do
    if not paired[number] then rest[#rest + 1] = number end
  end
  return rest
end

--- Takes two versions {prototypes, names} and returns the number of the new function by that of the old one.
return function(old, new)
  local newOf, isTaken = { [1] = 1 }, {}
  local function pair(number, other) newOf[number], isTaken[other] = other, true end

  local function nameOf(version) return function(number) return version.names[number] end end
  local function shapeOf(version) return function(number) return version.prototypes[number].shape end end
  local function bothOf(version)
    return function(number) return version.names[number] .. "\n" .. version.prototypes[number].shape end
  end

  -- Whether a name is of one function, not of any in a list or among the arguments of a call.
  local function isOfOne(name)
    return name ~= "" and not string.find(name, "[({] ") and not string.find(name, "^%l+ $")
  end

  -- Gives functions without a counterpart one of their name that has another already.
  local function shareByName(before, after)
    local byName = {}
    for _, number in ipairs(after) do byName[new.names[number]] = number end
    for _, number in ipairs(before) do
      local name = old.names[number]
      if isOfOne(name) then newOf[number] = byName[name] end
    end
  end

  local function pairChildren(parent, other)
    for _, keyOf in ipairs { bothOf, nameOf, shapeOf } do
      local before = withoutPaired(old.prototypes[parent].children, newOf)
      local after = withoutPaired(new.prototypes[other].children, isTaken)
      pairByKey(before, after, keyOf(old), keyOf(new), pair)
    end
    shareByName(withoutPaired(old.prototypes[parent].children, newOf), new.prototypes[other].children)
  end

  for number, prototype in ipairs(old.prototypes) do
    if newOf[number] and #prototype.children > 0 then pairChildren(number, newOf[number]) end
  end
  return newOf
end
