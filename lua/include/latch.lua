-- A latch's body: left of origin
-- `left` of the `of` that it was set to are to be counted down. `last` is the generation; `origin` is the first one of its chain, in
-- which every generation but the last ended at zero: whoever saw one of the chain knows how it ended. The hold is the request that set
-- it, so that it sets it once. The crowd has the parties that were counted in this generation.
local standing = kind == 'latch' and til > now
local left, of, origin = (standing and body or '0 0 0'):match('^(%d+) (%d+) (%d+)$')
left, of, origin = tonumber(left), tonumber(of), tonumber(origin)

local function set_body()
  kind, body = 'latch', string.format('%.0f %.0f %.0f', left, of, origin)
end
