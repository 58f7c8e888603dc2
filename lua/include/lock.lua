-- A lock's body: owner label tenure queue
-- The last two are what waiters time their polls by, in µs, smoothed: how long a tenure takes, and how long those who were granted
-- one had waited. Only grants and releases write them, so they cost no command.
local owner_now, label, tenure, queue = '', '', 0, 0
local record = load()
if record.kind == 'lock' and record.body ~= '' then
  owner_now, label, tenure, queue = string.match(record.body, '^(%S*) (%S*) (%d+) (%d+)$')
end

local function set_body(owner, text)
  record.kind = 'lock'
  record.body = string.format('%s %s %.0f %.0f', owner, text, tenure, queue)
end
