-- Ends an attempt without a result, so that the next delivery starts immediately. The holder sends its token to fail
-- the attempt. A caller that never learned whether its attempt started cancels it, and a cancelled attempt is not
-- counted.
--
-- KEYS[1] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the attempt; 0 cancels
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
--@include once
--@include wake

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = holds[id]
local before = outcome(id)

if cancel and not before and taken('once') then return close_elsewhere(id, due) end
if not before and (cancel or alive and last == token and not taken('once')) then
  if cancel and alive then attempts = attempts - 1 end
  close(id, cancel and 'C' or 'R', due)
  -- A failed attempt cannot be completed; the record is kept for the next one.
  if not cancel and due ~= 0 then close(id, 'R', 0) end
  before = 'R'
end
if changed and not taken('once') then
  set_body()
  -- No attempt ever started, so the fingerprint does not count.
  if attempts == 0 then til, body = 0, '' end
  forget_listener(id)
  if not next(holds) then wake(1) end
  local failed = vacate(alive)
  if failed then return failed end
end
if cancel or before == 'R' then return { 'closed', now } end
return { 'lost', now, ending(id, token) }
