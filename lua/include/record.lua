-- The record of a name: one string, read whole and written whole, the same head for every kind:
--
--   kind version last til closed holds body
--
--   last     the last fencing token given (µs)
--   til      the name belongs to this kind until then (µs); a record whose time is past is a tombstone, and the name is free
--   closed   the last 16 hold ids that are over, oldest first: 36 characters of id and one of outcome each
--   holds    id:until, of every hold that is alive
--   body     what the kind adds; no other kind looks into it
--
-- No field can be forged: ids are random and of fixed length, owners and fingerprints arrive hashed, labels percent-encoded.
raw = raw or 'none 1 0 0   '
local kind, last, til, closed, listed, body = raw:match('^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')
if not kind then
  -- Not ours to touch: another release of this library, or somebody else's string.
  local named, version = raw:match('^(%a+) (%d+) ')
  kind = named and named .. '/' .. version or 'foreign'
  last, til, closed, listed, body = 0, math.huge, '', '', ''
end
last, til = tonumber(last), tonumber(til)
local holds, changed = {}, false

local function close(id, outcome)
  closed = (closed .. id .. outcome):sub(-592)
  holds[id] = nil
  changed = true
end

-- Expired holds are closed as they are read, so that no later request and no clock step brings them back.
for id, ends in listed:gmatch('([^:,]+):(%d+)') do
  holds[id] = tonumber(ends)
  if holds[id] <= now then close(id, 'e') end
end

-- How a hold ended: 'r'eleased, 'c'ancelled, 'e'xpired, 'f'orced; nil for an id that is not known to be over.
local function outcome(id)
  local at = closed:find(id, 1, true)
  return at and closed:sub(at + 36, at + 36)
end

-- Whether the name is in use as another kind.
local function taken(ours)
  return kind ~= ours and til > now
end

-- The farthest end of the holds, 0 without any, and their number.
local function survey()
  local farthest, count = 0, 0
  for _, ends in pairs(holds) do
    farthest, count = math.max(farthest, ends), count + 1
  end
  return farthest, count
end

-- In ms: `retention` longer than its last deadline, and than a token that is ahead of a clock set back.
local function ttl(retention)
  return math.ceil(math.max(til - now, last - now, 0) / 1000) + retention
end

local function save(retention, call)
  local listed = ''
  for id, ends in pairs(holds) do
    listed = listed .. string.format('%s:%.0f,', id, ends)
  end
  local record = string.format('%s 1 %.0f %.0f %s %s ', kind, last, til, closed, listed)
  return (call or redis.call)('SET', key, record .. body, 'PX', ttl(retention), 'GET')
end
