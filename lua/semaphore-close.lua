-- Ends one hold, or some of its permits, and leaves all others. The holder sends its token to release the hold. A
-- caller that never learned whether it was granted cancels it, without a token. An ID that the server never saw is
-- closed as well, since its request may still arrive. A counter gets back what a cancelled request took; with
-- `permits`, at most the number still taken from it, so that it never has more than its number.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] id        hold id, as it was granted: `id#n@note`; to release some `id#n@note,request,1,3`
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- ARGV[4] due       the time until which the id must be remembered (µs); 0 if all its requests were answered;
--                   empty if they are another client's: remembered for `retention`
-- ARGV[*] permits   how many a counter has, unless a number was set; empty or left out for none
-- REPLY closed
-- REPLY lost reason

--@include clock
local retention = math.max(ARGV[3], math.ceil(((tonumber(ARGV[4]) or 0) - now) / MS))
--@include read_name
--@include ending
--@include vacate
--@include elsewhere
--@include crowd
--@include members
--@include semaphore
--@include last_end_besides
--@include wake
--@include wake_head

local whole, request, which = ARGV[1]:match('^([^,]+),([^,]+),(.+)$')
local id, token = whole or ARGV[1], tonumber(ARGV[2])
local own, subject = id:sub(1, ID_LENGTH), request or ARGV[1]:sub(1, ID_LENGTH)
local cancel, ours = token == 0, kind == 'semaphore' or kind == 'counter'
local before = outcome(own)
if not ours and kind ~= 'none' then
  if cancel then return before and { 'closed', now } or close_elsewhere(own, ARGV[4] + 0) end
  return { 'lost', now, ending(own, token) }
end

local list, picked, some = members(id), {}, 0
local asked, goes = { 't' .. own, 't' .. subject }, {}
for n in (which or ''):gmatch('%d+') do
  picked[tonumber(n)], some = true, some + 1
end
for n, member in ipairs(list) do
  asked[n + 2] = member
end
local scores = redis.call('ZMSCORE', crowd, unpack(asked))
local granted = read_request(scores[1])
local _, done, till = read_request(scores[2])
local alive, over = 0, done and recalled(done)
for n, member in ipairs(list) do
  local ends = tonumber(scores[n + 2] or 0)
  if ends > now then
    alive = alive + 1
    if picked[n] then table.insert(goes, member) end
  elseif ends > 0 then
    over = over or lapsed(ends)
  end
end
local left, returned = request and alive - some or 0, 0

if cancel and done == DONE and kind == 'counter' then
  -- It was granted. The permits belong to the number that was set at that time.
  if permits and till - ARGV[3] * MS + STEP >= placed then
    local took = tonumber(id:match('^%d+', ID_LENGTH + 2))
    -- Other clients may have returned what the request took.
    if (unpack(ARGV, 5) or '') ~= '' then took = math.min(took, queued) end
    returned = took
    permits, queued = math.min(permits + took, LARGEST), math.max(queued - took, 0)
  end
  done = nil
end
done = done or not request and before and CANCELLED or nil
if not done and (cancel or alive > 0 and granted == token and #goes == some) then
  done = DONE
  local adds = { outcome_score(cancel and CANCELLED or DONE), 't' .. subject }
  if left == 0 then
    goes = list
    local waiter = own .. (id:match('@.*') or '')
    table.insert(goes, 'p' .. waiter)
    table.insert(goes, 'w' .. waiter)
    adds[3], adds[4] = adds[1], 't' .. own
    if alive > 0 and not cancel then
      local lasted = now - token
      tenure = math.max(tenure == 0 and lasted or tenure + (lasted - tenure) / AVERAGED, 0)
    end
  end
  if kind == 'none' then
    -- If the record was evicted, the permits in use are those of a semaphore: a counter has none.
    til = last_end_besides(goes)
    if til > 0 then set_body('semaphore') end
  elseif kind == 'semaphore' and not permits then
    til = math.min(til, math.max(now, last_end_besides(goes), queued))
  end
  if ours then set_body(kind) end
  for _, member in ipairs(forgotten()) do
    table.insert(goes, member)
  end
  -- Removals work when memory is full, and as the first write of a script they make Redis accept the others. The ID of
  -- the permits stays in the crowd, so that this does not empty it.
  redis.call('ZREM', crowd, unpack(goes))
  local failure = failed(redis.pcall('ZADD', crowd, unpack(adds)))
  if failure and alive == 0 then return failure end
  forget_listener(own)
  if kind == 'semaphore' and queued > now then wake_head(0) else wake(math.max(returned, alive - left)) end
  failure = failed(keep(redis.pcall)) or failed(save(redis.pcall))
  if failure and alive == 0 then
    -- The record is unchanged, so the request must not be remembered.
    redis.call('ZREM', crowd, 't' .. subject)
    if scores[2] then redis.call('ZADD', crowd, scores[2], 't' .. subject) end
    return failure
  end
end
if cancel or done == DONE then return { 'closed', now } end
return { 'lost', now, ending(own, math.huge, over) }
