-- Another kind has the name now. A cancelled id is closed in its record all the same, which else stays as it is; not in one that we
-- cannot read.
local function close_elsewhere(record, id, retention)
  if record.til == math.huge then return { 'lost', now, 'gone' } end
  close(record, id, 'c')
  return vacate(record, retention, true) or { 'closed', now, record.til - now }
end
