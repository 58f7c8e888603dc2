-- defines: oust
-- Ends every hold in the crowd and removes the waiters, places, reentry keys and parties. The holds stay as members, as
-- expired ones do, so that no late request brings one back. This is the only step whose time grows with the crowd; only
-- force and steal take it.
local function oust()
  local list = redis.call('ZRANGEBYSCORE', crowd, now + 1, 4e15)
  -- Removals come first: they work when memory is full, and after them Redis accepts the writes of this script.
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
