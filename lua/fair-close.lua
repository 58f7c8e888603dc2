-- Ends one hold and touches no other: released by its holder, who names its token, or cancelled by a caller who gave up, whether it
-- was granted or stands in the queue, where its place is free at once. An id that the server never saw is closed too.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] id        hold id
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- REPLY closed
-- REPLY lost reason

--@include clock
--@include one
--@include ending
--@include vacate
--@include elsewhere
--@include crowd
local ours = 'fair'
--@include lock
--@include queue

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = holds[id]
local before = outcome(id)

if cancel and not before and taken(ours) then return close_elsewhere(id, ARGV[3]) end
if not before and (cancel or alive and last == token and not taken(ours)) then
  close(id, cancel and 'c' or 'r')
  before = 'r'
  if not cancel and not next(holds) then usual_tenure(now - token) end
  leave(id)
end
if changed and not taken(ours) then
  til = math.min(til, math.max(survey(), queued_til(), now))
  set_body()
  keep(ARGV[3])
  local failed = vacate(ARGV[3], cancel and not alive)
  if failed then return failed end
end
if cancel or before == 'r' then return { 'closed', now } end
return { 'lost', now, ending(id, token) }
