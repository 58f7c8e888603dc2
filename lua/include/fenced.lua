-- defines: text seen forgot size rest value
-- needs: raw now
-- The fence of a name: one string under its own key, since it outlives the name's record by days.
--
--   fence 1 token forgot size calls value
--
--   token    the highest token seen
--   forgot   when the newest call ran that is no longer listed (µs)
--   size     bytes of `calls`
--   calls    the newest calls, oldest first: see include/ran.lua
--   value    the value written last: the rest of the string
local text = raw or 'fence 1 0 0 0 '
local seen, forgot, size, rest = text:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')
if not seen then
  local named, version = text:match('^(%a+) (%d+) ')
  return { 'kind', now, named and named .. '/' .. version or 'foreign' }
end
seen, forgot = tonumber(seen), tonumber(forgot)
local value = rest:sub(size + 1)
