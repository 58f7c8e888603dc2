-- Grants the lock. If it is free, a new tenure begins. The holder's re-entry key gets one more hold, and an ID that
-- already holds the lock gets the same answer. A refusal returns the remaining time of the blocking lease and the
-- averages by which a waiter times its polls; `listed` is 1 if a message will wake the caller. `clockRead` is 0 if the
-- server refused without reading its clock; then `now` is `asked`.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] reentryKey hash, or empty
-- ARGV[6] note      for people: label@holder, percent-encoded; empty for none
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] waited    ms since the first poll
-- ARGV[9] asked     server time (µs) as the sender knows it from an earlier poll; empty to have the clock read
-- ARGV[10] listens  ms for which the caller listens for a message of the name; 0: not at all
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# queue# clockRead# listed#
-- REPLY not_reentrant remaining#
-- REPLY too_many_holds
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining waited=waited clock=asked joins=reentryKey

--@include numbers
local retention = tonumber(ARGV[4])
local ours = 'lock'
local id, asker = ARGV[2], ARGV[5]
local key = KEYS[1]
local raw = redis.call('GET', key)

-- If another client's hold ends after this request is void, then at every time either that hold is live or this request
-- has expired. Neither can grant, so the answer needs no clock. An ID that the record knows has another answer, and so
-- may a re-entry key.
local void, asked = ARGV[1] + 0, tonumber(ARGV[9])
if asked and asked < void and asker == '' and raw then
  local began, at = raw:match('^lock 1 (%d+) %d+ ()')
  -- A plain search skips the closed IDs faster than a pattern does.
  local gap = at and raw:find(' ', at, true) or #raw
  local ends, usual, waits = raw:match('^[^:]+:(%d+),%S* .- (%d+) (%d+)$', gap + 1)
  if ARGV[10] == '0' and (ends or 0) - void > 0 and not raw:find(id:sub(TAIL_START), 1, true) then
    local now = asked
    return { 'held', now, ends - asked, asked - began, usual + 0, waits + 0, 0, 0 }
  end
end
--@include fresh
--@include record
--@include ended
--@include lock
--@include waited
--@include listen
--@include failed

if taken(ours) then return { 'kind', now, kind } end
if outcome(id) then return ended() end

local farthest, count = survey()
local ends = holds[id]
if not ends then
  if count == 0 then
    usual_wait(ARGV[8] * MS)
    last, reentry_key, note = math.max(last + 1, now), asker, ARGV[6]
    set_body()
  elseif asker == '' or asker ~= reentry_key then
    local listed, is_changed = listen(id, ARGV[10], 'w')
    if is_changed and failed(save(redis.pcall)) then listed = 0 end
    return { 'held', now, farthest - now, math.max(now - last, 0), tenure, queue, 1, listed }
  elseif ARGV[7] == '0' then
    return { 'not_reentrant', now, farthest - now }
  elseif count == MAX_HOLDS then
    return { 'too_many_holds', now }
  end
  forget_listener(id)
  count, ends = count + 1, now + ARGV[3] * MS
  holds[id], til = ends, math.max(farthest, ends)
  save()
end
return { 'granted', now, last, ends - now, count }
