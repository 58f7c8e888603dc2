-- defines: NEWEST ENTRY is_new kind last til closed listed body gap rest bar listeners holds changed close outcome taken survey live_ids ttl save
-- needs: key raw now retention
-- The record of a name: one string, read and written as a whole, with the same head for every kind:
--
--   kind version last til closed holds body
--
--   last     the last fencing token given (µs)
--   til      the time until which the name belongs to this kind (µs); after that the record is a tombstone, and the name is free
--   closed   ids that have ended, each as its last 12 characters and a letter for its outcome: first the newest 64
--            whose requests were all answered, oldest first; then groups of the others, `;due:` and the ids to remember
--            until then (s)
--   holds    id:until, for every live hold, sorted by id; then `|` and the waiters that listen, if there are any (see
--            include/listen.lua). The last release drops them, and then they poll
--   body     the kind's own fields, which no other kind reads
--
-- No field can be forged: IDs are random and of fixed length, re-entry keys and fingerprints are hashed, notes
-- percent-encoded. `retention` is how long a free name is remembered (ms).
--
-- The number of answered ids in `closed`, and the length of each.
local NEWEST = 64
local ENTRY = 13
local is_new = not raw
raw = raw or 'none 1 0 0   '
local kind, last, til, closed, listed, body = raw:match('^(%a+) 1 (%d+) (%d+) ()')
-- A plain search skips the closed IDs faster than a pattern does.
local gap = closed and raw:find(' ', closed, true)
local rest = gap and raw:find(' ', gap + 1, true)
if rest and (' none lock fair rw once semaphore counter latch '):find(' ' .. kind .. ' ', 1, true) then
  closed, listed, body = raw:sub(closed, gap - 1), raw:sub(gap + 1, rest - 1), raw:sub(rest + 1)
else
  -- Another release of leasehold wrote it, or another program: it must not be changed.
  kind = (raw:match('^(%a+ %d+) ') or 'foreign'):gsub(' ', '/')
  last, til, closed, listed, body = 0, math.huge, '', '', ''
end
last, til = tonumber(last), tonumber(til)
-- Apart from the holds, whose pattern would try every place in a long list of listeners.
local bar = listed:find('|', 1, true)
local listeners = bar and listed:sub(bar + 1) or ''
if bar then listed = listed:sub(1, bar - 1) end
local holds, changed = {}

-- Remembers how a hold ended until `due` (µs), when the last request under its ID is void. A `due` of 0 means that
-- every request was answered: the record keeps the newest of those IDs. Without `due`, it is remembered for
-- `retention`, the longest time for which clients retry.
local function close(id, outcome, due)
  local entry = id:sub(TAIL_START, ID_LENGTH) .. outcome
  holds[id], changed = nil, true
  if due == 0 then
    local ends = (closed:find(';', 1, true) or #closed + 1) - 1
    local begins = math.max(ends - (NEWEST - 1) * ENTRY, 0) + 1
    closed = closed:sub(begins, ends) .. entry .. closed:sub(ends + 1)
  else
    local group, found = string.format(';%.0f:', math.ceil((due or now + retention * MS) / SECOND))
    closed, found = closed:gsub(group, '%0' .. entry)
    if found == 0 then closed = closed .. group .. entry end
  end
end

-- Expired holds are closed when they are read. A script that writes, or answers that a hold has ended, saves that, so
-- that no later request or clock step revives them.
for id, ends in listed:gmatch('([^:,]+):(%d+)') do
  holds[id] = tonumber(ends)
  if holds[id] <= now then close(id, 'E') end
end

-- How a hold ended: 'R'eleased, 'C'ancelled, 'E'xpired, 'F'orced; nil if the ID is not known to have ended.
local function outcome(id)
  local at = closed:find(id:sub(TAIL_START, ID_LENGTH), 1, true)
  return at and closed:match('^%u', at + ENTRY - 1)
end

-- Whether the name is in use as another kind.
local function taken(ours)
  return kind ~= ours and til > now
end

-- Returns the latest end of the holds, or 0, and their number.
local function survey()
  local farthest, count = 0, 0
  for _, ends in pairs(holds) do
    farthest, count = math.max(farthest, ends), count + 1
  end
  return farthest, count
end

-- The IDs of the live holds, sorted, since the order of `pairs` depends on the interpreter.
local function live_ids()
  local list = {}
  for id in pairs(holds) do
    table.insert(list, id)
  end
  table.sort(list)
  return list
end

-- The record's TTL in ms: `retention` after the last deadline, and after the token, in case the clock was set back.
local function ttl()
  return math.ceil(math.max(til - now, last - now, 0) / MS) + retention
end

-- Writes the record without outcomes that are no longer needed. `call` may be redis.pcall. For MGET, a value of another
-- type is missing; SET … GET refuses to overwrite it.
local function save(call)
  local listed = ''
  for _, id in ipairs(live_ids()) do
    listed = listed .. string.format('%s:%.0f,', id, holds[id])
  end
  if closed:find(';', 1, true) then
    closed = closed:gsub(';(%d+)[^;]*', function(due)
      if due * SECOND < now then return '' end
    end)
  end
  if listeners ~= '' then listed = listed .. '|' .. listeners end
  local record = string.format('%s 1 %.0f %.0f ', kind, last, til) .. closed .. ' ' .. listed .. ' ' .. body
  call = call or redis.call
  if is_new then return call('SET', key, record, 'PX', ttl(), 'GET') end
  return call('SET', key, record, 'PX', ttl())
end
