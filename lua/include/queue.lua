-- defines: floor farthest_back bury back_in line_up leave queued_til waiters
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

-- The delay in µs until a waiter's next poll: just after its turn is expected to come, and the earlier the less regular
-- the tenures are (`spread`) and the more of them come before. Between polls there is a step that grows with the doubt,
-- and with the time by which the present tenure is longer than usual. `left` is how long the lease in the way can last.
local function back_in(before_me, usual, spread, age, left)
  if usual == 0 then usual, spread = 10000, 10000 end
  local doubt = (spread + 500) * math.sqrt(before_me + 1)
  local step = math.min(math.max(1750, 55 * math.sqrt(doubt), (age - usual) / 16), 10 * floor)
  local turn = math.max(usual - age, 0) + before_me * (usual + 2000) + step - doubt
  return math.floor(math.min(math.max(turn, step), farthest_back, before_me > 0 and farthest_back or left + 1000))
end

-- Adds a waiter to the queue, or keeps its place, until `deadline`, which is never moved nearer. The caller must save
-- the record, whose `til` covers the deadline, and keep the crowd. Members in `...` are added in the same command where
-- their scores fall. Returns the number of members that are new.
local function line_up(waiter, place, deadline, ...)
  til = math.max(til, deadline)
  return redis.call('ZADD', crowd, 'LT', -deadline, 'w' .. waiter, place + 4.5e15, 'p' .. waiter, ...)
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
