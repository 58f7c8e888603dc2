-- defines: crowd
--@include bands
-- The crowd of a name: a sorted set beside its record, for members of which there may be many, so that the cost of a
-- script grows only with the logarithm of their number. A member's score shows its type: see include/bands.lua.
--
--   id…               the hold of a reader (`id`, then its re-entry key) or of a permit (`id#n`), then `@` and the note
--                     if there is one
--   `w` .. waiter     a waiter: its id, then `@` and the note if there is one
--   `p` .. waiter     the place of a waiter in the queue
--   `r` .. waiter     a reader that waits for a writer to leave
--   `o` .. re-entry key  the read holds of a re-entry key
--   `z` .. party      a party that has counted down the present generation of a latch
--   `t` .. id, `n` .. id  what a semaphore remembers of a request; `t` .. id of a reader with a note: when it was granted
--
-- An expired hold or waiter stays until a script removes it, a limited number per call. Scripts do not count it.
local crowd = KEYS[2]

--@include keep
--@include failed
