-- An owner's read holds, in the score of `o` .. owner: their number, and when the last of them ends (µs, whole ms). A hold that has
-- expired is among them until it is seen to be over; then its score says that it is not any more.
local function owned(score)
  local packed = (score or 8e15) - 8e15
  return packed % 256, math.floor(packed / 256) * 1000
end

local function owning(count, ends)
  return string.format('%.0f', 8e15 + math.floor(ends / 1000) * 256 + math.min(count, 255))
end

-- The score of a hold that was taken off its owner's account.
local function settled(ends)
  return 4e15 + math.floor(ends / 8) + ends % 1
end
