---@meta palfrey
-- luacheck: ignore 211 212 241 431, no max line length
-- What the Lua language server needs to know of Palfrey: name the folder of this file among the libraries of
-- its workspace settings.
-- Generated from the comments in runtime/bindings by scripts/tools/make_stubs.lua.

--- The module: `local palfrey = require "palfrey"`, or just the global of that name.
---@class palfrey
palfrey = {}

--- What palfrey.preload returns: how far the loading of its files is.
---@class palfrey.Preload
local Preload = {}

--- What is pressed in this step. A name is that of an action, else of a key; any other raises. Keys have SDL's names in
--- lower case ("a", "space", "left shift"), mouse buttons are "mouse1" (left), "mouse2" (right) and "mouse3", buttons
--- of a game pad "pad:a", its axes "pad:leftx", and half an axis "pad:lefty-".
---@class palfrey.input
palfrey.input = {}

--- The 2D overlay, in pixels from the top left. `text`, `rectangle` and `image` work only inside palfrey.draw and draw
--- in the order of their calls; the rest works anywhere.
---@class palfrey.hud
palfrey.hud = {}

--- The game's files (a folder or a zip), read-only, with the save folder on top of them: what is written is found
--- first. The save folder belongs to the `identity` of conf.lua. Paths are relative, with `/` between their parts; `..`
--- is refused.
---@class palfrey.files
palfrey.files = {}

--- The picture: its size, and its pixels.
---@class palfrey.screen
palfrey.screen = {}

--- What specs (`palfrey test`) and headless runs drive a game with.
---@class palfrey.testing
palfrey.testing = {}

---@class palfrey.conf.options
---@field title? string of the window (the name of the folder or zip)
---@field identity? string name of the save folder (the name of the folder or zip without its ending)
---@field width? integer pixels, 1 to 16384 (960)
---@field height? integer pixels, 1 to 16384 (540)
---@field step? number seconds of a step, 0.001 to 1 (1/60)
---@field fullscreen? boolean fill the screen (false)
---@field vsync? boolean wait for the screen before showing a picture (true)
---@field limits? palfrey.Limits t.limits is a table already

--- In conf.lua, before there is a window: changes what the game starts with.
---@type fun(t: palfrey.conf.options)
palfrey.conf = nil

--- Once, before the first step: the place to make the world. The arguments are those behind the game on the command
--- line.
---@type fun(arguments: string[])
palfrey.load = nil

--- A key went down; keys that are held repeat.
---@type fun(key: string, isRepeat: boolean)
palfrey.keypressed = nil

--- A key came up.
---@type fun(key: string)
palfrey.keyreleased = nil

--- Text was typed, as the keyboard's layout and input method make it, in UTF-8.
---@type fun(text: string)
palfrey.textinput = nil

--- The mouse moved to a pixel from the top left, and by how far.
---@type fun(x: number, y: number, dx: number, dy: number)
palfrey.mousemoved = nil

--- A mouse button went down at a pixel: 1 left, 2 right, 3 middle.
---@type fun(x: number, y: number, button: integer)
palfrey.mousepressed = nil

--- A mouse button came up.
---@type fun(x: number, y: number, button: integer)
palfrey.mousereleased = nil

--- The wheel turned: to the right and up where positive.
---@type fun(dx: number, dy: number)
palfrey.wheelmoved = nil

--- A button of a game pad went down, such as "pad:a".
---@type fun(pad: integer, button: string)
palfrey.gamepadpressed = nil

--- A button of a game pad came up.
---@type fun(pad: integer, button: string)
palfrey.gamepadreleased = nil

--- An axis of a game pad, such as "pad:leftx", moved to a value from -1 to 1.
---@type fun(pad: integer, axis: string, value: number)
palfrey.gamepadaxis = nil

--- A finger touched a pixel from the top left; `id` is the same until it is lifted.
---@type fun(id: integer, x: number, y: number)
palfrey.touchpressed = nil

--- A finger moved to a pixel.
---@type fun(id: integer, x: number, y: number)
palfrey.touchmoved = nil

--- A finger was lifted.
---@type fun(id: integer, x: number, y: number)
palfrey.touchreleased = nil

