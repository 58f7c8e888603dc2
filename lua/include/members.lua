-- defines: members lapsed
-- Returns the members of a hold in the crowd: its ID, or one for each permit. `id#3` has three. A note (`@` and the
-- rest) is part of each member, so that they are removed together.
local function members(id)
  local own, permits, note = id:match('^(.+)#(%d+)(.*)$')
  local list = { not own and id or nil }
  for n = 1, math.min(permits or 0, MAX_PERMITS) do
    list[n] = own .. '#' .. n .. note
  end
  return list
end

-- The outcome of a hold by its score, a time that has passed. Half a µs marks a hold that was ended by force.
local function lapsed(score)
  return score % 1 > 0 and 'F' or 'E'
end
