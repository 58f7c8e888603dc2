-- defines: keep
-- needs: crowd ttl
-- A command on a key that a script has emptied fails while a cluster moves the key's slot. So a script reads before it
-- writes, adds to the crowd before it removes from it, and touches an emptied crowd no more.

-- Sets the crowd's TTL to the record's. `call` may be redis.pcall.
local function keep(call)
  return (call or redis.call)('PEXPIRE', crowd, ttl())
end
