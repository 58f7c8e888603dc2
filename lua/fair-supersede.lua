-- Grants a fair lock at once as a new tenure, and ends the holds of the tenure before it. The order in which requests
-- arrive decides: an ID whose tenure has ended gets nothing more, so that no retry ends a later tenure. Waiters keep
-- their places. `ended` is 1 if the lock was held, or may have been: it is not remembered for a retry.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, and a note for people if there is one: `id@note`, where the note is label@holder, percent-encoded
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] after     token of the tenure that the same caller had under another ID; 0 for none
-- REPLY granted token# remaining# holds# ended#
-- REPLY superseded reason
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include close_all
--@include ending
local ours = 'fair'
--@include lock
--@include fair_body
--@include superseded

local id, ended = ARGV[2]:sub(1, ID_LENGTH), 1
if taken(ours) then return { 'kind', now, kind } end
local why = superseded(id, ARGV[5])
if why then
  if changed then save(redis.pcall) end
  return { 'superseded', now, why }
end

if not holds[id] then
  ended = next(holds) and 1 or 0
  close_all('F')
  last, reentry_key, note = math.max(last + 1, now), '', ARGV[2]:sub(ID_LENGTH + 2)
  holds[id] = now + ARGV[3] * MS
  til = math.max(holds[id], queued)
  set_fair()
  save()
end
return { 'granted', now, last, holds[id] - now, 1, ended }
