-- defines: crowded shapes
-- The kinds that have a crowd, and the patterns of each kind's bodies. A kind that allows an empty body starts with
-- one. The last release could write a fair lock's last number as -0.
local crowded = { fair = true, rw = true, semaphore = true, counter = true, latch = true }
local shapes = {
  none = { '^$' },
  lock = { '^$', '^%S* %S* %d+ %d+$' },
  fair = { '^$', '^%S* %S* %d+ %d+$', '^%S* %S* %d+ %d+ %d+ %-?%d+$' },
  rw = { '^$', '^%d+ %S* %S* %d+ %d+ $' },
  once = { '^%d+ %S* %S* ' },
  semaphore = { '^$', '^%-?%d* %d+ %d+ %d+ %d+$' },
  counter = { '^$', '^%-?%d* %d+ %d+ %d+ %d+$' },
  latch = { '^%d+ %d+ %d+$' }
}
