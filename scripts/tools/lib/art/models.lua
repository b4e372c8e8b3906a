-- The models of the sample game with their skins, as files by name.
local animation = require "lib.art.animation"
local clips = require "lib.art.clips"
local md2 = require "lib.art.md2"
local knightMesh = require "lib.art.knight_mesh"
local knightBody = require "lib.art.knight_body"
local knightClips = require "lib.art.knight_clips"
local knightSkin = require "lib.art.knight_skin"
local centaurMesh = require "lib.art.centaur_mesh"
local centaurBody = require "lib.art.centaur_body"
local centaurClips = require "lib.art.centaur_clips"
local centaurSkin = require "lib.art.centaur_skin"
local weapons = require "lib.art.weapons"
local weaponSkin = require "lib.art.weapon_skin"

local models = {}

function models.makeKnight(write)
  local mesh = knightMesh.build()
  local frames = animation.run(clips.frames(knightMesh.FRAME_COUNT), knightClips, knightBody, mesh)
  write("models/knight.md2", md2.encode { mesh = mesh, skinSize = knightMesh.SKIN_SIZE, frames = frames,
    skins = { "models/knight.png", "models/knight_evil.png" } })
  local skins = knightSkin.paint(mesh)
  write("models/knight.png", skins.knight)
  write("models/knight_evil.png", skins.knight_evil)
end

function models.makeCentaur(write)
  local mesh = centaurMesh.build()
  local list = clips.frames(centaurMesh.FRAME_COUNT, centaurMesh.LONGER_CLIPS)
  local frames = animation.run(list, centaurClips, centaurBody, mesh)
  write("models/centaur.md2", md2.encode { mesh = mesh, skinSize = centaurMesh.SKIN_SIZE, frames = frames,
    skins = { "models/centaur.png" } })
  write("models/centaur.png", centaurSkin.paint(mesh))
end

function models.makeWeapons(write)
  local knight = animation.run(clips.frames(weapons.FRAME_COUNT), knightClips, knightBody, knightMesh.build())
  local axe, sword = weapons.buildAxe(), weapons.buildSword()
  write("models/axe.md2", md2.encode { mesh = axe, skinSize = weapons.SKIN_SIZE, skins = { "models/axe.png" },
    frames = weapons.frames(axe, knight) })
  write("models/axe.png", weaponSkin.paintAxe(axe))
  write("models/weapon.md2", md2.encode { mesh = sword, skinSize = weapons.SKIN_SIZE, skins = { "models/weapon.png" },
    frames = weapons.frames(sword, knight) })
  write("models/weapon.png", weaponSkin.paintSword(sword))
end

return models
