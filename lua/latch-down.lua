-- Counts a latch down by one, once for each party and generation. Never goes below zero.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter   server time (µs) after which this request is void
-- ARGV[2] id         the party, hashed, or random for one of its own
-- ARGV[3] generation that is meant
-- ARGV[4] ttl        ms, of what is remembered
-- ARGV[5] retention  ms
-- REPLY left left#
-- REPLY lost
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include latch
--@include crowd
--@include wake

local member, meant = 'z' .. ARGV[2], tonumber(ARGV[3])
if taken('latch') then return { 'kind', now, kind } end
if not standing or meant < origin or meant > last then return { 'lost', now } end
-- The generation belongs to this chain, so it reached zero.
if meant < last then return { 'left', now, 0 } end

if left > 0 and redis.call('ZADD', crowd, 'NX', 0, member) == 1 then
  left, til = left - 1, math.max(til, now + ARGV[4] * MS)
  set_body()
  if left == 0 then wake_all() end
  local failure = failed(keep(redis.pcall)) or failed(save(redis.pcall))
  if failure then
    redis.call('ZREM', crowd, member)
    return failure
  end
end
return { 'left', now, left }
