-- defines: SOON FARTHEST FIRST_GUESS DOUBT STEP_GAIN MIN_STEP LATE_PART FIRST_DELAY AGE_PART SLOW_DELAY SLOW_PART LONGEST_STEP REGULAR_PART BEHIND_PART HANDOVER AFTER_LEASE place_score place_of buried back_in line_up leave queued_til waiters
--@include bands
-- A queue in the crowd, first come, first served. Places are rising numbers (tickets); the kind's body remembers the
-- last one. Each answer contains the time of the waiter's next poll. A waiter that is later than that by more than the
-- grace loses its place.
--
-- Delays until the next poll, in µs: after dead waiters were found, and the maximum.
local SOON = 20000
local FARTHEST = 2000000
-- Constants of `back_in`: the tenure and its spread before any has ended, and the minimum error of an estimate;
local FIRST_GUESS = 10000
local DOUBT = 500
-- the step between two polls: its growth with the square root of the uncertainty, its minimum, and its growth with a
-- tenure that is longer than usual;
local STEP_GAIN = 55
local MIN_STEP = 1750
local LATE_PART = 8
-- the maximum of a step, and of every delay of the first in the queue: a part of the tenure's age more than FIRST_DELAY,
-- a smaller part more than SLOW_DELAY, and LONGEST_STEP, whichever is least. The default back-off has the same;
local FIRST_DELAY = 25000
local AGE_PART = 4
local SLOW_DELAY = 75000
local SLOW_PART = 12
local LONGEST_STEP = 1000000
-- how small the spread of regular tenures is, as a part of the usual one. If they are not regular, the maximum also
-- holds for those behind, and grows by a part of it with each place;
local REGULAR_PART = 4
local BEHIND_PART = 8
-- the time from one tenure to the next, and from the end of a lease to the poll after it.
local HANDOVER = 2000
local AFTER_LEASE = 1000

-- The score of a place, and the reverse.
local function place_score(place)
  return PLACES + place
end
local function place_of(score)
  return score - PLACES
end

-- Returns both members of each dead waiter, for the caller to remove, except its own: it is late, but its place is
-- still free.
local function buried(list, asking)
  local gone = {}
  for _, member in ipairs(list) do
    local whose = member:match('^w(.+)')
    if whose ~= asking then
      table.insert(gone, member)
      if whose then table.insert(gone, 'p' .. whose) end
    end
  end
  return gone
end

-- Returns the delay in µs until a waiter's next poll: just after its expected turn, and earlier if tenures vary
-- (`spread`) or many waiters are ahead. The step between polls grows with the uncertainty, and with the time by which
-- the current tenure is longer than usual. Whatever earlier tenures were like, the first of the queue polls before the
-- maximum has passed; so do those behind it if earlier tenures say little. `left` is how long the blocking lease can
-- last.
local function back_in(before_me, usual, spread, age, left)
  if usual == 0 then usual, spread = FIRST_GUESS, FIRST_GUESS end
  local doubt = (spread + DOUBT) * math.sqrt(before_me + 1)
  local longest = math.min(FIRST_DELAY + age / AGE_PART, SLOW_DELAY + age / SLOW_PART, LONGEST_STEP)
  local step = math.min(math.max(MIN_STEP, STEP_GAIN * math.sqrt(doubt), (age - usual) / LATE_PART), longest)
  local turn = math.max(usual - age, 0) + before_me * (usual + HANDOVER) + step - doubt
  local farthest = FARTHEST
  if before_me == 0 then
    farthest = math.min(longest, left + AFTER_LEASE)
  elseif spread * REGULAR_PART > usual then
    farthest = math.min(longest + before_me * longest / BEHIND_PART, FARTHEST)
  end
  return math.floor(math.min(math.max(turn, step), farthest))
end

-- Adds a waiter to the queue, or keeps its place, until `deadline`, which never moves closer. The caller must save the
-- record, whose `til` covers the deadline, and keep the crowd. The same command adds the members in `...` if that
-- lowers their scores. Returns the number of new members.
local function line_up(waiter, place, deadline, ...)
  til = math.max(til, deadline)
  return redis.call('ZADD', crowd, 'LT', -deadline, 'w' .. waiter, place_score(place), 'p' .. waiter, ...)
end

-- Removes a waiter that leaves the queue.
local function leave(waiter)
  redis.call('ZREM', crowd, 'p' .. waiter, 'w' .. waiter)
end

-- Returns the latest deadline of a waiter besides the given one, or 0.
local function queued_til(leaving)
  local list = redis.call('ZRANGEBYSCORE', crowd, -LATEST, -now, 'LIMIT', 0, 2, 'WITHSCORES')
  local latest = list[list[1] == 'w' .. leaving and 4 or 2]
  -- Never -0, which would be written as "-0".
  return latest and -latest or 0
end

-- Returns the number of live waiters.
local function waiters()
  return redis.call('ZCOUNT', crowd, -LATEST, string.format('(%.0f', -now))
end
