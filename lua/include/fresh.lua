--@include clock
-- A duplicate that arrives after its sender gave up must change nothing.
if now > tonumber(ARGV[1]) then return { 'late', now } end
