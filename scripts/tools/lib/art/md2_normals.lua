-- The 162 directions that the normal byte of an MD2 file names: the corners of an icosahedron with its faces cut 4 x 4.
-- Their order is the format's own, so it is written down here: three letters a direction, each one of the lengths
-- below, negative where the letter is large.
local LENGTHS = {
  0, 0.147621, 0.162460, 0.238856, 0.262866, 0.295242, 0.309017, 0.425325, 0.442863, 0.5, 0.525731, 0.587785, 0.681718,
  0.688191, 0.716567, 0.809017, 0.850651, 0.864188, 0.951057, 0.955423, 1,
}
local LETTERS =
  "KaqIdrFatGjpCesaauaqkBombomakqgjpkaqfatidrcesMboPgjLhnQkaRidOmbNlhJpgDriHnlOmBJpGKqaaqKDrIatFEsCauaatfEscdri"
  .. "escjpgdrIesCjpGqkaombomBkqahnlridnlhpgjmbolhntfauaasceqKatFarIdsCepGjmBoqakriDpgJscEkaQmbOmBOqaKpGJrIDsCEboM"
  .. "gjPhnLidRlhNnlHBoMGjPakQKaQIdRFaTCeSaaUfaTceSIDRGJPCESaQKBOMbOMaKQgJPiDRcESdRIjPGhNLoMBnLHlHNaTFaUaeSCaQkaTf"
  .. "dRieScjPgoMbkQaDRIJPGESCQKaOMBOMbKQaJPgDRiEScRIdPGjNLhMBoIDrLHnGJpBOmHNlCEsiDrcEsgJpbOmaKqhNllHnnLhTfaSceUaa"
  .. "QakTFaSCeRiDScEPgJRIDSCEPGJMbOMBOQaKNlHLhNHnLHNLLHNNLH"

-- A direction as near as another by less than this keeps the lower number, so that symmetric shapes do not waver.
local TIE = 1e-7

local normals = {}

local xs, ys, zs = {}, {}, {}
for i = 0, #LETTERS // 3 - 1 do
  local direction = {}
  for axis = 1, 3 do
    local letter = LETTERS:sub(i * 3 + axis, i * 3 + axis)
    local length = LENGTHS[letter:lower():byte() - ("a"):byte() + 1]
    direction[axis] = letter:match "%l" and length or -length
  end
  xs[i], ys[i], zs[i] = direction[1], direction[2], direction[3]
end

-- The number, from 0, of the direction nearest to a unit vector.
function normals.nearest(x, y, z)
  local best, bestDot = 0, -2
  for i = 0, #xs do
    local dot = xs[i] * x + ys[i] * y + zs[i] * z
    if dot > bestDot + TIE then best, bestDot = i, dot end
  end
  return best
end

return normals
