-- defines: raw seen forgot size rest value
-- The fence of a name: one string under a key of its own, since it outlives the name's record by days.
--
--   fence 1 token forgot size calls value
--
--   token    the highest token seen
--   forgot   when the newest call ran that is no longer listed (µs)
--   size     bytes of the calls
--   calls    the calls that ran last, oldest first: 36 characters of id, 16 of its time (µs), 3 of the size of its
--            reply, the reply
--   value    the value written last: the rest of the string
local raw = redis.call('GET', KEYS[1]) or 'fence 1 0 0 0 '
local seen, forgot, size, rest = raw:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')
if not seen then
  local named, version = raw:match('^(%a+) (%d+) ')
  return { 'kind', now, named and named .. '/' .. version or 'foreign' }
end
seen, forgot = tonumber(seen), tonumber(forgot)
local value = rest:sub(size + 1)
