-- Reads many names, of any kind or fences, for a list that is read repeatedly: like name-inspect, without the holders
-- in a crowd. Leaves out unchanged names: a record with the same digest and without a crowd. Changes nothing. `entries`
-- is JSON, for each of the others an array of texts: its number, its digest, and what name-inspect returns after the
-- clock. Its status is `none` if the key does not exist. `probes` counts the commands for single keys. The keys may be
-- of many slots, so a cluster refuses this script.
--
-- KEYS[*] keys  for each name its record, then its crowd
-- ARGV[1] known the digests that the caller knows, in order; blanks for an unknown one
-- REPLY names entries probes#

local retention = 0
--@include clock
--@include read_names
--@include shapes
-- The length of a digest: this much of the SHA-1 of a record, or blanks after a dash if there is none.
local DIGEST = 12
local missing = '-           '

local known, entries, probes, record_key = ARGV[1], {}, 0, nil
for place, each in ipairs(KEYS) do
  if place % 2 == 1 then
    record_key = each
  else
    local n, raw, key, crowd_key = place / 2, raws[place - 1], record_key, each
    local digest = raw and redis.sha1hex(raw):sub(1, DIGEST) or missing
    local is_known = known:sub((n - 1) * DIGEST + 1, n * DIGEST) == digest
    local of = raw and raw:match('^%a+') or ''
    local size = 0
    if crowded[of] then
      probes = probes + 1
      size = redis.pcall('ZCARD', crowd_key)
    end
    if not is_known or size ~= 0 then
      local entry = { n, digest, 'kind', 'foreign' }
      if not raw then
        -- For MGET, a value of another type is missing.
        probes = probes + 1
        if redis.call('TYPE', key).ok == 'none' then entry = { n, digest, 'none' } end
      elseif type(size) ~= 'table' then
        --@include record
        --@include described
        entry = { n, digest, described() }
      end
      for place, field in ipairs(entry) do
        entry[place] = type(field) == 'number' and string.format('%.0f', field) or field
      end
      table.insert(entries, entry)
    end
  end
end
return { 'names', now, entries[1] and cjson.encode(entries) or '[]', probes }
