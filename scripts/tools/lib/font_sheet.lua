-- The sheet on which the glyphs are drawn. Each has a character; those for building others only have a name of several
-- characters. A glyph of its own ink has
--     outlines  of points, see font_outline.lua
--     draw, pen, shift  how it was drawn, for glyphs that draw further strokes onto it
-- and a composed one has
--     parts     { glyph, x, y } of two or more
-- Both have `advance`, `center`: where a mark above or below it belongs, and perhaps `base`: the letter they vary.
local metrics = require "font_metrics"
local outline = require "font_outline"
local Pen = require "font_pen"
local stroke = require "font_stroke"
local union = require "font_union"

local MARK_SIDE = 16  -- the least side bearing of a mark above or below a narrow letter

local Sheet = {}
Sheet.__index = Sheet

function Sheet.new()
  return setmetatable({ glyphs = {}, byName = {}, characters = {} }, Sheet)
end

function Sheet:get(name)
  return self.byName[name] or error("no glyph is named " .. name, 2)
end

--- Adds a glyph under a character or a name.
function Sheet:add(name, glyph)
  assert(not self.byName[name], name)
  glyph.index = #self.glyphs
  glyph.name = name
  self.glyphs[#self.glyphs + 1] = glyph
  self.byName[name] = glyph
  if utf8.len(name) == 1 then self:map(name, glyph) end
  return glyph
end

--- Makes a character show a glyph.
function Sheet:map(character, glyph)
  self.characters[#self.characters + 1] = { code = utf8.codepoint(character), glyph = glyph }
end

--- Makes a character show the glyph of another.
function Sheet:alias(character, other)
  self:map(character, self:get(other))
end

--- Sets the pen for what follows.
function Sheet:usePen(width)
  self.penWidth = width
end

function Sheet:blank(name, advance)
  return self:add(name, { advance = advance, outlines = {}, center = advance // 2 })
end

local function drawOutlines(name, draw, pen)
  draw(pen)
  local done, merged = pcall(union.merge, stroke.expand(pen.strokes))
  return done and merged or error(("glyph %s: %s"):format(name, merged))
end

--- Finishes a glyph drawn somewhere: `place` takes its xMin and xMax and returns where xMin belongs and the advance.
function Sheet:drawn(name, draw, place)
  local outlines = drawOutlines(name, draw, Pen.new(self.penWidth))
  local xMin, _, xMax = outline.boundsOfCurves(outlines)
  local left, advance = place(xMin, xMax)
  local shift = left - xMin
  outline.move(outlines, shift, 0)
  return self:add(name, {
    advance = outline.nearest(advance), outlines = outline.round(outlines), center = shift + (xMin + xMax) / 2,
    draw = draw, pen = self.penWidth, shift = shift,
  })
end

--- A glyph with the given room on both sides of its ink.
function Sheet:glyph(name, left, right, draw)
  return self:drawn(name, draw, function(xMin, xMax) return left, left + xMax - xMin + right end)
end

--- A glyph with the ink in the middle of a fixed width.
function Sheet:fixed(name, advance, draw)
  return self:drawn(name, draw, function(xMin, xMax) return (advance - xMax + xMin) / 2, advance end)
end

--- A figure, as wide as all figures, with the ink in the middle.
function Sheet:figure(name, draw)
  return self:fixed(name, metrics.figureAdvance, draw)
end

--- A glyph that is another one with further strokes, in the same place and of the same width.
function Sheet:extend(name, base, draw)
  local glyph = self:get(base)
  local function drawBoth(pen)
    glyph.draw(pen)
    draw(pen:lift():weight(1))
  end
  local outlines = drawOutlines(name, drawBoth, Pen.new(glyph.pen))
  outline.move(outlines, glyph.shift, 0)
  return self:add(name, {
    advance = glyph.advance, outlines = outline.round(outlines), center = glyph.center,
    draw = drawBoth, pen = glyph.pen, shift = glyph.shift, base = glyph,
  })
end

--- A glyph made of another one and a mark, both centred on each other, the mark moved up. It becomes wider than the
--- other one if the mark needs the room.
function Sheet:compose(name, base, mark, dy)
  local glyph, part = self:get(base), self:get(mark)
  local x = outline.nearest(glyph.center - part.center)
  local xMin, _, xMax = outline.bounds(part.outlines)
  local left = math.max(0, MARK_SIDE - x - xMin)
  local right = math.max(0, x + xMax + MARK_SIDE - glyph.advance)
  return self:add(name, {
    advance = left + glyph.advance + right, center = left + glyph.center,
    parts = { { glyph, left, 0 }, { part, left + x, dy } }, base = glyph,
  })
end

--- A glyph made of two others side by side, the second moved right by dx.
function Sheet:pair(name, first, second, dx)
  local a, b = self:get(first), self:get(second)
  local x = a.advance + (dx or 0)
  return self:add(name, {
    advance = x + b.advance, center = (x + b.advance) / 2, parts = { { a, 0, 0 }, { b, x, 0 } },
  })
end

return Sheet
