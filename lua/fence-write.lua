-- Raises the highest token that a fence has seen and stores the value, if there is one, unless the fence has seen a
-- higher token. A duplicate changes nothing, so it cannot undo a later write of the same holder.
--
-- KEYS[1] fence
-- ARGV[1] notAfter server time (µs) after which this request is void
-- ARGV[2] id       of this operation
-- ARGV[3] token
-- ARGV[4] ttl      ms, of the fence
-- ARGV[5] began    the caller's estimate of the server time (µs) when it began
-- ARGV[6] value    after a mark, or empty to keep the stored one
-- REPLY written
-- REPLY stale seen#
-- REPLY forgotten seen#
-- REPLY kind kind
-- REPLY late

--@include fresh
--@include ran

if not known then
  if ARGV[6] ~= '' then value = ARGV[6]:sub(2) end
  remember('', token)
end
return { 'written', now }
