-- A once's body: attempts fingerprint done result
-- `done` is the hold id that completed it, empty before; the result is the rest of the string.
local attempts, mark, done, result = 0, '', '', ''
local record = load()
if record.kind == 'once' and record.til > now then
  attempts, mark, done, result = string.match(record.body, '^(%d+) (%S*) (%S*) (.*)$')
  attempts = tonumber(attempts)
end

local function set_body()
  record.kind = 'once'
  record.body = table.concat({ string.format('%.0f', attempts), mark, done, result }, ' ')
end
