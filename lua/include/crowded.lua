-- defines: between many waiting behind
-- needs: now farthest
-- How many are in the crowd of a name, and the latest end of its holds with theirs.
-- The number of members with a score between these two.
local function between(low, high)
  return redis.call('ZCOUNT', KEYS[2], low, high)
end
local many, waiting, behind = between(now, 4e15), between(-4e15, -now), between(-9e15, -4.5e15 - now)
if many > 0 then
  local ends = redis.call('ZREVRANGEBYSCORE', KEYS[2], 4e15, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  farthest = math.max(farthest, ends)
end
