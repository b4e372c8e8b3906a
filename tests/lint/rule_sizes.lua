-- A file has at most 800 lines, unless a program wrote it; a function in C at most 70.
local source = require "source"

local GENERATED = { ["scripts/types/palfrey.lua"] = true }

return function(report)
  for _, path in ipairs(source.files("runtime scripts games tests", ".c .h .lua")) do
    local text = source.read(path)
    local _, count = text:gsub("\n", "")
    if count > 800 and not GENERATED[path] then
      report(path, count, ("%d lines; at most 800"):format(count))
    end
    if path:match "%.[ch]$" then
      for _, item in ipairs(source.items(source.strip(text))) do
        local length = item.last - item.first + 1
        if item.kind == "function" and length > 70 then
          report(path, item.first, ("a function of %d lines; at most 70"):format(length))
        end
      end
    end
  end
end
