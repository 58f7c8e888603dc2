-- defines: known queued reentry_key note writing reading set_body reads ahead unqueue
-- The body of a read-write lock: queued reentry key note writing reading
-- `queued` is the latest deadline of a waiting writer. `writing` is the token of the last writer, 0 once neither it nor
-- a read of its reentry key is left; `reading` is the token of the last read phase. Every live hold has one of these
-- two tokens.
local known = kind == 'rw' and body ~= '' and body or '0   0 0 '
local queued, reentry_key, note, writing, reading = known:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')
queued, writing, reading = tonumber(queued), tonumber(writing), tonumber(reading)

local function set_body()
  kind, body = 'rw', string.format('%.0f %s %s %.0f %.0f ', queued, reentry_key, note, writing, reading)
end

-- The end of the read hold that ends last, 0 without any.
local function reads()
  return tonumber(redis.call('ZREVRANGEBYSCORE', crowd, 4e15, now + 1, 'WITHSCORES', 'LIMIT', 0, 1)[2] or 0)
end

-- The latest deadline of the readers that go before the next writer, 0 without any.
local function ahead()
  local list = redis.call('ZRANGEBYSCORE', crowd, -9e15, -4.5e15 - now - 1, 'WITHSCORES', 'LIMIT', 0, 1)
  return -4.5e15 - (list[2] or -4.5e15)
end

-- Sets `queued` as it is without this writer.
local function unqueue(id)
  local list = queued > now and redis.call('ZRANGEBYSCORE', crowd, -4e15, -now - 1, 'WITHSCORES', 'LIMIT', 0, 2) or {}
  queued = math.max(0, -(list[list[1] == 'w' .. id and 4 or 2] or 0))
end
