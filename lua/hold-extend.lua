-- Extends one hold. Never shortens it. A duration of 0 only checks that the hold is live.
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

local id, token, retention = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include ending

local ends = holds[id]
if not ends or last ~= token then
  if changed then save(redis.pcall) end
  return { 'lost', now, ending(id, token) }
end
local later = now + ARGV[4] * MS
if later > ends then
  ends = later
  holds[id], til = ends, math.max(til, ends)
  save()
end
return { 'extended', now, ends - now, select(2, survey()) }
