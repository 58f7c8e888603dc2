-- Why the hold is no longer there, for whoever still believes in it.
local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }
local function ending(id, token)
  local over = outcome(id)
  if last > token and (not over or over == 'e') then return 'taken' end
  return endings[over] or 'gone'
end
