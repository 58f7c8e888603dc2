-- defines: raw
-- Reads the fence of a name, the script's first key.
local raw = redis.call('GET', KEYS[1])
--@include fenced
