-- A module: loaded once however often it is required.
local counter = { name = ..., path = select(2, ...), count = 0 }

function counter.bump()
  counter.count = counter.count + 1
  return counter.count
end

return counter
