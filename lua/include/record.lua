-- The record of a name: one string, read whole and written whole, the same head for every kind:
--
--   kind version token until closed holds body
--
--   token    the last fencing token given (µs)
--   until    the name belongs to this kind until then (µs); a record whose time is past is a tombstone, and the name is free
--   closed   the last 16 hold ids that are over, oldest first: 36 characters of id and one of outcome each
--   holds    id:until, of every hold that is alive
--   body     what the kind adds; no other kind looks into it
--
-- No field can be forged: ids are random and of fixed length, owners and fingerprints arrive hashed, labels percent-encoded.

local key = KEYS[1]

-- Server time in µs, read once: TIME moves within a script. Lua would write it with 14 digits, hence %.0f below.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function close(record, id, outcome)
  record.closed = string.sub(record.closed .. id .. outcome, -592)
  record.holds[id] = nil
  record.changed = true
end

-- How a hold ended: 'r'eleased, 'c'ancelled, 'e'xpired, 'f'orced; nil for an id that is not known to be over.
local function outcome(record, id)
  local at = string.find(record.closed, id, 1, true)
  return at and string.sub(record.closed, at + 36, at + 36)
end

-- Expired holds are closed as they are read, so that no later request and no clock step brings them back.
local function load()
  local record = { kind = '', token = 0, til = 0, closed = '', holds = {}, body = '' }
  local raw = redis.call('GET', key)
  if raw then
    local kind, token, til, closed, holds, body = string.match(raw, '^(%a+) 1 (%d+) (%d+) (%S*) (%S*) (.*)$')
    if not kind then
      -- Not ours to touch: another release of this library, or somebody else's string.
      local named, version = string.match(raw, '^(%a+) (%d+) ')
      record.kind = named and named .. '/' .. version or 'foreign'
      record.til = math.huge
      return record
    end
    record.kind, record.closed, record.body = kind, closed, body
    record.token, record.til = tonumber(token), tonumber(til)
    for id, ends in string.gmatch(holds, '([^:,]+):(%d+)') do
      record.holds[id] = tonumber(ends)
      if record.holds[id] <= now then close(record, id, 'e') end
    end
  end
  return record
end

-- The kind that has the name now, when it is another one than ours.
local function taken_by(record, kind)
  return record.kind ~= kind and record.til > now and record.kind
end

local function next_token(record)
  return math.max(record.token + 1, now)
end

-- Lives `retention` longer than its last deadline, and than a token that is ahead of a clock set back.
local function save(record, retention, call)
  local holds = ''
  for id, ends in pairs(record.holds) do
    holds = holds .. string.format('%s:%.0f,', id, ends)
  end
  local ttl = math.ceil((math.max(record.til, record.token, now) - now) / 1000) + retention
  local head = string.format('%s 1 %.0f %.0f ', record.kind, record.token, record.til)
  return (call or redis.call)('SET', key, head .. record.closed .. ' ' .. holds .. ' ' .. record.body, 'PX', ttl)
end
