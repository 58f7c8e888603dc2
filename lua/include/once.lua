-- defines: attempts mark done result set_body
-- The body of a `once`: attempts fingerprint done result `done` is the ID of the hold that completed it, empty until
-- then. The result is the rest of the string, empty if it could not be stored. Before the completion, the rest is the
-- note of the last attempt.
local attempts, mark, done, result = 0, '', '', ''
if kind == 'once' and til > now then
  attempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')
  attempts = tonumber(attempts)
end

local function set_body()
  kind, body = 'once', string.format('%.0f %s %s %s', attempts, mark, done, result)
end
