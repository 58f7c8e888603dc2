-- defines: close_all
-- needs: live_ids close
-- Ends every hold in the record with the same outcome.
local function close_all(how)
  for _, id in ipairs(live_ids()) do
    close(id, how)
  end
end
