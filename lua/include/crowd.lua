-- defines: crowd keep
-- The crowd of a name: a sorted set next to its record, for everything that there may be many of, so that the cost of a
-- script grows with the logarithm of their number only. Members by score, in µs; the bands do not overlap:
--
--   until             a hold: `id` of a reader (followed by the hash of its reentry key), `id#n` of a permit, and
--                     behind it `@` and the note for people, if there is one; half a µs marks a hold that was
--                     forced out
--   -deadline         `w` .. id, a waiter, and the latest time at which it will poll again
--   -deadline - 4.5e15  `r` .. id, a reader who waits for a writer to leave
--   until / 8 + 4e15  a reader's hold that is over, and off its reentry key's account
--   place + 4.5e15    `p` .. id, the place of a waiter in the queue
--   8e15 and more     `o` .. reentry key, the read holds of a reentry key: see include/accounts.lua
--   0                 `z` .. party, a party that has counted down the present generation of a latch
--   beyond 1e18       `t` .. id and `n` .. id, what a semaphore remembers of a request: see include/semaphore.lua;
--                     `t` .. id of a reader with a note, when it was granted, times 1024
--
-- A hold or a waiter whose time is over stays until a script removes it, a limited number per call. Scripts do not
-- count it.
local crowd = KEYS[2]

-- Gives the crowd the record's TTL.
local function keep()
  redis.call('PEXPIRE', crowd, ttl())
end
