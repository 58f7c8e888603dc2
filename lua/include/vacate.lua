-- Letting go must work when memory is full: there SET is refused, and DEL is not. But where no hold is let go (`keep`), what is
-- remembered is worth more, and an id that cannot be closed must not be said to be.
local function vacate(retention, keep)
  local set = save(retention, redis.pcall)
  if set and set.err then
    if keep or next(holds) then return set end
    redis.call('DEL', key)
  end
end
