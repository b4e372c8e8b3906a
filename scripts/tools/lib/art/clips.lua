-- The clips that every Quake II player model has, in file order: name of the clip, stem of its frame names, frames.
local clips = {}

clips.STANDARD = {
  { "stand", "stand", 40 }, { "run", "run", 6 }, { "attack", "attack", 8 },
  { "pain1", "pain1", 4 }, { "pain2", "pain2", 4 }, { "pain3", "pain3", 4 },
  { "jump", "jump", 6 }, { "flip", "flip", 12 }, { "salute", "salute", 11 }, { "taunt", "taunt", 17 },
  { "wave", "wave", 11 }, { "point", "point", 12 }, { "crstand", "crstnd", 19 }, { "crwalk", "crwalk", 6 },
  { "crattack", "crattak", 9 }, { "crpain", "crpain", 4 }, { "crdeath", "crdeath", 5 },
  { "death1", "death1", 6 }, { "death2", "death2", 6 }, { "death3", "death3", 8 },
}

-- Frames as { name = "pain101", clip = "pain1", index = 0, count = 4 }, the first `limit` of them. `longer` gives clips
-- more frames than the standard has.
function clips.frames(limit, longer)
  local frames = {}
  for _, clip in ipairs(clips.STANDARD) do
    local count = clip[3] + (longer and longer[clip[1]] or 0)
    for index = 0, count - 1 do
      if #frames < limit then
        local name = ("%s%02d"):format(clip[2], index + 1)
        frames[#frames + 1] = { name = name, clip = clip[1], index = index, count = count }
      end
    end
  end
  return frames
end

return clips
