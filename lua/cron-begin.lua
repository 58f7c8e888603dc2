-- Begins a run of a job: starts an attempt of its slot, acquires the job's lock and records the run as running, all
-- under one ID and one token, or none of it. A refusal changes nothing: it returns the result of the run that completed
-- the slot, or how long the attempt of the slot, or the run of another slot, lasts. `follows` is 0 if the lock may have
-- had a tenure since the job's last run: then a client of an earlier release may have run the slot.
--
-- KEYS[1] record of the job's lock
-- KEYS[2] slot   the record of the slot, a `once`
-- KEYS[3] fence  its value is the job's last run
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] ttl       ms, of what is remembered of the slot
-- ARGV[5] retention ms
-- ARGV[6] note      for people: @holder, percent-encoded; empty for none
-- ARGV[7] kept      ms, of the last run
-- ARGV[8] run       JSON, without the run's token and attempt, and without the closing brace
-- REPLY granted token# remaining# attempt# follows#
-- REPLY done token# result
-- REPLY running remaining#
-- REPLY held remaining#
-- REPLY closed
-- REPLY kind kind
-- REPLY late

local retention = tonumber(ARGV[5])
--@include fresh
local keys = { KEYS[1], KEYS[2], KEYS[3] }
local raws = redis.call('MGET', unpack(keys))
local raw = raws[3]
--@include fenced
if seen > SAFE then return { 'kind', now, 'fence/1' } end

local id, ends = ARGV[2], now + ARGV[3] * MS
local token, follows, saves, attempted, attempt = math.max(seen + 1, now), 0, {}, nil, nil
-- The slot, and then the lock.
for n = 2, 1, -1 do
  local key, raw = keys[n], raws[n]
  --@include record
  --@include ended
  local ours = n == 2 and 'once' or 'lock'
  if taken(ours) then return { 'kind', now, kind } end
  if outcome(id) then return ended() end
  local farthest, count = survey()
  local own = holds[id]
  if n == 2 then
    --@include once
    if done ~= '' then return { 'done', now, last, '=' .. result } end
    if count > 0 and not own then return { 'running', now, farthest - now } end
    if not own then attempts, result = attempts + 1, ARGV[6] end
    attempted, attempt, til = own, attempts, math.max(now + ARGV[4] * MS, ends)
    set_body()
  else
    --@include lock
    --@include waited
    if own and attempted then return { 'granted', now, last, own - now, attempt, 0 } end
    -- It holds one of the two: the other was lost.
    if own or attempted then return { 'closed', now } end
    if count > 0 then return { 'held', now, farthest - now } end
    if last <= seen then follows = 1 end
    usual_wait(0)
    reentry_key, note, til = '', ARGV[6], ends
    set_body()
  end
  token = math.max(token, last + 1)
  holds[id] = ends
  saves[n] = function()
    last = token
    return save(redis.pcall)
  end
end
saves[3] = function()
  local head = string.format('fence 1 %.0f %.0f %s ', token, forgot, size) .. rest:sub(1, size)
  local run = ARGV[8] .. string.format(',"token":%.0f,"attempt":%.0f}', token, attempt)
  return redis.pcall('SET', KEYS[3], head .. run, 'PX', ARGV[7], 'GET')
end

for n = 3, 1, -1 do
  local set = saves[n]()
  if set and set.err then
    -- What was written is as before, with a longer TTL.
    for made = n + 1, 3 do
      if raws[made] then redis.call('SET', keys[made], raws[made], 'KEEPTTL') else redis.call('DEL', keys[made]) end
    end
    return set
  end
end
return { 'granted', now, token, ends - now, attempt, follows }
