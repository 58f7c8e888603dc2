-- defines: publish wake wake_all
-- needs: key now listeners
--@include listen
-- Wakes waiters that listen (include/listen.lua). The caller saves the record afterwards.
--
-- A message is the tail of the waiter that it wakes, `read` for all readers, or `*` for everybody. It may be lost, and
-- one that cannot be published costs the waiters a poll.
local function publish(message)
  redis.pcall('PUBLISH', key, message)
end

-- Wakes the first waiters, as many as `count`. They keep their entries: one that finds another client faster is again
-- the first. One that was woken earlier and has not polled since is gone. Entries before `from` are passed over.
local function wake(count, from)
  local kept, rest = listeners:sub(1, (from or 1) - 1), listeners:sub(from or 1)
  while rest ~= '' and count > 0 do
    local tail, letter, till = rest:sub(1, TAIL), rest:sub(TAIL + 1, TAIL + 1), rest:sub(TAIL + 2, LISTENER)
    rest = rest:sub(LISTENER + 1)
    if letter == 'r' then
      kept = kept .. tail .. letter .. till
    elseif letter == 'w' and till * SECOND > now then
      kept, count = kept .. tail .. 'W' .. till, count - 1
      publish(tail)
    end
  end
  listeners = kept .. rest
end

-- Wakes everybody: all of them can go on, or must begin anew.
local function wake_all()
  if listeners ~= '' then publish('*') end
  listeners = ''
end
