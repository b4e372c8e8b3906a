-- A module that returns nothing.
local _ = 1
