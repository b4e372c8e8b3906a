-- Writes the seeds of the fuzz target tds: small 3DS files with everything in them. Run from the root of the project:
-- lua5.4 tests/fuzz/make_tds_seeds.lua
local function chunk(id, ...)
  local body = table.concat { ... }
  return ("<I2I4"):pack(id, #body + 6) .. body
end

local function floats(...)
  return (("<" .. ("f"):rep(select("#", ...))):pack(...))
end

local function z(text)
  return text .. "\0"
end

local function shorts(...)
  return (("<" .. ("I2"):rep(select("#", ...))):pack(...))
end

local MATERIAL = chunk(0xAFFF, chunk(0xA000, z "red"), chunk(0xA010, chunk(0x0011, "\40\0\0"), chunk(0x0012, "\9\0\0")),
  chunk(0xA020, chunk(0x0010, floats(1, 0, 0))), chunk(0xA030, chunk(0x0013, floats(1, 1, 1))),
  chunk(0xA040, chunk(0x0030, shorts(40))), chunk(0xA050, chunk(0x0031, floats(0.5))), chunk(0xA080),
  chunk(0xA081), chunk(0xA083), chunk(0xA084, chunk(0x0030, shorts(50))), chunk(0xA085), chunk(0xA100, shorts(1)),
  chunk(0xA200, chunk(0x0030, shorts(100)), chunk(0xA300, z "RED.TGA"), chunk(0xA351, shorts(2)),
    chunk(0xA354, floats(2)), chunk(0xA356, floats(3)), chunk(0xA358, floats(0.5)), chunk(0xA35A, floats(0.25)),
    chunk(0xA35C, floats(30))),
  chunk(0xA230, chunk(0xA300, z "BUMP.TGA")))

local MESH = chunk(0x4000, z "box", chunk(0x4100,
  chunk(0x4110, shorts(4), floats(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)),
  chunk(0x4140, shorts(4), floats(0, 0, 1, 0, 0, 1, 1, 1)),
  chunk(0x4120, shorts(4), shorts(0, 1, 2, 7, 0, 3, 1, 7, 1, 3, 2, 7, 0, 2, 3, 7),
    chunk(0x4130, z "red", shorts(2, 0, 2)), chunk(0x4130, z "none", shorts(1, 3)),
    chunk(0x4150, ("<I4I4I4I4"):pack(1, 3, 2, 0))),
  chunk(0x4160, floats(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3)), chunk(0x4165, "\3")), chunk(0x4010))

local LIGHT = chunk(0x4000, z "lamp", chunk(0x4600, floats(0, 0, 9), chunk(0x0011, "\255\200\100"),
  chunk(0x4610, floats(0, 0, 0, 30, 45), chunk(0x4656, floats(0))), chunk(0x4620), chunk(0x4625),
  chunk(0x465A, floats(30)), chunk(0x465B, floats(2))))

local CAMERA = chunk(0x4000, z "eye", chunk(0x4700, floats(0, -9, 1, 0, 0, 1, 5, 40), chunk(0x4720, floats(1, 100))))

-- keys: {frame, flags, numbers...}
local function track(id, flags, keys)
  local body = shorts(flags) .. ("\0"):rep(8) .. ("<I4"):pack(#keys)
  for _, key in ipairs(keys) do
    body = body .. ("<i4I2"):pack(key[1], key[2]) .. floats(table.unpack(key, 3))
  end
  return chunk(id, body)
end

local function node(kind, id, name, parent, ...)
  return chunk(kind, chunk(0xB030, shorts(id)), chunk(0xB010, z(name), ("\0"):rep(4), shorts(parent)), ...)
end

local KEYFRAMER = chunk(0xB000, chunk(0xB00A, shorts(5), z "MAXSCENE", ("<I4"):pack(60)),
  chunk(0xB008, ("<I4I4"):pack(0, 60)),
  node(0xB002, 1, "box", 2, chunk(0xB011, z "second"), chunk(0xB013, floats(1, 0, 0)),
    track(0xB020, 2, { { 0, 31, .1, .2, .3, .4, .5, 0, 0, 0 }, { 30, 0, 1, 2, 3 }, { 60, 0, 0, 0, 0 } }),
    track(0xB021, 1, { { 0, 0, 0, 0, 0, 1 }, { 30, 0, 9, 0, 0, 1 }, { 30, 0, 1, 1, 0, 0 }, { 60, 1, .5, 2, 0, 1, 0 } }),
    track(0xB022, 0, { { 0, 0, 1, 1, 1 }, { 40, 0, 2, 2, 2 } }), track(0xB029, 0, { { 10, 0 }, { 20, 0 } })),
  node(0xB002, 2, "$$$DUMMY", 0xFFFF, chunk(0xB011, z "root"),
    track(0xB020, 0, { { 5, 0, 0, 0, 0 }, { 1, 0, 1, 1, 1 } })),
  node(0xB002, 3, "box", 2), node(0xB003, 4, "eye", 0xFFFF, track(0xB020, 0, { { 0, 0, 0, -9, 1 }, { 9, 0, 0, 0, 0 } }),
    track(0xB023, 0, { { 0, 0, 45 }, { 30, 0, 60 } }), track(0xB024, 0, { { 0, 0, 0 }, { 30, 0, 90 } })),
  node(0xB004, 5, "eye", 0xFFFF, track(0xB020, 0, { { 0, 0, 0, 0, 0 } })),
  node(0xB007, 6, "lamp", 0xFFFF, track(0xB025, 0, { { 0, 0, 1, 0, 0 }, { 30, 0, 0, 0, 1 } })),
  node(0xB006, 7, "lamp", 0xFFFF))

local COLORS = chunk(0x2100, chunk(0x0010, floats(.2, .2, .2))) .. chunk(0x1200, chunk(0x0011, "\0\0\40"))

local function write(name, bytes)
  local file <close> = assert(io.open("tests/fuzz/seeds/tds/" .. name, "wb"))
  file:write(bytes)
end

local VERSION = chunk(0x0002, ("<I4"):pack(3))
write("whole.3ds", chunk(0x4D4D, VERSION, chunk(0x3D3D, COLORS, MATERIAL, MESH, LIGHT, CAMERA), KEYFRAMER))
write("plain.3ds", chunk(0x4D4D, VERSION, chunk(0x3D3D, MESH, CAMERA, LIGHT)))
write("moving.3ds", chunk(0x4D4D, KEYFRAMER, chunk(0x3D3D, MESH)))
