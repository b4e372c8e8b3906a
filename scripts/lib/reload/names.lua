-- Names for the functions of a Lua file, by what stands in the text before or behind the word `function`: one for
-- each, in the order of the text. They say which function of a changed file is which of the old one; they need not be
-- unique.
local find, sub = string.find, string.sub

local MOST_TOKENS = 8 -- before the word `function` that make up the name of one without a name of its own
local ENDINGS = {} -- words before which a new thought begins
for _, word in ipairs { "and", "do", "else", "end", "function", "in", "local", "not", "or", "repeat", "return",
                      "then", ";" } do
  ENDINGS[word] = true
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

-- What stands before an anonymous function: `on ( "hit" ,`.
local function describe(tokens, last)
  local first = last + 1
  while first > 1 and last - first + 1 < MOST_TOKENS and not ENDINGS[tokens[first - 1]] do first = first - 1 end
  return table.concat(tokens, " ", first, last)
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
