-- defines: id token MAX_CALLS KEPT MAX_REPLY TIME_LENGTH SIZE_LENGTH ran known at time_of remember
--@include fence
-- Makes a fence run an operation once, however often its request arrives. ARGV[2] is the ID of the operation, ARGV[3]
-- its token, ARGV[5] the time at which its caller began it.
local id, token = ARGV[2], tonumber(ARGV[3])
-- The fence lists the newest calls: the maximum number, the time (µs) for which each is listed, and the maximum bytes
-- of its reply.
local MAX_CALLS = 64
local KEPT = 60000000
local MAX_REPLY = 255
-- A call in the list: its ID, then its time (µs) and the size of its reply in this many digits, then the reply.
local TIME_LENGTH = 16
local SIZE_LENGTH = 3
local ran, known, at = {}, nil, 1
while at <= tonumber(size) do
  local sized = at + ID_LENGTH + TIME_LENGTH
  local begins = sized + SIZE_LENGTH
  local ends = begins + rest:sub(sized, begins - 1) - 1
  table.insert(ran, rest:sub(at, ends))
  if rest:sub(at, at + ID_LENGTH - 1) == id then known = rest:sub(begins, ends) end
  at = ends + 1
end
if not known then
  -- It may have run and been forgotten. This precedes `stale`, which says that it did not run. The beginning is useless
  -- if the caller's clock is ahead of the server's; after a backward step of the server's clock it is trusted, since
  -- most such operations have not run.
  local began = tonumber(ARGV[5])
  if began > now or (began <= forgot and forgot <= now) then return { 'forgotten', now, seen } end
  if token < seen then return { 'stale', now, seen } end
end

local function time_of(call)
  return call:sub(ID_LENGTH + 1, ID_LENGTH + TIME_LENGTH)
end

local function remember(reply, highest)
  table.insert(ran, string.format('%s%016.0f%03d', id, now, #reply) .. reply)
  while #ran > MAX_CALLS or time_of(ran[1]) < string.format('%016.0f', now - KEPT) do
    forgot = math.max(forgot, time_of(table.remove(ran, 1)))
  end
  local calls = table.concat(ran)
  local fence = string.format('fence 1 %.0f %.0f %d ', highest, forgot, #calls) .. calls .. value
  redis.call('SET', KEYS[1], fence, 'PX', ARGV[4])
end
