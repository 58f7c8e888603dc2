-- Reads a name with its crowd and changes nothing: what record-inspect reads, and how many are in the crowd.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# left# body many# waiting# behind#
-- REPLY kind kind

local retention = 0
--@include clock
--@include one
--@include reading
-- The number of members with a score between these two.
local function between(low, high)
  return redis.call('ZCOUNT', KEYS[2], low, high)
end
local many, waiting, behind = between(now, 4e15), between(-4e15, -now), between(-9e15, -4.5e15 - now)
if many > 0 then
  local ends = redis.call('ZREVRANGEBYSCORE', KEYS[2], 4e15, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  farthest = math.max(farthest, ends)
end
return { 'live', now, last, til - now, count, math.max(farthest - now, 0), '=' .. body, many, waiting, behind }
