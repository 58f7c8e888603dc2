-- Reads a name and changes nothing. The ids of live holds stay here; the body's meaning is its kind's.
--
-- KEYS[1] record
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# body
-- REPLY kind kind

--@include clock
--@include record

if taken(ARGV[1]) then return { 'kind', now, kind } end
if til <= now then return { 'free', now, last } end

local _, count = survey()
-- The mark keeps clients that parse whatever looks like JSON from doing so.
return { 'live', now, last, til - now, count, '=' .. body }
