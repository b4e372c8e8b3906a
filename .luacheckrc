-- Games and specs are Lua 5.4; the runtime gives them the module palfrey, whose callbacks they define.
std = "lua54"
max_line_length = 120
globals = { "palfrey" }
ignore = { "212/self" }
files["**/*_spec.lua"] = { std = "+busted" }
files["scripts/lib/spec_runner.lua"] = { ignore = { "121", "122" } } -- stands in for the interpreter
files[".busted"] = { std = "lua54" }
files[".luacheckrc"] = { std = "+luacheckrc" }
