-- Ends the hold of one acquisition of several names, as lock-close does for one name. Returns the numbers of the names
-- that had lost their hold, and releases the others.
--
-- KEYS[*] record
-- ARGV[1] id        hold id
-- ARGV[2] token     of the holder; 0 cancels
-- ARGV[3] retention ms
-- ARGV[4] due       the time until which the id must be remembered (µs); 0 if all its requests were answered;
--                   empty if they are another client's: remembered for `retention`
-- REPLY closed
-- REPLY lost reason names

--@include clock
--@include read_names

local id, token, retention, due = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local cancel = token == 0
local ours, reason, failed, lost = 'lock', nil, nil, ''
for n, key in ipairs(KEYS) do
  local raw = raws[n]
  --@include record
  --@include ending
  --@include vacate
  --@include lock
  --@include usual_tenure
  --@include wake
  local alive = holds[id]
  local before = outcome(id)
  local elsewhere = taken(ours)

  if not before and (cancel or alive and last == token and not elsewhere) and til < math.huge then
    close(id, cancel and 'C' or 'R', due)
    before = 'R'
    if not cancel and not next(holds) then
      usual_tenure(now - token)
    end
  end
  -- If another kind now has the name, a cancelled ID is closed in that record, and nothing else changes there.
  if changed and (cancel or not elsewhere) then
    if not elsewhere then
      -- The end of the last remaining hold; now or earlier if there is none.
      til = math.min(til, math.max(survey(), now))
      set_body()
      forget_listener(id)
      if not next(holds) then wake(1) end
    end
    -- A name that fails does not prevent the release of the others.
    failed = vacate(alive and not elsewhere) or failed
  end
  if til == math.huge or not cancel and before ~= 'R' then
    reason = reason or ending(id, token, nil, 'unknown')
    lost = lost .. n .. ' '
  end
end
if failed then return failed end
if reason then return { 'lost', now, reason, lost } end
return { 'closed', now }
