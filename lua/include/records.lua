-- defines: raws
-- Reads the records of all names; they share a slot. MGET gives nil for a key of another type, and SET … GET refuses to
-- overwrite one.
local raws = redis.call('MGET', unpack(KEYS))
