-- Grants the lock: a new tenure when it is free, one more hold of the same tenure to its owner, the same answer again to an id
-- that already holds it. A refusal says how long the lease in the way still runs, and what helps to guess when it will be released.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] owner     hash, or empty
-- ARGV[6] label     percent-encoded, or empty
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] waited    ms since the first poll
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# queue#
-- REPLY owned remaining#
-- REPLY full holds#
-- REPLY closed
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include record
--@include lock

local id, asker = ARGV[2], ARGV[5]
if taken('lock') then return { 'kind', now, kind } end
if outcome(id) then return { 'closed', now } end

local farthest, count = survey()
local ends = holds[id]
if not ends then
  if count > 0 then
    if asker == '' or asker ~= owner then
      return { 'held', now, farthest - now, math.max(now - last, 0), tenure, queue }
    end
    if ARGV[7] == '0' then return { 'owned', now, farthest - now } end
    if count == 64 then return { 'full', now, count } end
  else
    if til > 0 then
      local growth = (ARGV[8] * 1000 - queue) / 8
      queue = math.max(queue + math.min(growth, 3 * tenure) - (now - til), 0)
    end
    last = math.max(last + 1, now)
    owner, label = asker, ARGV[6]
    set_body()
  end
  ends = now + ARGV[3] * 1000
  holds[id], til, count = ends, math.max(farthest, ends), count + 1
  save(ARGV[4])
end
return { 'granted', now, last, ends - now, count }
