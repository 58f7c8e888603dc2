-- defines: attempts mark done result set_body
-- The body of a `once`: attempts fingerprint done result
-- `done` is the id of the hold that completed it, empty until then. The result is the rest of the string, empty if
-- it could not be stored. Until then the note of the last attempt is in its place.
local attempts, mark, done, result = 0, '', '', ''
if kind == 'once' and til > now then
  attempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')
  attempts = tonumber(attempts)
end

local function set_body()
  kind, body = 'once', string.format('%.0f %s %s %s', attempts, mark, done, result)
end
