-- defines: usual_wait
-- Takes the wait (µs) of a caller that is granted a new tenure into the average of a lock. Idle time shortens it.
local function usual_wait(waited)
  if til > 0 then
    queue = math.max(queue + math.min((waited - queue) / 8, 3 * tenure) + til - now, 0)
  end
end
