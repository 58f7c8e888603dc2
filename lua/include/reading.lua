-- defines: farthest count
-- Answers a reader of a name that is free or in use as another kind than ARGV[1].
if taken(ARGV[1]) then return { 'kind', now, kind } end
if til <= now then return { 'free', now, last } end
local farthest, count = survey()
