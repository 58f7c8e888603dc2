-- The records of all names, which share a slot. MGET gives nothing for a key of another type; SET … GET refuses to write over one.
local raws = redis.call('MGET', unpack(KEYS))
