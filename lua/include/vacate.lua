-- Letting go must work when memory is full: there SET is refused, and DEL is not.
local function vacate(record, retention)
  local set = save(record, retention, redis.pcall)
  if set.err then
    if next(record.holds) then return set end
    redis.call('DEL', key)
  end
end
