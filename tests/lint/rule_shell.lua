-- Shell scripts pass ShellCheck.
local source = require "source"

return function(report)
  if not source.run("shellcheck --version"):match "ShellCheck" then
    return "shellcheck is not installed"
  end
  local paths = table.concat(source.files("tests scripts games", ".sh"), " ")
  for line in source.run("shellcheck --format gcc dev .ci/run " .. paths):gmatch "[^\n]+" do
    local path, number, message = line:match "^(%S+):(%d+):%d+: (.*)$"
    report(path or "shellcheck", tonumber(number), message or line)
  end
end
