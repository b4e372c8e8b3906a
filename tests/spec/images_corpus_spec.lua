-- Pictures of real programs and broken ones, with answers worked out by another decoder. Without the corpus the tests
-- are pending.
package.path = "tests/spec/support/?.lua;" .. package.path
local corpus = require "corpus"
local json = require "dkjson"

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
  local answer = json.decode((corpus.run(("python3 %s %s --ppm %s"):format(
    corpus.quote(corpus.SHARED .. "/oracles/oracle_pcx.py"), corpus.quote(path), corpus.quote(ppm)))))
  local rgb = (corpus.read(ppm) or ""):gsub("^P6 %d+ %d+ 255\n", "", 1)
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

local function check_pixels(path, info, answer, rgba)
  assert.equal(answer.width, info.width, path)
  assert.equal(answer.height, info.height, path)
  local readings = { crc32(rgba) }
  if answer.cga_palette then readings[2] = crc32(read_as_cga(answer, rgba)) end
  local is_equal = info.rgba_crc32 == readings[1] or info.rgba_crc32 == readings[2]
  assert.is_true(is_equal, ("%s: pixels %s, expected %s"):format(path, info.rgba_crc32, table.concat(readings, " or ")))
end

describe("PCX corpus", function()
  local verdicts, missing = corpus.verdicts()
  if missing then
    pending("agrees with the golden answers: " .. missing)
    return
  end
  local python = select(2, corpus.run "python3 --version")

  for _, path in ipairs(corpus.list "pcx") do
    it("agrees on " .. path:match "[^/]+$", function()
      local golden = assert(corpus.golden(path), "no golden answer")
      local info, is_good = corpus.describe(path)
      assert.equal(not golden.error, is_good, info.error)
      if golden.error then return end
      assert.equal("pcx", info.format)
      if not python then pending "no python3 for the oracle" end
      local answer, rgba = ask_oracle(path)
      assert.equal(golden.rgb_sha1, answer.rgb_sha1)
      check_pixels(path, info, answer, rgba)
    end)
  end

  for name, verdict, word in verdicts:gmatch "(pcx/[^\t\n]+)\t(%l+) ?([^\t\n]*)" do
    local path = corpus.SHARED .. "/corpus/bad/" .. name
    it(("%ss %s"):format(verdict, name), function()
      local info, is_good = corpus.describe(path)
      assert.equal(verdict == "accept", is_good, info.error)
      if verdict == "reject" then
        assert.matches("^%S+%.pcx: offset 0x%x+: .", info.error)
        return
      end
      if word ~= "" then assert.is_true(corpus.has_warning(info, word), "no warning about " .. word) end
      if python then check_pixels(path, info, ask_oracle(path)) end
    end)
  end
end)
