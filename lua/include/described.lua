-- defines: described
-- needs: now crowd_key
--@include bands
-- Describes a record of any kind, or a fence: a status and its fields, as name-inspect returns them.
local function described()
  local seen, size, rest = raw:match('^fence 1 (%d+) %d+ (%d+) (.*)$')
  if seen and tonumber(seen) < SAFE and #rest >= tonumber(size) then return 'fence', tonumber(seen) end
  if til == math.huge then return 'kind', kind end
  if til > SAFE or last > SAFE then return 'kind', kind .. '/1' end
  if til <= now then return 'free', last end
  local farthest, count = survey()
  local fits
  for _, pattern in ipairs(shapes[kind]) do
    fits = fits or body:find(pattern) ~= nil
  end
  if farthest > SAFE or not fits then return 'kind', kind .. '/1' end
  local many, waiting, behind = 0, 0, 0
  if crowded[kind] then
    many, waiting = redis.call('ZCOUNT', crowd_key, now, LATEST), redis.call('ZCOUNT', crowd_key, -LATEST, -now)
  end
  if kind == 'rw' then behind = redis.call('ZCOUNT', crowd_key, -READERS_END, -READERS - now) end
  if many > 0 then
    local ends = redis.call('ZREVRANGEBYSCORE', crowd_key, LATEST, now, 'WITHSCORES', 'LIMIT', 0, 1)[2]
    farthest = math.max(farthest, ends)
  end
  local shown = body
  if kind == 'once' then
    local attempts, done, rest = body:match('^(%d+) %S* (%S*) (.*)$')
    shown = attempts .. (done ~= '' and ' done' or '  ' .. rest)
  end
  return 'live', kind, last, til - now, count, math.max(farthest - now, 0), '=' .. shown, many, waiting, behind
end
