-- Ends one hold of a read-write lock, or the wait that its ID announced, and leaves all others. The holder sends its
-- token to release the hold. A caller that gave up, or never learned whether it was granted, cancels it. An ID that the
-- server never saw is closed as well, since its request may still arrive.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] id        hold id, the hash of its re-entry key, and its note: `id hash@note`
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- ARGV[4] due       the time until which the id must be remembered (µs); 0 if all its requests were answered;
--                   empty if they are another client's: remembered for `retention`
-- REPLY closed
-- REPLY lost reason

local retention, due = tonumber(ARGV[3]), tonumber(ARGV[4])
--@include clock
--@include read_name
--@include ending
--@include vacate
--@include elsewhere
--@include crowd
--@include members
--@include accounts
--@include rw
--@include last_end_besides
--@include wake
--@include wake_side

local id, token = ARGV[1], tonumber(ARGV[2])
local own, hash = id:sub(1, ID_LENGTH), id:match('^[^@]*', ID_LENGTH + 1)
local waiter = own .. (id:match('@.*') or '')
local cancel = token == 0
local before = outcome(own)
if cancel and not before and taken('rw') then return close_elsewhere(own, due) end

local scores = redis.call('ZMSCORE', crowd, id, 'w' .. waiter, 'o' .. hash)
local ends, count, farthest = tonumber(scores[1] or 0), unpack_account(scores[3])
local reads_on = ends > now and ends < LATEST
-- If the record was evicted, no token is left of a reader, and its ID alone proves that the hold is its own.
local stray = kind == 'none' or kind == 'rw' and writing + reading == 0
local is_reader = reads_on and (token == writing or token == reading or stray)
-- Of an ID that has ended, a hold is left only if a command of its release failed.
local is_left = before and reads_on and not taken('rw')
if is_left or not before and (cancel or holds[own] and last == token or is_reader) then
  local goes, adds, lets_go = { 'w' .. waiter, 'r' .. waiter }, {}, holds[own] or reads_on
  if not before then close(own, cancel and 'C' or 'R', due) end
  before = 'R'
  if scores[2] then unqueue(waiter) end
  if reads_on then
    count = count - 1
    table.insert(goes, id)
    table.insert(goes, 't' .. own)
    if count > 0 then
      -- The hold leaves its re-entry key's account in the command that ends it. Then it is removed.
      adds = { pack_account(count, farthest), 'o' .. hash, settled_score(now), id }
    else
      table.insert(goes, 'o' .. hash)
    end
  end
  if count <= 0 and hash == reentry_key and not next(holds) then writing = 0 end
  local rest = last_end_besides({ id })
  til = kind == 'none' and rest or math.min(til, math.max(now, survey(), rest, queued, ahead(waiter)))
  if kind == 'rw' or rest > 0 then set_body() end
  forget_listener(own)
  if not next(holds) then wake_side(rest, waiter) end
  keep()
  local failure = vacate(lets_go and rest == 0)
  if failure then return failure end
  if #adds > 0 then redis.call('ZADD', crowd, unpack(adds)) end
  redis.call('ZREM', crowd, unpack(goes))
end
if cancel or before == 'R' then return { 'closed', now } end
return { 'lost', now, ending(own, token, ends > 0 and not reads_on and lapsed(ends), 'unknown') }
