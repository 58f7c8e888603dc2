-- Why the hold is no longer there, for whoever still believes in it.
local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }
local function ending(record, id, token)
  local over = outcome(record, id)
  if record.token > token and (not over or over == 'e') then return 'taken' end
  return endings[over] or 'gone'
end
