-- defines: spread queued set_fair
-- A fair lock adds to a lock's body, in µs: how far tenures usually are from their average, and a moment by which the
-- deadlines of all waiters have passed, 0 where nobody waits.
local spread, queued = known:match('^%S* %S* %d+ %d+ (%d+) (%d+)')
spread, queued = tonumber(spread or 0), tonumber(queued or 0)

local function set_fair()
  set_body()
  body = body .. string.format(' %.0f %.0f', spread, queued)
end
