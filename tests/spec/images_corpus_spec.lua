-- Pictures of real programs and broken ones, with answers worked out by another decoder. They lie beside the project
-- and are not part of it: without them the tests are pending. PALFREY_INFO holds the command that describes a file.
local json = require "dkjson"

local SHARED = "../shared"
local INFO = os.getenv "PALFREY_INFO"

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function run(command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  local output = pipe:read "a"
  return output, pipe:close()
end

local function read_file(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

local function list_files(folder, pattern)
  local files = {}
  for path in run("find " .. quote(folder) .. " -type f | sort"):gmatch "[^\n]+" do
    if path:find(pattern) then files[#files + 1] = path end
  end
  return files
end

local CRC_TABLE = {}
for byte = 0, 255 do
  local value = byte
  for _ = 1, 8 do
    value = value & 1 == 1 and value >> 1 ~ 0xEDB88320 or value >> 1
  end
  CRC_TABLE[byte] = value
end

local function crc32(text)
  local crc = 0xFFFFFFFF
  for i = 1, #text do
    crc = crc >> 8 ~ CRC_TABLE[(crc ~ text:byte(i)) & 0xFF]
  end
  return ("%08x"):format(crc ~ 0xFFFFFFFF)
end

--- Decodes with the oracle; returns its answer and the opaque RGBA bytes.
local function ask_oracle(path)
  local ppm = os.tmpname()
  local answer = json.decode((run(("python3 %s %s --ppm %s"):format(
    quote(SHARED .. "/oracles/oracle_pcx.py"), quote(path), quote(ppm)))))
  local rgb = (read_file(ppm) or ""):gsub("^P6 %d+ %d+ 255\n", "", 1)
  os.remove(ppm)
  return answer, (rgb:gsub("...", "%0\255"))
end

--- The other reading of a two-bit picture, whose palette may be true colours or mean those of CGA.
local function read_as_cga(answer, rgba)
  local colors = {}
  for i, raw in ipairs(answer.header_palette_raw) do
    colors[string.char(raw[1], raw[2], raw[3], 255)] = string.char(table.unpack(answer.cga_palette[i])) .. "\255"
  end
  return (rgba:gsub("....", colors))
end

local function describe_file(path)
  local output, is_good = run(("%s %s --json"):format(INFO, quote(path)))
  local info = json.decode(output)
  assert(type(info) == "table", "no JSON for " .. path)
  return info, is_good
end

local function check_pixels(path, info, answer, rgba)
  assert.equal(answer.width, info.width, path)
  assert.equal(answer.height, info.height, path)
  local readings = { crc32(rgba) }
  if answer.cga_palette then readings[2] = crc32(read_as_cga(answer, rgba)) end
  local is_equal = info.rgba_crc32 == readings[1] or info.rgba_crc32 == readings[2]
  assert.is_true(is_equal, ("%s: pixels %s, expected %s"):format(path, info.rgba_crc32, table.concat(readings, " or ")))
end

local function has_warning(info, word)
  for _, warning in ipairs(info.warnings) do
    if warning:find(word, 1, true) then return true end
  end
  return false
end

describe("PCX corpus", function()
  local verdicts = read_file(SHARED .. "/corpus/bad/expected.tsv")
  local missing = not INFO and "PALFREY_INFO is not set" or not verdicts and "no corpus beside the project"
  local python = select(2, run "python3 --version")
  if missing then
    pending("agrees with the golden answers: " .. missing)
    return
  end

  for _, path in ipairs(list_files(SHARED .. "/corpus/pcx", "%.pcx$")) do
    local golden = json.decode(read_file(path:gsub("/corpus/pcx/", "/corpus/golden/pcx/") .. ".json") or "null")
    if golden then
      it("agrees on " .. path:match "[^/]+$", function()
        local info, is_good = describe_file(path)
        assert.equal(not golden.error, is_good or false, info.error)
        if golden.error then return end
        assert.equal("pcx", info.format)
        if not python then pending "no python3 for the oracle" end
        local answer, rgba = ask_oracle(path)
        assert.equal(golden.rgb_sha1, answer.rgb_sha1)
        check_pixels(path, info, answer, rgba)
      end)
    end
  end

  for name, verdict, word in verdicts:gmatch "(pcx/[^\t\n]+)\t(%l+) ?([^\t\n]*)" do
    local path = SHARED .. "/corpus/bad/" .. name
    it(("%ss %s"):format(verdict, name), function()
      local info, is_good = describe_file(path)
      assert.equal(verdict == "accept", is_good or false, info.error)
      if verdict == "reject" then
        assert.matches("^%S+%.pcx: offset 0x%x+: .", info.error)
        return
      end
      if word ~= "" then assert.is_true(has_warning(info, word), "no warning about " .. word) end
      if python then check_pixels(path, info, ask_oracle(path)) end
    end)
  end
end)
