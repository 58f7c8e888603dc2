-- defines: last_end_besides
-- needs: now crowd
--@include bands
-- Returns what `last_end` returns once the given members are removed.
local function last_end_besides(leaving)
  local leaves = {}
  for _, member in ipairs(leaving) do
    leaves[member] = true
  end
  local list = redis.call('ZREVRANGEBYSCORE', crowd, LATEST, now + 1, 'WITHSCORES', 'LIMIT', 0, #leaving + 1)
  for n = 1, #list, 2 do
    if not leaves[list[n]] then return tonumber(list[n + 1]) end
  end
  return 0
end
