-- Grants the number of permits in the ID, all or none, under one token, to the first waiter in the queue. An ID that
-- has them gets the same answer. Any other caller joins the queue or keeps its place. Its answer has the time of its
-- next poll, the time until the next permit is free (0 if unknown), and the note of its holder. A waiter that has lost
-- its place changes nothing: the ticket 0 means that it must join again. `short` means that there are fewer permits in
-- all, so that waiting is useless. `listed` is 1 if a message will wake the caller when its turn comes.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, how many permits, and a note for people if there is one: `id#n@note`
-- ARGV[3] lease     ms
-- ARGV[4] permits   how many there are, unless a number was set; empty for none
-- ARGV[5] ttl       ms, of the number that was set
-- ARGV[6] retention ms
-- ARGV[7] ticket    from the previous answer; 0 joins the queue, -1 tries without joining
-- ARGV[8] grace     ms by which a waiter may be late for its poll
-- ARGV[9] listens  ms for which the caller listens for a message of the name; 0: not at all
-- ARGV[10] ownPace 1 if the caller polls at a pace of its own: then it keeps its place for longer
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# ahead# back# ticket# note listed#
-- REPLY short permits#
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining back=back grace=grace ticket=ticket many=permits

local retention = tonumber(ARGV[6])
--@include fresh
--@include read_name
--@include crowd
--@include members
--@include semaphore
--@include wake
--@include wake_head
--@include permits
--@include queue
-- The number of dead waiters that one call removes. The assumed spread of holds, as one part in this many.
local BURY_AT_ONCE = 8
local SPREAD_PART = 4

local id, ticket = ARGV[2], tonumber(ARGV[7])
local own, wanted = id:sub(1, ID_LENGTH), tonumber(id:match('^%d+', ID_LENGTH + 2)) or 1
if taken('semaphore') then return { 'kind', now, kind } end
-- In the queue, the note is part of the ID, so that a list can show who waits.
local waiter = own .. (id:match('@.*') or '')
local scores = redis.call('ZMSCORE', crowd, 't' .. own, 'p' .. waiter)
local token, before = read_request(scores[1])
if outcome(own) or before then return { 'closed', now } end
if token > 0 then return again(id, token) or { 'closed', now } end

local count = permits or tonumber(ARGV[4])
if too_few(count, wanted) then return { 'short', now, count or 0 } end
local place = scores[2] and place_of(scores[2])
if ticket > 0 and place ~= ticket then return { 'held', now, 0, 0, 0, 0, 1, 0, '', 0 } end
local ahead, gone, marks = 0, {}, {}
if queued > now then
  if ticket < 0 then
    ahead = waiters()
  else
    ahead = redis.call('ZCOUNT', crowd, PLACES, string.format('(%.0f', place and place_score(place) or ACCOUNTS))
  end
end
-- The first in the queue skips dead waiters.
if ahead > 0 and ticket >= 0 then gone, marks = swept(BURY_AT_ONCE, -now) end
local free = ahead == 0 and count - used() or 0
if free >= wanted then
  if free > wanted then wake_head(place and 1 or 0) end
  if place then
    gone = { 'p' .. waiter, 'w' .. waiter }
  elseif queued <= now then
    gone, marks = swept(wanted + FORGET_AT_ONCE, forgettable())
  end
  return grant(id, wanted, 'semaphore', ARGV[3], ARGV[5], gone, marks)
end

local left, age, first, ends = 0, math.max(now - last, 0), '', nil
if #gone == 0 then
  first, ends = next_end()
  if ends then left = ends - now end
end
local each = math.ceil(tenure / math.max(math.floor(count / wanted), 1))
local back, listed = 0, 0
if ticket >= 0 then
  -- If dead waiters were removed, the caller may now be first.
  listed = listen(own, ARGV[9], 'w')
  if #gone > 0 then
    back = SOON
  elseif ARGV[10] == '1' or listed == 1 and ends then
    -- A listener gets a message before that, or the lease ends.
    back = math.floor(math.min(FARTHEST, ends and left + AFTER_LEASE or FARTHEST))
  else
    back = back_in(ahead, each, each / SPREAD_PART, age, ends and left or FARTHEST)
  end
  placed = place and placed or math.max(placed + 1, now)
  place = place or placed
  local deadline = now + back + ARGV[8] * MS
  queued = math.max(queued, deadline)
  if kind ~= 'semaphore' and kind ~= 'none' then redis.call('UNLINK', crowd) end
  line_up(waiter, place, deadline, unpack(marks))
  -- If it is late itself, its place is still free.
  local buried = {}
  for _, member in ipairs(gone) do
    if member:sub(2) ~= waiter then table.insert(buried, member) end
  end
  if #buried > 0 then redis.call('ZREM', crowd, unpack(buried)) end
  set_body('semaphore')
  keep()
  save()
end
return { 'held', now, left, age, each, ahead, back, place or 0, note_in(first or ''), listed }
