-- Grants a free lock to the first waiter in the queue, as a new tenure. The holder's re-entry key gets one more hold
-- without queueing, and an ID that already holds the lock gets the same answer. Any other caller joins the queue or
-- keeps its place, and the answer says when to poll again. A waiter that has lost its place changes nothing: the ticket
-- 0 means that it must join again. `listed` is 1 if a message will wake the caller when its turn comes.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, and a note for people if there is one: `id@note`, where the note is label@holder, percent-encoded
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] reentryKey hash, or empty
-- ARGV[6] reentrant 1 or 0
-- ARGV[7] ticket    from the previous answer; 0 joins the queue, -1 tries without joining
-- ARGV[8] grace     ms by which a waiter may be late for its poll
-- ARGV[9] listens   ms for which the caller listens for a message of the name; 0: not at all
-- ARGV[10] ownPace 1 if the caller polls at a pace of its own: then it keeps its place for longer
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# ahead# back# ticket# listed#
-- REPLY not_reentrant remaining#
-- REPLY too_many_holds
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining back=back grace=grace ticket=ticket joins=reentryKey

local retention = tonumber(ARGV[4])
--@include fresh
--@include read_name
--@include ended
--@include crowd
local ours = 'fair'
--@include lock
--@include fair_body
--@include listen
-- The maximum number of places before its own that a waiter is told; the number of dead waiters that one call removes.
local MAX_AHEAD = 100
local BURY_AT_ONCE = 8

-- In the queue, the note is part of the ID, so that a list can show who waits.
local waiter, asker, ticket = ARGV[2], ARGV[5], tonumber(ARGV[7])
local id = waiter:sub(1, ID_LENGTH)
if taken(ours) then return { 'kind', now, kind } end
if outcome(id) then return ended() end

local farthest, count = survey()
local left, age = math.max(farthest - now, 0), math.max(now - last, 0)
local ends, gone = holds[id], {}
if not ends then
  if count > 0 and asker ~= '' and asker == reentry_key then
    if ARGV[6] == '0' then return { 'not_reentrant', now, left } end
    if count == MAX_HOLDS then return { 'too_many_holds', now } end
  elseif count > 0 or ticket > 0 or queued > now then
    -- It has a place, or may need one.
    --@include queue

    -- Returns the number of dead waiters with a place in `line`, whose first member is the caller's own, and in which
    -- scores follow members.
    local function dead_ahead(line, dead)
      local count, is_ahead = 0, {}
      for n = 3, #line, 2 do
        is_ahead[line[n]] = true
      end
      for _, member in ipairs(dead) do
        if is_ahead['p' .. member:sub(2)] then count = count + 1 end
      end
      return count
    end

    local own, before_me, dead = 'p' .. waiter, 0, {}
    if ticket == 0 and count == 0 and queued > now then
      -- A retried first request has a place that its caller does not know.
      local score = redis.call('ZSCORE', crowd, own)
      if score then ticket = place_of(score) end
    end
    if ticket > 0 then
      -- Its own place, then those before it.
      local line = redis.call('ZREVRANGEBYSCORE', crowd, place_score(ticket), PLACES, 'WITHSCORES', 'LIMIT', 0, MAX_AHEAD + 1)
      if line[1] ~= own or place_of(line[2]) ~= ticket then return { 'held', now, left, age, tenure, 0, 1, 0, 0 } end
      before_me = #line / 2 - 1
      -- While nobody holds the lock, the first may be dead.
      if before_me > 0 and count == 0 then
        dead = redis.call('ZRANGEBYSCORE', crowd, -now, now, 'LIMIT', 0, BURY_AT_ONCE)
        gone = buried(dead, waiter)
        before_me = before_me - dead_ahead(line, dead)
      end
    elseif queued > now and (ticket == 0 or count == 0) then
      before_me = waiters()
    end
    if count > 0 or before_me > 0 then
      local back, listed, is_changed = 0, 0, nil
      if ticket >= 0 then
        -- There may be more dead waiters, which are not waited for.
        listed, is_changed = listen(id, ARGV[9], 'w')
        if #dead == BURY_AT_ONCE then
          back = SOON
        elseif ARGV[10] == '1' or listed == 1 and count > 0 then
          -- A listener gets a message before that, or the lease ends.
          back = math.floor(math.min(FARTHEST, left + AFTER_LEASE))
        else
          back = back_in(before_me, tenure, spread, age, left)
        end
        local deadline, joins = now + back + ARGV[8] * MS, ticket == 0
        local keeps = joins and before_me == 0 or deadline > math.min(queued, til)
        if joins then ticket = math.max(queue + 1, now) end
        if line_up(waiter, ticket, deadline) > 1 then
          queue = ticket
        elseif joins then
          -- The caller already had a place, and counted itself.
          ticket, before_me = place_of(redis.call('ZSCORE', crowd, own)), math.max(before_me - 1, 0)
        end
        -- Further ahead than needed now, so that few polls write the record.
        if keeps then
          queued = math.max(queued, 2 * deadline - now)
          til = math.max(til, queued)
          redis.call('PEXPIRE', crowd, math.ceil((queued - now) / MS) + retention)
        end
        if joins or keeps or changed or is_changed then
          set_fair()
          save()
        end
        if #gone > 0 then redis.call('ZREM', crowd, unpack(gone)) end
      end
      return { 'held', now, left, age, tenure, before_me, back, ticket, listed }
    end
    -- No waiter has joined after it.
    if ticket == queue then queued = 0 end
  end
  if count == 0 then
    last, reentry_key, note = math.max(last + 1, now), asker, waiter:sub(ID_LENGTH + 2)
  end
  ends = now + ARGV[3] * MS
  holds[id], til, count = ends, math.max(til, ends), count + 1
  set_fair()
  forget_listener(id)
  save()
  if ticket > 0 or count > 1 then
    table.insert(gone, 'p' .. waiter)
    table.insert(gone, 'w' .. waiter)
  end
  -- The lock is granted. A place that stays counts until its next poll is due.
  if #gone > 0 then redis.pcall('ZREM', crowd, unpack(gone)) end
end
return { 'granted', now, last, ends - now, count }
