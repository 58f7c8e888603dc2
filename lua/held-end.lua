-- Ends an attempt that runs under a lock: completes or fails it, releases the lock, and records how the run ended unless
-- a later one has begun. It is also completed after its lease has expired, unless another attempt has started since. A
-- client that never learned whether the attempt began cancels it, without a token, and a cancelled attempt is not
-- counted. An attempt leaves a hold that is not its own alone while another one runs, which may be under that hold as
-- well. Needs no deadline: a duplicate changes nothing, and a late one only what no later attempt has.
--
-- KEYS[1] record of the lock
-- KEYS[2] once   the record of the attempts: those of a message, or of a slot of a cron job
-- KEYS[3] fence  its value is the last run of the job; not used without `run`
-- ARGV[1] id        hold id, of the attempt
-- ARGV[2] token     of the attempt; 0 cancels
-- ARGV[3] retention ms
-- ARGV[4] due       the time until which ids must be remembered (µs); 0 if all their requests were answered;
--                   empty if they are another client's: remembered for `retention`
-- ARGV[5] ttl       ms, of the result
-- ARGV[6] result    JSON after a mark; only the mark: done, without a result; empty: the attempt failed
-- ARGV[7] kept      ms, of the last run
-- ARGV[8] run       JSON; empty: nothing is recorded
-- ARGV[9] hold      hold id, of the lock; empty for that of the attempt
-- ARGV[10] holdToken of the lock
-- REPLY closed
-- REPLY lost reason

--@include clock
local keys = { KEYS[1], KEYS[2], KEYS[3] }
local raws = redis.call('MGET', unpack(keys))

local id, token, retention, due = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local cancel, completes, holder, given, reason = token == 0, ARGV[6] ~= '', id, token, nil
local followed
-- The attempts, and then the lock.
for n = 2, 1, -1 do
  local key, raw = keys[n], raws[n]
  --@include record
  --@include ending
  --@include vacate
  --@include wake
  local ours = n == 2 and 'once' or 'lock'
  if n == 1 and ARGV[9] ~= '' then holder, given = ARGV[9], tonumber(ARGV[10]) end
  local alive, before, elsewhere = holds[holder], outcome(holder), taken(ours)
  local releases = alive and last == given and not elsewhere and not followed
  if releases or cancel and not before and til < math.huge then close(holder, cancel and 'C' or 'R', due) end
  if n == 2 then
    --@include once
    if not completes then
      if cancel and alive then attempts = attempts - 1 end
    elseif releases or before == 'E' and last == token and attempts > 0 then
      done, result, til, changed = id, ARGV[6]:sub(2), now + ARGV[5] * MS, true
    elseif done ~= id then
      reason = ending(id, token)
    end
    followed = not elsewhere and next(holds) ~= nil
    if not elsewhere then
      set_body()
      -- No attempt ever started.
      if attempts == 0 then til, body = 0, '' end
    end
  else
    --@include lock
    --@include usual_tenure
    if releases then usual_tenure(now - given) end
    if not elsewhere then
      if not next(holds) then til = math.min(til, now) end
      set_body()
    end
    if not (cancel or completes or releases or before == 'R') then reason = ending(holder, given, nil, 'unknown') end
  end
  if changed then
    -- A result is for all who wait for it.
    if n == 2 and completes then
      wake_all()
    elseif not next(holds) then
      wake(1)
    end
    -- The lock is released only after what was done is remembered.
    local failed = vacate(alive and not completes)
    if failed then return failed end
  end
end

local seen, forgot, size, rest = (raws[3] or 'fence 1 0 0 0 '):match('^fence 1 (%d+) (%d+) (%d+) (.*)$')
-- The record is for people: a run that cannot be recorded has ended nevertheless.
if ARGV[8] ~= '' and seen and token >= tonumber(seen) and not (reason and completes) then
  local head = string.format('fence 1 %.0f %s %s ', token, forgot, size) .. rest:sub(1, size)
  local function record()
    return redis.pcall('SET', KEYS[3], head .. ARGV[8], 'PX', ARGV[7], 'GET')
  end
  local set = record()
  -- As in include/vacate.lua.
  if set and set.err and redis.pcall('PEXPIRE', KEYS[3], ARGV[7]) == 1 then record() end
end
if reason then return { 'lost', now, reason } end
return { 'closed', now }
