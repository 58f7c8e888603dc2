-- Ends an attempt without a result, so that the next delivery starts at once: failed by its holder, who names its token, or
-- cancelled by a caller who never learned whether it had started; a cancelled attempt does not count as one.
--
-- KEYS[1] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the attempt; 0 cancels
-- ARGV[3] retention ms
-- REPLY closed held#
-- REPLY lost reason

--@include record
--@include ending
--@include vacate
--@include elsewhere
--@include once

local id, token = ARGV[1], tonumber(ARGV[2])
local cancel = token == 0
local alive = record.holds[id]
local before = outcome(record, id)

if cancel and not before and taken_by(record, 'once') then return close_elsewhere(record, id, ARGV[3]) end
if not before and (cancel or alive and record.token == token) then
  if cancel and alive then attempts = attempts - 1 end
  close(record, id, cancel and 'c' or 'r')
  before = 'r'
end
if record.changed and not taken_by(record, 'once') then
  set_body()
  -- Nothing ever started: the fingerprint binds nobody.
  if attempts == 0 then record.til, record.body = 0, '' end
  local failed = vacate(record, ARGV[3], not alive)
  if failed then return failed end
end
if cancel or before == 'r' then
  local _, ends = next(record.holds)
  return { 'closed', now, ends and ends - now or 0 }
end
return { 'lost', now, ending(record, id, token) }
