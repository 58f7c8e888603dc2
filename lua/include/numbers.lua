-- defines: MS SECOND DAY SAFE ID_LENGTH TAIL_START MOST_HOLDS MOST_PERMITS CHUNK AVERAGED MOST_TENURES
-- Numbers that several scripts use. Times are in µs, and a name in capitals is always a number: the build writes the
-- number in its place.
local MS = 1000
local SECOND = 1000000
local DAY = 86400000000
-- Above this, some integers have no number of their own.
local SAFE = 9e15
-- The id of a hold has 36 characters. A record remembers an ended hold by the last twelve, which start here.
local ID_LENGTH = 36
local TAIL_START = 25
-- The most holds that a reentry key can have of one name, and the most permits that one hold can have.
local MOST_HOLDS = 64
local MOST_PERMITS = 1000
-- The most arguments in one command, for servers that take fewer than Redis.
local CHUNK = 2000
-- Waiters time their polls by moving averages. Each new value moves an average by one part in so many, and one wait
-- moves it by so many tenures at most.
local AVERAGED = 8
local MOST_TENURES = 3
