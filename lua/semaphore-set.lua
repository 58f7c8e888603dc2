-- Changes the number of permits of a semaphore or a counter, once. A duplicate returns the first answer.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        of this request
-- ARGV[3] kind      semaphore, or counter
-- ARGV[4] change    set; try: set if no number was set; add; drain: take all that are free; give: add to a number
--                   that was set, and to a counter with `permits` no more than was taken
-- ARGV[5] count
-- ARGV[6] permits   how many there are, unless a number was set; empty for none
-- ARGV[7] ttl       ms, of the number
-- ARGV[8] retention ms
-- REPLY done count#
-- REPLY refused
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[8])
--@include fresh
--@include read_name
--@include crowd
--@include semaphore
--@include wake
--@include wake_head

local id, ours, change = ARGV[2], ARGV[3], ARGV[4]
if taken(ours) then return { 'kind', now, kind } end
local scores = redis.call('ZMSCORE', crowd, 't' .. id, 'n' .. id)
local _, done = read_request(scores[1])
local drained = drained_by(scores[2])

if not done then
  local count, by, before = permits or tonumber(ARGV[6]), tonumber(ARGV[5]), permits
  done = DONE
  local gives = change == 'give'
  if gives and not permits then
    -- The permits were taken from a number that is forgotten.
    done = REFUSED
  elseif gives and ours == 'counter' and ARGV[6] ~= '' and by > queued then
    done = REFUSED
  elseif change == 'try' and permits then
    done = REFUSED
  elseif change == 'drain' then
    drained = math.max((count or 0) - used(), 0)
    if drained > 0 then permits = count - drained end
  elseif change == 'add' or gives then
    permits = math.max(math.min((count or 0) + by, LARGEST), -LARGEST)
  else
    permits = by
  end
  if kind == 'none' and ours == 'semaphore' then til = last_end() end
  if permits then til = math.max(til, now + ARGV[7] * MS) end
  -- Permits taken from the former number are not returned to this one.
  if ours == 'counter' and permits and (not before or change == 'set') then placed, queued = now, 0 end
  if ours == 'counter' and gives and done == DONE then queued = math.max(queued - by, 0) end
  if ours == 'counter' then last = math.max(last + 1, now) end
  -- Removals work when memory is full, and as the first write of a script they make Redis accept the others.
  if kind == ours or kind == 'none' then
    redis.call('ZREM', crowd, 't' .. id, unpack(forgotten()))
  else
    redis.call('UNLINK', crowd)
  end
  local adds = { outcome_score(done), 't' .. id }
  if drained > 0 then adds[3], adds[4] = drained_score(drained), 'n' .. id end
  redis.call('ZADD', crowd, unpack(adds))
  if ours == 'semaphore' and queued > now then wake_head(0) else wake(permits or 0) end
  set_body(ours)
  local failure = failed(keep(redis.pcall)) or failed(save(redis.pcall))
  if failure then
    -- The number is unchanged, so the request must not be remembered.
    redis.call('ZREM', crowd, 't' .. id, 'n' .. id)
    return failure
  end
end
if done == REFUSED then return { 'refused', now } end
return { 'done', now, drained }
