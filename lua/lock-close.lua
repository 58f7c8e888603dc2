-- Ends one hold and touches no other: released by its holder, who names its token, or cancelled by a caller who never learned
-- whether it was granted and so names none. An id that the server never saw is closed too: its request may still be on the way.
--
-- KEYS[1] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- REPLY closed held#
-- REPLY lost reason

--@include record
--@include ending
--@include vacate
--@include elsewhere
--@include lock

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = record.holds[id]
local before = outcome(record, id)
local released = false

if cancel and not before and taken_by(record, 'lock') then return close_elsewhere(record, id, ARGV[3]) end
if not before and (cancel or alive and record.token == token) then
  close(record, id, cancel and 'c' or 'r')
  before, released = 'r', not cancel
end
if record.changed and not taken_by(record, 'lock') then
  if next(record.holds) then
    record.til = 0
    for _, ends in pairs(record.holds) do
      record.til = math.max(record.til, ends)
    end
    set_body(owner_now, label)
  else
    if released then
      local took = now - token
      tenure = math.max(tonumber(tenure) == 0 and took or tenure + (took - tenure) / 8, 0)
    end
    record.til = math.min(record.til, now)
    set_body('', '')
  end
  local failed = vacate(record, ARGV[3], cancel and not alive)
  if failed then return failed end
end
if cancel or before == 'r' then return { 'closed', now, math.max(record.til - now, 0) } end
return { 'lost', now, ending(record, id, token) }
