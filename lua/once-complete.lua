-- Stores the result of an attempt, or that it completed without one, also after its lease has expired. Refuses if
-- another attempt has started since, which raised the token. A duplicate changes nothing; `stored` is 1 if there is a
-- result.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] token     of the attempt
-- ARGV[4] ttl       ms
-- ARGV[5] retention ms
-- ARGV[6] result    JSON; empty: done, without a result
-- REPLY completed stored#
-- REPLY lost reason
-- REPLY late

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include ending
--@include vacate
--@include once
--@include wake

local id, token = ARGV[2], tonumber(ARGV[3])
if done ~= id then
  local over = outcome(id)
  if attempts == 0 or last ~= token or over and over ~= 'E' then return { 'lost', now, ending(id, token) } end
  if holds[id] then close(id, 'R', 0) end
  done, result = id, ARGV[6]
  til = now + ARGV[4] * MS
  set_body()
  wake_all()
  if result == '' then
    -- Without a result, nothing grows, so this must also work when memory is full.
    local failed = vacate()
    if failed then return failed end
  else
    save()
  end
end
return { 'completed', now, result == '' and 0 or 1 }
