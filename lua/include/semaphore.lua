-- defines: known permits tenure queue placed queued set_body told remembered forgotten used
-- The body of a semaphore, and of a counter, which is a semaphore without leases: permits tenure queue placed queued
-- `permits` is the number that was set; if it is empty, the caller's own number counts. In a counter it is the number
-- that is left. Waiters time their polls by `tenure` and `queue`, smoothed averages in µs: how long a hold lasts, and
-- how long the holders had waited. A fair semaphore keeps the last place given in `placed` and the latest deadline of a
-- waiter in `queued`. A counter keeps in `placed` when its number was set, and in `queued` how many permits have been
-- taken from it since and not been released.
--
-- The crowd remembers the outcome of a request in the score of `t` .. id, far from all bands:
--
--   token * 1024      a hold that was granted
--   -until * 1024     an outcome to remember until then; the last digit of `until` is 1 for done, 2 refused, 3
--                     cancelled, 4 forced out, 5 expired
--
-- The score of `n` .. id is the number of permits that a request drained, times 2^60.
local known = (kind == 'semaphore' or kind == 'counter') and body ~= '' and body or ' 0 0 0 0'
local permits, tenure, queue, placed, queued = known:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')
permits, tenure, queue = til > now and tonumber(permits) or nil, tonumber(tenure), tonumber(queue)
placed, queued = tonumber(placed), tonumber(queued)

local function set_body(ours)
  local number = permits and string.format('%.0f', permits) or ''
  kind, body = ours, string.format('%s %.0f %.0f %.0f %.0f', number, tenure, queue, placed, queued)
end

-- The token in a score of `t`, or 0, and the digit of the outcome in it, or nil.
local function told(score)
  score = tonumber(score or 0)
  return math.max(score, 0) / 1024, score < 0 and -score / 1024 % 10 or nil
end

local function remembered(what)
  return string.format('%.0f', -1024 * (math.floor((now + retention * 1000) / 10) * 10 + what))
end

-- Outcomes that need not be remembered any more, for the caller to remove.
local function forgotten()
  local list = redis.call('ZRANGEBYSCORE', crowd, -1024 * now, -1e18, 'LIMIT', 0, 25)
  for n = 1, #list do
    table.insert(list, 'n' .. list[n]:sub(2))
  end
  return list
end

local function used()
  return redis.call('ZCOUNT', crowd, now + 1, 4e15)
end
