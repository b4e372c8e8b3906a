---@meta palfrey
-- luacheck: ignore 211 212 241 431, no max line length
-- What the Lua language server needs to know of Palfrey: the folder of this file belongs among the libraries of its
-- workspace settings. `palfrey new` sets that up.
-- Generated from the comments in runtime/bindings by scripts/tools/make_stubs.lua.

---@class palfrey.conf.options
---@field title? string of the window (the name of the folder or zip)
---@field identity? string name of the save folder (the name of the folder or zip without its ending)
---@field width? integer pixels, 1 to 16384 (960)
---@field height? integer pixels, 1 to 16384 (540)
---@field step? number seconds of a step, 0.001 to 1 (1/60)
---@field fullscreen? boolean fill the screen (false)
---@field vsync? boolean wait for the screen before showing a picture (true)
---@field limits? palfrey.Limits t.limits is a table already

--- The module: `local palfrey = require "palfrey"`, or just the global of that name.
---@class palfrey
--- In conf.lua, before there is a window: changes what the game starts with.
---@field conf fun(t: palfrey.conf.options)
--- Once, before the first step: the place to make the world. The arguments are those behind the game on the command
--- line.
---@field load fun(arguments: string[])
--- A key went down; keys that are held repeat.
---@field keypressed fun(key: string, isRepeat: boolean)
--- A key came up.
---@field keyreleased fun(key: string)
--- Text was typed, as the keyboard's layout and input method make it, in UTF-8.
---@field textinput fun(text: string)
--- The mouse moved to a pixel from the top left, and by how far.
---@field mousemoved fun(x: number, y: number, dx: number, dy: number)
--- A mouse button went down at a pixel: 1 left, 2 right, 3 middle.
---@field mousepressed fun(x: number, y: number, button: integer)
--- A mouse button came up.
---@field mousereleased fun(x: number, y: number, button: integer)
--- The wheel turned: to the right and up where positive.
---@field wheelmoved fun(dx: number, dy: number)
--- A button of a game pad went down, such as "pad:a".
---@field gamepadpressed fun(pad: integer, button: string)
--- A button of a game pad came up.
---@field gamepadreleased fun(pad: integer, button: string)
--- An axis of a game pad, such as "pad:leftx", moved to a value from -1 to 1.
---@field gamepadaxis fun(pad: integer, axis: string, value: number)
--- A finger touched a pixel from the top left; `id` is the same until it is lifted.
---@field touchpressed fun(id: integer, x: number, y: number)
--- A finger moved to a pixel.
---@field touchmoved fun(id: integer, x: number, y: number)
--- A finger was lifted.
---@field touchreleased fun(id: integer, x: number, y: number)
--- The window has a new size in pixels.
---@field resize fun(width: number, height: number)
--- The window gained or lost the keyboard.
---@field focus fun(has: boolean)
--- Once in each step, after the callbacks of input and the events; `dt` is the length of a step in seconds, always the
--- same. Steps go on at their times while the window is minimised.
---@field update fun(dt: number)
--- Once for each picture, after the world is drawn: the place for palfrey.hud. It must not change the world. While the
--- window is minimised there are no pictures, but for those that --screenshot asks for.
---@field draw fun()
--- Ends the game after this step with an exit status of 0 to 255 (0), unless the callback palfrey.quit says no: the
--- name is read as this function and written as that callback.
---
--- Someone closes the window, or palfrey.quit was called. Returning true keeps the game running.
---@field quit (fun(code?: integer))|(fun(): boolean?)
--- Files of the game have changed and were loaded again, between two steps: the place to bring up to date what depends
--- on them.
---@field reloaded fun(changedFiles: string[])
palfrey = {}

