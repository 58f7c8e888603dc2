-- A lock's body: owner label tenure queue
-- The last two are what waiters time their polls by, in µs, smoothed: how long a tenure takes, and how long those who were granted
-- one had waited. Only grants and releases write them, so they cost no command. Of a fair lock the last is the last ticket given.
-- The includer says in `ours` which of the two it is.
local known = kind == ours and body ~= '' and body or '  0 0'
local owner, label, tenure, queue = known:match('^(%S*) (%S*) (%d+) (%d+)$')
tenure, queue = tonumber(tenure), tonumber(queue)

local function set_body()
  kind, body = ours, string.format('%s %s %.0f %.0f', owner, label, tenure, queue)
end

-- A tenure has ended that took so long.
local function usual_tenure(took)
  tenure = math.max(tenure == 0 and took or tenure + (took - tenure) / 8, 0)
end
