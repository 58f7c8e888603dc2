-- Ends one hold of a read-write lock, and what its id announced, and touches no other: released by its holder, who names its
-- token, or cancelled by a caller who never learned whether it was granted or no longer waits for it. An id that the server never
-- saw is closed too: its request may still be on the way.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] id        hold id, and the hash of its owner
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- REPLY closed
-- REPLY lost reason

--@include clock
--@include one
--@include ending
--@include vacate
--@include elsewhere
--@include crowd
--@include rw

local id, token = ARGV[1], tonumber(ARGV[2])
local own, hash = id:sub(1, 36), id:sub(37)
local cancel = token == 0
local before = outcome(own)
if cancel and not before and taken('rw') then return close_elsewhere(own, ARGV[3]) end

local scores = redis.call('ZMSCORE', crowd, id, 'w' .. own, 'o' .. hash)
local ends, count = tonumber(scores[1] or 0), (scores[3] or 8e15) - 8e15
local held = holds[own] and last == token or ends > now and (token == writing or token == reading)
if not before and (cancel or held) then
  local goes = { 'w' .. own, 'r' .. own }
  held = holds[own] or scores[1]
  close(own, cancel and 'c' or 'r')
  before = 'r'
  if scores[2] then unqueue(own) end
  if scores[1] then
    count = count - 1
    table.insert(goes, id)
    if count <= 0 then table.insert(goes, 'o' .. hash) end
  end
  if count <= 0 and hash == owner and not next(holds) then writing = 0 end
  redis.call('ZREM', crowd, unpack(goes))
  if scores[1] and count > 0 then redis.call('ZADD', crowd, string.format('%.0f', 8e15 + count), 'o' .. hash) end
  local rest = reads()
  til = math.min(til, math.max(now, survey(), rest, queued, ahead()))
  if kind == 'rw' then set_body() end
  keep(ARGV[3])
  local failed = vacate(ARGV[3], not held or rest > 0)
  if failed then return failed end
elseif not before and ends > 0 then
  close(own, 'e')
end
if cancel or before == 'r' then return { 'closed', now } end
return { 'lost', now, ending(own, token) }
