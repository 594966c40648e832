-- Nodes become a level for a planner on loopback, whose orders are walked by a body with Luanti's own physics.

-- It may only be asked for here, and nobody else may have it.
local http = minetest.request_http_api and minetest.request_http_api()

apprentice = {}

local folder = minetest.get_modpath("apprentice")
for _, part in ipairs({"ground", "reading", "hands", "body", "building", "mischief", "task", "chat"}) do
	dofile(folder .. "/" .. part .. ".lua")
end
-- What it returns has the right to ask the network, and is kept by no one.
dofile(folder .. "/loopback.lua")(http)
