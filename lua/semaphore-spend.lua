-- Spends permits of semaphores: the number of each falls by the permits that are spent, its hold ends, and the rest of
-- its permits return. All names are spent, or none. A duplicate returns the first answer, unless it names another
-- count. Names of several holds share a slot. `unset` means that no number is known for these names.
--
-- KEYS[*] keys     for each name its record, then its crowd
-- ARGV[1] notAfter server time (µs) after which this request is void
-- ARGV[2] retention ms
-- ARGV[3] due      the time until which the ids must be remembered (µs); 0 if all their requests were answered
-- ARGV[*] spends   for each name: the hold id as it was granted (`id#n@note`), its token, how many permits are spent,
--                  how many there are unless a number was set (empty for none), and the ttl of that number (ms)
-- REPLY spent
-- REPLY lost reason names
-- REPLY unset names
-- REPLY late

--@include fresh
--@include read_names
--@include failed

local retention = math.max(ARGV[2], math.ceil((ARGV[3] - now) / MS))
-- The number of arguments of each name.
local FIELDS = 5

local given = { unpack(ARGV, 4) }
local reason, lost, unset, steps, record_key = nil, '', '', {}, nil
for place, each in ipairs(KEYS) do
  if place % 2 == 1 then
    record_key = each
  else
    local n, raw, key, crowd = place / 2, raws[place - 1], record_key, each
    local id, token, count, initial, lives = unpack(given, (n - 1) * FIELDS + 1, n * FIELDS)
    local own = id:sub(1, ID_LENGTH)
    count = tonumber(count)
    --@include record
    --@include ending
    --@include keep
    --@include members
    --@include semaphore
    --@include wake
    --@include wake_head

    local list, alive, over = members(id), 0, nil
    local former, gone = {}, {}
    local scores = redis.call('ZMSCORE', crowd, 't' .. own, 'n' .. own, unpack(list))
    local granted, done = read_request(scores[1])
    for m, member in ipairs(list) do
      local ends = tonumber(scores[m + 2] or 0)
      if ends > now then
        alive = alive + 1
        table.insert(gone, member)
        table.insert(former, scores[m + 2])
        table.insert(former, member)
      elseif ends > 0 then
        over = lapsed(ends)
      end
    end
    local number = permits or tonumber(initial)
    local is_duplicate = done == SPENT and drained_by(scores[2]) == count
    local is_held = granted == tonumber(token) and alive > 0

    if not is_duplicate and not (is_held and alive >= count) then
      -- Of a hold that has fewer permits, the others were released.
      reason = reason or ending(own, math.huge, is_held and 'R' or done and recalled(done) or over)
      lost = lost .. n .. ' '
    elseif not is_duplicate and (kind ~= 'semaphore' or not number) then
      -- If the record was evicted, so was the number that was set.
      unset = unset .. n .. ' '
    elseif not is_duplicate then
      local lasted = now - token
      tenure = math.max(tenure == 0 and lasted or tenure + (lasted - tenure) / AVERAGED, 0)
      permits, til = math.max(number - count, -LARGEST), math.max(til, now + lives * MS)
      set_body(kind)
      local adds = { outcome_score(SPENT), 't' .. own }
      if count > 0 then adds[3], adds[4] = drained_score(count), 'n' .. own end
      for _, member in ipairs(forgotten()) do
        table.insert(gone, member)
      end
      -- It works when memory is full, and as the first write of a script it makes Redis accept the others. A longer TTL
      -- does no harm.
      table.insert(steps, {
        function() return keep(redis.pcall) end,
        function() end
      })
      table.insert(steps, {
        function()
          if queued > now then wake_head(0) else wake(alive - count) end
          return save(redis.pcall)
        end,
        function() redis.call('SET', key, raw, 'KEEPTTL') end
      })
      table.insert(steps, {
        function() return redis.pcall('ZADD', crowd, unpack(adds)) end,
        function()
          redis.call('ZADD', crowd, scores[1], 't' .. own)
          redis.pcall('ZREM', crowd, 'n' .. own)
        end
      })
      -- The crowd keeps the ID, so this does not empty it.
      table.insert(steps, {
        function() return redis.pcall('ZREM', crowd, unpack(gone)) end,
        function() redis.call('ZADD', crowd, unpack(former)) end
      })
    end
  end
end
if reason then return { 'lost', now, reason, lost } end
if unset ~= '' then return { 'unset', now, unset } end

for at, step in ipairs(steps) do
  local failure = failed(step[1]())
  if failure then
    for back = at - 1, 1, -1 do
      steps[back][2]()
    end
    return failure
  end
end
return { 'spent', now }
