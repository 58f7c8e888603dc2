-- defines: REMEMBERED DONE REFUSED CANCELLED FORCED EXPIRED SPENT STEP granted_score outcome_score read_request recalled
--@include bands
-- What the crowd remembers about a request, packed into the score of `t` .. id, far from all other bands:
--
--   token * REMEMBERED      a hold that was granted
--   -until * REMEMBERED     the outcome of a request, to be remembered until then; the last digit of `until` is one of
--                           the six outcomes
local REMEMBERED = 1024
local DONE = 1
local REFUSED = 2
local CANCELLED = 3
local FORCED = 4
local EXPIRED = 5
local SPENT = 6
-- A stored time is a multiple of this, which leaves room for the digit.
local STEP = 10

local function granted_score(token)
  return string.format('%.0f', token * REMEMBERED)
end

local function outcome_score(outcome)
  local till = math.floor((now + retention * MS) / STEP) * STEP
  return string.format('%.0f', -(till + outcome) * REMEMBERED)
end

-- Unpacks such a score: the token, or 0; the outcome and the time until which it is remembered, or nil.
local function read_request(score)
  score = tonumber(score or 0) / REMEMBERED
  if score < 0 then return 0, -score % STEP, -score end
  return score
end

-- The letter of an outcome in a record.
local function recalled(outcome)
  return ('R CFEP'):sub(outcome, outcome)
end
