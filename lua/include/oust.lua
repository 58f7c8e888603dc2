-- Empties the crowd of waiters, places, owners and parties, and ends every hold in it. The holds stay, as those that have expired do,
-- so that no late request brings one back. The one thing here that takes longer the larger the crowd is: only force and steal do it.
local function oust()
  local list = redis.call('ZRANGEBYSCORE', crowd, now + 1, 4e15)
  -- First, since taking out works when memory is full, and lets the writes behind it through.
  redis.call('ZREMRANGEBYSCORE', crowd, -1e16, 0)
  redis.call('ZREMRANGEBYSCORE', crowd, 4.5e15, 1e16)
  for from = 1, #list, 2000 do
    local adds = {}
    for n = from, math.min(from + 1999, #list) do
      table.insert(adds, string.format('%.1f', now - 0.5))
      table.insert(adds, list[n])
    end
    redis.call('ZADD', crowd, unpack(adds))
  end
  return #list > 0
end
