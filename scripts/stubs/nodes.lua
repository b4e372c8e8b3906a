---@meta _
-- luacheck: ignore 211 212 241 431, no max line length
-- What the Lua language server needs to know of Palfrey: name the folder of this file among the libraries of
-- its workspace settings.
-- Generated from the comments in runtime/bindings by scripts/tools/make_stubs.lua.

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
---@field joint? string name of the joint it is fixed to; a joint the model has not raises
---@field position? palfrey.Vec3 metres, relative to this node ({0, 0, 0})
---@field heading? number degrees (0)
---@field rotation? number[] {degrees, x, y, z}, in place of the heading
---@field scale? number|palfrey.Vec3 one factor, or one for each axis (1)

--- Adds a model that moves with this node and goes with it. Attached to a vertex-animated model, a vertex-animated one
--- shows the frame of its host. nil and a message when a file is missing or broken.
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

--- The frame shown, counted in the file from 0; between two frames the part of the way counts as a fraction.
---@return number
function Model:getFrame() end

--- Leaves the clip and stands still at a frame, counted in the file from 0. A frame that is not loaded raises.
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
