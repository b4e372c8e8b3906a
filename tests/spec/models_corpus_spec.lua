-- Models of real programs and broken ones, with answers worked out by programs of their own. Without the corpus the
-- tests are pending.
package.path = "tests/spec/support/?.lua;" .. package.path
local corpus = require "corpus"
local gltf_facts = require "gltf_facts"

--- What a refusal says for each kind of fault.
local WORDS = {
  E_TRUNCATED = "truncated",
  E_MAGIC = "magic",
  E_VERSION = "version",
  E_COUNT = "count",
  E_EMPTY = "expected some",
  E_FRAMESIZE = "frame size",
  E_OFFSET = "outside",
  E_INDEX = "index|faces can be used",
  E_NAN = "not finite",
  E_CHUNK_SIZE = "chunk length",
  E_CHUNK_OVERRUN = "past its parent",
  E_NAME = "not terminated",
}

local function near(expected, found, what)
  local is_near = math.abs(expected - found) <= 1e-5 * math.max(1, math.abs(expected))
  assert.is_true(is_near, ("%s: %.9g, expected %.9g"):format(what, found, expected))
end

local function near_box(expected, found, what)
  for corner = 1, 2 do
    for axis = 1, 3 do
      near(expected[corner][axis], found[corner][axis], ("%s, corner %d axis %d"):format(what, corner, axis))
    end
  end
end

local function sum(list, field)
  local total = 0
  for _, item in ipairs(list) do
    total = total + item[field]
  end
  return total
end

--- The box of a file's axes in those of the engine: (x, y, z) becomes (-y, z, -x).
local function md2_box(box)
  local low, high = box[1], box[2]
  return { { -high[2], low[3], -high[1] }, { -low[2], high[3], -low[1] } }
end

