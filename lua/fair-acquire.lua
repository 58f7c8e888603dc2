-- Grants a free lock to the first in the queue as a new tenure. Its owner gets one more hold without queueing, and an
-- id that already holds it the same answer again. Any other caller joins the queue or keeps its place, and is told when
-- to poll again. A waiter that has lost its place changes nothing; a ticket of 0 tells it to join again.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] owner     hash, or empty
-- ARGV[6] note      for people: label@holder, percent-encoded; empty for none
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] ticket    that the answer before gave; 0 joins the queue, -1 tries without
-- ARGV[9] grace     ms after which a waiter who is not back is dead
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# ahead# back# ticket#
-- REPLY not_reentrant remaining#
-- REPLY too_many_holds
-- REPLY closed
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include one
--@include crowd
local ours = 'fair'
--@include lock
--@include queue

local id, asker, ticket = ARGV[2], ARGV[5], tonumber(ARGV[8])
if taken(ours) then return { 'kind', now, kind } end
if outcome(id) then return { 'closed', now } end

local farthest, count = survey()
local left, age = math.max(farthest - now, 0), math.max(now - last, 0)
local ends = holds[id]
if not ends then
  if count > 0 and asker ~= '' and asker == owner then
    if ARGV[7] == '0' then return { 'not_reentrant', now, left } end
    if count == 64 then return { 'too_many_holds', now } end
  else
    local place, before_me, back = nil, 0, 0
    if ticket < 0 then
      before_me = waiters()
    else
      local list = redis.call('ZRANGEBYSCORE', crowd, -now, now, 'LIMIT', 0, 8)
      bury(list, id)
      place, before_me = place_of(id)
      if ticket > 0 and place ~= ticket then return { 'held', now, left, age, tenure, before_me, 1, 0 } end
      -- There may be more dead waiters: they are not waited for.
      back = #list == 8 and floor or back_in(before_me, tenure, age, left)
    end
    if count > 0 or before_me > 0 then
      if ticket >= 0 then
        if not place then
          place = math.max(queue + 1, now)
          queue = place
        end
        line_up(id, place, back, ARGV[9])
        set_body()
        keep()
        save()
      end
      return { 'held', now, left, age, tenure, before_me, back, place or 0 }
    end
  end
  if count == 0 then
    last, owner, note = math.max(last + 1, now), asker, ARGV[6]
  end
  ends = now + ARGV[3] * 1000
  holds[id], til, count = ends, math.max(til, ends), count + 1
  set_body()
  leave(id)
  save()
end
return { 'granted', now, last, ends - now, count }
