-- defines: standing left of origin set_body
-- A latch's body: left of origin The latch was set to `of`, and `left` parties have not counted it down yet. The
-- record's `last` is the generation. `origin` is the first generation of its chain. In a chain, every generation but
-- the last reached zero, so a waiter that saw any of them knows how it ended. The record's hold is the request that set
-- the latch, so that a duplicate does not set it again. The crowd has the parties counted in this generation.
local standing = kind == 'latch' and til > now
local left, of, origin = (standing and body or '0 0 0'):match('^(%d+) (%d+) (%d+)$')
left, of, origin = tonumber(left), tonumber(of), tonumber(origin)

local function set_body()
  kind, body = 'latch', string.format('%.0f %.0f %.0f', left, of, origin)
end
