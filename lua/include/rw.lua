-- A read-write lock's body: queued owner label writing reading
-- `queued` is until when a writer waits at the latest. The last two are tokens: that of the last writer, 0 when neither it nor a read
-- of its owner is left, and that of the last read phase. The token of every live hold is one of them.
local known = kind == 'rw' and body ~= '' and body or '0   0 0 '
local queued, owner, label, writing, reading = known:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')
queued, writing, reading = tonumber(queued), tonumber(writing), tonumber(reading)

local function set_body()
  kind, body = 'rw', string.format('%.0f %s %s %.0f %.0f ', queued, owner, label, writing, reading)
end

-- When the last read hold ends, 0 without any.
local function reads()
  return tonumber(redis.call('ZREVRANGEBYSCORE', crowd, 4e15, now + 1, 'WITHSCORES', 'LIMIT', 0, 1)[2] or 0)
end

-- Until when a reader waits that goes before the next writer, 0 without any.
local function ahead()
  local list = redis.call('ZRANGEBYSCORE', crowd, -9e15, -4.5e15 - now - 1, 'WITHSCORES', 'LIMIT', 0, 1)
  return -4.5e15 - (list[2] or -4.5e15)
end

-- One waiting writer less.
local function unqueue(id)
  local list = redis.call('ZRANGEBYSCORE', crowd, -4e15, -now - 1, 'WITHSCORES', 'LIMIT', 0, 2)
  queued = math.max(0, -(list[list[1] == 'w' .. id and 4 or 2] or 0))
end
