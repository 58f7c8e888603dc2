-- defines: known queued reentry_key note writing reading set_body reader_score reader_deadline ahead unqueue
--@include bands
--@include last_end
-- The body of a read-write lock: queued re-entry key note writing reading `queued` is the latest deadline of a waiting
-- writer. `writing` is the token of the last writer, 0 once neither it nor a read of its re-entry key is left;
-- `reading` is the token of the last read phase. Every live hold has one of these two tokens.
local known = kind == 'rw' and body ~= '' and body or '0   0 0 '
local queued, reentry_key, note, writing, reading = known:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')
queued, writing, reading = tonumber(queued), tonumber(writing), tonumber(reading)

local function set_body()
  kind, body = 'rw', string.format('%.0f %s %s %.0f %.0f ', queued, reentry_key, note, writing, reading)
end

-- The score of a reader that waits for a writer to leave, by the deadline of its next poll, and the reverse.
local function reader_score(deadline)
  return -READERS - deadline
end
local function reader_deadline(score)
  return -READERS - score
end

-- Returns the latest deadline of the readers that precede the next writer, besides the waiter that leaves, or 0.
local function ahead(leaving)
  local list = redis.call('ZRANGEBYSCORE', crowd, -READERS_END, reader_score(now + 1), 'WITHSCORES', 'LIMIT', 0, 2)
  local score = list[list[1] == 'r' .. (leaving or '') and 4 or 2]
  return score and reader_deadline(score) or 0
end

-- Sets `queued` to the latest deadline of the other waiting writers.
local function unqueue(waiter)
  local list = queued > now and redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now - 1, 'WITHSCORES', 'LIMIT', 0, 2) or {}
  queued = math.max(0, -(list[list[1] == 'w' .. waiter and 4 or 2] or 0))
end
