-- defines: key raw
-- Reads the record of the script's only name.
local key = KEYS[1]
local raw = redis.call('GET', key)
--@include record
