-- C code passes clang-tidy with .clang-tidy; slow, so only part of ./dev test --full.
local source = require "source"

return function(report, build)
  if not source.run("clang-tidy --version"):match "version" then
    return "clang-tidy is not installed"
  end
  local paths = table.concat(source.files("runtime", ".c"), " ")
  local seen = {}
  for line in source.run(("clang-tidy --quiet -p %s %s"):format(build, paths)):gmatch "[^\n]+" do
    local path, number, message = line:match "([^%s:]+):(%d+):%d+: (%w+: .*)$"
    if path and not message:match "^note" and not seen[line] then
      seen[line] = true
      report(path, tonumber(number), message)
    end
  end
end
