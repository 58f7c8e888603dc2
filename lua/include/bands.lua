-- defines: LATEST SETTLED PLACES ACCOUNTS READERS READERS_END BEYOND MEMORIES
-- The crowd of a name is one sorted set with members of several types. Each type has its own band of scores, so that
-- one range selects one type. From the lowest score to the highest:
--
--   below -MEMORIES          what a semaphore remembers of a request that has ended    include/requests.lua
--   -READERS_END … -READERS  readers that wait for a writer to leave, by deadline      include/rw.lua
--   -LATEST … 0              waiters, by the negative deadline of their next poll      include/queue.lua
--   0                        parties that have counted down the present generation of a latch
--   0 … LATEST               holds, by the time at which they end; an expired one stays until a script removes it
--   SETTLED … PLACES         holds of readers that have ended and left the account of their re-entry key
--   PLACES … ACCOUNTS        places in a queue                                         include/queue.lua
--   ACCOUNTS … BEYOND        the accounts of re-entry keys                              include/accounts.lua
--   above MEMORIES           requests that were granted, by their token                include/requests.lua
--
-- A time in µs is below LATEST until the year 2096.
local LATEST = 4e15
local SETTLED = 4e15
local PLACES = 4.5e15
local ACCOUNTS = 8e15
local READERS = 4.5e15
local READERS_END = 9e15
local BEYOND = 1e16
local MEMORIES = 1e18
