-- defines: spread queued set_fair
-- The body of a fair lock is the body of a lock and two more fields, in µs: the average difference between a tenure and
-- the average tenure, and a time by which the deadlines of all waiters have passed, or 0 without waiters.
local spread, queued = known:match('^%S* %S* %d+ %d+ (%d+) (%d+)')
spread, queued = tonumber(spread or 0), tonumber(queued or 0)

local function set_fair()
  set_body()
  body = body .. string.format(' %.0f %.0f', spread, queued)
end
