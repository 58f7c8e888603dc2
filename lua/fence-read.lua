-- Reads the fence of a name. Changes nothing.
--
-- KEYS[1] fence
-- REPLY seen token# value
-- REPLY kind kind

--@include clock
--@include fence

-- The mark keeps clients from parsing a value that looks like JSON.
return { 'seen', now, seen, '=' .. value }
