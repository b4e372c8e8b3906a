-- The order in which the parts of the runtime may depend on each other, and who may include what from outside. The lint
-- "includes" holds the code to it; a new file in engine/ gets its place here.
return {
  -- Folders of runtime/ from left to right: a file includes from its own folder and from those to its left. "" is the
  -- base, runtime/ itself, but for the files at the very top, which run games (app) and tools (main).
  folders = { "", "skin", "loaders", "engine", "bindings" },
  top = "app main debug_view error_screen tools",

  -- Inside engine/, from the lowest up. A name stands for its files and for those that continue it with "_": world is
  -- world.c, world.h, world_step.c. A file includes headers of its own line and of those above it in this list.
  engine = {
    "ray sweep",
    "bvh",
    "collider",
    "mover",
    "gpu",
    "render mesh shaders texture frustum camera view",
    "overlay font text_layout",
    "input",
    "scene",
    "skin_path",
    "preload",
    "model_cache",
    "assets",
    "animation",
    "world query pose state_hash",
    "goal",
    "character",
  },

  -- The one door of each third-party API: a pattern of headers, the only files that include them.
  doors = {
    { header = "^lua%.h$", only = "^runtime/bindings/" },
    { header = "^lauxlib%.h$", only = "^runtime/bindings/" },
    { header = "^lualib%.h$", only = "^runtime/bindings/" },
    { header = "^GLES", only = "^runtime/engine/gpu[%w_]*%.c$" },
    { header = "^KHR/", only = "^runtime/engine/gpu[%w_]*%.c$" },
    { header = "^EGL/", only = "^runtime/platform[%w_]*%.c$" },
    { header = "^SDL", only = "^runtime/platform[%w_]*%.c$" },
    { header = "^physfs%.h$", only = "^runtime/files[%w_]*%.c$" },
    { header = "^AL/", only = "^runtime/engine/sound[%w_]*%.c$" },
    { header = "^png%.h$", only = "^runtime/loaders/image[%w_]*%.c$" },
    { header = "^jpeglib%.h$", only = "^runtime/loaders/image[%w_]*%.c$" },
    { header = "^gif_lib%.h$", only = "^runtime/loaders/image[%w_]*%.c$" },
    { header = "^cjson/", only = "^runtime/loaders/gltf/" },
  },
}
