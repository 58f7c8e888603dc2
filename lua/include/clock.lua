-- defines: time now
-- The server's time in µs. It is read once, since TIME moves within a script. Lua's own conversion keeps 14 digits,
-- hence `%.0f`.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
