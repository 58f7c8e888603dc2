-- defines: close_elsewhere
-- Closes a cancelled id in the record of another kind that has the name now, and changes nothing else there. A record
-- of an unknown format stays untouched.
local function close_elsewhere(id, due)
  if til == math.huge then return { 'lost', now, 'gone' } end
  close(id, 'C', due)
  return vacate() or { 'closed', now }
end
