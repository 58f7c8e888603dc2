-- Releases a name without a crowd by force, and deletes what its kind remembers. Raises the token, so that fences
-- refuse the former holder. A duplicate changes nothing: the request's own ID is closed with the holds.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] kind      of the name, one without a crowd
-- ARGV[4] retention ms
-- REPLY forced token# had#
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include close_all
--@include vacate
--@include wake

local id = ARGV[2]
if taken(ARGV[3]) then return { 'kind', now, kind } end

if not outcome(id) then
  close_all('F')
  close(id, til > now and 'F' or 'N')
  kind, last, til, body = ARGV[3], math.max(last + 1, now), 0, ''
  if kind == 'lock' then wake(1) else wake_all() end
  vacate(true)
end
return { 'forced', now, last, outcome(id) == 'F' and 1 or 0 }
