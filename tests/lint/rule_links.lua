-- The program is linked with nothing beyond the libraries of the section [run] of cmake/packages.txt.
local source = require "source"

return function(report, build)
  local program = build .. "/palfrey"
  local text, done = source.run("readelf -d " .. program)
  if not done then
    return ("no %s to look at"):format(program)
  elseif text:find("libasan", 1, true) then
    return "the program is built with sanitizers"
  end
  local allowed, section = {}, nil
  for _, line in source.lines(source.read "cmake/packages.txt") do
    section = line:match "^%[(%w+)%]" or section
    if section == "run" then
      for library in line:gsub("#.*", ""):gmatch "lib:(%S+)" do
        allowed[library] = true
      end
    end
  end
  for library in text:gmatch "%(NEEDED%)[^\n]*%[([^%]]+)%]" do
    if not allowed[library] and not library:match "^ld%-linux" then
      report(program, nil, library .. " is not in the section [run] of cmake/packages.txt")
    end
  end
end
