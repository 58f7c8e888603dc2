-- defines: superseded
-- needs: word_of
-- Returns why a request that would end the holds of others must not: its ID was granted before, and that tenure has
-- ended; or a tenure began after that of the token `after`, which the same caller had under another ID. A retry would
-- otherwise end the holds of requests that arrived later.
local function superseded(id, after)
  local how = outcome(id)
  return how and word_of(how) or tonumber(after) > 0 and last > tonumber(after) and 'taken'
end
