-- A level written by hand: entries in any order, references by name, a single player.
return {
  ambient = { 0.25, 0.5, 0.75 },
  background = { 0.125, 0.25, 0.5 },
  gravity = 5,
  viewMode = "shaded",
  fog = { mode = "exponential", color = { 1, 0, 0 }, density = 0.125 },
  cameras = {
    { name = "Eye", follow = "Hero", mode = "third", distance = 6, active = true },
    { name = "Still", position = { 0, 2, 9 }, kind = "parallel", size = 5 },
    { name = "Watcher", position = { 5, 5, 5 }, target = "Guard" },
  },
  groups = {
    { name = "Lower", parent = "Upper", position = { 1, 0, 0 } },
    { name = "Upper", position = { 10, 0, 0 }, heading = 90 },
  },
  models = {
    { name = "Yard", model = "assets/yard.obj", collide = "mesh", objects = { Crate = { visible = false } } },
    { name = "Statue", model = "assets/man.md2", parent = "Lower", frame = 12 },
    { name = "Stick", model = "assets/stick.md2", parent = "Guard", attached = true },
  },
  lights = { { name = "Sun", kind = "directional", direction = { 0, -1, 0 }, color = { 1, 0.5, 0.25 } } },
  player = { name = "Hero", position = { 0, 0, 5 }, speed = 3 },
  npcs = { { name = "Guard", model = "assets/man.md2", position = { 3, 0, 0 }, animation = "run", health = 20 } },
}
