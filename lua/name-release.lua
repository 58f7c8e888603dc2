-- Ends the holds of a name of any kind, if they belong to the tenure that the caller saw, and raises the token, so that
-- fences refuse the former holder. The rest stays: the queue, the attempts of a once, the number of permits. A
-- duplicate changes nothing: the request's own id is closed with the holds.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] token     of the tenure: the last one, or that of a live side of a read-write lock
-- ARGV[4] scope     `one`: of a semaphore only the permits of this token; `all`: also those of older tokens; `forget`:
--                   also everything that the kind remembers, even of a free name
-- ARGV[5] retention ms
-- REPLY released token#
-- REPLY passed token#
-- REPLY idle type
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include close_all
--@include vacate
--@include crowd
--@include oust
--@include requests
--@include wake

local id, token, scope = ARGV[2], tonumber(ARGV[3]), ARGV[4]
if til == math.huge then return { 'kind', now, kind } end
if outcome(id) then return { 'released', now, last } end
if til <= now then return { 'idle', now, 'none' } end

-- The members of permits of the caller's tokens that are in use, and the latest end of the others.
local function permits_of()
  local found, picked, rest = redis.call('ZRANGEBYSCORE', crowd, now + 1, LATEST, 'WITHSCORES'), {}, 0
  for from = 1, #found, CHUNK do
    local asked = {}
    for n = from, math.min(from + CHUNK - 1, #found), 2 do
      table.insert(asked, 't' .. found[n]:sub(1, ID_LENGTH))
    end
    for n, score in ipairs(redis.call('ZMSCORE', crowd, unpack(asked))) do
      local its, at = read_request(score), from + 2 * n - 2
      if its == token or scope == 'all' and its < token then
        table.insert(picked, found[at])
      else
        rest = math.max(rest, found[at + 1])
      end
    end
  end
  return picked, rest
end

local many = redis.call('ZCOUNT', crowd, now + 1, LATEST)
local fits, picked, rest = last == token, {}, 0
if kind == 'semaphore' and scope ~= 'forget' then
  picked, rest = permits_of()
  fits = #picked > 0
elseif kind == 'rw' then
  local writing, reading = body:match('(%d+) (%d+) $')
  fits = fits or next(holds) and tonumber(writing) == token or many > 0 and tonumber(reading) == token
end
-- The hold in the record of a latch is the request that set it.
local held = many > 0 or kind ~= 'latch' and next(holds)
if scope ~= 'forget' and not held then return { 'idle', now, kind } end
if not fits then return { 'passed', now, last } end

local line = kind == 'fair' and scope ~= 'forget'
  and redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
local only_picked = kind == 'semaphore' and scope ~= 'forget'
close_all('F')
close(id, 'F')
if only_picked then
  local number, queued = body:match('^(%S*) %d+ %d+ %d+ (%d+)')
  if number == '' then til = math.max(now, rest, tonumber(queued)) end
elseif kind ~= 'once' or scope == 'forget' then
  til, body = line and -line or 0, line and body or ''
end
last = math.max(last + 1, now)
-- This works when memory is full, and after it Redis accepts the other writes.
if kind ~= 'latch' then keep() end
if only_picked then
  -- Forced out, as `oust` marks it.
  for from = 1, #picked, CHUNK do
    local adds = {}
    for n = from, math.min(from + CHUNK - 1, #picked) do
      table.insert(adds, forced_score())
      table.insert(adds, picked[n])
    end
    redis.call('ZADD', crowd, unpack(adds))
  end
elseif kind ~= 'latch' and not line then
  oust()
end
if kind == 'lock' then wake(1) else wake_all() end
local failure = vacate(kind ~= 'once' and kind ~= 'semaphore')
if failure then return failure end
-- Until the latch is reset in the record, no party may count again.
if kind == 'latch' then redis.call('UNLINK', crowd) end
return { 'released', now, last }
