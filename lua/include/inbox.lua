-- defines: NUMBERS MAX_MESSAGES MAX_BYTES KEY_LENGTH inbox scores known number_of collector place size number kept_until store
-- needs: now
--@include bands
-- The messages of a conversation that wait for a turn or whose turn is running: one sorted set beside its record. From
-- the lowest score to the highest:
--
--   below -NUMBERS     numbers, by their negative value, and `i` .. key of every message that is here
--   -LATEST … 0         `i` .. key of a message whose turn has ended, by the negative time until which it is remembered
--   PLACES … ACCOUNTS   `m` .. key .. text: a message, by its place: a time in µs that rises from one to the next
--
-- A key is the hash of a message's id. The numbers are `c`, the token of the last turn that collects; `p`, the last
-- place; `b` and `n`, the bytes and the number of the messages; and `e`, the time until which the set is kept.
--
-- The maximum number of messages and of their bytes, and the length of a key.
local NUMBERS = 4.5e15
local MAX_MESSAGES = 100
local MAX_BYTES = 262144
local KEY_LENGTH = 22
local inbox = KEYS[3]
local scores = redis.call('ZMSCORE', inbox, 'i' .. ARGV[5], 'c', 'p', 'b', 'n', 'e')
local known = tonumber(scores[1] or 0)

local function number_of(nth)
  return -NUMBERS - (scores[nth] or -NUMBERS)
end
local collector, place, size, number, kept_until = number_of(2), number_of(3), number_of(4), number_of(5), number_of(6)

-- Writes the members that follow their scores in a list, and the numbers, and keeps the set for `ttl` (µs) at least.
local function store(adds, ttl)
  kept_until = math.max(kept_until, now + ttl)
  for n, value in ipairs({ collector, place, size, number, kept_until }) do
    table.insert(adds, string.format('%.0f', -NUMBERS - value))
    table.insert(adds, ('cpbne'):sub(n, n))
  end
  redis.call('ZADD', inbox, unpack(adds))
  redis.call('PEXPIRE', inbox, math.ceil((kept_until - now) / MS))
end
