-- acceptance.lua BIN [--zip]: plays the acceptance games that may lie beside the project, as folders or as packages.
-- They stand in PALFREY_ACCEPTANCE or ../shared/acceptance and bring their own script, which needs python3.
local folder = os.getenv "PALFREY_ACCEPTANCE" or "../shared/acceptance"

-- Games that need what the runtime cannot do yet, with the reason.
local NOT_YET = { hot_reload = "files are not reloaded yet" }

local script = io.open(folder .. "/run.py")
if not script then
  print("skipped: there are no acceptance games in " .. folder)
  os.exit(77)
end
script:close()
if not os.execute("python3 -c '' >/dev/null 2>&1") then
  print("skipped: the acceptance games are run with python3, which is not installed")
  os.exit(77)
end

local names = {}
local listing <close> = assert(io.popen(("ls '%s/games'"):format(folder)))
for name in listing:lines() do
  if NOT_YET[name] then
    print(("not played: %s (%s)"):format(name, NOT_YET[name]))
  else
    names[#names + 1] = name
  end
end
local command = ("python3 '%s/run.py' '%s' %s %s"):format(folder, arg[1], arg[2] or "", table.concat(names, " "))
os.exit(os.execute(command) and 0 or 1)
