-- Reads a name of any kind with its crowd, or a fence, for a list of names. Changes nothing. Returns no id of a hold,
-- since an id proves ownership, and no result of a once. `remaining` is the time until the name no longer belongs to
-- this kind, `left` the time until its last hold ends. `holders` has an entry for each hold: `until` for one in the
-- record, then `until since permits what` for at most `most` of the crowd's, latest end first. `what` is the rest of
-- the member after the id, and `since` is 0 if it is unknown. The reply `kind` names what cannot be read: `foreign`, a
-- format such as `lock/2`, or `lock/1` for a damaged record of this format.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] most holds of the crowd to return; 0 for none
-- REPLY free token#
-- REPLY live type token# remaining# holds# left# body many# waiting# behind# holders
-- REPLY fence token#
-- REPLY kind kind

local retention = 0
--@include clock
--@include read_name
--@include requests
local seen, size, rest = raw:match('^fence 1 (%d+) %d+ (%d+) (.*)$')
if seen and tonumber(seen) < SAFE and #rest >= tonumber(size) then return { 'fence', now, tonumber(seen) } end
if til == math.huge then return { 'kind', now, kind } end
if til > SAFE or last > SAFE then return { 'kind', now, kind .. '/1' } end
if til <= now then return { 'free', now, last } end
local farthest, count = survey()
-- The patterns of each kind's bodies. A kind that allows an empty body starts with one.
local bodies = {
  none = { '^$' },
  lock = { '^$', '^%S* %S* %d+ %d+$' },
  fair = { '^$', '^%S* %S* %d+ %d+$', '^%S* %S* %d+ %d+ %d+ %d+$' },
  rw = { '^$', '^%d+ %S* %S* %d+ %d+ $' },
  once = { '^%d+ %S* %S* ' },
  semaphore = { '^$', '^%d* %d+ %d+ %d+ %d+$' },
  counter = { '^$', '^%d* %d+ %d+ %d+ %d+$' },
  latch = { '^%d+ %d+ %d+$' }
}
local fits = false
for _, pattern in ipairs(bodies[kind]) do
  fits = fits or body:find(pattern) ~= nil
end
if farthest > SAFE or not fits then return { 'kind', now, kind .. '/1' } end
--@include count_crowd
if kind == 'once' then
  local attempts, done, rest = body:match('^(%d+) %S* (%S*) (.*)$')
  body = attempts .. (done ~= '' and ' done' or '  ' .. rest)
end

local told, most, list, tokens = {}, tonumber(ARGV[1]), {}, {}
for _, hold in ipairs(live_ids()) do
  table.insert(told, string.format('%.0f', holds[hold]))
end
if most > 0 and many > 0 then
  -- The permits of one hold end together, and one page has the most that it can have.
  local page = redis.call('ZREVRANGEBYSCORE', KEYS[2], LATEST, now, 'WITHSCORES', 'LIMIT', 0, MOST_PERMITS)
  local whose
  for n = 1, #page, 2 do
    local own = page[n]:sub(1, ID_LENGTH)
    if own ~= whose then
      if #list == most then break end
      table.insert(list, { page[n + 1], 0, page[n]:sub(ID_LENGTH + 1) })
      table.insert(tokens, 't' .. own)
      whose = own
    end
    list[#list][2] = list[#list][2] + 1
  end
  -- Where the page ends, a hold may have more permits than were seen.
  if #page == 2 * MOST_PERMITS and #list > 1 and #list < most then table.remove(list) end
  local scores = redis.call('ZMSCORE', KEYS[2], unpack(tokens))
  for n, each in ipairs(list) do
    local since = read_request(scores[n])
    table.insert(told, string.format('%.0f %.0f %d %s', each[1], since, each[2], each[3]))
  end
end
local holders = '=' .. table.concat(told, ';')
return { 'live', now, kind, last, til - now, count, math.max(farthest - now, 0), '=' .. body, many, waiting, behind, holders }
