-- Reads a name and changes nothing. The ids of live holds stay here; the body's meaning is its kind's. What
-- remains is the time that the name is of this kind, what is left that of the longest hold.
--
-- KEYS[1] record
-- KEYS[2] crowd  only of kinds that have one
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# body many# waiting# behind# left#
-- REPLY kind kind

local retention = 0
--@include clock
--@include one

if taken(ARGV[1]) then return { 'kind', now, kind } end
if til <= now then return { 'free', now, last } end

-- How many of the crowd have a score between these two.
local function between(low, high)
  return KEYS[2] and redis.call('ZCOUNT', KEYS[2], low, high) or 0
end
local farthest, count = survey()
local many, waiting, behind = between(now, 4e15), between(-4e15, -now), between(-9e15, -4.5e15 - now)
if many > 0 then
  local ends = redis.call('ZREVRANGEBYSCORE', KEYS[2], 4e15, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  farthest = math.max(farthest, ends)
end
-- The mark keeps clients that parse whatever looks like JSON from doing so.
return { 'live', now, last, til - now, count, '=' .. body, many, waiting, behind, math.max(farthest - now, 0) }
