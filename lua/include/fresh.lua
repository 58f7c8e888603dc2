--@include clock
-- A duplicate that arrives after its sender has stopped waiting must change nothing.
if now > tonumber(ARGV[1]) then return { 'late', now } end
