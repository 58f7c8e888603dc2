-- Reports to a waiter whether a latch has reached zero. Changes nothing. `generation` is the one that the waiter must
-- send from then on, 0 while the latch is not set. A later generation shows that this one reached zero.
--
-- KEYS[1] record
-- ARGV[1] notAfter   server time (µs) after which this request is void
-- ARGV[2] id         of the waiter
-- ARGV[3] generation that the waiter saw first; 0 for none
-- REPLY counting generation# remaining#
-- REPLY open
-- REPLY lost
-- REPLY kind kind
-- REPLY late
-- WAIT counting until=remaining class=generation carries=generation all=open,lost

local retention = 0
--@include fresh
--@include read_name
--@include latch

local seen = tonumber(ARGV[3])
if taken('latch') then return { 'kind', now, kind } end
if not standing then
  if seen > 0 then return { 'lost', now } end
  return { 'counting', now, 0, 0 }
end
if seen > 0 and origin > seen then return { 'lost', now } end
if left == 0 or seen > 0 and last > seen then return { 'open', now } end
return { 'counting', now, last, til - now }
