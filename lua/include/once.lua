-- A once's body: attempts fingerprint done result
-- `done` is the hold id that completed it, empty before; the result is the rest of the string.
local attempts, mark, done, result = 0, '', '', ''
if kind == 'once' and til > now then
  attempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')
  attempts = tonumber(attempts)
end

local function set_body()
  kind, body = 'once', table.concat({ string.format('%.0f', attempts), mark, done, result }, ' ')
end
