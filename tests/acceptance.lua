-- acceptance.lua BIN [--zip]: plays the acceptance games that may lie beside the project, as folders or as packages.
-- They stand in PALFREY_ACCEPTANCE or ../shared/acceptance and bring their own script, which needs python3.
local folder = os.getenv "PALFREY_ACCEPTANCE" or "../shared/acceptance"

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

local command = ("python3 '%s/run.py' '%s' %s"):format(folder, arg[1], arg[2] or "")
os.exit(os.execute(command) and 0 or 1)
