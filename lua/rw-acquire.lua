-- Grants one side of a read-write lock. A new read phase gets a token that its readers share, a writer one of its own, and who
-- holds already keeps the one it has. A writer that says when it will be back holds back new readers until then; a reader
-- that says so while a writer has it goes before the next writer.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, and the hash of its owner
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] mode      read, write, or steal: write, whoever has it
-- ARGV[6] label     percent-encoded, or empty
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] back      ms until it asks again at the latest; 0 announces nothing
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# back#
-- REPLY owned remaining#
-- REPLY full holds#
-- REPLY upgrade
-- REPLY closed
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include one
--@include crowd
--@include rw

local id, mode = ARGV[2], ARGV[5]
local own, asker = id:sub(1, 36), id:sub(37)
local ends, back = now + ARGV[3] * 1000, ARGV[8] * 1000
if taken('rw') then return { 'kind', now, kind } end
if outcome(own) then return { 'closed', now } end

local farthest, count = survey()
if holds[own] then return { 'granted', now, writing, holds[own] - now, count } end
local mine = asker ~= '' and asker == owner
local joins = count > 0 and mine
-- Whether nobody in the crowd counts: they are of another kind, which had the name before, or are forced out.
local stale = mode == 'steal' or kind ~= 'rw' and kind ~= 'none'

-- The dead, and whose they were; the scores of this id, of its place, and how many read holds each of those owners has.
local list, hashes, gone, scores = {}, {}, {}, {}
local function look()
  local asked = { id, 'r' .. own, 'o' .. asker }
  list, hashes, gone = dead(50), { asker }, { [asker] = 0 }
  for n = #list, 1, -1 do
    if list[n] == 'w' .. own then table.remove(list, n) end
  end
  for _, member in ipairs(list) do
    local hash = member:match('^%x.+') and member:sub(37)
    if hash and not gone[hash] then
      gone[hash] = 0
      table.insert(hashes, hash)
      table.insert(asked, 'o' .. hash)
    end
    if hash then gone[hash] = gone[hash] + 1 end
  end
  scores = redis.call('ZMSCORE', crowd, unpack(asked))
end

-- How many are left to the n-th of these owners.
local function left(n)
  return math.max((scores[n + 2] or 8e15) - 8e15 - gone[hashes[n]], 0)
end

-- Puts these in and takes the dead out.
local function settle(more, ...)
  local adds = { ... }
  for n, hash in ipairs(hashes) do
    local kept = left(n) + (n == 1 and more or 0)
    if hash ~= '' and kept > 0 then
      table.insert(adds, string.format('%.0f', 8e15 + kept))
      table.insert(adds, 'o' .. hash)
    elseif hash ~= '' then
      table.insert(list, 'o' .. hash)
      if hash == owner and count == 0 then writing = 0 end
    end
  end
  if stale then
    redis.call('UNLINK', crowd)
    list = {}
  end
  redis.call('ZADD', crowd, unpack(adds))
  if #list > 0 then redis.call('ZREM', crowd, unpack(list)) end
  set_body()
  keep(ARGV[4])
  save(ARGV[4])
end

-- LT: what was announced is never moved nearer, and no count grows here.
local function refuse(over, score, member)
  if back > 0 and member then
    local due = now + back + 1000000
    til = math.max(til, due)
    if score == 0 then queued = math.max(queued, due) end
    settle(0, 'LT', string.format('%.0f', score - due), member .. own)
  end
  return { 'held', now, over - now, math.max(now - last, 0), back }
end

if mode == 'read' then
  look()
  local mark, place = tonumber(scores[1] or 0), tonumber(scores[2] or 0)
  local again = mark > 0 or joins or left(1) > 0
  local token = again and mine and writing > 0 and writing or reading
  if mark > 0 then
    if mark <= now or token == 0 then return { 'closed', now } end
    return { 'granted', now, token, mark - now, math.max(left(1), 1) }
  end
  if again and ARGV[7] == '0' then return { 'owned', now, til - now } end
  if count > 0 and not joins then
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', crowd, -4.5e15 - now, -4.5e15, 'LIMIT', 0, 50 - #list)) do
      if member ~= 'r' .. own then table.insert(list, member) end
    end
    return refuse(farthest, -4.5e15, 'r')
  end
  if not again then
    if queued > now and place >= -4.5e15 - now then return refuse(til) end
    local phase = reads() > 0
    if not phase then reading = 0 end
    -- The asker has nothing left under a token of its own.
    if mine or not phase then writing = 0 end
    token = reading
  end
  if token == 0 then
    last = math.max(last + 1, now)
    token, reading = last, last
  end
  if place < 0 then table.insert(list, 'r' .. own) end
  til = math.max(til, ends)
  settle(1, string.format('%.0f', ends), id)
  return { 'granted', now, token, ends - now, left(1) + 1 }
end

if mode == 'steal' then
  oust()
  for hold in pairs(holds) do
    close(hold, 'f')
  end
  count = 0
elseif count > 0 then
  if not mine then
    if back > 0 then look() end
    return refuse(farthest, 0, 'w')
  end
  if ARGV[7] == '0' then return { 'owned', now, farthest - now } end
  if count == 64 then return { 'full', now, count } end
else
  local over = reads()
  if over > 0 then
    look()
    -- Of fifty dead and more some may be its own.
    if left(1) > 0 and #list < 50 then return { 'upgrade', now } end
    return refuse(over, 0, 'w')
  end
  over = ahead()
  if over > 0 then return refuse(over, 0, 'w') end
end

if stale then queued = 0 else unqueue(own) end
if count == 0 then
  last = math.max(last + 1, now)
  writing, reading, owner, label = last, 0, asker, ARGV[6]
end
holds[own], til = ends, math.max(til, ends)
set_body()
save(ARGV[4])
if stale then redis.call('UNLINK', crowd) else redis.call('ZREM', crowd, 'w' .. own) end
keep(ARGV[4])
return { 'granted', now, writing, ends - now, count + 1 }
