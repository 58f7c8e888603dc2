-- Ends one hold and touches no other: released by its holder, who names its token, or cancelled by a caller who never learned
-- whether it was granted and so names none. An id that the server never saw is closed too: its request may still be on the way.
--
-- KEYS[1] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- REPLY closed
-- REPLY lost reason

--@include clock
--@include record
--@include ending
--@include vacate
--@include elsewhere
--@include lock

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = holds[id]
local before = outcome(id)

if cancel and not before and taken('lock') then return close_elsewhere(id, ARGV[3]) end
if not before and (cancel or alive and last == token) then
  close(id, cancel and 'c' or 'r')
  before = 'r'
  if not cancel and not next(holds) then
    local took = now - token
    tenure = math.max(tenure == 0 and took or tenure + (took - tenure) / 8, 0)
  end
end
if changed and not taken('lock') then
  -- Until the farthest hold that is left; without any it is over now, or was before.
  til = math.min(til, math.max(survey(), now))
  set_body()
  local failed = vacate(ARGV[3], cancel and not alive)
  if failed then return failed end
end
if cancel or before == 'r' then return { 'closed', now } end
return { 'lost', now, ending(id, token) }
