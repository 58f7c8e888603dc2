-- Ends one hold and leaves all others. The holder sends its token to release the hold. A caller that never learned
-- whether it was granted cancels it, without a token. An ID that the server never saw is closed as well, since its
-- request may still arrive.
--
-- KEYS[1] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- ARGV[4] due       the time until which the id must be remembered (µs); 0 if all its requests were answered;
--                   empty if they are another client's: remembered for `retention`
-- REPLY closed
-- REPLY lost reason

local retention, due = tonumber(ARGV[3]), tonumber(ARGV[4])
local ours = 'lock'
--@include clock
--@include read_name
--@include ending
--@include vacate
--@include elsewhere
--@include lock
--@include usual_tenure
--@include wake

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = holds[id]
local before = outcome(id)

if cancel and not before and taken(ours) then return close_elsewhere(id, due) end
if not before and (cancel or alive and last == token and not taken(ours)) then
  close(id, cancel and 'C' or 'R', due)
  before = 'R'
  if not cancel and not next(holds) then usual_tenure(now - token) end
end
if changed and not taken(ours) then
  -- The end of the last remaining hold; now or earlier if there is none.
  til = math.min(til, math.max(survey(), now))
  set_body()
  forget_listener(id)
  if not next(holds) then wake(1) end
  local failed = vacate(alive)
  if failed then return failed end
end
if cancel or before == 'R' then return { 'closed', now } end
return { 'lost', now, ending(id, token, nil, 'unknown') }
