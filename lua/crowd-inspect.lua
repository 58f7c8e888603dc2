-- Reads a name that has a crowd. Changes nothing. Returns what record-inspect returns and the numbers of members in the
-- crowd.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# left# body many# waiting# behind#
-- REPLY kind kind

local retention = 0
--@include clock
--@include read_name
--@include reading
--@include count_crowd
return { 'live', now, last, til - now, count, math.max(farthest - now, 0), '=' .. body, many, waiting, behind }
