-- Why the hold is no longer there, for whoever still believes in it. `over` is what the crowd says of it; `unknown` is what to say
-- where others had the name since and nothing is remembered of this hold: it may have been released.
local endings = { R = 'released', C = 'released', E = 'expired', F = 'forced' }
local function ending(id, token, over, unknown)
  over = outcome(id) or over
  if last > token and (not over or over == 'E') then return not over and unknown or 'taken' end
  -- In the tenure that is the last one, the ends that are forgotten are releases: the other ones are remembered for their time.
  return endings[over] or last == token and 'released' or 'gone'
end
