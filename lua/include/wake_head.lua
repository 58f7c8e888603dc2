-- defines: wake_head
-- needs: listeners crowd publish tail_of
-- Wakes the first waiter in the queue after `skips` others, if it listens. The crowd may have been emptied before
-- (include/keep.lua).
local function wake_head(skips)
  local head = listeners ~= '' and redis.pcall('ZRANGEBYSCORE', crowd, PLACES, ACCOUNTS, 'LIMIT', skips, 1)[1]
  local tail = head and tail_of(head:sub(2))
  if tail and listeners:find(tail, 1, true) then publish(tail) end
end
