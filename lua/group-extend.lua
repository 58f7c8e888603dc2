-- Extends the hold of one acquisition of several names, as hold-extend does for one name: all of them or none. Returns
-- the numbers of the names that have lost their hold.
--
-- KEYS[*] record
-- ARGV[1] notAfter  server time (µs) after which this request is void
-- ARGV[2] id        hold id
-- ARGV[3] token     of the hold
-- ARGV[4] duration  ms from now
-- ARGV[5] retention ms
-- REPLY extended remaining# holds#
-- REPLY lost reason names
-- REPLY late

--@include fresh
--@include read_names

local id, token, retention = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5])
local later = now + ARGV[4] * MS
local least, count, reason, lost, saves = math.huge, 0, nil, '', {}
for n, key in ipairs(KEYS) do
  local raw = raws[n]
  --@include record
  --@include ending
  local ends = holds[id]
  if not ends or last ~= token then
    reason = reason or ending(id, token)
    lost = lost .. n .. ' '
    if changed then save(redis.pcall) end
  else
    if later > ends then
      ends = later
      holds[id], til = ends, math.max(til, ends)
      table.insert(saves, save)
    end
    least = math.min(least, ends)
    count = math.max(count, select(2, survey()))
  end
end

if reason then return { 'lost', now, reason, lost } end
for _, save in ipairs(saves) do
  save()
end
return { 'extended', now, least - now, count }
