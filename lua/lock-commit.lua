-- Sets the token of a live hold to the one that a majority of servers agreed on. This is the last step of acquiring a
-- quorum lock. The token only rises. No token is set without a live hold, nor one that is more than a day ahead of this
-- server's clock.
--
-- KEYS[1] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] token     the largest token that the servers returned
-- ARGV[4] retention ms
-- REPLY committed remaining#
-- REPLY behind token#
-- REPLY lost
-- REPLY late

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name

local ends, token = holds[ARGV[2]], tonumber(ARGV[3])
if not ends or token > now + DAY then
  if changed then save(redis.pcall) end
  return { 'lost', now }
end
if last > token then return { 'behind', now, last } end
if last < token then
  last = token
  save()
end
return { 'committed', now, ends - now }
