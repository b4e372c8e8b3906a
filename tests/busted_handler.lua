-- How busted reports under tests/run.lua: what failed and what was skipped, then one closing line with the counts.
return function()
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()

  local function report(word, list)
    for _, case in ipairs(list) do
      local trace = case.trace or {}
      local message = type(case.message) == "string" and case.message or require("pl.pretty").write(case.message)
      print(("%s: %s (%s:%s)"):format(word, case.name, trace.short_src or "?", trace.currentline or "?"))
      print("    " .. message:gsub("\n", "\n    "))
      if trace.traceback and word == "error" then
        print("    " .. trace.traceback:gsub("^\n", ""):gsub("\n", "\n    "))
      end
    end
  end

  function handler.suiteEnd()
    for _, case in ipairs(handler.pendings) do
      local reason = type(case.message) == "string" and ": " .. case.message or ""
      print("skipped: " .. case.name .. reason)
    end
    report("failed", handler.failures)
    report("error", handler.errors)
    print(("%d passed, %d failed, %d skipped"):format(handler.successesCount,
      handler.failuresCount + handler.errorsCount, handler.pendingsCount))
    io.stdout:flush()
    return nil, true
  end

  busted.subscribe({ "suite", "end" }, handler.suiteEnd)
  return handler
end
