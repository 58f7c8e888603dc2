-- Starts an attempt, unless one is running, one has completed, too many have started, or the key was used with another
-- fingerprint. A waiting caller gets any result stored since its last poll, since a result with a short ttl may expire
-- between two polls. `listed` is 1 if a message will wake the caller.
--
-- KEYS[1] record
-- ARGV[1] notAfter    server time (µs) after which this request is void
-- ARGV[2] id          hold id
-- ARGV[3] lease       ms, of this attempt
-- ARGV[4] ttl         ms, of what is remembered
-- ARGV[5] retention   ms
-- ARGV[6] maxAttempts 1e15 for any number
-- ARGV[7] fingerprint hash, or empty
-- ARGV[8] before      when the caller's last poll was answered (µs); later than now on its first poll
-- ARGV[9] note        of this attempt, for people: @holder, percent-encoded; empty for none
-- ARGV[10] listens    ms for which the caller listens for a message of the key; 0: not at all
-- REPLY granted token# remaining# attempt#
-- REPLY running remaining# listed#
-- REPLY done token# result
-- REPLY exhausted attempts#
-- REPLY mismatch
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT running until=remaining seen=before all=done

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include ended
if kind == 'once' and til > tonumber(ARGV[8]) then til = math.max(til, now + 1) end
--@include once
--@include listen
--@include failed

local id, max, print = ARGV[2], tonumber(ARGV[6]), ARGV[7]
if taken('once') then return { 'kind', now, kind } end
if outcome(id) then return ended() end
if mark == '' then
  mark = print
elseif print ~= '' and print ~= mark then
  return { 'mismatch', now }
end
if done ~= '' then return { 'done', now, last, '=' .. result } end

local holder, ends = next(holds)
if not holder then
  if attempts >= max then return { 'exhausted', now, attempts } end
  attempts, result = attempts + 1, ARGV[9]
  ends = now + ARGV[3] * MS
  holds[id], last = ends, math.max(last + 1, now)
  til = math.max(now + ARGV[4] * MS, ends)
  set_body()
  forget_listener(id)
  save()
elseif holder ~= id then
  local listed, is_changed = listen(id, ARGV[10], 'w')
  if is_changed and failed(save(redis.pcall)) then listed = 0 end
  return { 'running', now, ends - now, listed }
end
return { 'granted', now, last, ends - now, attempts }
