-- defines: count_between many waiting behind
-- needs: now farthest
--@include bands
-- Counts the holds and waiters of a crowd, and the readers that wait for a writer to leave. `farthest` becomes the
-- latest end of all holds, including those in the record.
local function count_between(low, high)
  return redis.call('ZCOUNT', KEYS[2], low, high)
end
local many, waiting = count_between(now, LATEST), count_between(-LATEST, -now)
local behind = count_between(-READERS_END, -READERS - now)
if many > 0 then
  local ends = redis.call('ZREVRANGEBYSCORE', KEYS[2], LATEST, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  farthest = math.max(farthest, ends)
end
