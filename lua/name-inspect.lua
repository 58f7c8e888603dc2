-- Reads a name of any kind with its crowd, or its fence, and changes nothing: for a list of names. It gives no ids of
-- holds, since an id proves ownership, and no result of a once. `remaining` is how long the name still belongs to this
-- kind, `left` how long the longest hold still runs.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- REPLY free token#
-- REPLY live type token# remaining# holds# left# body many# waiting# behind#
-- REPLY fence token#
-- REPLY kind kind

local retention = 0
--@include clock
--@include one
local seen = raw:match('^fence 1 (%d+) ')
if seen then return { 'fence', now, tonumber(seen) } end
if til == math.huge then return { 'kind', now, kind } end
if til <= now then return { 'free', now, last } end
local farthest, count = survey()
--@include crowded
if kind == 'once' then
  local attempts, done = body:match('^(%d+) %S* (%S*)')
  body = attempts .. (done ~= '' and ' done' or ' ')
end
return { 'live', now, kind, last, til - now, count, math.max(farthest - now, 0), '=' .. body, many, waiting, behind }
