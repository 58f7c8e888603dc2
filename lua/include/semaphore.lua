-- A semaphore's body, and that of a counter, which is one without leases: permits tenure queue place queued
-- `permits` is the number that was set, empty when none was: then the asker's own counts. A counter's is what is left of it. `tenure`
-- and `queue` are what waiters time their polls by, in µs, smoothed: how long a hold lasts, and how long those who were granted one had
-- waited. The last two are for who is served in order: the last place given, and until when anybody waits at the latest. Of a counter
-- `place` is when its number was set.
--
-- What came of a request is remembered in the crowd, in the score of `t` .. id, far from all bands:
--
--   token * 1024      a hold that was granted
--   -until * 1024     remembered until then; the last digit of `until` says what: 1 done, 2 refused, 3 cancelled, 4 forced out,
--                     5 expired
--
-- and how many a request drained, times 2^60, in that of `n` .. id.
local known = (kind == 'semaphore' or kind == 'counter') and body ~= '' and body or ' 0 0 0 0'
local permits, tenure, queue, placed, queued = known:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')
permits, tenure, queue = til > now and tonumber(permits) or nil, tonumber(tenure), tonumber(queue)
placed, queued = tonumber(placed), tonumber(queued)

local function set_body(ours)
  local number = permits and string.format('%.0f', permits) or ''
  kind, body = ours, string.format('%s %.0f %.0f %.0f %.0f', number, tenure, queue, placed, queued)
end

-- The token that a score of `t` stands for, or 0; and what is remembered, or nil.
local function told(score)
  score = tonumber(score or 0)
  return math.max(score, 0) / 1024, score < 0 and -score / 1024 % 10 or nil
end

local function remembered(what)
  return string.format('%.0f', -1024 * (math.floor((now + retention * 1000) / 10) * 10 + what))
end

-- What need not be remembered any more, for the caller to take out.
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
