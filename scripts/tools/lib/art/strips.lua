-- Sorts triangles into strips and fans, the drawing commands of an MD2 file. The commands give exactly the triangles
-- that came in, each once and with its winding.
local strips = {}

-- Names a corner, a vertex with its texture coordinate, by one number.
local function corner(triangle, i)
  return triangle[i] << 16 | triangle[i + 3]
end

-- Which triangles have the edge from one corner to the next: edges[from][to] = list of { triangle, third corner }.
local function collectEdges(triangles)
  local edges = {}
  for t, triangle in ipairs(triangles) do
    for i = 1, 3 do
      local from, to = corner(triangle, i), corner(triangle, i % 3 + 1)
      edges[from] = edges[from] or {}
      edges[from][to] = edges[from][to] or {}
      table.insert(edges[from][to], { t, corner(triangle, (i + 1) % 3 + 1) })
    end
  end
  return edges
end

local function unusedAcross(edges, from, to, used, own)
  for _, entry in ipairs(edges[from] and edges[from][to] or {}) do
    if not used[entry[1]] and not own[entry[1]] then return entry[1], entry[2] end
  end
end

-- The longest run that starts with this triangle turned to its corner `first`: corners and triangles.
local function grow(triangles, edges, used, t, first, isStrip)
  local corners, members, own = {}, { t }, { [t] = true }
  for i = 0, 2 do corners[i + 1] = corner(triangles[t], (first + i - 1) % 3 + 1) end
  while true do
    local last, before = corners[#corners], corners[#corners - 1]
    local from, to
    if not isStrip then
      from, to = corners[1], last
    elseif #corners % 2 == 1 then
      from, to = last, before
    else
      from, to = before, last
    end
    local nextTriangle, third = unusedAcross(edges, from, to, used, own)
    if not nextTriangle then return corners, members end
    own[nextTriangle] = true
    corners[#corners + 1], members[#members + 1] = third, nextTriangle
  end
end

-- Triangles are {a, b, c, stA, stB, stC}. Returns a list of { strip = boolean, {vertex, st}... }.
function strips.make(triangles)
  local edges, used, commands = collectEdges(triangles), {}, {}
  for t = 1, #triangles do
    if not used[t] then
      local best, bestMembers, bestIsStrip = nil, {}, nil
      for _, isStrip in ipairs { true, false } do
        for first = 1, 3 do
          local corners, members = grow(triangles, edges, used, t, first, isStrip)
          if #members > #bestMembers then best, bestMembers, bestIsStrip = corners, members, isStrip end
        end
      end
      local command = { strip = bestIsStrip }
      for i, name in ipairs(best) do command[i] = { name >> 16, name & 0xFFFF } end
      for _, member in ipairs(bestMembers) do used[member] = true end
      commands[#commands + 1] = command
    end
  end
  return commands
end

return strips
