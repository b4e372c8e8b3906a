-- The built-in font: that the file is what its generator makes, that it is a correct TrueType file, and what it covers.
package.path = "scripts/tools/lib/?.lua;" .. package.path
local build = require "font_build"
local Pen = require "font_pen"
local stroke = require "font_stroke"
local union = require "font_union"

local FILE = "runtime/engine/palfrey.ttf"
local LARGEST_SIZE = 80 * 1024

local function readFile(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

--- The sum of all big-endian words, modulo 2^32.
local function sumWords(bytes)
  local sum = 0
  for place = 1, #bytes, 4 do
    sum = (sum + string.unpack(">I4", bytes .. "\0\0\0", place)) & 0xFFFFFFFF
  end
  return sum
end

--- Returns the tables by tag, and the directory's entries in order.
local function readTables(bytes)
  local list, tables = {}, {}
  for i = 1, string.unpack(">I2", bytes, 5) do
    local tag, checksum, offset, size = string.unpack(">c4I4I4I4", bytes, 13 + 16 * (i - 1))
    local body = bytes:sub(offset + 1, offset + size)
    list[i] = { tag = tag, checksum = checksum, offset = offset, size = size, body = body }
    tables[tag] = body
  end
  return tables, list
end

--- Returns the glyph of each code point, from a table cmap with one subtable of format 4.
local function readCharacters(cmap)
  local _, _, start = string.unpack(">I2I2I4", cmap, 5)
  local format, _, _, doubled = string.unpack(">I2I2I2I2", cmap, start + 1)
  assert.are.equal(4, format)
  local function number(column, row, kind)
    local gap = column > 0 and 2 or 0
    return (string.unpack(kind or ">I2", cmap, start + 15 + column * doubled + gap + 2 * row))
  end
  local characters = {}
  for row = 0, doubled // 2 - 1 do
    local last, first, delta = number(0, row), number(1, row), number(2, row, ">i2")
    assert.are.equal(0, number(3, row))
    for code = first, math.min(last, 0xFFFE) do characters[code] = code + delta & 0xFFFF end
  end
  return characters
end

local function readAdvance(tables, glyph)
  return (string.unpack(">I2", tables.hmtx, 4 * glyph + 1))
end

--- Twice the signed area of an outline of curves.
local function areaOf(outline)
  local area = 0
  for _, c in ipairs(outline) do area = area + (c[1] * c[6] - c[5] * c[2]) end
  return area
end

describe("The built-in font", function()
  local bytes = readFile(FILE)
  local tables, list = readTables(bytes)
  local characters = readCharacters(tables.cmap)

  it("is what its generator makes, each time", function()
    assert.is_true(build() == bytes, FILE .. " is not up to date: run lua5.4 scripts/tools/make_font.lua")
    assert.is_true(build() == bytes)
  end)

  it("is small", function()
    assert.is_true(#bytes <= LARGEST_SIZE)
  end)

  it("has its tables in order, on whole words", function()
    local tags = {}
    for i, entry in ipairs(list) do
      tags[i] = entry.tag
      assert.are.equal(0, entry.offset % 4)
      assert.are.equal(entry.size, #entry.body)
    end
    assert.are.equal("OS/2 cmap glyf head hhea hmtx kern loca maxp name post", table.concat(tags, " "))
  end)

  it("has correct checksums", function()
    for _, entry in ipairs(list) do
      local body = entry.body
      if entry.tag == "head" then body = body:sub(1, 8) .. "\0\0\0\0" .. body:sub(13) end
      assert.are.equal(entry.checksum, sumWords(body), entry.tag)
    end
    assert.are.equal(0xB1B0AFBA, sumWords(bytes))
  end)

  it("agrees with itself on the number of glyphs", function()
    local count = string.unpack(">I2", tables.maxp, 5)
    assert.are.equal(count, (string.unpack(">I2", tables.hhea, 35)))
    assert.are.equal(4 * count, #tables.hmtx)
    assert.are.equal(2 * (count + 1), #tables.loca)
    assert.are.equal(#tables.glyf, 2 * string.unpack(">I2", tables.loca, 2 * count + 1))
    for code, glyph in pairs(characters) do
      assert.is_true(glyph > 0 and glyph < count, ("U+%04X"):format(code))
    end
  end)

  it("has x-height, ascent and descent that fill whole pixels", function()
    local ascent, descent = string.unpack(">i2i2", tables.hhea, 5)
    local unitsPerEm = string.unpack(">I2", tables.head, 19)
    local xHeight = string.unpack(">i2", tables["OS/2"], 87)
    assert.are.equal(unitsPerEm, ascent - descent)
    assert.are.equal(unitsPerEm, 2 * xHeight)
  end)

  it("covers Latin and the signs in common use", function()
    local ranges = { { 0x20, 0x7E }, { 0xA0, 0x17F }, { 0x218, 0x21B }, { 0x2190, 0x2193 }, { 0xFFFD, 0xFFFD } }
    for _, code in utf8.codes "‐‑‒–—‘’‚“”„†‡•…‰′″‹›⁄€™−≈≠≤≥∞ˆˇ˘˙˚˛˜˝" do ranges[#ranges + 1] = { code, code } end
    for _, range in ipairs(ranges) do
      for code = range[1], range[2] do
        assert.is_truthy(characters[code], ("U+%04X is missing"):format(code))
      end
    end
  end)

  it("has figures of one width, and those signs that stand with them", function()
    local advance = readAdvance(tables, characters[utf8.codepoint "0"])
    for _, code in utf8.codes "123456789+−×÷=<>±–$€£¥\u{2007}" do
      assert.are.equal(advance, readAdvance(tables, characters[code]), utf8.char(code))
    end
  end)

  it("kerns pairs in the order of their glyphs", function()
    local count = string.unpack(">I2", tables.kern, 11)
    assert.are.equal(18 + 6 * count, #tables.kern)
    local last, values = -1, {}
    for i = 1, count do
      local pair, value = string.unpack(">I4i2", tables.kern, 19 + 6 * (i - 1))
      assert.is_true(pair > last)
      last, values[pair] = pair, value
    end
    local function kerningOf(text)
      local left, right = utf8.codepoint(text, 1, -1)
      return values[characters[left] << 16 | characters[right]]
    end
    assert.is_true(kerningOf "AV" < 0)
    assert.are.equal(kerningOf "To", kerningOf "Ťö")
    assert.is_nil(kerningOf "00")
  end)
end)

describe("Strokes", function()
  local function merge(draw)
    local pen = Pen.new(80)
    draw(pen)
    return union.merge(stroke.expand(pen.strokes))
  end

  it("merge into one outline where they cross", function()
    local outlines = merge(function(pen) pen:line(-200, 0, 200, 0):line(0, -200, 0, 200) end)
    assert.are.equal(1, #outlines)
    assert.is_true(areaOf(outlines[1]) > 0)
  end)

  it("leave counters open", function()
    local outlines = merge(function(pen) pen:ring(0, 0, 200, 250):line(-200, -250, -200, 250) end)
    assert.are.equal(2, #outlines)
    assert.is_true(areaOf(outlines[1]) * areaOf(outlines[2]) < 0)
  end)

  it("merge where they lie on each other", function()
    local outlines = merge(function(pen) pen:line(0, 0, 300, 0):line(100, 0, 300, 0):line(0, 0, 300, 0) end)
    assert.are.equal(1, #outlines)
  end)

  it("cross themselves", function()
    local outlines = merge(function(pen) pen:from(0, 0):to(400, 0):to(400, 300):to(200, -300) end)
    assert.are.equal(2, #outlines)
  end)
end)
