-- Reads a name without its crowd and changes nothing. It gives no ids of holds, since an id proves ownership.
-- `remaining` is how long the name still belongs to this kind, `left` how long the longest hold still runs.
--
-- KEYS[1] record
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# left# body
-- REPLY kind kind

local retention = 0
--@include clock
--@include one
--@include reading
-- The mark keeps clients from parsing a body that looks like JSON.
return { 'live', now, last, til - now, count, math.max(farthest - now, 0), '=' .. body }