--- The window has a new size in pixels.
---@type fun(width: number, height: number)
palfrey.resize = nil

--- The window gained or lost the keyboard.
---@type fun(has: boolean)
palfrey.focus = nil

--- Once in each step, after the callbacks of input and the events; `dt` is the length of a step in seconds, always the
--- same.
---@type fun(dt: number)
palfrey.update = nil

--- Once for each picture, after the world is drawn: the place for palfrey.hud. It must not change the world.
---@type fun()
palfrey.draw = nil

--- Ends the game after this step with an exit status of 0 to 255 (0), unless the callback palfrey.quit says no: the
--- name is read as this function and written as that callback.
---
--- Someone closes the window, or palfrey.quit was called. Returning true keeps the game running.
---@type (fun(code?: integer))|(fun(): boolean?)
palfrey.quit = nil

---@class palfrey.newWorld.options
---@field ambient? palfrey.Color light that is everywhere ({0.2, 0.2, 0.2})
---@field background? palfrey.Color colour where nothing is (black)
---@field fog? palfrey.Fog none unless given
---@field gravity? number m/s^2, downwards (9.81)

--- A new world, which from now on is the one that is stepped and drawn.
---@param options? palfrey.newWorld.options
---@return palfrey.World
function palfrey.newWorld(options) end

--- Whether the game runs from a zip.
---@return boolean
function palfrey.isPackaged() end

--- Seconds of game time: steps times their length. It does not depend on how fast the machine is.
---@return number
function palfrey.getTime() end

--- How many steps are done: 0 in palfrey.load and in the first palfrey.update.
---@return integer
function palfrey.getStep() end

--- The version of the runtime, like "1.2.3".
---@return string
function palfrey.getVersion() end

--- Writes its arguments to standard error: one line, with tabs between them.
---@param ... any
function palfrey.log(...) end

--- As pairs, in the order of the keys: numbers first, then strings, then booleans; other keys raise. The same in every
--- run, which the order of pairs is not. Keys added while it walks are left out.
---@param values table
---@return fun(): any, any
function palfrey.sortedPairs(values) end

--- Loads models and images in the background, so that naming them later does not hold up the game. Headless, recording
--- or replaying it is done when the call returns.
---@param files string[]
---@return palfrey.Preload
function palfrey.preload(files) end

--- 0 at the start, 1 when all files are loaded or have failed.
---@return number
function Preload:getProgress() end

--- Whether the progress is 1; files that failed count as done.
---@return boolean
function Preload:isDone() end

--- What went wrong, one text a file.
---@return string[]
function Preload:getErrors() end

--- Names the keys of actions: `{ fire = {"space", "mouse1", "pad:a"}, forward = {"w", "pad:lefty-"} }`. An action has
--- up to 16 keys and is down while any of them is; binding it again replaces them. A key that does not exist raises.
---@param actions table<string, string|string[]>
function palfrey.input.bind(actions) end

--- Whether an action or key is down.
---@param name string
---@return boolean
function palfrey.input.isDown(name) end

--- True in exactly the step in which an action or key went down, however short the press.
---@param name string
---@return boolean
function palfrey.input.wasPressed(name) end

--- True in exactly the step in which an action or key came up.
---@param name string
---@return boolean
function palfrey.input.wasReleased(name) end

--- The strongest of the action's keys: -1 to 1 for a whole axis, 0 to 1 for buttons and half axes. Below 0.15 it is 0.
---@param name string
---@return number
function palfrey.input.getAxis(name) end

--- x and y in pixels from the top left, then how far it moved in this step to the right and down.
---@return number
---@return number
---@return number
---@return number
function palfrey.input.getMouse() end

--- Hides the pointer and keeps it in the window, for looking around.
---@param captured boolean
function palfrey.input.setMouseCaptured(captured) end

---@class palfrey.hud.text.options
---@field size? number height of a line in pixels, at most 512 (16)
---@field color? palfrey.Color of the letters (white)
---@field align? "left"|"center"|"right" within `width`, or around x where there is no width ("left")
---@field width? number pixels at which lines are broken at blanks (never)

--- Writes text, or any value as tostring shows it, its top left at a pixel. Lines end at "\n".
---@param text any
---@param x number
---@param y number
---@param options? palfrey.hud.text.options
function palfrey.hud.text(text, x, y, options) end

