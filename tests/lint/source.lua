-- Source files as the lints read them: found by `find`, C code without comments and texts, cut into top-level items.
local source = {}

--- The output of a command, and whether it ended with 0.
function source.run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

function source.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

--- Paths of the files below `roots` (words) whose names end with one of `endings` (words), in order.
function source.files(roots, endings)
  local names = {}
  for ending in endings:gmatch "%S+" do
    names[#names + 1] = ("-name '*%s'"):format(ending)
  end
  local command = ("find %s -type f \\( %s \\) 2>/dev/null | LC_ALL=C sort"):format(roots, table.concat(names, " -o "))
  local paths = {}
  for path in source.run(command):gmatch "[^\n]+" do
    paths[#paths + 1] = path
  end
  return paths
end

--- Iterates over the lines of a text: number, line.
function source.lines(text)
  local number, next_line = 0, (text:sub(-1) == "\n" and text or text .. "\n"):gmatch "([^\n]*)\n"
  return function()
    local line = next_line()
    number = number + 1
    if line then
      return number, line
    end
  end
end

--- C code with comments, texts and preprocessor lines blanked; every newline stays where it was.
function source.strip(code)
  local out, at = {}, 1
  local function keep_newlines(text)
    out[#out + 1] = text:gsub("[^\n]+", " ")
  end
  while at <= #code do
    local start, stop = code:find("[/\"'#]", at)
    if not start then
      break
    end
    out[#out + 1] = code:sub(at, start - 1)
    local two, first = code:sub(start, start + 1), code:sub(start, start)
    if two == "//" then
      stop = (code:find("\n", start, true) or #code + 1) - 1
      keep_newlines(code:sub(start, stop))
    elseif two == "/*" then
      stop = select(2, code:find("*/", start + 2, true)) or #code
      keep_newlines(code:sub(start, stop))
    elseif first == '"' or first == "'" then
      stop = start + 1
      while stop <= #code and code:sub(stop, stop) ~= first do
        stop = stop + (code:sub(stop, stop) == "\\" and 2 or 1)
      end
      out[#out + 1] = first .. first
    elseif first == "#" and code:sub(1, start - 1):match "[^\n]*$":match "^%s*$" then
      stop = start
      while true do
        stop = (code:find("\n", stop, true) or #code + 1)
        if code:sub(stop - 1, stop - 1) ~= "\\" then
          break
        end
        stop = stop + 1
      end
      stop = stop - 1
      keep_newlines(code:sub(start, stop))
    else
      out[#out + 1] = first
    end
    at = stop + 1
  end
  out[#out + 1] = code:sub(at)
  return table.concat(out)
end

--- The top-level items of stripped C code, as {kind = "function"|"declaration", first = line, last = line, text = with
--- blocks as {}, body = of a function, body_line}.
function source.items(code)
  local items, line, depth = {}, 1, 0
  local text, first, block_start, block_line = {}, nil, nil, nil
  local function finish(kind, body)
    local joined = table.concat(text):gsub("%s+", " "):gsub("^ ", "")
    items[#items + 1] = { kind = kind, first = first, last = line, text = joined, body = body, body_line = block_line }
    text, first = {}, nil
  end
  for at, character in code:gmatch "()(.)" do
    if character == "\n" then
      line = line + 1
    end
    if depth == 0 and not first and character:match "%S" then
      first = line
    end
    if character == "{" then
      if depth == 0 then
        block_start, block_line = at + 1, line
      end
      depth = depth + 1
    elseif character == "}" then
      depth = depth - 1
      if depth == 0 then
        local head = table.concat(text)
        text[#text + 1] = "{}"
        if head:match "%)%s*$" and not head:find("=", 1, true) then
          finish("function", code:sub(block_start, at - 1))
        end
      end
    elseif depth == 0 then
      text[#text + 1] = character
      if character == ";" then
        finish("declaration")
      end
    end
  end
  return items
end

return source
