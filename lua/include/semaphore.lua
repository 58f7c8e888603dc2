-- defines: LARGEST DRAIN_UNIT FORGET_AT_ONCE known permits tenure queue placed queued set_body drained_score drained_by forgettable forgotten used
--@include requests
--@include last_end
-- The body of a semaphore, and of a counter, which is a semaphore without leases: permits tenure queue placed queued
-- `permits` is the number that was set; if it is empty, the caller's own number counts. In a counter, it is the number
-- that is left. Waiters time their polls by `tenure` and `queue`, moving averages in µs: the length of a hold, and how
-- long the holders had waited. A fair semaphore keeps the last place in `placed` and the latest deadline of a waiter in
-- `queued`. A counter keeps in `placed` when its number was set, and in `queued` how many permits were taken from it
-- since and not released.
--
-- The largest number of permits, 2^53 - 1.
local LARGEST = 9007199254740991
-- The score of `n` .. id is the number of permits that a request drained or spent, times 2^60, which is above all other
-- bands.
local DRAIN_UNIT = 1152921504606846976
-- How many outcomes one call removes.
local FORGET_AT_ONCE = 25
local known = (kind == 'semaphore' or kind == 'counter') and body ~= '' and body or ' 0 0 0 0'
local permits, tenure, queue, placed, queued = known:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')
permits, tenure, queue = til > now and tonumber(permits) or nil, tonumber(tenure), tonumber(queue)
placed, queued = tonumber(placed), tonumber(queued)

local function set_body(ours)
  local number = permits and string.format('%.0f', permits) or ''
  kind, body = ours, string.format('%s %.0f %.0f %.0f %.0f', number, tenure, queue, placed, queued)
end

local function drained_score(count)
  return string.format('%.0f', count * DRAIN_UNIT)
end
local function drained_by(score)
  return (score or 0) / DRAIN_UNIT
end

-- The lowest score of an outcome that is no longer needed: it was to be remembered until now.
local function forgettable()
  return -REMEMBERED * now
end

-- Returns the outcomes that are no longer needed, for the caller to remove.
local function forgotten()
  local list = redis.call('ZRANGEBYSCORE', crowd, forgettable(), -MEMORIES, 'LIMIT', 0, FORGET_AT_ONCE)
  for n = 1, #list do
    table.insert(list, 'n' .. list[n]:sub(2))
  end
  return list
end

-- Returns the number of permits in use. If the record was evicted, `til` covers them again.
local function used()
  local count = redis.call('ZCOUNT', crowd, now + 1, LATEST)
  if count > 0 and kind == 'none' then til = last_end() end
  return count
end
