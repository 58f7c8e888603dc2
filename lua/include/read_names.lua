-- defines: raws
-- Reads the records of several names that share a slot. MGET returns nil for a key of another type, and SET … GET
-- refuses to overwrite one.
local raws = redis.call('MGET', unpack(KEYS))
