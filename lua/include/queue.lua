-- defines: floor farthest_back bury place_of back_in line_up leave queued_til waiters
-- A queue in the crowd, first come, first served. Places are rising numbers (tickets); the kind's body remembers the
-- last one. A waiter is told when to poll again, and loses its place when it is later than that by more than the grace.
local floor, farthest_back = 20000, 2000000

-- Removes dead waiters with both their members, except the one that is asking: it is late, but its place is still free.
local function bury(list, asking)
  local buried = {}
  for _, member in ipairs(list) do
    local whose = member:match('^w(.+)')
    if whose ~= asking then
      table.insert(buried, member)
      if whose then table.insert(buried, 'p' .. whose) end
    end
  end
  if buried[1] then redis.call('ZREM', crowd, unpack(buried)) end
end

-- The ticket of a waiter, nil if it has none, and how many are ahead of it: everybody, if it has none.
local function place_of(waiter)
  local score = tonumber(redis.call('ZSCORE', crowd, 'p' .. waiter) or nil)
  return score and score - 4.5e15, redis.call('ZCOUNT', crowd, 4.5e15, string.format('(%.0f', score or 7e15))
end

-- The delay in µs until a waiter's next poll. The first two watch the present tenure: they poll at the floor around its
-- usual end and less often far from it. Those behind them sleep through most of the tenures ahead of theirs. `left` is
-- how long the lease in the way can last.
local function back_in(before_me, usual, age, left)
  local off = usual - age
  local back = math.min(math.max(floor, off / 4, -off / 16), 10 * floor) + math.max(before_me - 1, 0) * 0.7 * (usual + 0.8 * floor)
  return math.floor(math.min(back, farthest_back, before_me > 0 and back or left + 1000))
end

-- Adds a waiter to the queue, or keeps its place, until `grace` (ms) after its next poll is due. A deadline is never
-- moved nearer. The caller must save the record, whose `til` covers the deadline, and call `keep`. Members in `...` are
-- added in the same command where their scores fall.
local function line_up(waiter, ticket, back, grace, ...)
  local deadline = now + back + grace * 1000
  til = math.max(til, deadline)
  redis.call('ZADD', crowd, 'LT', -deadline, 'w' .. waiter, ticket + 4.5e15, 'p' .. waiter, ...)
end

-- Removes a waiter that leaves the queue or is granted.
local function leave(waiter)
  redis.call('ZREM', crowd, 'p' .. waiter, 'w' .. waiter)
end

-- The latest deadline of a waiter, 0 without any.
local function queued_til()
  return -(redis.call('ZRANGEBYSCORE', crowd, -4e15, -now, 'LIMIT', 0, 1, 'WITHSCORES')[2] or 0)
end

-- The number of waiters that are alive.
local function waiters()
  return redis.call('ZCOUNT', crowd, -4e15, string.format('(%.0f', -now))
end
