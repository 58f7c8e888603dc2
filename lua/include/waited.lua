-- defines: usual_wait
-- Updates the average wait of a lock by the wait (µs) of the caller that begins a tenure. Idle time shortens it.
local function usual_wait(waited)
  if til > 0 then
    queue = math.max(queue + math.min((waited - queue) / AVERAGED, MAX_TENURES * tenure) + til - now, 0)
  end
end
