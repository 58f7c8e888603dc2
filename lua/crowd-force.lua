-- Releases a name with a crowd by force, and deletes what its kind remembers. Raises the token, so that fences refuse
-- the former holders. A duplicate changes nothing: the request's own ID is closed with the holds.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] kind      of the name
-- ARGV[4] retention ms
-- REPLY forced token# had#
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include close_all
--@include vacate
--@include crowd
--@include oust
--@include wake

local id, ours = ARGV[2], ARGV[3]
if taken(ours) then return { 'kind', now, kind } end

if not outcome(id) then
  -- A fair lock loses its holder, and the first in the queue is next. If it was free, the queue is removed.
  local line = ours == 'fair' and next(holds) and redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  local was_used, ousted = til > now, nil
  kind, last, til, body = ours, math.max(last + 1, now), line and -line or 0, line and body or ''
  -- A counter keeps the outcomes of its requests, so that no duplicate takes effect. A latch has only parties; ZCARD
  -- refuses a key of another type, which must not be removed.
  if ours == 'latch' then
    redis.call('ZCARD', crowd)
  else
    keep()
    ousted = not line and oust()
  end
  -- A waiter of a fair or a read-write lock is not a holder.
  local had = (was_used or ousted) and (ours ~= 'fair' and ours ~= 'rw' or next(holds) or ousted)
  close_all('F')
  close(id, had and 'F' or 'N')
  wake_all()
  vacate(true)
  -- Until the latch is reset in the record, no party may count again.
  if ours == 'latch' then redis.call('UNLINK', crowd) end
end
return { 'forced', now, last, outcome(id) == 'F' and 1 or 0 }
