-- What there may be many of stands in a sorted set next to the record, the crowd, so that nothing grows with their number but the
-- logarithm. Its members by score, in µs and in bands that do not touch:
--
--   until             a hold: `id` of a reader (followed by the hash of its owner), `id#n` of a permit
--   -deadline         `w` .. id, a waiter who said when it would be back at the latest
--   -deadline - 4.5e15  `r` .. id, a reader who waits for a writer to leave
--   place + 4.5e15    `p` .. id, the place of a waiter in the queue
--   count + 8e15      `o` .. owner, how many read holds an owner has
--   0                 `z` .. party, who has counted down the present generation of a latch
--   beyond 1e18       `t` .. id and `n` .. id, what a semaphore remembers of a request: see include/semaphore.lua
--
-- A hold or a waiter whose time is over stays until a script takes it out, at most so many at a time; nobody counts it any more.
local crowd = KEYS[2]

-- Those whose time is over, for the caller to take out. Their ids are closed, as those of expired holds in the record are.
local function dead(limit)
  local list = redis.call('ZRANGEBYSCORE', crowd, -now, now, 'LIMIT', 0, limit)
  -- Not more than half of what the record remembers: the others there are over for other reasons.
  for n = 1, math.min(#list, 8) do
    local id = list[n]:match('^%x.+') and list[n]:sub(1, 36)
    if id and not outcome(id) then close(id, 'e') end
  end
  return list
end

-- The members of a hold: its id, or one for each permit; `id#3` has three.
local function members(id)
  local own, permits = id:match('^(.+)#(%d+)$')
  local list = { not own and id or nil }
  for n = 1, math.min(permits or 0, 1000) do
    list[n] = own .. '#' .. n
  end
  return list
end

-- Both keys of the name live equally long.
local function keep(retention)
  redis.call('PEXPIRE', crowd, ttl(retention))
end
