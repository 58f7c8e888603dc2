-- Keeps a message for the next turn of a conversation, and begins a turn with all messages, unless one is running: then
-- that turn's successor gets them. If the caller names its own turn that is done (`former`), that turn ends first: its
-- messages are removed and its hold is closed in the same step. Until then they stay, so after a crash the next turn
-- gets them again. A message is kept once for each key, which is remembered for `ttl` after its turn. A hold that an ID
-- already has is granted again, with all messages that are there by then.
--
-- In a grant, `own` is 1 if the caller's message is among the messages, 2 if its turn has ended, and 0 if there is no
-- room for it. `upTo` is the place of the last message. `wait` is how long the pause must still last, in µs; until then
-- `messages` is empty. It is a JSON array, after a mark. `left` is the number of messages that are left.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- KEYS[3] inbox
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, and a note for people if there is one: `id@note`, where the note is label@holder, percent-encoded
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] key       hash of the message's id; empty for no message
-- ARGV[6] message   JSON
-- ARGV[7] ttl       ms, for which messages, and the keys of ended ones, are kept
-- ARGV[8] quiet     ms without a new message, before a turn gets its messages
-- ARGV[9] former    hold id of the caller's turn that is done; empty for none
-- ARGV[10] formerToken of that turn
-- ARGV[11] upTo     the place of the last message that it had
-- ARGV[12] begins   1, or 0 to begin no turn
-- ARGV[13] due      the time until which `former` must be remembered (µs); 0 if all its requests were answered
-- REPLY granted token# remaining# holds# own# upTo# wait# messages
-- REPLY kept
-- REPLY handled
-- REPLY full remaining#
-- REPLY ended left#
-- REPLY held remaining#
-- REPLY lost reason
-- REPLY closed
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include ended
--@include ending
--@include vacate
--@include crowd
local ours = 'fair'
--@include lock
--@include fair_body
--@include wake
--@include wake_head
--@include queue

local waiter, key_of, text, ttl_us = ARGV[2], ARGV[5], ARGV[6], ARGV[7] * MS
local id, former, given = waiter:sub(1, ID_LENGTH), ARGV[9], tonumber(ARGV[10])
if taken(ours) then return { 'kind', now, kind } end
if outcome(id) then return ended() end
--@include inbox

local is_own, ends_former = holds[id] ~= nil, false
if former ~= '' and not is_own then
  ends_former = holds[former] ~= nil and last == given
  -- An earlier request may have ended it. If it ended in another way, others may have its messages.
  if not ends_former and outcome(former) ~= 'R' then
    if changed then save(redis.pcall) end
    return { 'lost', now, ending(former, given) }
  end
end
local is_busy = not is_own and not ends_former and next(holds) ~= nil
if is_busy and key_of == '' then return { 'ended', now, number } end
-- Another kind of turn takes no messages, and nobody overtakes a queue.
if is_busy and collector ~= last or not is_busy and key_of ~= '' and not is_own and queued > now and waiters() > 0 then
  return { 'held', now, math.max(survey() - now, 0) }
end

-- The message.
local own, adds, is_new_message = 1, {}, false
if key_of ~= '' and known >= -LATEST then
  is_new_message = known >= -now and number < MAX_MESSAGES and size + #text <= MAX_BYTES
  if is_new_message then
    place, size, number = math.max(place + 1, now), size + #text, number + 1
    adds = { string.format('%.0f', -NUMBERS), 'i' .. key_of, string.format('%.0f', place_score(place)), 'm' .. key_of .. text }
  else
    own = known < -now and 2 or 0
  end
end
if is_busy then
  if own == 0 then return { 'full', now, survey() - now } end
  if own == 2 then return { 'handled', now } end
  if is_new_message then store(adds, ttl_us) end
  return { 'kept', now }
end

-- What the next turn gets, and what is removed: the messages of the former turn, and keys that were remembered for long
-- enough.
local quiet, rest, gone = ARGV[8] * MS, {}, {}
local function pause_left()
  return number < MAX_MESSAGES and math.max(math.min(quiet + place - now, quiet), 0) or 0
end
local begins, wait = is_own or ARGV[12] == '1' and number > 0, pause_left()
if ends_former or begins and wait == 0 then
  -- From the newest message down.
  local list = redis.call('ZREVRANGEBYSCORE', inbox, ACCOUNTS, -now, 'WITHSCORES', 'LIMIT', 0, 2 * MAX_MESSAGES)
  for at = #list - 1, 1, -2 do
    local member, score = list[at], tonumber(list[at + 1])
    if score < PLACES then
      -- The caller's own key may be used anew.
      if member ~= 'i' .. key_of then table.insert(gone, member) end
    elseif ends_former and place_of(score) <= tonumber(ARGV[11]) then
      table.insert(gone, member)
      table.insert(adds, string.format('%.0f', -now - ttl_us))
      table.insert(adds, 'i' .. member:sub(2, KEY_LENGTH + 1))
    else
      table.insert(rest, member:sub(KEY_LENGTH + 2))
    end
  end
  if is_new_message then table.insert(rest, text) end
  size, number = 0, #rest
  for _, each in ipairs(rest) do
    size = size + #each
  end
  if ends_former then wait = pause_left() end
end

begins = is_own or begins and number > 0
if ends_former then
  -- A key stays for each message, so the set is not emptied.
  if #gone > 0 then redis.call('ZREM', inbox, unpack(gone)) end
  close(former, 'R', tonumber(ARGV[13]))
end
if begins and not is_own then
  last, reentry_key, note = math.max(last + 1, now), '', waiter:sub(ID_LENGTH + 2)
  holds[id], collector = now + ARGV[3] * MS, last
end
if ends_former or begins and not is_own or is_new_message then store(adds, ttl_us) end
if #gone > 0 and not ends_former then redis.pcall('ZREM', inbox, unpack(gone)) end
if begins then
  if not is_own then
    til = math.max(holds[id], queued)
    set_fair()
    save()
  end
  local messages = wait == 0 and '=[' .. table.concat(rest, ',') .. ']' or ''
  return { 'granted', now, last, holds[id] - now, 1, own, place, wait, messages }
end
if ends_former then
  til = math.max(queued, now)
  wake_head(0)
  -- No hold is left, so it cannot fail.
  vacate(true)
end
if key_of ~= '' then return { 'handled', now } end
return { 'ended', now, number }
