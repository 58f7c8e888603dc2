-- Takes the name from whoever has it and forgets what its kind remembers; the token moves on, so that the former holder's writes
-- can be refused. Sent twice it works once: its own id is closed with the holds.
--
-- KEYS[1] record
-- KEYS[2] crowd  only of kinds that have one
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] kind      of the name
-- ARGV[4] retention ms
-- REPLY forced token# had#
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include one
--@include vacate

local id, ours, crowd = ARGV[2], ARGV[3], KEYS[2]
if taken(ours) then return { 'kind', now, kind } end

if not outcome(id) then
  local list = crowd and redis.call('ZRANGEBYSCORE', crowd, now, 4e15, 'LIMIT', 0, 15) or {}
  -- Those who wait for a fair or a read-write lock do not have it.
  local had = til > now and (ours ~= 'fair' and ours ~= 'rw' or next(holds) or #list > 0)
  -- Of a large crowd not all can be told why; that somebody took it they all find by the token.
  for _, hold in ipairs(list) do
    if not outcome(hold:sub(1, 36)) then close(hold:sub(1, 36), 'f') end
  end
  for hold in pairs(holds) do
    close(hold, 'f')
  end
  close(id, had and 'f' or 'n')
  -- Of a fair lock only the holder goes, and the first in the queue is next; if nobody held it, the queue goes.
  local line = had and ours == 'fair' and redis.call('ZRANGEBYSCORE', crowd, -4e15, -now, 'LIMIT', 0, 1, 'WITHSCORES')[2]
  kind, last, til, body = ours, math.max(last + 1, now), line and -line or 0, line and body or ''
  vacate(ARGV[4])
  -- What a counter's requests did stays known: they must not do it again.
  if ours == 'counter' then
    redis.call('PEXPIRE', crowd, ARGV[4])
  elseif crowd and not line then
    redis.call('UNLINK', crowd)
  end
end
return { 'forced', now, last, outcome(id) == 'f' and 1 or 0 }
