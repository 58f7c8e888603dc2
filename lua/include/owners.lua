-- An owner's read holds, in the score of `o` .. owner: their number, and when the last of them ends (ms). So whether the owner reads is
-- known although those of its holds that died are still in the crowd; their number may then be too large.
local function owned(score)
  local packed = (score or 8e15) - 8e15
  local ends = math.floor(packed / 128) * 1000
  if ends <= now then return 0, 0 end
  return packed % 128, ends
end

local function owning(count, ends)
  return string.format('%.0f', 8e15 + math.floor(ends / 1000) * 128 + count)
end
