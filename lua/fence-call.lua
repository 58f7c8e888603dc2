-- Runs the caller's command on one key, unless the fence has seen a higher token, and raises the highest token seen. A
-- duplicate returns the first answer. The command runs before the fence is written: if it fails, nothing is written; if
-- it wrote, Redis accepts the fence even when memory is full.
--
-- KEYS[1] fence
-- KEYS[2] key      of the caller
-- ARGV[1] notAfter server time (µs) after which this request is void
-- ARGV[2] id       of this operation
-- ARGV[3] token
-- ARGV[4] ttl      ms, of the fence
-- ARGV[5] began    the caller's estimate of the server time (µs) when it began
-- ARGV[6] command
-- ARGV[*] rest     of its arguments, behind the key
-- CALLS ARGV[6]
-- REPLY called reply
-- REPLY failed why
-- REPLY stale seen#
-- REPLY forgotten seen#
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include ran

-- Writes a reply as JSON that keeps integers of more than 14 digits and bytes as they are.
local function encode(reply)
  if type(reply) == 'number' then return string.format('%.0f', reply) end
  if not reply then return 'null' end
  if type(reply) == 'table' and not reply.ok then
    local items = {}
    for _, item in ipairs(reply) do table.insert(items, encode(item)) end
    return '[' .. table.concat(items, ',') .. ']'
  end
  local text = (type(reply) == 'table' and reply.ok or reply):gsub('[%z\1-\31"\\]', function(char)
    return string.format('\\u%04x', char:byte())
  end)
  return '"' .. text .. '"'
end

if not known then
  local reply = redis.pcall(ARGV[6], KEYS[2], unpack(ARGV, 7))
  if type(reply) == 'table' and reply.err then
    -- Errors of the server itself are returned unchanged, since probably nothing can be written there now.
    local code = ' ' .. (reply.err:match('^%u+') or '') .. ' '
    if not (' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(code, 1, true) then
      -- A failure is also remembered, so that no duplicate runs the command later. If memory is full, PEXPIRE makes
      -- Redis accept the write.
      redis.call('PEXPIRE', KEYS[1], ARGV[4])
      remember(('!' .. reply.err):sub(1, MAX_REPLY), seen)
      return { 'failed', now, reply.err }
    end
    return reply
  end
  known = encode(reply)
  remember(#known <= MAX_REPLY and known or '', token)
end
if known:find('^!') then return { 'failed', now, known:sub(2) } end
return { 'called', now, '=' .. known }
