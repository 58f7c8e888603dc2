-- What there may be many of stands in a sorted set next to the record, the crowd, so that nothing grows with their number but the
-- logarithm. Its members by score, in µs and in bands that do not touch:
--
--   until             a hold: `id` of a reader (followed by the hash of its owner), `id#n` of a permit; half a µs says: forced out
--   -deadline         `w` .. id, a waiter who said when it would be back at the latest
--   -deadline - 4.5e15  `r` .. id, a reader who waits for a writer to leave
--   until / 8 + 4e15  a reader's hold that is over, and off its owner's account
--   place + 4.5e15    `p` .. id, the place of a waiter in the queue
--   8e15 and more     `o` .. owner, the read holds of an owner: see include/owners.lua
--   0                 `z` .. party, who has counted down the present generation of a latch
--   beyond 1e18       `t` .. id and `n` .. id, what a semaphore remembers of a request: see include/semaphore.lua
--
-- A hold or a waiter whose time is over stays until a script takes it out, at most so many at a time; nobody counts it any more.
local crowd = KEYS[2]

-- Both keys of the name live equally long.
local function keep()
  redis.call('PEXPIRE', crowd, ttl())
end
