-- The order of pairs and next changes from run to run. Scripts and games use ipairs or palfrey.sortedPairs, or say on
-- the line why it does not matter: `for k in pairs(t) do -- order: only counted`. A line with nothing but such a remark
-- speaks for its whole file.
local source = require "source"

return function(report)
  for _, path in ipairs(source.files("scripts games", ".lua")) do
    local content = source.read(path)
    local isExempt = ("\n" .. content):find "\n%-%- order: %S"
    for line, text in source.lines(isExempt and "" or content) do
      local code = text:gsub("%-%-.*", ""):gsub("%b\"\"", '""'):gsub("%b''", "''")
      local word = code:match "%f[%w_](pairs)%f[^%w_]" or code:match "%f[%w_.:](next)%s*%([^()]*," or
        code:match "%f[%w_](next)%s*,"
      if word and not text:find("%-%- order: %S") then
        report(path, line, ("%s has no fixed order: use ipairs or palfrey.sortedPairs, or end the line with %s"):format(
          word, "-- order: why it does not matter"))
      end
    end
  end
end
