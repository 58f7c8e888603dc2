-- defines: LISTENER TAIL MAX_LISTENERS tail_of forget_listener forget_ended listen
-- needs: key now listeners
-- Waiters that listen for messages on the channel of their name, which is its key. A release wakes one of them by a
-- message with its tail (see include/wake.lua), and it polls at once. A message may be lost, so listeners also poll, but
-- seldom.
--
-- `listeners` has an entry for each: the tail of its id, a letter, and the time until which it waits (s, ten digits):
--
--   w   it waits
--   W   it was woken and has not polled since
--   r   it waits for a read hold; all of these are woken together
--
-- The length of an entry and of a tail, and the number of entries. Further waiters poll as if there were no messages.
local LISTENER = 23
local TAIL = 12
local MAX_LISTENERS = 64

local function tail_of(id)
  return id:sub(TAIL_START, ID_LENGTH)
end

-- Removes the entry of an ID.
local function forget_listener(id)
  local at = listeners ~= '' and listeners:find(tail_of(id), 1, true)
  if at then listeners = listeners:sub(1, at - 1) .. listeners:sub(at + LISTENER) end
end

-- Removes the entries of waiters whose time is up.
local function forget_ended()
  local rest = {}
  for at = 1, #listeners, LISTENER do
    local entry = listeners:sub(at, at + LISTENER - 1)
    if entry:sub(TAIL + 2) * SECOND > now then table.insert(rest, entry) end
  end
  listeners = table.concat(rest)
end

-- Adds a refused caller that listens for `wait` ms more. Returns 1 if it will be woken; whether the record must be saved
-- for that; and, if the caller was woken in vain, where the entries after its own begin. The first listener shows
-- whether messages can be published here at all.
local function listen(id, wait, letter)
  if tonumber(wait) == 0 then return 0 end
  local at = listeners:find(tail_of(id), 1, true)
  if at then
    local flag = at + TAIL
    if listeners:sub(flag, flag) == letter then return 1 end
    listeners = listeners:sub(1, flag - 1) .. letter .. listeners:sub(flag + 1)
    return 1, true, at + LISTENER
  end
  if #listeners == MAX_LISTENERS * LISTENER then forget_ended() end
  if #listeners == MAX_LISTENERS * LISTENER then return 0 end
  if listeners == '' and type(redis.pcall('PUBLISH', key, '')) == 'table' then return 0 end
  listeners = listeners .. string.format('%s%s%010.0f', tail_of(id), letter, math.ceil((now + wait * MS) / SECOND))
  return 1, true
end
