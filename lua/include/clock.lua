-- defines: time now
--@include numbers
-- Reads the server's time in µs. A script reads it once, since TIME advances within a script. Lua's own conversion of
-- numbers keeps 14 digits, hence `%.0f`.
local time = redis.call('TIME')
local now = time[1] * SECOND + time[2]
