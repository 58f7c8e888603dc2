-- Starts an attempt under a hold of another name, as once-begin does, if that hold is live; with `anew`, also by
-- acquiring the lock of that name under the ID and the token of the attempt. A refusal changes nothing. `heldToken` and
-- `heldRemaining` are of the hold that the attempt is under. A hold of a crowd is not found.
--
-- KEYS[1] once   the record of the attempts
-- KEYS[2] record of the name of the hold
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, of the attempt
-- ARGV[3] lease     ms, of the attempt, and of a lock that is acquired
-- ARGV[4] ttl       ms, of what is remembered
-- ARGV[5] retention ms
-- ARGV[6] before    when the caller's last poll was answered (µs); later than now on its first poll
-- ARGV[7] note      for people: @holder, percent-encoded; empty for none
-- ARGV[8] hold      hold id, of the hold that must be live
-- ARGV[9] holdToken of that hold
-- ARGV[10] anew     1: acquires the lock if that hold is not live; 0: does not
-- REPLY granted token# remaining# attempt# heldToken# heldRemaining#
-- REPLY running remaining#
-- REPLY done token# result
-- REPLY held remaining#
-- REPLY lost reason
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT running until=remaining seen=before all=done

local retention = tonumber(ARGV[5])
--@include fresh
local keys = { KEYS[1], KEYS[2] }
local raws = redis.call('MGET', unpack(keys))

local id, hold, given, ends = ARGV[2], ARGV[8], tonumber(ARGV[9]), now + ARGV[3] * MS
local saves, token, attempted, attempt, under, left = {}, nil, nil, nil, nil, nil
-- The attempts, and then the hold.
for n, key in ipairs(keys) do
  local raw = raws[n]
  --@include record
  --@include ended
  --@include ending
  local ours = n == 1 and 'once' or 'lock'
  local farthest, count = survey()
  local writes
  if n == 1 then
    if kind == 'once' and til > tonumber(ARGV[6]) then til = math.max(til, now + 1) end
    --@include once
    if taken(ours) then return { 'kind', now, kind } end
    if outcome(id) then return ended() end
    if done ~= '' then return { 'done', now, last, '=' .. result } end
    attempted, token = holds[id], last
    if count > 0 and not attempted then return { 'running', now, farthest - now } end
    if not attempted then
      attempts, result, token = attempts + 1, ARGV[7], math.max(last + 1, now)
      til, writes = math.max(now + ARGV[4] * MS, ends), true
      set_body()
    end
    attempt = attempts
  elseif holds[hold] and last == given then
    under, left = given, holds[hold] - now
  elseif attempted and holds[id] then
    under, left = last, holds[id] - now
  elseif ARGV[10] == '0' then
    if changed then save(redis.pcall) end
    return { 'lost', now, ending(hold, given) }
  else
    --@include lock
    --@include waited
    if taken(ours) then return { 'kind', now, kind } end
    -- It holds one of the two: the other was lost.
    if outcome(id) or attempted or holds[id] then return ended() end
    if count > 0 then return { 'held', now, farthest - now } end
    usual_wait(0)
    reentry_key, note, til, writes = '', ARGV[7], ends, true
    set_body()
    token = math.max(token, last + 1)
    under, left = token, ends - now
  end
  saves[n] = writes and function()
    last, holds[id] = token, ends
    return save(redis.pcall)
  end
end

for n = 2, 1, -1 do
  local set = saves[n] and saves[n]()
  if set and set.err then
    -- The lock is as before, with a longer TTL.
    if saves[n + 1] then
      if raws[2] then redis.call('SET', keys[2], raws[2], 'KEEPTTL') else redis.call('DEL', keys[2]) end
    end
    return set
  end
end
return { 'granted', now, token, (attempted or ends) - now, attempt, under, left }
