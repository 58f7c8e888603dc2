-- Reports to a waiter whether a latch has reached zero. Changes nothing but the list of those who
-- listen; `listed` is 1 if a message will wake the caller at zero. `generation` is the one that the waiter must
-- send from then on, 0 while the latch is not set. A later generation shows that this one reached zero.
--
-- KEYS[1] record
-- ARGV[1] notAfter   server time (µs) after which this request is void
-- ARGV[2] id         of the waiter
-- ARGV[3] generation that the waiter saw first; 0 for none
-- ARGV[4] retention  ms
-- ARGV[5] listens    ms for which the caller listens for a message of the name; 0: not at all
-- REPLY counting generation# remaining# listed#
-- REPLY open
-- REPLY lost
-- REPLY kind kind
-- REPLY late
-- WAIT counting until=remaining class=generation carries=generation all=open,lost

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include latch
--@include listen
--@include failed

local seen = tonumber(ARGV[3])
if taken('latch') then return { 'kind', now, kind } end
if not standing then
  if seen > 0 then return { 'lost', now } end
  return { 'counting', now, 0, 0, 0 }
end
if seen > 0 and origin > seen then return { 'lost', now } end
if left == 0 or seen > 0 and last > seen then return { 'open', now } end
local listed, is_changed = listen(ARGV[2], ARGV[5], 'w')
if is_changed and failed(save(redis.pcall)) then listed = 0 end
return { 'counting', now, last, til - now, listed }
