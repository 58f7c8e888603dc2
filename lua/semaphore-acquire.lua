-- Grants the number of permits in the ID, all or none, under one token. An ID that has them gets the same answer. A
-- refusal returns the time until the next permit is free, 0 if none is in use, the note of its holder, and the averages
-- by which a waiter times its polls. A counter's permits do not expire. `short` means that the semaphore has fewer
-- permits in all, so that waiting is useless. A semaphore set to zero permits is paused. `listed` is 1 if a message will wake the
-- caller.
--
-- KEYS[1] record
-- KEYS[2] crowd
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id, how many permits, and a note for people if there is one: `id#n@note`
-- ARGV[3] kind      semaphore, or counter
-- ARGV[4] lease     ms
-- ARGV[5] permits   how many there are, unless a number was set; empty for none
-- ARGV[6] ttl       ms, of the number that was set
-- ARGV[7] retention ms
-- ARGV[8] waited    ms since the first poll
-- ARGV[9] listens  ms for which the caller listens for a message of the name; 0: not at all
-- REPLY granted token# remaining# holds#
-- REPLY held remaining# age# tenure# queue# note listed#
-- REPLY short permits#
-- REPLY closed
-- REPLY kind kind
-- REPLY late
-- WAIT held until=remaining waited=waited class=id# many=permits

local retention = tonumber(ARGV[7])
--@include fresh
--@include read_name
--@include crowd
--@include members
--@include semaphore
--@include wake
--@include permits

local id, ours = ARGV[2], ARGV[3]
local own, wanted = id:sub(1, ID_LENGTH), tonumber(id:match('^%d+', ID_LENGTH + 2)) or 1
local leased = ours == 'semaphore'
if taken(ours) then return { 'kind', now, kind } end
local token, before = read_request(redis.call('ZSCORE', crowd, 't' .. own))
if outcome(own) or before == CANCELLED or leased and before then return { 'closed', now } end
if before then return { 'granted', now, last, til - now, wanted } end

if token > 0 then return again(id, token) or { 'closed', now } end

-- No permit is in use, so there is no end to wait for.
queue = math.max(queue - math.max(now - last - tenure, 0), 0)
local count = permits or tonumber(ARGV[5])
if leased and too_few(count, wanted) then return { 'short', now, count or 0 } end
count = count or 0
local held = used()
local free = count - held
if free < wanted then
  local listed, is_changed, behind = 0, nil, nil
  if kind == ours then listed, is_changed, behind = listen(own, ARGV[9], 'w') end
  if is_changed then
    -- It needs more permits than are free; others may not.
    if behind and free > 0 then wake(1, behind) end
    if failed(save(redis.pcall)) then listed = 0 end
  end
  if held == 0 then
    return { 'held', now, 0, math.max(math.min(now - last, ARGV[8] * MS), 0), tenure, queue, '', listed }
  end
  -- The permit that ends first probably began first. The more permits are in use, the more often one ends; `tenure` and
  -- `age` are scaled as if they ended one by one, with this one as the next.
  local first, ends = next_end()
  local began = read_request(redis.call('ZSCORE', crowd, 't' .. first:sub(1, ID_LENGTH)))
  local each = math.ceil(tenure / math.max(math.floor(held / wanted), 1))
  return { 'held', now, ends - now, each - tenure + now - began, each, queue, note_in(first), listed }
end

queue = math.max(queue + math.min((ARGV[8] * MS - queue) / AVERAGED, MAX_TENURES * tenure), 0)
if leased then return grant(id, wanted, ours, ARGV[4], ARGV[6], swept(wanted + FORGET_AT_ONCE, forgettable())) end
if not permits then placed, queued = now, 0 end
permits, queued = count - wanted, queued + wanted
return grant(id, wanted, ours, ARGV[4], ARGV[6], forgotten())
