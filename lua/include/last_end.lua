-- defines: last_end
-- needs: now crowd
--@include bands
-- Returns the end of the hold in the crowd that ends last, or 0. If the record was evicted, the crowd alone knows it:
-- its holds still count, so every script that then writes the crowd's TTL must cover it.
local function last_end()
  return tonumber(redis.call('ZREVRANGEBYSCORE', crowd, LATEST, now + 1, 'WITHSCORES', 'LIMIT', 0, 1)[2] or 0)
end
