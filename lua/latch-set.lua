-- Sets the count of a latch that was never set or has reached zero, which begins a new generation. Leaves any other
-- latch unchanged. A duplicate returns the first answer.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] count
-- ARGV[4] ttl       ms, of what is remembered
-- ARGV[5] retention ms
-- REPLY set
-- REPLY refused
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include latch
--@include close_all

local id, before = ARGV[2], outcome(ARGV[2])
if taken('latch') then return { 'kind', now, kind } end
if before == 'N' then return { 'refused', now } end
if before or holds[id] then return { 'set', now } end

if left > 0 then
  -- The refusal is remembered: no duplicate of this request may set the latch once zero is reached.
  close(id, 'N')
  save()
  return { 'refused', now }
end
-- What an earlier generation or another kind left. ZCARD refuses a key of another type, which must not be removed.
local parties = redis.call('ZCARD', KEYS[2])
close_all('S')
last = math.max(last + 1, now)
til = math.max(til, now + ARGV[4] * MS)
left, of, holds[id] = ARGV[3], ARGV[3], til
if not standing then origin = last end
set_body()
save()
-- It follows the record, whose write may be refused. A party that stayed could not count in this generation.
if parties > 0 then
  local removed = redis.pcall('UNLINK', KEYS[2])
  if type(removed) == 'table' then
    redis.call('SET', key, raw, 'KEEPTTL')
    return removed
  end
end
return { 'set', now }
