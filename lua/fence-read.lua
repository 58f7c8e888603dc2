-- Reads the fence of a name and changes nothing.
--
-- KEYS[1] fence
-- REPLY seen token# value
-- REPLY kind kind

--@include clock
--@include fence

-- The mark keeps clients that parse whatever looks like JSON from doing so.
return { 'seen', now, seen, '=' .. value }
