-- C code is laid out by clang-format, of the version that .clang-format names: others differ in places.
local source = require "source"

return function(report)
  local wanted = source.read(".clang-format"):match "clang%-format (%d+)"
  local version = source.run("clang-format --version"):match "version (%d+)"
  if not version then
    return "clang-format is not installed"
  elseif version ~= wanted then
    return ("the layout is that of clang-format %s, here is %s"):format(wanted, version)
  end
  local paths = table.concat(source.files("runtime tests", ".c .h"), " ")
  local counts, first, order = {}, {}, {}
  for line in source.run("clang-format --dry-run " .. paths):gmatch "[^\n]+" do
    local path, number = line:match "^(%S+):(%d+):%d+: warning"
    if path then
      if not counts[path] then
        counts[path], first[path], order[#order + 1] = 0, tonumber(number), path
      end
      counts[path] = counts[path] + 1
    end
  end
  for _, path in ipairs(order) do
    report(path, first[path], ("differs from the layout in %d places: clang-format -i %s"):format(counts[path], path))
  end
end