local function check_md2_clips(info, golden)
  assert.equal(#golden.animations_q2, #info.clips)
  for i, clip in ipairs(info.clips) do
    local name, first, last = table.unpack(golden.animations_q2[i])
    assert.equal((name:gsub("_$", "")), clip.name)
    assert.equal("vertex", clip.kind)
    assert.equal(last - first + 1, clip.frames)
    near(first / 10, clip.start, "start of " .. name)
    near((last + 1) / 10, clip["end"], "end of " .. name)
  end
end

local function check_md2(path, golden)
  local info = corpus.describe(path)
  assert.equal("md2", info.format)
  local mesh = info.meshes[1]
  assert.equal(golden.triangles, mesh.triangles)
  assert.equal(golden.unique_corners, mesh.vertices)
  assert.equal(golden.header.num_st > 0, mesh.uv)
  near_box(md2_box(golden.bbox_all), mesh.bounds, "all frames")
  for i, box in ipairs(golden.frame_bbox) do
    if type(box) == "table" and (i <= 2 or i == #golden.frame_bbox) then
      local frame = corpus.describe(path, "--frame " .. i - 1)
      near_box(md2_box(box), frame.meshes[1].bounds, "frame " .. i - 1)
    end
  end
  assert.same(golden.skins, info.skins)
  assert.same(golden.frame_names, info.frameNames)
  assert.equal(golden.vertices, info.source.vertices)
  assert.equal(golden.header.num_st, info.source.uvs)
  assert.equal(golden.header.skinwidth, info.source.skinWidth)
  assert.equal(golden.glcmds and golden.glcmds.triangles or 0, info.source.glcmdsTriangles)
  check_md2_clips(info, golden)
  -- With few frames or vertices the tables beside them are a larger part.
  if golden.frames >= 100 and info.bytes.file > 100000 then
    assert.is_true(info.bytes.resident <= 1.1 * info.bytes.file, info.bytes.resident .. " bytes are resident")
  end
end

--- The mesh of an object and group: a group's node is a child of its object's.
local function find_obj_mesh(info, object, group)
  if group == "default" then group = "" end
  local name = group ~= "" and group or object ~= "" and object or "default"
  for _, node in ipairs(info.nodes) do
    local parent = info.nodes[node.parent + 1]
    local parent_name = group ~= "" and object ~= "" and object or nil
    if node.name == name and (parent and parent.name) == parent_name then return info.meshes[node.mesh + 1] end
  end
end

local function check_obj_mesh(info, part)
  local what = ("object %q group %q material %q"):format(part.object, part.group, part.material or "none")
  local mesh = assert(find_obj_mesh(info, part.object, part.group), what .. " is missing")
  local found
  for _, submesh in ipairs(mesh.submeshes) do
    local name = info.materials[submesh.material + 1].name
    if name == (part.material or "default") then found = submesh end
  end
  assert(found, what .. " is missing")
  assert.equal(part.triangles, found.triangles, what)
  -- Where the file has no normals, flat faces share no corners.
  if #mesh.submeshes == 1 then
    if part.corners_without_normal == 0 then assert.equal(part.unique_corners, mesh.vertices, what) end
    assert.is_true(mesh.vertices >= part.unique_corners, what)
    near_box(part.bbox, mesh.bounds, what)
  end
end

local function check_materials(info, golden)
  local by_name = {}
  for _, material in ipairs(info.materials) do
    by_name[material.name] = material
  end
  for _, expected in ipairs(golden.materials) do
    local material = assert(by_name[expected.name], "no material " .. expected.name)
    for key, field in pairs { kd = "diffuse", ka = "ambient", ks = "specular", ke = "emissive" } do
      for i = 1, expected[key] and 3 or 0 do
        near(expected[key][i], material[field][i], expected.name .. " " .. field)
      end
    end
    near(expected.opacity, material.diffuse[4], expected.name .. " opacity")
    if expected.ns then near(expected.ns, material.shininess, expected.name .. " shininess") end
    local map = expected.maps and expected.maps.map_kd
    local file = map and map.file:gsub("\\", "/"):gsub("^%./", "")
    assert.equal(file, material.texture or nil)
  end
end

local function check_obj(path, golden)
  local info = corpus.describe(path)
  assert.equal("obj", info.format)
  assert.equal(golden.triangles, sum(info.meshes, "triangles"))
  assert.equal(golden.v, info.source.vertices)
  assert.equal(golden.vt, info.source.uvs)
  for _, part in ipairs(golden.meshes) do
    check_obj_mesh(info, part)
  end
  check_materials(info, golden)
end

--- The box of a file's axes in those of the engine: (x, y, z) becomes (x, z, -y).
local function tds_box(box)
  local low, high = box[1], box[2]
  return { { low[1], low[3], -high[2] }, { high[1], high[3], -low[2] } }
end

--- A matrix of three rows in the file's axes as the 16 numbers of the engine's.
local function tds_matrix(rows)
  local result = {}
  -- Row and column of the file for each of the engine's, and their signs.
  local from, signs = { 1, 3, 2, 4 }, { 1, 1, -1, 1 }
  for i = 1, 3 do
    for k = 1, 4 do
      table.insert(result, rows[from[i]][from[k]] * signs[i] * signs[k])
    end
  end
  return result
end

local function check_tds_mesh(mesh, golden)
  assert.equal(golden.split_vertices, mesh.vertices, golden.name)
  assert.equal(golden.faces, mesh.triangles, golden.name)
  assert.equal(type(golden.uvs) == "number", mesh.uv, golden.name)
  if type(golden.bbox) == "table" then near_box(tds_box(golden.bbox), mesh.bounds, golden.name) end
end

local function check_tds_materials(info, golden)
  for i, expected in ipairs(golden.materials) do
    local material = info.materials[i]
    assert.equal(expected.name, material.name)
    for _, field in ipairs { "diffuse", "ambient", "specular" } do
      for k = 1, expected[field] and 3 or 0 do
        near(expected[field][k], material[field][k], expected.name .. " " .. field)
      end
    end
    near(1 - (expected.transparency or 0), material.diffuse[4], expected.name .. " opacity")
    local map = expected.maps.texture1
    assert.equal(map and map.name, material.texture or nil)
  end
end

--- Places of all nodes at one time: within 1e-4 of the scene's size.
local function check_tds_places(path, golden, moment, size)
  local options = ("--time %.9g%s"):format(moment.time / 30, moment.mode == "linear" and " --linear-keys" or "")
  local info = corpus.describe(path, options)
  for _, expected in ipairs(moment.nodes) do
    local world = info.nodes[expected.index + 1].world
    for i, number in ipairs(tds_matrix(expected.world)) do
      local distance = math.abs(world[i] - number) / (i % 4 == 0 and size or 1)
      assert.is_true(distance <= 1e-4, ("%s of %s at %g, number %d: %g, expected %g"):format(
        expected.name, golden.keyframer.name, moment.time, i, world[i], number))
    end
  end
end

local function check_tds(path, golden)
  local info = corpus.describe(path)
  assert.equal("3ds", info.format)
  assert.equal(#golden.meshes, #info.meshes)
  assert.equal(#golden.lights, #info.lights)
  assert.equal(#golden.cameras, #info.cameras)
  local size = 1
  for i, mesh in ipairs(golden.meshes) do
    check_tds_mesh(info.meshes[i], mesh)
    for _, corner in ipairs(info.meshes[i].bounds) do
      size = math.max(size, math.abs(corner[1]), math.abs(corner[2]), math.abs(corner[3]))
    end
  end
  check_tds_materials(info, golden)
  for i, camera in ipairs(golden.cameras) do
    near(camera.fov_deg, info.cameras[i].fov, camera.name)
  end
  for _, moment in ipairs(golden.eval or {}) do
    if moment.mode ~= "lib3ds13" then check_tds_places(path, golden, moment, size) end
  end
end

--- What the file's own JSON says must be what comes out of it.
local function check_gltf(path)
  local document = gltf_facts.decode(corpus.read(path))
  local info = corpus.describe(path)
  assert.equal("gltf", info.format)
  assert.equal(gltf_facts.count_shown_nodes(document), #info.nodes)
  assert.equal(#document.meshes, #info.meshes)
  assert.equal(#(document.materials or {}), #info.materials)
  assert.equal(#(document.animations or {}), #info.clips)
  for i, mesh in ipairs(document.meshes) do
    local facts = gltf_facts.mesh(document, mesh)
    assert.equal(facts.triangles, info.meshes[i].triangles)
    assert.equal(facts.vertices, info.meshes[i].vertices)
    assert.equal(#(mesh.primitives[1].targets or {}), info.meshes[i].morphTargets)
    if facts.low then near_box({ facts.low, facts.high }, info.meshes[i].bounds, mesh.name or "mesh") end
  end
  for i, clip in ipairs(info.clips) do
    local first, last = gltf_facts.span(document, document.animations[i])
    assert.near(first, clip.start, 1e-5)
    assert.near(last, clip["end"], 1e-5)
  end
  local worlds = gltf_facts.worlds(document)
  for _, node in ipairs(info.nodes) do
    for i, number in ipairs(worlds[node.name]) do
      local row, column = (i - 1) % 4, (i - 1) // 4
      assert.near(number, node.world[4 * row + column + 1], 1e-4 * math.max(1, math.abs(number)), node.name)
    end
  end
end

--- Files that Khronos and others made to be refused.
local function check_bad_gltf(path)
  local info, is_good = corpus.describe(path)
  assert.is_false(is_good)
  assert.matches("^%S+: .+", info.error)
end

local CHECKS = { md2 = check_md2, obj = check_obj, ["3ds"] = check_tds }

local function check_verdict(path, verdict, word)
  local info, is_good = corpus.describe(path)
  assert.equal(verdict == "accept", is_good, info.error)
  if verdict == "accept" then
    assert.is_true(word == "" or corpus.has_warning(info, word), "no warning about " .. word)
    return
  end
  local place = path:match "%.obj$" and ":%d+: " or ": offset 0x%x+: "
  assert.matches("^%S+" .. place .. ".", info.error)
  local is_named = false
  for phrase in WORDS[word]:gmatch "[^|]+" do
    is_named = is_named or info.error:find(phrase, 1, true) ~= nil
  end
  assert.is_true(is_named, ("%s: %s"):format(word, info.error))
end

describe("corpus of models", function()
  local verdicts, missing = corpus.verdicts()
  if missing then
    pending("agrees with the golden answers: " .. missing)
    return
  end

  for _, format in ipairs { "md2", "obj", "3ds" } do
    for _, path in ipairs(corpus.list(format)) do
      it("agrees on " .. path:match "corpus/(.*)$", function()
        local golden = assert(corpus.golden(path), "no golden answer")
        if golden.error then
          check_verdict(path, "reject", golden.error)
        else
          CHECKS[format](path, golden)
        end
      end)
    end
  end

  for _, extension in ipairs { "gltf", "glb" } do
    for _, path in ipairs(corpus.list("gltf", extension)) do
      local is_bad = path:find "/gltf/bad/"
      it((is_bad and "refuses " or "agrees on ") .. path:match "corpus/(.*)$", function()
        (is_bad and check_bad_gltf or check_gltf)(path)
      end)
    end
  end

  for name, verdict, word in verdicts:gmatch "%f[^\n\0](%w+/[^\t\n]+)\t(%l+) ?([^\t\n]*)" do
    if CHECKS[name:match "^%w+"] then
      it(("%ss %s"):format(verdict, name), function()
        check_verdict(corpus.SHARED .. "/corpus/bad/" .. name, verdict, word)
      end)
    end
  end
end)
