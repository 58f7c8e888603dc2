-- Ends one hold and leaves all others. The holder sends its token to release the hold. A caller that gave up cancels
-- it, which also frees its place in the queue. An ID that the server never saw is closed as well.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] id        hold id; of a caller that gave up with its note, as it queued: `id@note`
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
local ours = 'fair'
--@include lock
--@include usual_tenure
--@include fair_body
--@include wake
--@include wake_head

local waiter, id, token = ARGV[1], ARGV[1]:sub(1, ID_LENGTH), tonumber(ARGV[2])
local cancel = token == 0
local alive = holds[id]
local before = outcome(id)

if cancel and not before and taken(ours) then return close_elsewhere(id, due) end
if not before and (cancel or alive and last == token and not taken(ours)) then
  close(id, cancel and 'C' or 'R', due)
  before = 'R'
  if cancel then
    --@include queue
    queued = queued_til(waiter)
    leave(waiter)
  elseif not next(holds) then
    -- One tenure says little about the next.
    spread = tenure == 0 and math.max(now - token, 0) / 2 or spread + (math.abs(now - token - tenure) - spread) / AVERAGED
    usual_tenure(now - token)
  end
end
if changed and not taken(ours) then
  til = math.min(til, math.max(survey(), queued, now))
  set_fair()
  forget_listener(id)
  if not next(holds) then wake_head(0) end
  local failure = vacate(alive)
  if failure then return failure end
end
if cancel or before == 'R' then return { 'closed', now } end
return { 'lost', now, ending(id, token, nil, 'unknown') }
