-- A lock's body: owner label tenure queue
-- The last two are what waiters time their polls by, in µs, smoothed: how long a tenure takes, and how long those who were granted
-- one had waited. Only grants and releases write them, so they cost no command.
local known = kind == 'lock' and body ~= '' and body or '  0 0'
local owner, label, tenure, queue = known:match('^(%S*) (%S*) (%d+) (%d+)$')
tenure, queue = tonumber(tenure), tonumber(queue)

local function set_body()
  kind, body = 'lock', string.format('%s %s %.0f %.0f', owner, label, tenure, queue)
end
