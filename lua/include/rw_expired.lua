-- defines: SWEEP GRACE removals writes scores gone account look settle
-- needs: now retention crowd id own waiter asker stale
-- When dead members of a read-write lock leave its crowd. A hold ends with its lease. A waiting reader or writer that
-- stops polling counts until GRACE (µs) after its announced poll; the WAIT line of rw-acquire has the same time in ms.
-- One call reads at most SWEEP of them.
local SWEEP = 50
local GRACE = 1000000

-- Expired waiters and holds, a limited number. Waiters are removed; holds leave their re-entry keys' accounts and stay
-- as members while one of their requests may still arrive. `removals` are the members to remove, `writes` the scores
-- and members to write. `scores` are those of this ID, of its place as a reader, of its re-entry key's account and of
-- its place as a writer; `gone` has the number of expired holds by the hash of their re-entry key. They are valid only
-- after a call of `look`.
local removals, writes, scores, gone = {}, {}, {}, { [asker] = 0 }
local function account(hash, score)
  local count, farthest = unpack_account(score)
  local left = math.max(count - gone[hash], 0)
  -- Holds leave the account in the command that settles them. Then an empty one is removed.
  table.insert(writes, pack_account(left, farthest))
  table.insert(writes, 'o' .. hash)
  if left == 0 then table.insert(removals, 'o' .. hash) end
end
local function look()
  local asked, hashes = { id, 'r' .. waiter, 'o' .. asker, 'w' .. waiter }, {}
  local found = redis.call('ZRANGEBYSCORE', crowd, -now, now, 'WITHSCORES', 'LIMIT', 0, SWEEP)
  for n = 1, #found, 2 do
    local member, ends = found[n], found[n + 1] + 0
    local hash = member:match('^%x') and member:match('^[^@]*', ID_LENGTH + 1)
    if hash and not gone[hash] then
      gone[hash] = 0
      table.insert(asked, 'o' .. hash)
      table.insert(hashes, hash)
    end
    if hash then gone[hash] = gone[hash] + 1 end
    if hash and member:find('@', ID_LENGTH + 1, true) then table.insert(removals, 't' .. member:sub(1, ID_LENGTH)) end
    if hash then
      table.insert(writes, string.format('%.1f', settled_score(ends)))
      table.insert(writes, member)
    end
    local is_reachable = hash and ends > now - retention * MS
    if not is_reachable and member ~= 'w' .. waiter then table.insert(removals, member) end
  end
  scores = redis.call('ZMSCORE', crowd, unpack(asked))
  for n, hash in ipairs(hashes) do
    account(hash, scores[n + 4])
  end
end

-- Adds the given members, saves the record and removes the expired members. If none has expired, it removes settled
-- holds that no request can reach any more. Returns an error if the record could not be saved.
local function settle(flag, adds)
  if stale then
    redis.call('UNLINK', crowd)
    removals, writes = {}, {}
  end
  local all = { flag }
  for _, each in ipairs(writes) do
    table.insert(all, each)
  end
  for _, each in ipairs(adds) do
    table.insert(all, each)
  end
  redis.call('ZADD', crowd, unpack(all))
  set_body()
  local failure = failed(keep(redis.pcall)) or failed(save(redis.pcall))
  if failure then return failure end
  -- What stays here is removed by a later call.
  if #removals > 0 then
    redis.pcall('ZREM', crowd, unpack(removals))
  elseif not stale then
    redis.pcall('ZREMRANGEBYSCORE', crowd, SETTLED, settled_score(now - retention * MS))
  end
end
