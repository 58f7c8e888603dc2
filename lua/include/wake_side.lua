-- defines: wake_side
-- needs: listeners queued ahead publish wake now
-- Wakes those who may have a read-write lock without a writer: the first writer, if it is free and no readers precede
-- the writers; otherwise all readers, unless a writer waits. `read_until` is the end of the last read hold.
local function wake_side(read_until, leaving)
  if listeners == '' then return end
  local is_free = read_until <= now
  if is_free and ahead(leaving) == 0 then
    wake(1)
    if queued <= now then publish('read') end
  elseif is_free or queued <= now then
    publish('read')
  end
end
