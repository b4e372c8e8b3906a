-- Names for the functions of a Lua file, by what stands in the text before or behind the word `function`: one for
-- each, in the order of the text. They say which function of a changed file is which of the old one; they need not be
-- unique.
local find, sub = string.find, string.sub

local CLOSES = { [")"] = true, ["]"] = true, ["}"] = true }
local OPENS = { ["("] = true, ["["] = true, ["{"] = true }
local BEGINS = { ["function"] = true, ["if"] = true, ["do"] = true } -- what has an `end` of its own
local IS_WORD = "^[%w_]"
-- Words that no expression goes across backwards.
local KEYWORDS = {}
for word in string.gmatch("do else elseif end for function goto if in local repeat return then until while ;", "%S+") do
  KEYWORDS[word] = true
end

-- The end of a string that begins at `at` with its quote.
local function skipString(text, at)
  local quote = sub(text, at, at)
  at = at + 1
  while true do
    local stop = find(text, "[\\" .. quote .. "]", at)
    if not stop then return #text end
    if sub(text, stop, stop) == quote then return stop end
    at = stop + 2
  end
end

-- The end of [[...]] or [=[...]=] that begins at `at`; nil where none begins.
local function skipLong(text, at)
  local _, last, level = find(text, "^%[(=*)%[", at)
  if not last then return nil end
  local _, stop = find(text, "]" .. level .. "]", last + 1, true)
  return stop or #text
end

local function skipBlanks(text, at)
  while true do
    local _, blank = find(text, "^%s+", at)
    at = (blank or at - 1) + 1
    if sub(text, at, at + 1) ~= "--" then return at end
    at = (skipLong(text, at + 2) or (find(text, "\n", at, true) or #text + 1) - 1) + 1
  end
end

-- Calls visit(token) for each token of a text that compiles.
local function eachToken(text, visit)
  local at = skipBlanks(text, 1)
  while at <= #text do
    local _, stop = find(text, "^[%a_][%w_]*", at)
    stop = stop or select(2, find(text, "^%.?%d[%w_.]*", at)) or skipLong(text, at)
    if not stop and find(text, "^[\"']", at) then stop = skipString(text, at) end
    stop = stop or at
    visit(sub(text, at, stop))
    at = skipBlanks(text, stop + 1)
  end
end

-- Where `a.b[c]:d`, which ends at `last`, begins.
local function chainStart(tokens, last)
  local at, depth = last + 1, 0
  while at > 1 do
    local token, behind = tokens[at - 1], tokens[at]
    if token == "]" then
      depth = depth + 1
    elseif token == "[" then
      depth = depth - 1
    elseif depth == 0 then
      local isPart = token == "." or token == ":" or find(token, IS_WORD)
      local isApart = at <= last and find(token, IS_WORD) and find(behind, IS_WORD)
      if not isPart or isApart or KEYWORDS[token] then break end
    end
    if depth < 0 then break end
    at = at - 1
  end
  return at
end

-- Before the function or block that ends at `at`.
local function skipBlock(tokens, at)
  local depth = 1
  while at > 1 and depth > 0 do
    at = at - 1
    if tokens[at] == "end" then depth = depth + 1 end
    if BEGINS[tokens[at]] then depth = depth - 1 end
  end
  return at
end

-- The bracket that `last` stands in, or nil, and the strings between.
local function findOpening(tokens, last)
  local at, depth, strings = last, 0, {}
  while at >= 1 do
    local token = tokens[at]
    if token == "end" then
      at = skipBlock(tokens, at)
    elseif CLOSES[token] then
      depth = depth + 1
    elseif OPENS[token] then
      if depth == 0 then return at, strings end
      depth = depth - 1
    elseif depth == 0 and KEYWORDS[token] then
      return nil, strings
    elseif depth == 0 and find(token, "^[\"']") then
      table.insert(strings, 1, token)
    end
    at = at - 1
  end
  return nil, strings
end

-- What an anonymous function is known by: what it is assigned to, or whose argument or element it is, along with the
-- texts beside it: `M.x =`, `world:on( "hit"`.
local function describe(tokens, last)
  if tokens[last] == "=" then return table.concat(tokens, "", chainStart(tokens, last - 1), last - 1) .. " =" end
  local opening, strings = findOpening(tokens, last)
  local name = tokens[last] or ""
  if opening then
    local stop = opening - 1
    local assigned = tokens[stop] == "="
    if assigned then stop = stop - 1 end
    name = table.concat(tokens, "", chainStart(tokens, stop), stop) .. (assigned and "=" or "") .. tokens[opening]
  end
  return name .. " " .. table.concat(strings, " ")
end

--- The names of the functions of a text that compiles, beginning with its main function.
return function(text)
  local tokens = {}
  eachToken(text, function(token) tokens[#tokens + 1] = token end)
  local names = { "" }
  for i, token in ipairs(tokens) do
    if token == "function" then
      local name, at = "", i + 1
      while tokens[at] and tokens[at] ~= "(" do
        name, at = name .. tokens[at], at + 1
      end
      names[#names + 1] = name == "" and describe(tokens, i - 1) or name
    end
  end
  return names
end
