-- Reads a name and changes nothing. The ids of live holds stay here; the body's meaning is its kind's.
--
-- KEYS[1] record
-- ARGV[1] kind of the name
-- REPLY free token#
-- REPLY live token# remaining# holds# held# body
-- REPLY kind kind

--@include record

local record = load()
local other = taken_by(record, ARGV[1])
if other then return { 'kind', now, other } end
if record.til <= now then return { 'free', now, record.token } end

local held, count = 0, 0
for _, ends in pairs(record.holds) do
  held, count = math.max(held, ends - now), count + 1
end
-- The mark keeps clients that parse whatever looks like JSON from doing so.
return { 'live', now, record.token, record.til - now, count, held, '=' .. record.body }
