-- defines: forced_score oust
-- The score of a hold that is ended by force now: half a µs before now, which marks it (see `lapsed`).
local function forced_score()
  return string.format('%.1f', now - 0.5)
end

-- Ends every hold in the crowd by force, and removes the waiters, places, re-entry keys and parties. The holds stay as
-- members, like expired ones, so that no late request revives one. This is the only step whose time grows with the
-- crowd; only force and steal use it. The caller keeps the crowd first: that works when memory is full, and after it
-- Redis accepts the writes of this script.
local function oust()
  local list = redis.call('ZRANGEBYSCORE', crowd, now + 1, LATEST)
  -- Without holds, the first removal may empty the crowd.
  local size = #list == 0 and redis.call('ZCARD', crowd)
  if redis.call('ZREMRANGEBYSCORE', crowd, -BEYOND, 0) ~= size then
    redis.call('ZREMRANGEBYSCORE', crowd, PLACES, BEYOND)
  end
  for from = 1, #list, CHUNK do
    local adds = {}
    for n = from, math.min(from + CHUNK - 1, #list) do
      table.insert(adds, forced_score())
      table.insert(adds, list[n])
    end
    redis.call('ZADD', crowd, unpack(adds))
  end
  return #list > 0
end
