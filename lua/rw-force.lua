-- Releases one side of a read-write lock by force, and leaves the other side. Raises the token, unless a writer keeps
-- it. A duplicate changes nothing: the request's own ID is closed with the holds.
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

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include close_all
--@include vacate
--@include crowd
--@include oust
--@include rw
--@include wake
--@include wake_side

local id, had = ARGV[2], false
if taken('rw') then return { 'kind', now, kind } end

if not outcome(id) then
  local rest = last_end()
  if ARGV[3] == 'read' then
    had = rest > 0
    if not next(holds) then writing = 0 end
    -- Waiters poll again soon, so their entries need not stay. Includes re-entry keys whose deadline is in the future
    -- again because the clock was set back.
    if had then rest, queued, reading = 0, 0, 0 end
  else
    had = next(holds) ~= nil
    close_all('F')
    if rest == 0 then writing = 0 end
  end
  close(id, had and 'F' or 'N')
  if not next(holds) then last = math.max(last + 1, now) end
  -- After the readers were released by force, no writer's announcement is kept.
  if not (had and ARGV[3] == 'read') then rest = math.max(rest, queued, ahead()) end
  til = kind == 'none' and rest or math.min(til, math.max(now, survey(), rest))
  set_body()
  if not next(holds) then wake_side(rest) end
  keep()
  if had and ARGV[3] == 'read' then oust() end
  local failure = vacate(rest <= now)
  if failure then return failure end
end
return { 'forced', now, last, outcome(id) == 'F' and 1 or 0 }
