-- The record of a script for one name.
local key = KEYS[1]
local raw = redis.call('GET', key)
--@include record
