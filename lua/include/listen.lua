-- defines: EAR TAIL MAX_EARS tail_of forget_ear forget_ended listen
-- needs: key now ears
-- Waiters that listen for messages on the channel of their name, which is its key. A release wakes one of them by a
-- message with its tail (see include/wake.lua), and it polls at once. A message may be lost, so listeners also poll, but
-- seldom.
--
-- `ears` has an entry for each: the tail of its id, a letter, and the time until which it waits (s, ten digits):
--
--   w   it waits
--   W   it was woken and has not polled since
--   r   it waits for a read hold; all of these are woken together
--
-- The length of an entry and of a tail, and the number of entries. Further waiters poll as if there were no messages.
local EAR = 23
local TAIL = 12
local MAX_EARS = 64

local function tail_of(id)
  return id:sub(TAIL_START, ID_LENGTH)
end

-- Removes the entry of an ID.
local function forget_ear(id)
  local at = ears ~= '' and ears:find(tail_of(id), 1, true)
  if at then ears = ears:sub(1, at - 1) .. ears:sub(at + EAR) end
end

-- Removes the entries of waiters whose time is up.
local function forget_ended()
  local rest = {}
  for at = 1, #ears, EAR do
    local entry = ears:sub(at, at + EAR - 1)
    if entry:sub(TAIL + 2) * SECOND > now then table.insert(rest, entry) end
  end
  ears = table.concat(rest)
end

-- Adds a refused caller that listens for `wait` ms more. Returns 1 if it will be woken; whether the record must be saved
-- for that; and, if the caller was woken in vain, where the entries after its own begin. The first listener shows
-- whether messages can be published here at all.
local function listen(id, wait, letter)
  if tonumber(wait) == 0 then return 0 end
  local at = ears:find(tail_of(id), 1, true)
  if at then
    local flag = at + TAIL
    if ears:sub(flag, flag) == letter then return 1 end
    ears = ears:sub(1, flag - 1) .. letter .. ears:sub(flag + 1)
    return 1, true, at + EAR
  end
  if #ears == MAX_EARS * EAR then forget_ended() end
  if #ears == MAX_EARS * EAR then return 0 end
  if ears == '' and type(redis.pcall('PUBLISH', key, '')) == 'table' then return 0 end
  ears = ears .. string.format('%s%s%010.0f', tail_of(id), letter, math.ceil((now + wait * MS) / SECOND))
  return 1, true
end
