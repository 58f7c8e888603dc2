-- defines: MS SECOND DAY SAFE ID_LENGTH TAIL_START MAX_HOLDS MAX_PERMITS CHUNK AVERAGED MAX_TENURES
-- Numbers that several scripts use. Times are in µs. A name in capitals is always a number: the build replaces it with
-- the number.
local MS = 1000
local SECOND = 1000000
local DAY = 86400000000
-- Above this, some integers cannot be represented exactly.
local SAFE = 9e15
-- The ID of a hold has 36 characters. A record remembers an ended hold by its last twelve, which start here.
local ID_LENGTH = 36
local TAIL_START = 25
-- The maximum number of holds of one name that a re-entry key can have, and of permits that one hold can have.
local MAX_HOLDS = 64
local MAX_PERMITS = 1000
-- The maximum number of arguments of one command, for servers that accept fewer than Redis.
local CHUNK = 2000
-- Waiters time their polls by moving averages. Each new value moves an average by one part in this many, and one wait
-- moves it by at most this many tenures.
local AVERAGED = 8
local MAX_TENURES = 3
