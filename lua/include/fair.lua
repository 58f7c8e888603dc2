-- defines: spread queued set_fair
-- A fair lock's body is a lock's body and two more fields, in µs: the average difference between a tenure and the
-- average tenure, and a time by which the deadlines of all waiters have passed, 0 if nobody waits.
local spread, queued = known:match('^%S* %S* %d+ %d+ (%d+) (%d+)')
spread, queued = tonumber(spread or 0), tonumber(queued or 0)

local function set_fair()
  set_body()
  body = body .. string.format(' %.0f %.0f', spread, queued)
end
