-- defines: ended
-- needs: now changed save
-- Returns the answer to an ID that has ended. A hold that was found expired is saved as closed, so that the same ID is
-- not granted if the clock is set back.
local function ended()
  if changed then save(redis.pcall) end
  return { 'closed', now }
end
