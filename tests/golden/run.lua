-- run.lua BIN COMPARE FOLDER NAME ARGUMENT...: draws `palfrey ARGUMENT...` at 320x240 into FOLDER/NAME.png and
-- compares it with tests/golden/NAME.png: exactly where the driver is the one that made the images (driver.txt beside
-- them), elsewhere at most 3 per channel on 99.5 % of the pixels. PALFREY_GOLDEN=update replaces the wanted image.
local binary, compare, folder, name = table.unpack(arg, 1, 4)

local function quote(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return (text:gsub("%s+$", ""))
end

local got, wanted = ("%s/%s.png"):format(folder, name), ("tests/golden/%s.png"):format(name)
local words, first = { quote(binary) }, 5
if arg[5] == "view" then
  words[2], first = "view " .. quote(arg[6]), 7
else
  words[2] = "--headless --seed 1"
end
words[3] = "--size 320x240 --screenshot " .. quote(got)
for i = first, #arg do
  words[#words + 1] = quote(arg[i])
end
os.remove(got)
assert(os.execute("mkdir -p " .. quote(got:match "^(.*)/")))
if not os.execute(table.concat(words, " ")) then
  print("could not draw: " .. table.concat(words, " "))
  os.exit(1)
end

if os.getenv "PALFREY_GOLDEN" == "update" then
  os.exit(os.execute(("cp %s %s"):format(quote(got), quote(wanted))))
end
local driver_file = io.open "tests/golden/driver.txt"
local made_with = driver_file and driver_file:read "l"
local here = output "dpkg-query -W -f '${Package} ${Version} ${Architecture}\\n' libgl1-mesa-dri 2>/dev/null"
local limits = made_with == here and "0 1" or "3 0.995"
if not os.execute(("%s %s %s %s"):format(quote(compare), quote(wanted), quote(got), limits)) then
  print(("images made with %s, drawn with %s\nwanted %s\ngot    %s"):format(made_with, here, wanted, got))
  os.exit(1)
end
