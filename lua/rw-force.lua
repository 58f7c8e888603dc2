-- Takes one side of a read-write lock from whoever has it and leaves the other. The token moves on, unless a writer goes on under
-- it. Sent twice it works once: its own id is closed with the holds.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] mode      read or write
-- ARGV[4] retention ms
-- REPLY forced token# had#
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include one
--@include vacate
--@include crowd
--@include rw

local id, had = ARGV[2], false
if taken('rw') then return { 'kind', now, kind } end

if not outcome(id) then
  local rest = 0
  if ARGV[3] == 'read' then
    had = oust()
    if not next(holds) then writing = 0 end
    -- Those who wait are back soon.
    if had then
      redis.call('UNLINK', crowd)
      queued = 0
    end
  else
    for hold in pairs(holds) do
      had = true
      close(hold, 'f')
    end
    rest = reads()
    if rest == 0 then writing = 0 end
  end
  close(id, had and 'f' or 'n')
  if not next(holds) then last = math.max(last + 1, now) end
  til = math.min(til, math.max(now, survey(), rest, queued, ahead()))
  set_body()
  keep(ARGV[4])
  local failed = vacate(ARGV[4], rest > 0)
  if failed then return failed end
end
return { 'forced', now, last, outcome(id) == 'f' and 1 or 0 }
