-- Lua code passes luacheck with .luacheckrc.
local source = require "source"

return function(report)
  if not source.run("luacheck --version"):match "Luacheck: " then
    return "luacheck is not installed"
  end
  local paths = table.concat(source.files("scripts games tests", ".lua"), " ")
  local text, clean = source.run("luacheck --no-color --formatter plain --codes .busted .luacheckrc " .. paths)
  for line in text:gmatch "[^\n]+" do
    local path, number, message = line:match "^(%S+):(%d+):%d+: (.*)$"
    if path then
      report(path, tonumber(number), message)
    elseif not clean then
      report("luacheck", nil, line)
    end
  end
end
