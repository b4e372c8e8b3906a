-- Joints, and meshes that follow them. At rest all joints stand unturned at their place, so a joint's motion is all
-- that is needed to move what hangs on it.
local rigid = require "lib.art.rigid"

local skeleton = {}
skeleton.__index = skeleton

-- "leftElbow" -> "rightElbow"
function skeleton.toRight(name)
  return (name:gsub("^left", "right"))
end

-- Adds to a list of joints those of the left side, each followed by its mirror image on the right.
function skeleton.addSides(joints, leftJoints)
  for _, joint in ipairs(leftJoints) do
    local name, parent, x, y, z = table.unpack(joint)
    table.insert(joints, joint)
    table.insert(joints, { skeleton.toRight(name), skeleton.toRight(parent), x, -y, z })
  end
end

-- `joints` is a list of { name, parent or nil, x, y, z }, parents first.
function skeleton.new(joints)
  local self = setmetatable({ joints = joints, byName = {} }, skeleton)
  for _, joint in ipairs(joints) do self.byName[joint[1]] = joint end
  return self
end

function skeleton:place(name)
  local joint = self.byName[name]
  return { joint[3], joint[4], joint[5] }
end

-- Where a joint is when its parent moves as given.
function skeleton:origin(name, parentMotion)
  local joint = self.byName[name]
  return { rigid.apply(parentMotion, joint[3], joint[4], joint[5]) }
end

-- The motion of points near a joint that is turned by `rotation` and has come to `position`.
function skeleton:motionAt(name, rotation, position)
  local joint = self.byName[name]
  local x, y, z = rigid.apply(rotation, joint[3], joint[4], joint[5])
  local m = { table.unpack(rotation) }
  m[10], m[11], m[12] = position[1] - x, position[2] - y, position[3] - z
  return m
end

-- The motion of a joint turned by `rotation` within its parent.
function skeleton:turn(name, rotation, parentMotion)
  local turned = rigid.multiply({ parentMotion[1], parentMotion[2], parentMotion[3], parentMotion[4], parentMotion[5],
    parentMotion[6], parentMotion[7], parentMotion[8], parentMotion[9], 0, 0, 0 }, rotation)
  return self:motionAt(name, turned, self:origin(name, parentMotion))
end

-- Bends a limb of two bones (upper, lower, end joint) so that its end reaches `target`, its middle joint pointing to
-- `hint`, which is `restHint` at rest. Returns the motions of both bones and where the end came to: a limb that is too
-- short stretches out straight.
function skeleton:reach(upper, lower, finish, parentMotion, target, hint, restHint)
  local restUpper = rigid.subtract(self:place(lower), self:place(upper))
  local restLower = rigid.subtract(self:place(finish), self:place(lower))
  local a, b = rigid.length(restUpper), rigid.length(restLower)
  local start = self:origin(upper, parentMotion)
  local way = rigid.subtract(target, start)
  local distance = math.max(math.min(rigid.length(way), (a + b) * 0.999), math.abs(a - b) * 1.05 + 0.1)
  way = rigid.normalize(way)
  local side = rigid.normalize(rigid.along(hint, way, -rigid.dot(hint, way)))
  local along = (a * a - b * b + distance * distance) / (2 * distance)
  local aside = math.sqrt(math.max(a * a - along * along, 0))
  local middle = rigid.along(rigid.along(start, way, along), side, aside)
  local finishAt = rigid.along(start, way, distance)
  local function boneMotion(name, rest, from, to)
    local restFrame = rigid.frame(rest, restHint)
    local frame = rigid.frame(rigid.subtract(to, from), rigid.along(hint, way, -rigid.dot(hint, way)))
    return self:motionAt(name, rigid.multiply(frame, rigid.transpose(restFrame)), from)
  end
  return boneMotion(upper, restUpper, start, middle), boneMotion(lower, restLower, middle, finishAt), finishAt
end

-- The positions of a mesh whose joints move as given.
function skeleton.deform(mesh, motions)
  local positions = {}
  for v, position in ipairs(mesh.positions) do
    local px, py, pz = position[1], position[2], position[3]
    local weights, sx, sy, sz = mesh.weights[v], 0, 0, 0
    for i = 1, #weights, 2 do
      local x, y, z = rigid.apply(motions[weights[i]], px, py, pz)
      local share = weights[i + 1]
      sx, sy, sz = sx + x * share, sy + y * share, sz + z * share
    end
    positions[v] = { sx, sy, sz }
  end
  return positions
end

return skeleton
