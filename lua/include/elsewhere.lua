-- Another kind has the name now. A cancelled id is closed in its record all the same, which else stays as it is; not in one that we
-- cannot read.
local function close_elsewhere(id, due)
  if til == math.huge then return { 'lost', now, 'gone' } end
  close(id, 'C', due)
  return vacate() or { 'closed', now }
end
