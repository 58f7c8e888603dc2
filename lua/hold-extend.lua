-- Moves the end of one hold further away, never nearer; with a duration of 0 it only asks whether the hold is still alive.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] token     of the hold
-- ARGV[4] duration  ms from now
-- ARGV[5] retention ms
-- REPLY extended remaining# holds#
-- REPLY lost reason
-- REPLY late

--@include record
--@include fresh
--@include ending

local id, token = ARGV[2], tonumber(ARGV[3])
local record = load()
local ends = record.holds[id]
if not ends or record.token ~= token then
  if record.changed then save(record, ARGV[5], redis.pcall) end
  return { 'lost', now, ending(record, id, token) }
end

local later = now + ARGV[4] * 1000
if later > ends then
  ends = later
  record.holds[id], record.til = ends, math.max(record.til, ends)
  save(record, ARGV[5])
end
local count = 0
for _ in pairs(record.holds) do
  count = count + 1
end
return { 'extended', now, ends - now, count }
