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

--@include fresh
--@include record
--@include ending

local id, token = ARGV[2], tonumber(ARGV[3])
local ends = holds[id]
if not ends or last ~= token then
  if changed then save(ARGV[5], redis.pcall) end
  return { 'lost', now, ending(id, token) }
end

local later = now + ARGV[4] * 1000
if later > ends then
  ends = later
  holds[id], til = ends, math.max(til, ends)
  save(ARGV[5])
end
local _, count = survey()
return { 'extended', now, ends - now, count }
