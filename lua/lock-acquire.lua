-- Grants the lock: a new tenure when it is free, one more hold of the same tenure to its owner, the same answer again to an id
-- that already holds it. A refusal says how long the lease in the way still runs, and what helps to guess when it will be released.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] owner     hash, or empty
-- ARGV[6] label     percent-encoded, or empty
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] waited    ms since the first poll
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# queue#
-- REPLY owned remaining#
-- REPLY full holds#
-- REPLY closed
-- REPLY kind kind
-- REPLY late

--@include record
--@include fresh
--@include lock

local id, owner = ARGV[2], ARGV[5]
local other = taken_by(record, 'lock')
if other then return { 'kind', now, other } end
if outcome(record, id) then return { 'closed', now } end

local held, count = 0, 0
for _, ends in pairs(record.holds) do
  held, count = math.max(held, ends), count + 1
end

local ends = record.holds[id]
if not ends then
  if count > 0 then
    if owner == '' or owner ~= owner_now then
      return { 'held', now, held - now, math.max(now - record.token, 0), tonumber(tenure), tonumber(queue) }
    end
    if ARGV[7] == '0' then return { 'owned', now, held - now } end
    if count == 64 then return { 'full', now, count } end
  else
    if record.til > 0 then
      local idle, growth = now - record.til, (ARGV[8] * 1000 - queue) / 8
      queue = math.max(queue + math.min(growth, 3 * tenure) - idle, 0)
    end
    record.token = next_token(record)
    set_body(owner, ARGV[6])
  end
  ends = now + ARGV[3] * 1000
  record.holds[id], record.til, count = ends, math.max(held, ends), count + 1
  save(record, ARGV[4])
end
return { 'granted', now, record.token, ends - now, count }
