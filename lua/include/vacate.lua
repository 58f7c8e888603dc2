-- Letting go must work when memory is full: there SET is refused, unless the script has written before, and PEXPIRE may. Where that
-- does not help, the record goes with its last hold (`lets_go`).
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
