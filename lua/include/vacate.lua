-- defines: vacate
-- Saves a record that releases a hold, also when memory is full. Redis then refuses SET as the first write of a script,
-- but accepts PEXPIRE, and SET after it. If that also fails, the record is deleted together with its last hold
-- (`lets_go`).
local function vacate(lets_go)
  local set = save(redis.pcall)
  if set and set.err and set.err:find('OOM', 1, true) then
    redis.call('PEXPIRE', key, ttl())
    set = save(redis.pcall)
  end
  if set and set.err then
    if not lets_go or next(holds) then return set end
    redis.call('DEL', key)
  end
end
