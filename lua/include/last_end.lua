-- defines: last_end
-- needs: now crowd
--@include bands
-- Returns the end of the hold in the crowd that ends last, or 0. If the record was evicted, the crowd alone knows it:
-- its holds still count, so every script that then writes the crowd's TTL must cover it. `leaving` are members that the
-- caller will remove.
local function last_end(leaving)
  local skipped = {}
  for _, member in ipairs(leaving or {}) do
    skipped[member] = true
  end
  local most = #(leaving or {}) + 1
  local list = redis.call('ZREVRANGEBYSCORE', crowd, LATEST, now + 1, 'WITHSCORES', 'LIMIT', 0, most)
  for n = 1, #list, 2 do
    if not skipped[list[n]] then return tonumber(list[n + 1]) end
  end
  return 0
end
