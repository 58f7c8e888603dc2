-- Takes the name from whoever has it and forgets what its kind remembers; the token moves on, so that the former holder's writes
-- can be refused. Sent twice it works once: its own id is closed with the holds.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] kind      of the name
-- ARGV[4] retention ms
-- REPLY forced token# had#
-- REPLY kind kind
-- REPLY late

--@include record
--@include fresh
--@include vacate

local id, kind = ARGV[2], ARGV[3]
local record = load()
local other = taken_by(record, kind)
if other then return { 'kind', now, other } end

if not outcome(record, id) then
  local had = record.til > now
  for hold in pairs(record.holds) do
    close(record, hold, 'f')
  end
  close(record, id, had and 'f' or 'n')
  record.kind, record.token, record.til, record.body = kind, next_token(record), 0, ''
  vacate(record, ARGV[4])
end
return { 'forced', now, record.token, outcome(record, id) == 'f' and 1 or 0 }
