-- defines: usual_tenure
-- needs: tenure
-- Updates the average of a lock with the length of an ended tenure.
local function usual_tenure(took)
  tenure = math.max(tenure == 0 and took or tenure + (took - tenure) / AVERAGED, 0)
end
