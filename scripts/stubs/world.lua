---@meta _
-- luacheck: ignore 211 212 241 431, no max line length
-- What the Lua language server needs to know of Palfrey: name the folder of this file among the libraries of
-- its workspace settings.
-- Generated from the comments in runtime/bindings by scripts/tools/make_stubs.lua.

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
---@field frame? integer frame to stand still at, counted in the file from 0; not with `animation`
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
---@field frame? integer frame to stand still at, counted in the file from 0; not with `animation`

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

--- Writes the world as a level file into the save folder. Loading and saving again gives the same bytes.
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
