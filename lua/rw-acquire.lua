-- Grants one side of a read-write lock. A new read phase has one token for all its readers, each writer has its own,
-- and a re-entry key that already holds a side keeps its token. A waiting writer that announces its next poll blocks
-- new readers until then. A reader that announces one while a writer holds the lock precedes the next writer. `listed` is 1 if a message will wake the
-- caller.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, the hash of its re-entry key, and a note for people if there is one: `id hash@note`
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] mode      read, write, or steal: write, and take it from its holders
-- ARGV[6] reentrant 1 or 0
-- ARGV[7] back      ms until its next poll at the latest; 0 announces nothing
-- ARGV[8] after     of a steal: token of the tenure that the same caller had under another ID; 0 for none
-- ARGV[9] listens  ms for which the caller listens for a message of the name; 0: not at all
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# back# placed# listed#
-- REPLY not_reentrant remaining#
-- REPLY too_many_holds
-- REPLY upgrade_refused
-- REPLY superseded reason
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining back=back grace=1000 class=mode placed=placed many=read

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include crowd
--@include accounts
--@include rw
--@include ended
--@include listen

local id, mode = ARGV[2], ARGV[5]
local own, asker, told = id:sub(1, ID_LENGTH), id:match('^([^@]*)@?(.*)$', ID_LENGTH + 1)
-- For a waiter, the note is part of its ID, so that a list can show who waits.
local waiter = own .. (told ~= '' and '@' .. told or '')
local ends, back = now + ARGV[3] * MS, ARGV[7] * MS
if taken('rw') then return { 'kind', now, kind } end
if mode == 'steal' then
  --@include ending
  --@include superseded
  local why = superseded(own, ARGV[8])
  if why then
    ended()
    return { 'superseded', now, why }
  end
end
if outcome(own) then return ended() end

-- The number of writers' holds, and the end of the last one. Readers' holds are in the crowd.
local farthest, writers = survey()
if holds[own] then return { 'granted', now, writing, holds[own] - now, writers } end
-- A free name has no live holds. If the record was lost, the name may be in use, as the crowd then shows.
local mine, busy = asker ~= '' and asker == reentry_key, til > now or kind == 'none'
local joins = writers > 0 and mine
-- Whether the crowd belongs to another kind that had the name before.
local stale = kind ~= 'rw' and kind ~= 'none'

--@include rw_expired

-- Refuses, and announces the next poll: a reader's with the letter `r`, a writer's with `w`, none without a letter. An
-- announced deadline never moves closer: by LT, or by its score, since LT would not settle holds. Without a call of
-- `look`, there are none to settle.
local function refuse(free_at, letter)
  local listed, is_changed = listen(own, ARGV[9], mode == 'read' and 'r' or 'w')
  if back > 0 and letter then
    local due = now + back + GRACE
    til = math.max(til, due)
    if letter == 'w' then queued = math.max(queued, due) end
    if gone[asker] > 0 then account(asker, scores[3]) end
    local announced = tonumber(scores[letter == 'r' and 2 or 4] or 0)
    local score = letter == 'r' and reader_score(due) or -due
    local adds = { string.format('%.0f', math.min(score, announced)), letter .. waiter }
    local failure = settle(#writes == 0 and 'LT' or nil, adds)
    if failure then return failure end
  elseif is_changed and failed(save(redis.pcall)) then
    listed = 0
  end
  return { 'held', now, free_at - now, math.max(now - last, 0), back, back > 0 and letter == 'r' and 1 or 0, listed }
end

if mode == 'read' then
  look()
  -- The end of this ID's hold, or the mark that it has ended; the deadline of its place as a reader.
  local mark, place = tonumber(scores[1] or 0), tonumber(scores[2] or 0)
  local counted, until_then = unpack_account(scores[3])
  counted = math.max(counted - gone[asker], 0)
  local read_until = (writers == 0 or joins) and last_end() or 0
  local phase = read_until > 0
  -- The number of the re-entry key's read holds, and whether it has any hold, including this ID's own and a writer's.
  local had = phase and until_then > now and counted or 0
  local again = mark > 0 or joins or had > 0
  local token = again and mine and writing > 0 and writing or reading
  if mark > 0 then
    if mark <= now or mark > SETTLED or token == 0 then return { 'closed', now } end
    return { 'granted', now, token, mark - now, math.max(had, 1) }
  end
  if again and ARGV[6] == '0' then return { 'not_reentrant', now, til - now } end
  if had >= MAX_HOLDS then return { 'too_many_holds', now } end
  if writers > 0 and not joins then
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', crowd, reader_score(now), -READERS, 'LIMIT', 0, math.max(SWEEP - #removals, 0))) do
      if member ~= 'r' .. waiter then table.insert(removals, member) end
    end
    return refuse(farthest, 'r')
  end
  if not again then
    if queued > now and place >= reader_score(now) then return refuse(til) end
    if not phase then reading = 0 end
    -- The caller no longer holds anything under its own token.
    if mine or not phase then writing = 0 end
    token = reading
  end
  if token == 0 then
    last = math.max(last + 1, now)
    token, reading = last, last
  end
  if place < 0 then table.insert(removals, 'r' .. waiter) end
  til = math.max(til, ends, read_until)
  forget_listener(own)
  local adds = { string.format('%.0f', ends), id }
  if asker ~= '' then
    adds[3], adds[4] = pack_account(counted + 1, math.max(until_then, ends)), 'o' .. asker
  end
  if told ~= '' then
    --@include requests
    table.insert(adds, granted_score(now))
    table.insert(adds, 't' .. own)
  end
  local failure = settle(nil, adds)
  if failure then
    -- The hold is rolled back, also from its re-entry key's account.
    redis.call('ZREM', crowd, id, 't' .. own)
    if asker ~= '' then redis.call('ZADD', crowd, pack_account(counted, until_then), 'o' .. asker) end
    return failure
  end
  return { 'granted', now, token, ends - now, had + 1 }
end

if mode == 'steal' then
  --@include close_all
  close_all('F')
  writers, queued = 0, 0
elseif writers > 0 then
  if not mine then
    if back > 0 then look() end
    return refuse(farthest, 'w')
  end
  if ARGV[6] == '0' then return { 'not_reentrant', now, farthest - now } end
  if writers == MAX_HOLDS then return { 'too_many_holds', now } end
elseif busy then
  local read_until = last_end()
  if read_until > 0 then
    til = math.max(til, read_until)
    look()
    local held, until_then = unpack_account(scores[3])
    if until_then > now and held > gone[asker] then return { 'upgrade_refused', now } end
    return refuse(read_until, 'w')
  end
  local ahead_until = ahead()
  if ahead_until > 0 then return refuse(ahead_until, 'w') end
end

if mode ~= 'steal' then unqueue(waiter) end
if writers == 0 then
  last = math.max(last + 1, now)
  writing, reading, reentry_key, note = last, 0, asker, told
end
holds[own], til = ends, math.max(til, ends)
forget_listener(own)
set_body()
if stale then
  redis.call('UNLINK', crowd)
elseif mode == 'steal' then
  --@include oust
  if busy then keep() end
  oust()
end
save()
if busy and not stale and mode ~= 'steal' then
  -- The lock is granted. What stays here counts until the announced poll is due.
  keep(redis.pcall)
  redis.pcall('ZREM', crowd, 'w' .. waiter)
end
return { 'granted', now, writing, ends - now, writers + 1 }
