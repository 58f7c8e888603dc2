-- defines: close_elsewhere
-- Closes a cancelled ID in the record of another kind that now has the name, and changes nothing else there. A record
-- of an unknown format is left unchanged.
local function close_elsewhere(id, due)
  if til == math.huge then return { 'lost', now, 'gone' } end
  close(id, 'C', due)
  return vacate() or { 'closed', now }
end
