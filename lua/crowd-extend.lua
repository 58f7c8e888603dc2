-- Extends one hold, in the record or in the crowd. Never shortens it. A duration of 0 only checks that the hold is
-- live.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, and what its kind adds
-- ARGV[3] token     of the hold
-- ARGV[4] duration  ms from now
-- ARGV[5] retention ms
-- REPLY extended remaining# holds#
-- REPLY lost reason names
-- REPLY late
-- WAIT extended until=remaining all=lost zero=duration

local retention = tonumber(ARGV[5])
--@include fresh
--@include read_name
--@include ending
--@include crowd
--@include members
--@include requests
--@include accounts

local id, token = ARGV[2], tonumber(ARGV[3])
local own, hash, later = id:sub(1, ID_LENGTH), id:match('^[^@]*', ID_LENGTH + 1), now + ARGV[4] * MS
local ends, count, moved, over = holds[own], 0, {}, nil
if ends then
  count = select(2, survey())
  if last ~= token then ends = nil end
  if ends and later > ends then holds[own] = later end
elseif kind == 'semaphore' or kind == 'rw' then
  local list = members(id)
  -- Read with the hold: its re-entry key's account, or the token or outcome of its permits.
  local single = kind ~= 'semaphore'
  local scores = redis.call('ZMSCORE', crowd, single and 'o' .. hash or 't' .. own, unpack(list))
  local beside = table.remove(scores, 1)
  for n, score in ipairs(scores) do
    local this = tonumber(score or 0)
    if this > now and this < LATEST then
      ends, count = math.min(ends or this, this), count + 1
      table.insert(moved, string.format('%.0f', math.max(this, later)))
      table.insert(moved, list[n])
    elseif score then
      over = lapsed(this)
    end
  end
  -- A reader has the token of its read phase or, under its re-entry key's write hold, the writer's. The body has both.
  if single and not body:find(' ' .. ARGV[3] .. ' ', 1, true) then ends = nil end
  if single and beside and ends then
    local holding, farthest = unpack_account(beside)
    count = math.max(count, holding)
    table.insert(moved, pack_account(count, math.max(farthest, ends, later)))
    table.insert(moved, 'o' .. hash)
  elseif not single then
    local granted, ended = read_request(beside)
    if granted ~= token then ends = nil end
    if ended then over = recalled(ended) end
  end
end
if not ends then
  if changed then save(redis.pcall) end
  -- Permits are independent, so a later token does not mean that this one was taken.
  return { 'lost', now, ending(own, kind == 'semaphore' and math.huge or token, over), '' }
end

if later > ends then
  ends, til = later, math.max(til, later)
  -- First what covers the hold: it must not outlast its record or its key.
  save()
  if #moved > 0 then
    keep()
    redis.call('ZADD', crowd, unpack(moved))
  end
end
return { 'extended', now, ends - now, count }
