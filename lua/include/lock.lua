-- defines: known reentry_key note tenure queue set_body
-- needs: ours
-- A lock's body: re-entry key note tenure queue `note` is for people: label and process of the tenure's first hold,
-- `label@holder`. Waiters time their polls by `tenure` and `queue`, moving averages in µs: the length of a tenure, and
-- how long the holders had waited. Only grants and releases write them, so they cost no command. A fair lock keeps its
-- last ticket in `queue` instead. `ours` is the kind, of these two, that the script is for.
local known = kind == ours and body ~= '' and body or '  0 0'
local reentry_key, note, tenure, queue = known:match('^(%S*) (%S*) (%d+) (%d+)')
tenure, queue = tonumber(tenure), tonumber(queue)

local function set_body()
  kind, body = ours, string.format('%s %s %.0f %.0f', reentry_key, note, tenure, queue)
end
