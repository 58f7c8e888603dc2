-- Grants the locks of several names together under one token, or none of them. If all are free, a new tenure begins.
-- Their re-entry key gets one more hold, and an ID that already holds them gets the same answer. A refusal returns what
-- lock-acquire returns for the first blocked name, with its number and the note of its holder.
--
-- KEYS[*] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] lease     ms
-- ARGV[4] retention ms
-- ARGV[5] reentryKey hash, or empty
-- ARGV[6] note      for people: label@holder, percent-encoded; empty for none
-- ARGV[7] reentrant 1 or 0
-- ARGV[8] waited    ms since the first poll
-- ARGV[9] listens   ms for which the caller listens for messages of its names; 0: not at all
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# queue# clockRead# note blocked# listed#
-- REPLY not_reentrant remaining#
-- REPLY too_many_holds
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining waited=waited joins=reentryKey

--@include fresh
--@include read_names

local retention = tonumber(ARGV[4])

local ours, id, asker = 'lock', ARGV[2], ARGV[5]
local ends = now + ARGV[3] * MS
local token, least, most, own, kept, saves, owns, held, over = 0, ends, 0, 0, {}, {}
for n, key in ipairs(KEYS) do
  local raw = raws[n]
  --@include record
  --@include ended
  --@include lock
  --@include waited
  --@include listen
  --@include failed
  if not over and taken(ours) then return { 'kind', now, kind } end
  -- If the hold has ended for one name, it ends for all.
  if outcome(id) then over = ended() end
  if not over then
    local farthest, count = survey()
    local mine = holds[id]
    if count == 0 then
      token = math.max(token, last + 1, now)
    elseif mine or asker ~= '' and asker == reentry_key then
      if not mine then
        if ARGV[7] == '0' then return { 'not_reentrant', now, farthest - now } end
        if count == MAX_HOLDS then return { 'too_many_holds', now } end
        owns = true
      end
      token = math.max(token, last)
      table.insert(kept, last)
    elseif not held then
      local listed, is_changed = listen(id, ARGV[9], 'w')
      if is_changed and failed(save(redis.pcall)) then listed = 0 end
      held = { 'held', now, farthest - now, math.max(now - last, 0), tenure, queue, 1, note, n, listed }
    end
    most = math.max(most, mine and count or count + 1)

    if mine then
      own, least = own + 1, math.min(least, mine)
    elseif not held then
      table.insert(saves, function()
        if count == 0 then
          usual_wait(ARGV[8] * MS)
          reentry_key, note = asker, ARGV[6]
          set_body()
        end
        forget_listener(id)
        last, holds[id], til = token, ends, math.max(farthest, ends)
        return save(redis.pcall), key, raws[n]
      end)
    end
  end
end
if over then return over end

-- Some of the names that this ID held were lost. Its other names must not stay held.
if own > 0 and own < #KEYS then return { 'closed', now } end
-- A re-entry key of one name would hold it while waiting for the others, and two such re-entry keys would deadlock.
if held then return owns and { 'not_reentrant', now, 0 } or held end
-- A tenure keeps its token, so either every name belongs to the same tenure or none is held.
for _, last in ipairs(kept) do
  if last ~= token or #kept < #KEYS then return { 'not_reentrant', now, 0 } end
end

local written = {}
for _, save in ipairs(saves) do
  local set, key, former = save()
  if set and set.err then
    -- The records are as before, with a longer TTL.
    for made, raw in pairs(written) do
      if raw then redis.call('SET', made, raw, 'KEEPTTL') else redis.call('DEL', made) end
    end
    return set
  end
  written[key] = former
end
return { 'granted', now, token, least - now, most }
