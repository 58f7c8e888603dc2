-- defines: swept too_few next_end note_in again grant
-- Returns the expired members (waiters with their places), for the caller to remove, and the members that the caller
-- must add to remember that the IDs of the expired permits have ended. `low` is the lowest score to read: -now, or
-- `forgettable()` if there can be no waiters, to include outcomes that are no longer needed.
local function swept(limit, low)
  local found, list, marks = redis.call('ZRANGEBYSCORE', crowd, low, now, 'WITHSCORES', 'LIMIT', 0, limit), {}, {}
  for n = 1, #found, 2 do
    local member, score = found[n], found[n + 1] + 0
    local letter, rest = member:match('^([tw])(.+)')
    local mark = 't' .. member:sub(1, ID_LENGTH)
    -- A waiter whose deadline has not passed stays.
    if score >= -now or score < -MEMORIES then
      table.insert(list, member)
      if letter then
        table.insert(list, (letter == 'w' and 'p' or 'n') .. rest)
      elseif marks[#marks] ~= mark then
        table.insert(marks, outcome_score(lapsed(score) == 'F' and FORCED or EXPIRED))
        table.insert(marks, mark)
      end
    end
  end
  return list, marks
end

-- Whether the requested number can never be granted: no number of permits is known, or it is smaller. Zero permits are
-- a pause.
local function too_few(count, wanted)
  return not count or count > 0 and count < wanted
end

-- The permit in use that ends first, and its end.
local function next_end()
  return unpack(redis.call('ZRANGEBYSCORE', crowd, now + 1, LATEST, 'WITHSCORES', 'LIMIT', 0, 1))
end

-- The note for people in a member; empty for none.
local function note_in(member)
  return member:match('@(.*)$') or ''
end

-- The answer to an ID that was granted under this token; nil if none of its permits is left.
local function again(id, token)
  local ends, count = 0, 0
  for _, score in ipairs(redis.call('ZMSCORE', crowd, unpack(members(id)))) do
    score = tonumber(score or 0)
    if score > now then ends, count = score, count + 1 end
  end
  if count > 0 then return { 'granted', now, token, ends - now, count } end
end

-- Grants permits to an ID, removes the members in `gone` and adds those in `marks`. A counter's permits have no end. If
-- the record cannot be written, the permits are rolled back.
local function grant(id, wanted, ours, lease, lives, gone, marks)
  last = math.max(last + 1, now)
  forget_listener(id)
  local ends, adds = now + lease * MS, { granted_score(last), 't' .. id:sub(1, ID_LENGTH) }
  if ours == 'counter' then
    ends, adds[1] = 0, outcome_score(DONE)
  else
    for _, member in ipairs(members(id)) do
      table.insert(adds, string.format('%.0f', ends))
      table.insert(adds, member)
    end
  end
  til = math.max(til, ends, permits and now + lives * MS or 0)
  -- Another kind had the name, and everything in its crowd has ended.
  if kind ~= ours and kind ~= 'none' then
    redis.call('UNLINK', crowd)
    gone, marks = {}, nil
  end
  for _, each in ipairs(marks or {}) do
    table.insert(adds, each)
  end
  redis.call('ZADD', crowd, unpack(adds))
  set_body(ours)
  local failure = failed(keep(redis.pcall)) or failed(save(redis.pcall))
  if failure then
    redis.call('ZREM', crowd, 't' .. id:sub(1, ID_LENGTH), unpack(members(id)))
    return failure
  end
  -- What stays here is removed by a later call.
  if #gone > 0 then redis.pcall('ZREM', crowd, unpack(gone)) end
  return { 'granted', now, last, (ends > 0 and ends or til) - now, wanted }
end
