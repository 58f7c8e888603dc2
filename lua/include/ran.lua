-- defines: id token ran known at remember
--@include fence
-- Lets a fence run an operation once, however often its request arrives. ARGV[2] is the id of the operation, ARGV[3]
-- its token,
-- ARGV[5] the time at which its caller began it.
local id, token, ran, known, at = ARGV[2], tonumber(ARGV[3]), {}, nil, 1
while at <= tonumber(size) do
  local ends = at + 54 + rest:sub(at + 52, at + 54)
  table.insert(ran, rest:sub(at, ends))
  if rest:sub(at, at + 35) == id then known = rest:sub(at + 55, ends) end
  at = ends + 1
end
if not known then
  -- It may have run and be forgotten. That comes before `stale`, which says that it did not run. The beginning is of no
  -- use when the caller's clock is ahead of ours; after a backward step of ours it is taken at its word, since most
  -- have not run.
  local began = tonumber(ARGV[5])
  if began > now or (began <= forgot and forgot <= now) then return { 'forgotten', now, seen } end
  if token < seen then return { 'stale', now, seen } end
end

local function remember(reply, highest)
  table.insert(ran, string.format('%s%016.0f%03d', id, now, #reply) .. reply)
  while #ran > 64 or ran[1]:sub(37, 52) < string.format('%016.0f', now - 60e6) do
    forgot = math.max(forgot, table.remove(ran, 1):sub(37, 52))
  end
  local calls = table.concat(ran)
  local fence = string.format('fence 1 %.0f %.0f %d ', highest, forgot, #calls) .. calls .. value
  redis.call('SET', KEYS[1], fence, 'PX', ARGV[4])
end
