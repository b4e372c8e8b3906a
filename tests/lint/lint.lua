-- lint.lua [--build FOLDER] [NAME...]: checks the rules of the code that a compiler does not; all without NAME. Prints
-- path:line: message for each violation, then the counts. Run from the root of the project.
package.path = "tests/lint/?.lua;" .. package.path

local all = { "includes", "sizes", "globals", "markers", "order", "registered", "format", "luacheck", "shell", "links" }

local build, names = "build/release", {}
do
  local i = 1
  while arg[i] do
    if arg[i] == "--build" then
      build, i = arg[i + 1], i + 1
    else
      names[#names + 1] = arg[i]
    end
    i = i + 1
  end
end
if #names == 0 then
  names = all
end

local passed, failed, skipped = 0, 0, 0
for _, name in ipairs(names) do
  local found, rule = pcall(require, "rule_" .. name)
  if not found then
    io.stderr:write(("lint: no rule %s; there are: %s, tidy\n"):format(name, table.concat(all, ", ")))
    os.exit(2)
  end
  local violations = 0
  local function report(path, line, message)
    violations = violations + 1
    print(line and ("%s:%d: %s"):format(path, line, message) or ("%s: %s"):format(path, message))
  end
  -- A rule that cannot be checked here returns why.
  local reason = rule(report, build)
  if reason then
    skipped = skipped + 1
    print(("skipped: lint %s: %s"):format(name, reason))
  elseif violations > 0 then
    failed = failed + 1
    print(("failed: lint %s: %d violations"):format(name, violations))
  else
    passed = passed + 1
  end
end
print(("%d passed, %d failed, %d skipped"):format(passed, failed, skipped))
os.exit(failed > 0 and 1 or passed == 0 and 77 or 0)
