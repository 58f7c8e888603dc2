-- defines: word_of ending
-- Returns why a hold was lost. `over` is the outcome that the crowd remembers. `unknown` is the answer if the name had
-- later holders and nothing is remembered about this hold, which may have been released.
local function word_of(outcome)
  return ({ R = 'released', C = 'released', E = 'expired', F = 'forced', P = 'spent' })[outcome]
end
local function ending(id, token, over, unknown)
  over = outcome(id) or over
  if last > token and (not over or over == 'E') then return not over and unknown or 'taken' end
  -- Within the last tenure, only releases are ever forgotten: every other outcome is remembered while it matters.
  return word_of(over) or last == token and 'released' or 'gone'
end
