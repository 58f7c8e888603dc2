-- defines: failed
-- The error reply of a command that redis.pcall ran; nil if it succeeded.
local function failed(reply)
  return type(reply) == 'table' and reply.err and reply or nil
end
