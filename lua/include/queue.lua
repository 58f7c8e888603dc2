-- A queue in the crowd, first come, first served. Its places are numbers that only rise (the ticket of a waiter); each script of its
-- kind remembers the last one in the body. Whoever waits is told when to be back, and loses the place some time (the grace) later.
local floor, farthest_back = 20000, 2000000

-- Takes out who is dead, a waiter with both members, but not who is asking: that one is late, and nobody was harmed.
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

-- The ticket of a waiter, nil if it has none, and how many are before it; without one all are.
local function place_of(waiter)
  local score = tonumber(redis.call('ZSCORE', crowd, 'p' .. waiter) or nil)
  return score and score - 4.5e15, redis.call('ZCOUNT', crowd, 4.5e15, string.format('(%.0f', score or 7e15))
end

-- In how many µs a waiter is to be back. The first two poll what is in the way: at the floor around the usual end of its tenure,
-- more seldom far from it. Those behind them sleep through most of the tenures before theirs. `left` is when the way is free in any
-- case.
local function back_in(before_me, usual, age, left)
  local off = usual - age
  local back = math.min(math.max(floor, off / 4, -off / 16), 10 * floor) + math.max(before_me - 1, 0) * 0.7 * (usual + 0.8 * floor)
  return math.floor(math.min(back, farthest_back, before_me > 0 and back or left + 1000))
end

-- Puts a waiter in the queue, or lets it stay there, until `grace` (ms) after it is to be back. A deadline only moves away. The
-- record is the caller's to save, since the name has to stay of this kind as long; and both keys have to be kept. More members may go
-- in with it, where their scores fall.
local function line_up(waiter, ticket, back, grace, ...)
  local deadline = now + back + grace * 1000
  til = math.max(til, deadline)
  redis.call('ZADD', crowd, 'LT', -deadline, 'w' .. waiter, ticket + 4.5e15, 'p' .. waiter, ...)
end

-- Lets a waiter leave, or go in.
local function leave(waiter)
  redis.call('ZREM', crowd, 'p' .. waiter, 'w' .. waiter)
end

-- When the last waiter has to be back, 0 without any.
local function queued_til()
  return -(redis.call('ZRANGEBYSCORE', crowd, -4e15, -now, 'LIMIT', 0, 1, 'WITHSCORES')[2] or 0)
end

-- How many are waiting, the dead not counted.
local function waiters()
  return redis.call('ZCOUNT', crowd, -4e15, string.format('(%.0f', -now))
end
