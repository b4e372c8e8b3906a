-- No file is forgotten: sources stand in CMakeLists.txt, tests in tests/CMakeLists.txt.
local source = require "source"

--- The words given to all calls of a CMake function, as a set.
local function words_of_calls(text, name)
  local words = {}
  for arguments in text:gmatch("%f[%w_]" .. name .. "(%b())") do
    for word in arguments:gmatch "[^%s()]+" do
      words[word] = true
    end
  end
  return words
end

return function(report)
  local sources = source.read "CMakeLists.txt"
  for _, path in ipairs(source.files("runtime", ".c")) do
    if not sources:find(path, 1, true) then
      report(path, nil, "is not built: name it in CMakeLists.txt")
    end
  end
  local tests = source.read("tests/CMakeLists.txt"):gsub("#[^\n]*", "")
  local kinds = {
    { files = "tests/unit", ending = ".c", pattern = "^tests/unit/([^/]+)%.c$", call = "unit_test" },
    { files = "tests/spec", ending = "_spec.lua", pattern = "^tests/spec/(.+)_spec%.lua$", call = "spec_test" },
    { files = "tests/games", ending = "_spec.lua", pattern = "^tests/games/([^/]+)/spec/", call = "game_test" },
    { files = "tests/fuzz", ending = ".c", pattern = "^tests/fuzz/([^/]+)%.c$", call = "fuzz_target" },
    { files = "tests/golden", ending = ".png", pattern = "^tests/golden/([^/]+)%.png$", call = "golden_test" },
    { files = "tests/bench", ending = ".c", pattern = "^tests/bench/([^/]+)%.c$", call = "bench_program" },
  }
  for _, kind in ipairs(kinds) do
    local known = words_of_calls(tests, kind.call)
    for _, path in ipairs(source.files(kind.files, kind.ending)) do
      local name = path:match(kind.pattern)
      if name and not known[name] and not tests:find(path:gsub("^tests/", ""), 1, true) then
        report(path, nil, ("is not run: add it to %s(...) in tests/CMakeLists.txt"):format(kind.call))
      end
    end
  end
end
