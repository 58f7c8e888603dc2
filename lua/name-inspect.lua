-- Reads a name of any kind with its crowd, or a fence, for a list of names. Changes nothing. Returns no id of a hold,
-- since an id proves ownership, and no result of a once. `remaining` is the time until the name no longer belongs to
-- this kind, `left` the time until its last hold ends. `holders` has an entry for each hold: `until` for one in the
-- record, then `until since permits what` for at max `max` of the crowd's, latest end first. `what` is the rest of
-- the member after the id, and `since` is 0 if it is unknown. `queue` has `since side note` for each of at max `max`
-- waiters: those of a queue in its order, those of a read-write lock side by side. The reply `kind` says what cannot be
-- read: `foreign`, a format such as `lock/2`, or `lock/1` for a damaged record of this format.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] max holds of the crowd, and waiters, to return; 0 for none
-- REPLY free token#
-- REPLY live type token# remaining# holds# left# body many# waiting# behind# holders queue
-- REPLY fence token#
-- REPLY kind kind

local retention = 0
--@include clock
--@include read_name
--@include requests
--@include shapes
local crowd_key = KEYS[2]
--@include described
local status, what, token, remaining, count, left, shown, many, waiting, behind = described()
if status == 'fence' then return { 'fence', now, what } end
if status == 'kind' then return { 'kind', now, what } end
if status == 'free' then return { 'free', now, what } end

local told, max, list, tokens = {}, tonumber(ARGV[1]), {}, {}
for _, hold in ipairs(live_ids()) do
  table.insert(told, string.format('%.0f', holds[hold]))
end
if max > 0 and many > 0 then
  -- The permits of one hold end together, and one page has the max that it can have.
  local page = redis.call('ZREVRANGEBYSCORE', KEYS[2], LATEST, now, 'WITHSCORES', 'LIMIT', 0, MAX_PERMITS)
  local whose
  for n = 1, #page, 2 do
    local own = page[n]:sub(1, ID_LENGTH)
    if own ~= whose then
      if #list == max then break end
      table.insert(list, { page[n + 1], 0, page[n]:sub(ID_LENGTH + 1) })
      table.insert(tokens, 't' .. own)
      whose = own
    end
    list[#list][2] = list[#list][2] + 1
  end
  -- At the end of the page, a hold may have more permits than were read.
  if #page == 2 * MAX_PERMITS and #list > 1 and #list < max then table.remove(list) end
  local scores = redis.call('ZMSCORE', KEYS[2], unpack(tokens))
  for n, each in ipairs(list) do
    local since = read_request(scores[n])
    table.insert(told, string.format('%.0f %.0f %d %s', each[1], since, each[2], each[3]))
  end
end

local queue = {}
local function add_waiter(since, side, member)
  table.insert(queue, string.format('%.0f %s %s', since <= now and since or 0, side, member:sub(ID_LENGTH + 3)))
end
if max > 0 and waiting > 0 and what ~= 'rw' then
  local line, deadlines = redis.call('ZRANGEBYSCORE', KEYS[2], PLACES, ACCOUNTS - 1, 'WITHSCORES', 'LIMIT', 0, max), {}
  for n = 1, #line, 2 do
    table.insert(deadlines, 'w' .. line[n]:sub(2))
  end
  for n, deadline in ipairs(#line > 0 and redis.call('ZMSCORE', KEYS[2], unpack(deadlines)) or {}) do
    -- A waiter that did not poll in time has lost its place.
    if tonumber(deadline or 0) < -now then add_waiter(line[2 * n] - PLACES, '-', line[2 * n - 1]) end
  end
end
if max > 0 and what == 'rw' and waiting + behind > 0 then
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], -LATEST, -now, 'LIMIT', 0, max)) do
    add_waiter(0, 'write', member)
  end
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], -READERS_END, -READERS - now, 'LIMIT', 0, max)) do
    add_waiter(0, 'read', member)
  end
end
local holders = '=' .. table.concat(told, ';')
return { 'live', now, what, token, remaining, count, left, shown, many, waiting, behind, holders, '=' .. table.concat(queue, ';') }