--- Lets models of another kind be named wherever models are: the function gets the content of the file, its path, and
--- `read`, which gives the content of a file beside it (or nil and a message). It returns a table, or nil and a
--- message; see [Loaders in Lua](#loaders-in-lua). A second call for the same extension takes the place of the first.
--- What a loader raises is the message that addModel returns with nil. The extension is without a dot and in any letter
--- case; those of the models and images that are read already raise.
---@param extension string
---@param loader function
function palfrey.addLoader(extension, loader) end

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

--- A scene and all that happens in it. The world made last is the one that is stepped and drawn.
---@class palfrey.World
local World = {}

--- Adds a node that only holds others.
---@param options? palfrey.Place
---@return palfrey.Group
function World:addGroup(options) end

---@class palfrey.World.addModel.options: palfrey.Place
---@field model string file of the model
---@field skin? string image in place of the model's own
---@field tall? number metres: scales the model so that its first frame is that high
---@field collide? "none"|"box"|"sphere"|"mesh" what walkers and sweeps meet: a box or sphere around it, or its triangles ("none")
---@field frames? integer|integer[] frames of the file to load, counted from 0 (all); what is left out takes no memory
---@field animation? string clip to play, in a loop
---@field frame? integer frame to stand still at, from 0: of the file of a vertex-animated model, which then has no `animation`; else of the `animation`, or the first clip

--- Adds a model; every object or node of the file is a child found by its name. nil and a message when a file is
--- missing or broken. A file is loaded once, however many nodes show it.
---@param options palfrey.World.addModel.options
---@return palfrey.Model?
---@return string?
function World:addModel(options) end

---@class palfrey.World.addLight.options: palfrey.Place
---@field kind? "ambient"|"directional"|"point"|"spot" "ambient" is everywhere, "directional" comes from afar, like the sun ("point")
---@field color? palfrey.Color of the light ({1, 1, 1})
---@field intensity? number factor of the colour, 0 or more (1)
---@field direction? palfrey.Vec3 where a directional light or a spot travels ({0, -1, 0} unless there is a heading or rotation)
---@field range? number metres at which a point light or a spot has faded to nothing; 0 never fades (0)
---@field angle? number degrees of a spot's full cone, below 180 (45)

--- Adds a light. Each thing is lit by the (at most) 4 lights that reach it most.
---@param options palfrey.World.addLight.options
---@return palfrey.Light
function World:addLight(options) end

---@class palfrey.World.addCamera.options: palfrey.Place
---@field kind? "perspective"|"parallel" with or without perspective ("perspective")
---@field fov? number vertical angle of view in degrees, below 180 (60)
---@field size? number full height that a parallel camera sees, metres (10)
---@field near? number metres to the nearest thing seen (0.1)
---@field far? number metres to the farthest thing seen (500)
---@field target? palfrey.Vec3|palfrey.Node a point it is turned to now, or a node it keeps looking at
---@field follow? palfrey.Node the node that the modes other than "fixed" go by
---@field mode? "fixed"|"first"|"third"|"orbit" "first" sees with the eyes of `follow`; "third" stays behind it and in front of walls; "orbit" looks from where setOrbit says, also at a point; "fixed" stays where it is put ("third" with `follow`, else "fixed")
---@field distance? number metres from what is followed, in the modes "third" and "orbit" (4)

--- Adds a camera, which looks along its -Z.
---@param options? palfrey.World.addCamera.options
---@return palfrey.Camera
function World:addCamera(options) end

---@class palfrey.World.addPlayer.options: palfrey.CharacterOptions
---@field jump? number upward speed of a jump, metres a second (4.5)

--- Adds a player: a body that walks, jumps and shoots, with or without a model. nil and a message when a file is
--- missing or broken.
---@param options? palfrey.World.addPlayer.options
---@return palfrey.Player?
---@return string?
function World:addPlayer(options) end

---@class palfrey.World.addNPC.options: palfrey.CharacterOptions
---@field model string file of the model
---@field frames? integer|integer[] frames of the file to load, counted from 0 (all)
---@field turnRate? number degrees a second (360)
---@field arrive? number metres from its goal where it has arrived (0.5)
---@field collide? "none"|"capsule" "none": nobody runs into it ("capsule")

--- Adds a character that scripts give goals to. nil and a message when a file is missing or broken. It stays where it
--- is put until it first moves; then it follows the ground.
---@param options palfrey.World.addNPC.options
---@return palfrey.NPC?
---@return string?
function World:addNPC(options) end

---@class palfrey.World.raycast.options
---@field from palfrey.Vec3 where it starts
---@field direction? palfrey.Vec3 of any length but 0
---@field to? palfrey.Vec3 a point, in place of the direction; the ray ends there
---@field range? number metres (1000, or up to `to`)
---@field mask? palfrey.NodeKind[] the kinds of nodes it can hit (all)
---@field ignore? palfrey.Node|palfrey.Node[] what it passes through with all below it, up to 64 nodes
---@field all? boolean a list of hits, one a node and nearest first, at most 256 (false)
---@field backfaces? boolean meets triangles from behind too (false)

--- The first thing a ray meets, or nil. It sees the poses as the last step left them; nodes made since are not there
--- yet. Either `direction` or `to` must be given.
---@param options palfrey.World.raycast.options
---@return palfrey.Hit|palfrey.Hit[]|nil
function World:raycast(options) end

---@class palfrey.World.sweep.options
---@field from palfrey.Vec3 where the centre starts
---@field to palfrey.Vec3 where the centre would end
---@field radius? number metres (0.5)
---@field height? number metres of a capsule from end to end, at least twice the radius
---@field mask? palfrey.NodeKind[] the kinds of nodes that block (all)
---@field ignore? palfrey.Node|palfrey.Node[] what it passes through with all below it, up to 64 nodes

--- Moves a sphere, or with `height` an upright capsule, and tells the first thing that blocks its way: what has
--- `collide`, players and NPCs. x, y, z of the hit is the point of contact.
---@param options palfrey.World.sweep.options
---@return palfrey.Hit?
function World:sweep(options) end

---@class palfrey.World.overlap.options
---@field position palfrey.Vec3 its centre
---@field radius? number metres (0.5)
---@field height? number metres of a capsule from end to end, at least twice the radius
---@field mask? palfrey.NodeKind[] the kinds of nodes looked for (all)
---@field ignore? palfrey.Node|palfrey.Node[] what is left out with all below it, up to 64 nodes

--- The nodes whose bodies (what has `collide`, players and NPCs) meet a sphere or, with `height`, an upright capsule.
---@param options palfrey.World.overlap.options
---@return palfrey.Node[]
function World:overlap(options) end

--- The camera the world is drawn from; without it the first one made.
---@param camera palfrey.Camera
function World:setCamera(camera) end

--- The camera the world is drawn from; nil while there is none.
---@return palfrey.Camera?
function World:getCamera() end

--- How everything is drawn: with textures and lights; white with lights; one colour a triangle, lit from the camera;
--- lines.
---@param mode "textured"|"shaded"|"flat"|"wire"
function World:setViewMode(mode) end

--- How everything is drawn.
---@return "textured"|"shaded"|"flat"|"wire"
function World:getViewMode() end

--- The node of that name that was made first, or nil. Parts of models are found as well.
---@param name string
---@return palfrey.Node?
function World:find(name) end

--- All nodes of that name, in the order of their making.
---@param name string
---@return palfrey.Node[]
function World:findAll(name) end

--- Walks all nodes, or those of a kind, in the order of their making: `for node in world:each "npc" do`. Nodes made
--- meanwhile are left out, and so are those removed.
---@param kind? palfrey.NodeKind
---@return fun(): palfrey.Node?
function World:each(kind) end

--- Calls the handler for each event of that name at any node, after the node's own handlers.
---@param event palfrey.EventName
---@param handler fun(event: palfrey.Event)
---@overload fun(self: palfrey.World, event: "hit", handler: fun(event: palfrey.HitEvent))
---@overload fun(self: palfrey.World, event: "death", handler: fun(event: palfrey.DeathEvent))
---@overload fun(self: palfrey.World, event: "marker", handler: fun(event: palfrey.MarkerEvent))
---@overload fun(self: palfrey.World, event: "clipEnd", handler: fun(event: palfrey.ClipEndEvent))
---@overload fun(self: palfrey.World, event: "arrived", handler: fun(event: palfrey.ArrivedEvent))
---@overload fun(self: palfrey.World, event: "touch", handler: fun(event: palfrey.TouchEvent))
function World:on(event, handler) end

--- Takes one handler away, or all of the event.
---@param event palfrey.EventName
---@param handler? function
function World:off(event, handler) end

--- Adds what a level file describes. The table leads from names to nodes. nil and a message when the file is missing or
--- broken; nothing is added then.
---@param file string
---@return table<string, palfrey.Node>?
---@return string?
function World:load(file) end

--- Writes the world as a level file into the save folder. Loading and saving again gives the same bytes. Who stands
--- still is saved at the nearest frame, a clip that is played once at its end. A node of a model's file with another
--- parent than there is saved where the file has it, with a warning.
---@param file string
---@return boolean?
---@return string?
function World:save(file) end

--- Replaces the fog; `{mode = "none"}` takes it away.
---@param fog palfrey.Fog
function World:setFog(fog) end

--- The light that is everywhere, as red, green, blue.
---@param r number
---@param g number
---@param b number
function World:setAmbient(r, g, b) end

--- The light that is everywhere, as red, green, blue.
---@return number
---@return number
---@return number
function World:getAmbient() end

--- The colour where nothing is, as red, green, blue.
---@param r number
---@param g number
---@param b number
function World:setBackground(r, g, b) end

--- The colour where nothing is, as red, green, blue.
---@return number
---@return number
---@return number
function World:getBackground() end

--- Anything in a world: models and their parts, lights, cameras, groups, players, NPCs. As long as it lives it is one
--- Lua value, so `==` and table keys work; using it afterwards raises "<kind> was removed".
---@class palfrey.Node
local Node = {}

--- The name; nil for none.
---@return string?
function Node:getName() end

--- Names the node anew; nil takes the name away. Several nodes may share one.
---@param name string?
function Node:setName(name) end

--- What it is.
---@return palfrey.NodeKind
function Node:getKind() end

--- The node it moves with; nil when it belongs to the world.
---@return palfrey.Node?
function Node:getParent() end

--- Puts the node below another one; its place in the world stays. nil makes it a child of the world. A node cannot be
--- below itself.
---@param parent palfrey.Node?
function Node:setParent(parent) end

--- The nodes right below it, parts of its model among them.
---@return palfrey.Node[]
function Node:getChildren() end

--- The place relative to the parent, metres.
---@return number
---@return number
---@return number
function Node:getPosition() end

--- Puts the node there, relative to its parent, metres. A player or NPC is put there even where it does not fit.
---@param x number
---@param y number
---@param z number
function Node:setPosition(x, y, z) end

--- The place in the world, metres.
---@return number
---@return number
---@return number
function Node:getWorldPosition() end

--- Degrees about +Y relative to the parent: 0 looks along -Z, and it grows counter-clockwise seen from above.
---@return number
function Node:getHeading() end

--- Turns the node about +Y alone, relative to its parent.
---@param degrees number
function Node:setHeading(degrees) end

--- Degrees, and the axis x, y, z they turn about, relative to the parent.
---@return number
---@return number
---@return number
---@return number
function Node:getRotation() end

--- Turns the node by degrees about an axis of any length but 0, relative to its parent.
---@param degrees number
---@param ax number
---@param ay number
---@param az number
function Node:setRotation(degrees, ax, ay, az) end

--- Turns the node's -Z towards a point of the world.
---@param x number
---@param y number
---@param z number
function Node:lookAt(x, y, z) end

--- The factors along x, y and z, relative to the parent.
---@return number
---@return number
---@return number
function Node:getScale() end

--- Factors along x, y and z, or one for all; 0 raises.
---@param x number
---@param y? number
---@param z? number
function Node:setScale(x, y, z) end

--- The middle of the node's bounds in the world.
---@return number
---@return number
---@return number
function Node:getCenter() end

--- The smallest x, y, z and the largest x, y, z in the world of the node and all below it, of the pose now shown.
---@return number
---@return number
---@return number
---@return number
---@return number
---@return number
function Node:getBounds() end

--- Whether the node itself is shown; one above it may still be hidden.
---@return boolean
function Node:isVisible() end

--- Shows or hides the node and all below it.
---@param visible boolean
function Node:setVisible(visible) end

--- Whether rays and shots hit the node itself.
---@return boolean
function Node:isPickable() end

--- Whether rays and shots hit the node and all below it.
---@param pickable boolean
function Node:setPickable(pickable) end

--- A table of the script's own that lives as long as the node. It is not saved with a level.
---@return table
function Node:getData() end

--- Whether the node is still there; the one question a removed node answers.
---@return boolean
function Node:isAlive() end

--- Removes the node and all below it, at any time, also from its own handlers.
function Node:remove() end

--- Calls the handler for each event of that name at this node. A handler may remove nodes and handlers.
---@param event palfrey.EventName
---@param handler fun(event: palfrey.Event)
---@overload fun(self: palfrey.Node, event: "hit", handler: fun(event: palfrey.HitEvent))
---@overload fun(self: palfrey.Node, event: "death", handler: fun(event: palfrey.DeathEvent))
---@overload fun(self: palfrey.Node, event: "marker", handler: fun(event: palfrey.MarkerEvent))
---@overload fun(self: palfrey.Node, event: "clipEnd", handler: fun(event: palfrey.ClipEndEvent))
---@overload fun(self: palfrey.Node, event: "arrived", handler: fun(event: palfrey.ArrivedEvent))
---@overload fun(self: palfrey.Node, event: "touch", handler: fun(event: palfrey.TouchEvent))
function Node:on(event, handler) end

--- Takes one handler away, or all of the event.
---@param event palfrey.EventName
---@param handler? function
function Node:off(event, handler) end

--- A node that only holds others.
---@class palfrey.Group: palfrey.Node
local Group = {}

--- A node that shows a model, and what it plays. A clip that is not in the model raises, with a list of those that are.
---@class palfrey.Model: palfrey.Node
local Model = {}

---@class palfrey.Model.attach.options
---@field model string file of the model
---@field skin? string image in place of the model's own
---@field name? string of the new node
---@field joint? string name in this model's file of the joint, or another node, that it is fixed to; one the model has not raises
---@field position? palfrey.Vec3 in metres of this node or of the joint ({0, 0, 0})
---@field heading? number degrees (0)
---@field rotation? number[] {degrees, x, y, z}, in place of the heading
---@field scale? number|palfrey.Vec3 one factor, or one for each axis (1)

--- Adds a model that moves with this node, or with one of its joints, and goes with it. Attached to a vertex-animated
--- model, a vertex-animated one shows the frame of its host. nil and a message when a file is missing or broken.
---@param options palfrey.Model.attach.options
---@return palfrey.Model?
---@return string?
function Model:attach(options) end

--- Shows another image on the whole model, at any time. true, or nil and a message when the file is missing or broken.
---@param file string
---@return boolean?
---@return string?
function Model:setSkin(file) end

--- File of the image shown: the one set, else the first that the model names; nil for none.
---@return string?
function Model:getSkin() end

--- The clips of the model, in the order of the file.
---@return { name: string, frames: integer, duration: number }[]
function Model:getClips() end

---@class palfrey.Model.play.options
---@field loop? boolean false holds the last frame at the end (true)
---@field fade? number seconds in which the picture before blends into the clip (0)
---@field speed? number factor; negative plays backwards (1)
---@field restart? boolean start again from the first frame (false)

--- Plays a clip. One that is playing already takes the options over without starting again, unless `restart`.
---@param clip string
---@param options? palfrey.Model.play.options
function Model:play(clip, options) end

--- Holds the clip where it is.
function Model:stop() end

--- Whether that clip, or any, plays. One that ended without `loop` does not.
---@param clip? string
---@return boolean
function Model:isPlaying(clip) end

--- The clip that plays, was stopped or ended, and the seconds in it; nil and 0 for none.
---@return string?
---@return number
function Model:getClip() end

--- The frame shown, counted in the file from 0, or in the clip where clips move nodes or bones; between two frames the
--- part of the way counts as a fraction.
---@return number
function Model:getFrame() end

--- Leaves the clip and stands still at a frame, counted in the file from 0; where clips move nodes or bones, in the
--- clip at hand, else in the first. A frame that is not there raises.
---@param frame integer
function Model:setFrame(frame) end

--- Raises a "marker" event of this name each time the clip passes the frame, counted in the clip from 0: footsteps, the
--- moment of a blow.
---@param clip string
---@param frame number
---@param name string
function Model:addMarker(clip, frame, name) end

--- A light. It shines from its position along its -Z.
---@class palfrey.Light: palfrey.Node
local Light = {}

--- Red, green and blue.
---@return number
---@return number
---@return number
function Light:getColor() end

--- Red, green and blue, 1 being full.
---@param r number
---@param g number
---@param b number
function Light:setColor(r, g, b) end

--- The factor of the colour.
---@return number
function Light:getIntensity() end

--- The factor of the colour, 0 or more.
---@param intensity number
function Light:setIntensity(intensity) end

--- Turns the light: the direction, of any length but 0, is where it travels.
---@param x number
---@param y number
---@param z number
function Light:setDirection(x, y, z) end

--- A camera, which looks along its -Z. Pixels count from the top left; the middle of the first one is at 0.5, 0.5.
---@class palfrey.Camera: palfrey.Node
local Camera = {}

--- Origin and unit direction, both in the world, of the ray through a pixel.
---@param x number
---@param y number
---@return number
---@return number
---@return number
---@return number
---@return number
---@return number
function Camera:toRay(x, y) end

--- The pixel at which a point of the world is seen, and whether it is in front of the camera.
---@param x number
---@param y number
---@param z number
---@return number
---@return number
---@return boolean
function Camera:toScreen(x, y, z) end

--- The vertical angle of view, degrees.
---@return number
function Camera:getFov() end

--- The vertical angle of view, between 0 and 180; a parallel camera has none.
---@param degrees number
function Camera:setFov(degrees) end

--- How it follows; see addCamera.
---@return "fixed"|"first"|"third"|"orbit"
function Camera:getMode() end

--- How it follows; see addCamera.
---@param mode "fixed"|"first"|"third"|"orbit"
function Camera:setMode(mode) end

--- The node that the modes "first", "third" and "orbit" go by; nil for none.
---@param node palfrey.Node?
function Camera:setFollow(node) end

--- How the mode "orbit" looks at what it follows: degrees (-20 of pitch at first, kept between -89 and 89), and metres
--- away (as before).
---@param heading number
---@param pitch number
---@param distance? number
function Camera:setOrbit(heading, pitch, distance) end

--- What players and NPCs share. The dead remain nodes until they are removed: they block nobody and have no goal.
--- Functions of models raise for a player without one.
---@class palfrey.Character: palfrey.Model
local Character = {}

--- 100 unless addNPC or addPlayer said otherwise; never below 0.
---@return number
function Character:getHealth() end

--- 0 kills; more than 0 brings the dead back. There is no upper limit.
---@param health number
function Character:setHealth(health) end

--- Lowers the health at once; "hit", with `by`, and then "death" are told at the next step. The dead take no damage.
---@param amount number
---@param by? palfrey.Node
function Character:damage(amount, by) end

--- Whether the health has come down to 0.
---@return boolean
function Character:isDead() end

--- Metres a second along x, y, z, in the last step.
---@return number
---@return number
---@return number
function Character:getVelocity() end

--- Whether the feet stood on something in the last step.
---@return boolean
function Character:isOnGround() end

---@class palfrey.Character.shoot.options
---@field range? number metres (1000)
---@field damage? number taken from the health of a player or NPC (10)
---@field spread? number degrees of the full cone within which the shot strays by chance (0)
---@field mask? palfrey.NodeKind[] the kinds of nodes it can hit (all)

--- Shoots from the eye along the look. What was hit is known at once, nil for nothing; damage and the events "hit" and
--- "death" follow at the next step.
---@param options? palfrey.Character.shoot.options
---@return palfrey.Hit?
function Character:shoot(options) end

--- A character with a goal: it has one at a time, and a new one takes the place of the old. Walking, it climbs steps,
--- falls off ledges, keeps apart from others, and knows nothing of ways around obstacles.
---@class palfrey.NPC: palfrey.Character
local NPC = {}

--- Drops the goal and stands still.
function NPC:idle() end

--- Walks straight to a point; "arrived" is told once, when it is as near as the option `arrive` of addNPC (0.5 m). The
--- height of the point does not matter.
---@param x number
---@param y number
---@param z number
function NPC:walkTo(x, y, z) end

--- Walks after a node up to a distance in metres (2). The goal ends when the node is removed.
---@param node palfrey.Node
---@param distance? number
function NPC:follow(node, distance) end

--- Runs from a node while it is nearer than 20 m.
---@param node palfrey.Node
function NPC:flee(node) end

--- Stands and keeps turning to a node.
---@param node palfrey.Node
function NPC:face(node) end

--- Walks from point to point (1 to 64 of them) and round again, for ever; "arrived" is told at each.
---@param points palfrey.Vec3[]
function NPC:patrol(points) end

--- The goal, and the node that it is about. After arriving, walkTo ends as "idle".
---@return "idle"|"walkTo"|"follow"|"patrol"|"flee"|"face"
---@return palfrey.Node?
function NPC:getGoal() end

--- A character moved by what the script asks for in each step. Its eye, from which it shoots, is 0.9 of its height
--- above its feet.
---@class palfrey.Player: palfrey.Character
local Player = {}

--- Walks in this step alone: -1 to 1 of the player's speed along and across its heading. To be called in each step.
---@param forward number
---@param right number
function Player:move(forward, right) end

--- Turns by degrees, to the left and up where positive; the pitch stays between -89 and 89.
---@param headingDelta number
---@param pitchDelta number
function Player:look(headingDelta, pitchDelta) end

--- Degrees from -89 to 89; positive looks up.
---@return number
function Player:getPitch() end

--- Jumps in this step if it stands on the ground.
function Player:jump() end

--- What palfrey.preload returns: how far the loading of its files is.
---@class palfrey.Preload
local Preload = {}

--- 0 at the start, 1 when all files are loaded or have failed.
---@return number
function Preload:getProgress() end

--- Whether the progress is 1; files that failed count as done.
---@return boolean
function Preload:isDone() end

--- What went wrong, one text a file.
---@return string[]
function Preload:getErrors() end

--- What is pressed in this step. A name is that of an action, else of a key; any other raises. Keys have SDL's names in
--- lower case ("a", "space", "left shift"), mouse buttons are "mouse1" (left), "mouse2" (right) and "mouse3", buttons
--- of a game pad "pad:a", its axes "pad:leftx", and half an axis "pad:lefty-".
---@class palfrey.input
palfrey.input = {}

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

--- The 2D overlay, in pixels from the top left. `text`, `rectangle` and `image` work only inside palfrey.draw and draw
--- in the order of their calls; the rest works anywhere.
---@class palfrey.hud
palfrey.hud = {}

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

--- The game's files (a folder or a zip), read-only, with the save folder on top of them: what is written is found
--- first. The save folder belongs to the `identity` of conf.lua. Paths are relative, with `/` between their parts; `..`
--- is refused.
---@class palfrey.files
palfrey.files = {}

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

--- The picture: its size, and its pixels.
---@class palfrey.screen
palfrey.screen = {}

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

--- What specs (`palfrey test`) and headless runs drive a game with.
---@class palfrey.testing
palfrey.testing = {}

--- Runs steps (1) and draws each of them, now; from a spec, not from inside a callback. When a script of the game
--- fails, the game stands on the error screen from then on, and a step does no more than to look for files that were
--- repaired.
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

--- Changes a file of the game, which is a folder, as an editor would, and waits until that was noticed; the next step
--- takes it. Headless runs only.
---@param path string
---@param text string
function palfrey.testing.writeSource(path, text) end

--- What an error screen or the message of a failed reload shows; nil when all is well.
---@return string?
function palfrey.testing.getErrorScreen() end

--- Throws away the graphics context with all that is on the GPU, as a device may do at any time. Before the next
--- picture everything is made again.
function palfrey.testing.loseContext() end

--- What is on the GPU now.
---@return { buffers: integer, textures: integer, programs: integer, targets: integer, bytes: integer, errors: integer }
function palfrey.testing.getGpuCounts() end

--- Lets a game that stands on the error screen go on, though no file was repaired.
function palfrey.testing.dismissError() end

--- What a game may use at most; going beyond is an error that names the limit.
---@class palfrey.Limits
---@field nodes? integer of a world, up to 1000000 (20000)
---@field npcs? integer of a world (2000)
---@field memory? integer MB that scripts may take, 4 to 16384 (256)
---@field seconds? integer that a callback may take, 1 to 3600 (5)

--- Three numbers {x, y, z}: a place in metres, or a direction.
---@alias palfrey.Vec3 number[]

--- {r, g, b} or {r, g, b, a}, numbers from 0 to 1 as the screen shows them. Lights may be brighter than 1.
---@alias palfrey.Color number[]

--- Options of everything that makes a node: what it is called and where it is.
---@class palfrey.Place
---@field name? string any text; several nodes may share one
---@field position? palfrey.Vec3 metres, relative to the parent ({0, 0, 0})
---@field heading? number degrees about +Y: 0 looks along -Z, 90 along -X (0)
---@field rotation? number[] {degrees, x, y, z}: about an axis, in place of the heading
---@field scale? number|palfrey.Vec3 one factor, or one for each axis (1)
---@field parent? palfrey.Node the node it moves with; without it, it belongs to the world

--- Options of players and NPCs. They stand on their feet, where the lowest point of the model is.
---@class palfrey.CharacterOptions: palfrey.Place
---@field model? string file of the model
---@field skin? string image in place of the model's own
---@field animation? string clip to play, in a loop
---@field frame? integer frame to stand still at, from 0: of the file of a vertex-animated model, which then has no `animation`; else of the `animation`, or the first clip
---@field tall? number metres: scales the model so that its first frame is that high
---@field health? number 0 makes a dead one (100)
---@field radius? number metres, of the capsule that blocks (from the first frame; 0.4 without a model)
---@field height? number metres, of the capsule (from the first frame; 1.8 without a model)
---@field forward? "-z"|"+z"|"-x"|"+x" where the model's front is in its file ("+z" for glTF, else "-z")
---@field speed? number metres a second (player 4, NPC 2)
---@field stepHeight? number metres it climbs without jumping (0.3)
---@field slopeLimit? number degrees of the steepest ground it can walk up (45)

--- What a handler gets. Events are told at the start of the step after the one in which they happened, before
--- palfrey.update: first to the node's own handlers, then to the world's.
---@class palfrey.Event
---@field type palfrey.EventName name of the event
---@field node palfrey.Node the node it happened to; another handler may have removed it meanwhile
---@field name? string of the nearest named node, at the time

--- What a ray, sweep or shot met.
---@class palfrey.Hit
---@field node palfrey.Node the player or NPC it belongs to, else the node with the mesh
---@field name? string of the nearest named node, upwards
---@field part? string name of the part of a player or NPC
---@field material? string name of the material
---@field distance number metres from the start; of a sweep, the way of the centre
---@field x number the point in the world, metres
---@field y number
---@field z number
---@field nx number the normal, of unit length, against the ray
---@field ny number
---@field nz number
---@field triangle? integer index in the mesh, from 0
---@field u? number texture coordinates of the point
---@field v? number

--- What things far from the camera fade into.
---@class palfrey.Fog
---@field mode? "none"|"linear"|"exponential" "linear" grows from `near` to `far`, "exponential" is 1 - e^(-density * distance) ("linear")
---@field color? palfrey.Color the background has a colour of its own, which should be the same ({0.5, 0.5, 0.5})
---@field near? number metres from the camera where linear fog begins (10)
---@field far? number metres from the camera where nothing else is seen (100)
---@field density? number of exponential fog, per metre (0.02)

--- What a node is. The option `mask` of queries and shots is a list of these.
---@alias palfrey.NodeKind "group"|"model"|"light"|"camera"|"player"|"npc"

---@alias palfrey.EventName "hit"|"death"|"marker"|"clipEnd"|"arrived"|"touch"

--- A shot hit the node, or a script called `damage` for it; then the fields of Hit beyond `node` and `name` are
--- missing. It comes before "death".
---@class palfrey.HitEvent: palfrey.Event, palfrey.Hit
---@field type "hit"
---@field damage number taken from the health of a player or NPC
---@field by? palfrey.Node who shot or caused it

--- The health of a player or NPC has come down to 0.
---@class palfrey.DeathEvent: palfrey.Event
---@field type "death"

--- A clip passed a frame that addMarker had named.
---@class palfrey.MarkerEvent: palfrey.Event
---@field type "marker"
---@field marker string the name given to addMarker

--- A clip came to its end: once without `loop`, else at each turn.
---@class palfrey.ClipEndEvent: palfrey.Event
---@field type "clipEnd"
---@field clip string name of the clip

--- An NPC reached the goal of walkTo, or a point of its patrol.
---@class palfrey.ArrivedEvent: palfrey.Event
---@field type "arrived"

--- Two players or NPCs began to touch; told at both.
---@class palfrey.TouchEvent: palfrey.Event
---@field type "touch"
---@field other palfrey.Node the other one

return palfrey
