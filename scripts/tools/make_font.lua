-- make_font.lua [FILE]: draws Palfrey's built-in font and writes it to runtime/engine/palfrey.ttf, or to FILE. The file
-- is the same on every run and machine. Run from the root of the project.
--
-- How the glyphs look is in lib/font_small.lua, font_capital.lua, font_figures.lua, font_signs.lua and font_latin.lua,
-- as the centre lines of a pen (font_pen.lua); font_build.lua leads through the rest.
local folder = arg[0]:match "^(.*)/" or "."
package.path = folder .. "/lib/?.lua;" .. package.path

local path = arg[1] or "runtime/engine/palfrey.ttf"
local bytes = require "font_build" ()
local file <close> = assert(io.open(path, "wb"))
assert(file:write(bytes))
