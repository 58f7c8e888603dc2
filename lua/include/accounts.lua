-- defines: owned owning settled
-- A reentry key's account of read holds, packed into the score of `o` .. reentry key: their number, and when the last
-- of them ends (µs, whole ms). An expired hold stays on the account until a script sees that it is over and gives it
-- the score `settled`.
local function owned(score)
  local packed = (score or 8e15) - 8e15
  return packed % 256, math.floor(packed / 256) * 1000
end

local function owning(count, ends)
  return string.format('%.0f', 8e15 + math.floor(ends / 1000) * 256 + math.min(count, 255))
end

-- The score of a hold that is over and off its reentry key's account.
local function settled(ends)
  return 4e15 + math.floor(ends / 8) + ends % 1
end
