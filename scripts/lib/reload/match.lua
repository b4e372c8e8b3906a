-- Which function of a changed file is which of the old one. Functions are compared below the same enclosing function:
-- by name first, then by what they do, then by their order where equally many are left without a name of their own.

-- Sorts numbers of functions into lists by a key; nil keys are left out.
local function group(numbers, key)
  local groups = {}
  for _, number in ipairs(numbers) do
    local k = key(number)
    if k then
      groups[k] = groups[k] or {}
      table.insert(groups[k], number)
    end
  end
  return groups
end

-- Pairs those of the same key, the first with the first. Of several with one key those that do the same come first, so
-- that one put between two others does not shift them.
local function pairByKey(old, new, oldKey, newKey, pair)
  local groups = group(new, newKey)
  for _, number in ipairs(old) do
    local key = oldKey(number)
    local others = key and groups[key]
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

local function hasOwnName(name) return not string.find(name, " ", 1, true) and name ~= "" end

--- Takes two versions {prototypes, names} and returns the number of the new function by that of the old one.
return function(old, new)
  local newOf, isTaken = { [1] = 1 }, {}
  local function pair(number, other) newOf[number], isTaken[other] = other, true end

  local function pairChildren(parent, other)
    local before, after = old.prototypes[parent].children, new.prototypes[other].children
    local function rest() return withoutPaired(before, newOf), withoutPaired(after, isTaken) end
    local function shapeOf(version) return function(number) return version.prototypes[number].shape end end
    local function nameOf(version) return function(number) return version.names[number] end end
    local function both(version)
      return function(number) return version.names[number] .. "\n" .. version.prototypes[number].shape end
    end
    for _, key in ipairs { both, nameOf, shapeOf } do
      before, after = rest()
      pairByKey(before, after, key(old), key(new), pair)
    end
    before, after = rest()
    local function unnamed(version, numbers)
      local list = {}
      for _, number in ipairs(numbers) do
        if not hasOwnName(version.names[number]) then list[#list + 1] = number end
      end
      return list
    end
    before, after = unnamed(old, before), unnamed(new, after)
    if #before == #after then
      for i, number in ipairs(before) do pair(number, after[i]) end
    end
  end

  for number, prototype in ipairs(old.prototypes) do
    if newOf[number] and #prototype.children > 0 then pairChildren(number, newOf[number]) end
  end
  return newOf
end
