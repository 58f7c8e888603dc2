-- defines: members lapsed recalled
-- The members of a hold in the crowd: its id, or one for each permit. `id#3` has three. A note, `@` and what follows,
-- is part of each, so that it goes with them.
local function members(id)
  local own, permits, note = id:match('^(.+)#(%d+)(.*)$')
  local list = { not own and id or nil }
  for n = 1, math.min(permits or 0, 1000) do
    list[n] = own .. '#' .. n .. note
  end
  return list
end

-- The outcome of a hold by its score, which is past, and by the digit under which a semaphore remembers it.
local function lapsed(score)
  return score % 1 > 0 and 'F' or 'E'
end
local function recalled(digit)
  return ('R CFE'):sub(digit, digit)
end
