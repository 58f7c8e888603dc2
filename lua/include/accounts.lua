-- defines: ACCOUNT_SIZE unpack_account pack_account settled_score
--@include bands
-- The account of a re-entry key: the number of its read holds, and the end of the last one (rounded down to ms). Both
-- are packed into the score of `o` .. re-entry key. An expired hold stays in the account until a script finds it and
-- sets its score to `settled_score`.
local ACCOUNT_SIZE = 256
local function unpack_account(score)
  local packed = (score or ACCOUNTS) - ACCOUNTS
  return packed % ACCOUNT_SIZE, math.floor(packed / ACCOUNT_SIZE) * MS
end

local function pack_account(count, ends)
  local packed = math.floor(ends / MS) * ACCOUNT_SIZE + math.min(count, ACCOUNT_SIZE - 1)
  return string.format('%.0f', ACCOUNTS + packed)
end

-- The score of a reader's hold that has ended and left its account. The band is narrow, hence the division. Half a µs
-- marks a hold that was ended by force, and is kept.
local function settled_score(ends)
  return SETTLED + math.floor(ends / 8) + ends % 1
end
