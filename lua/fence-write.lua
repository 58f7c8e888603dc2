-- Raises the highest token that the fence of a name has seen and stores a value if one is given, unless a higher token
-- was seen. Sent again it works once, so that no copy undoes a later write of the same holder.
--
-- KEYS[1] fence
-- ARGV[1] notAfter server time (µs) after which this request is void
-- ARGV[2] id       of this operation
-- ARGV[3] token
-- ARGV[4] ttl      ms, of the fence
-- ARGV[5] began    server time (µs), as far as the caller knew it when it began
-- ARGV[6] value    after a mark, or empty for the one that is there
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
