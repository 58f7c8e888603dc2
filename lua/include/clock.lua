-- Server time in µs, read once: TIME moves within a script. Lua would write it with 14 digits, hence %.0f below.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
