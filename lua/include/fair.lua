-- defines: spread queued look set_fair took
-- A fair lock adds to a lock's body, in µs: how far tenures usually are from their average, a moment by which all
-- deadlines of waiters have passed, 0 where nobody waits, and one before which none has.
local spread, queued, look = known:match('^%S* %S* %d+ %d+ (%d+) (%d+) (%d+)')
spread, queued, look = tonumber(spread or 0), tonumber(queued or 0), tonumber(look or 0)

local function set_fair()
  set_body()
  body = body .. string.format(' %.0f %.0f %.0f', spread, queued, look)
end

-- Takes the length of a tenure that has ended into the averages.
local function took(length)
  spread = spread + (math.abs(length - tenure) - spread) / 8
  usual_tenure(length)
end