---@class palfrey.hud.rectangle.options
---@field color? palfrey.Color a fourth number below 1 lets what is behind show through (white)
---@field line? number width of the frame in pixels; 0 fills (0)

--- A filled rectangle, or a frame.
---@param x number
---@param y number
---@param width number
---@param height number
---@param options? palfrey.hud.rectangle.options
function palfrey.hud.rectangle(x, y, width, height, options) end

---@class palfrey.hud.image.options
---@field w? number width in pixels (that of the image or its part)
---@field h? number height in pixels (that of the image or its part)
---@field color? palfrey.Color multiplies the image (white)
---@field source? number[] the part {x, y, w, h} of the image, in its pixels (all)

--- Draws an image, its top left at a pixel. true, or nil and a message when the file is missing or broken.
---@param file string
---@param x number
---@param y number
---@param options? palfrey.hud.image.options
---@return boolean?
---@return string?
function palfrey.hud.image(file, x, y, options) end

--- Shows a line at the bottom left for some seconds of game time (3), the newest lowest. There are at most 8 at a time.
---@param text any
---@param seconds? number
function palfrey.hud.message(text, seconds) end

--- The messages shown now, oldest first.
---@return string[]
function palfrey.hud.getMessages() end

--- Width and height of the overlay in pixels.
---@return number
---@return number
function palfrey.hud.getSize() end

--- The whole file as bytes, or nil and a message.
---@param path string
---@return string?
---@return string?
function palfrey.files.read(path) end

--- Writes into the save folder, making folders; the file is replaced at once or not at all. true, or nil and a message.
---@param path string
---@param content string
---@return boolean?
---@return string?
function palfrey.files.write(path, content) end

--- Whether there is a file or folder of that name.
---@param path string
---@return boolean
function palfrey.files.exists(path) end

--- What is known of a file or folder; nil when there is none.
---@param path string
---@return { type: "file"|"folder", size: integer, modified: integer }?
function palfrey.files.getInfo(path) end

--- The names in a folder, of the game and of the save folder, sorted by bytes; "" is the root. nil and a message when
--- there is no such folder.
---@param folder string
---@return string[]?
---@return string?
function palfrey.files.list(folder) end

--- Removes a file or an empty folder of the save folder. true, or nil and a message.
---@param path string
---@return boolean?
---@return string?
function palfrey.files.remove(path) end

--- Width and height in pixels.
---@return integer
---@return integer
function palfrey.screen.getSize() end

--- Fills the screen, or goes back to a window; nothing happens headless.
---@param fullscreen boolean
function palfrey.screen.setFullscreen(fullscreen) end

--- Red, green and blue, 0 to 255, of a pixel of the last drawn frame, counted from 0 at the top left. Headless too, but
--- with --null-gpu it raises. Not for decisions of the game's course.
---@param x integer
---@param y integer
---@return integer
---@return integer
---@return integer
function palfrey.screen.getPixel(x, y) end

--- Writes the last drawn frame as PNG into the save folder. true, or nil and a message.
---@param file string
---@return boolean?
---@return string?
function palfrey.screen.screenshot(file) end

--- Runs steps (1) and draws each of them, now; from a spec, not from inside a callback. An error of the game is raised.
---@param count? integer
function palfrey.testing.step(count) end

--- Presses a key, mouse or pad button at the next step; it stays down until released.
---@param key string
function palfrey.testing.press(key) end

--- Releases a key, mouse or pad button at the next step.
---@param key string
function palfrey.testing.release(key) end

--- Moves the mouse by pixels at the next step.
---@param dx number
---@param dy number
function palfrey.testing.moveMouse(dx, dy) end

--- The state of the simulation as 16 hexadecimal digits: equal for the same game, seed and input.
---@return string
function palfrey.testing.getStateHash() end

--- Throws away the graphics context with all that is on the GPU, as a device may do at any time. Before the next
--- picture everything is made again.
function palfrey.testing.loseContext() end

--- What is on the GPU now.
---@return { buffers: integer, textures: integer, programs: integer, targets: integer, bytes: integer, errors: integer }
function palfrey.testing.getGpuCounts() end

return palfrey
