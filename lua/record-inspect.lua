-- Reads a name without its crowd. Changes nothing. Returns no ID of a hold, since an ID proves ownership. `remaining`
-- is the time until the name no longer belongs to this kind, `left` the time until its last hold ends.
--
-- KEYS[1] record
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# left# body
-- REPLY kind kind

local retention = 0
--@include clock
--@include read_name
--@include reading
-- The mark keeps clients from parsing a body that looks like JSON.
return { 'live', now, last, til - now, count, math.max(farthest - now, 0), '=' .. body }
