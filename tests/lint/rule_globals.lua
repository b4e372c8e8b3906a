-- No mutable state outside of the one Runtime: variables of a file and static locals are const.
local source = require "source"

--- Whether what a declaration (up to "=" or ";") declares is itself const, not only what it points to.
local function is_const(text)
  local pointer = text:match "%(%s*%*([^)]*)%)"
  if pointer then
    return pointer:find "%f[%w_]const%f[^%w_]" ~= nil
  end
  local after_star = text:match ".*%*(.*)"
  return (after_star or text):find "%f[%w_]const%f[^%w_]" ~= nil
end

--- The declared part of a file-scope item, or nil where it declares no variable.
local function variable(text)
  text = text:gsub("__attribute__%s*%b()", ""):gsub("_Alignas%s*%b()", ""):gsub("=.*", ""):gsub(";%s*$", "")
  text = text:gsub("%b[]", ""):gsub("%s+$", "")
  if text == "" or text:match "^typedef%f[^%w_]" or text:match "^_Static_assert" or text:match "^static_assert" then
    return nil
  elseif text:match "^%w+ ?[%w_]* ?{}$" or text:match "^struct [%w_]+$" or text:match "^union [%w_]+$" then
    return nil -- the type alone
  elseif text:find "%(" and not text:match "^[^(]*%(%s*%*" then
    return nil -- a prototype
  end
  return text
end

return function(report)
  for _, path in ipairs(source.files("runtime", ".c .h")) do
    for _, item in ipairs(source.items(source.strip(source.read(path)))) do
      if item.kind == "declaration" then
        local text = variable(item.text)
        if text and not is_const(text) then
          report(path, item.first, "a mutable variable of the file: " .. text)
        end
      else
        for at, text in item.body:gmatch "()%f[%w_]static%f[^%w_]([^;={]*)" do
          if not is_const((text:gsub("%b[]", ""))) then
            local _, before = item.body:sub(1, at):gsub("\n", "")
            report(path, item.body_line + before, "a mutable static variable:" .. text)
          end
        end
      end
    end
  end
end
