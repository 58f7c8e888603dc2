-- Changes a key of an application's own state, once. A duplicate changes nothing and returns the first answer. `count`
-- is the length of the list after a push; otherwise 1 if something changed, else 0. `item` is the item that a pop
-- removed, after a mark, or empty.
--
-- KEYS[1] key
-- KEYS[2] done     the answer to this request
-- ARGV[1] notAfter server time (µs) after which this request is void
-- ARGV[2] memory   ms, for which the answer is remembered
-- ARGV[3] verb     set, add (set if missing), delete, push (to the end of a list), pop (from its start)
-- ARGV[4] value    or item
-- ARGV[5] ttl      ms, of the key; with 0 a value gets none, and a list keeps its own
-- ARGV[6] max      items that a list keeps, the newest; 0 for all
-- REPLY changed count# item
-- REPLY late

--@include fresh

local done = redis.call('GET', KEYS[2])
if not done then
  local verb, value, ttl, max = ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  local count, item, added = 0, '', 0
  -- Takes the change back if its answer cannot be remembered: a retry would make it again.
  local function undo() end
  if verb == 'push' then
    added = redis.call('RPUSH', KEYS[1], value)
    count = max > 0 and math.min(added, max) or added
    undo = function() redis.call('LTRIM', KEYS[1], 0, -2) end
  elseif verb == 'pop' then
    local first = redis.call('LPOP', KEYS[1])
    if first then
      count, item = 1, '=' .. first
      undo = function() redis.call('LPUSH', KEYS[1], first) end
    end
  elseif verb == 'delete' then
    count = redis.call('DEL', KEYS[1])
  elseif verb == 'set' or redis.call('EXISTS', KEYS[1]) == 0 then
    count = 1
    if verb == 'add' then
      undo = function() redis.call('DEL', KEYS[1]) end
    end
    if ttl > 0 then
      redis.call('SET', KEYS[1], value, 'PX', ttl)
    else
      redis.call('SET', KEYS[1], value)
    end
  end
  done = string.format('%.0f ', count) .. item
  local set = redis.pcall('SET', KEYS[2], done, 'PX', ARGV[2])
  if set.err then
    undo()
    return set
  end
  if added > count then redis.call('LTRIM', KEYS[1], -max, -1) end
  if added > 0 and ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl) end
end
local count, item = done:match('^(%d+) (.*)$')
return { 'changed', now, tonumber(count), item }
