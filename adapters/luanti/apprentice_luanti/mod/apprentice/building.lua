-- A quest out of nodes: a floor, walls, doors that are locked, a lever with its wires, keys that lie about.

local ground = apprentice.ground
local building = {}
apprentice.building = building

local OWNER = "builder"
local FLOOR, WALL, WIRE = "default:stone_block", "default:sandstonebrick", "default:mese"
local HIGH = 3

-- The names of whatever must be there and is not.
function building.missing()
	local needed = {FLOOR, WALL, WIRE, "doors:door_steel_a", "doors:door_wood_a", "keys:key",
		"mesecons_walllever:wall_lever_off"}
	local missing = {}
	for _, name in ipairs(needed) do
		if not minetest.registered_items[name] then
			missing[#missing + 1] = name
		end
	end
	if not minetest.global_exists("mesecon") or not minetest.registered_nodes[WIRE].mesecons then
		missing[#missing + 1] = "mesecons_extrawires"
	end
	local steel = minetest.registered_nodes["doors:door_steel_a"]
	if not (steel and steel.mesecons) then
		missing[#missing + 1] = "mesecons_doors"
	end
	return missing
end

local owner = apprentice.hands.new(OWNER)

-- A door is hung as players hang it: the lower half, and a hidden node above. `side` is the way one looks
-- who goes through.
local function hang(pos, kind, side, is_locked)
	minetest.set_node(pos, {name = "doors:door_" .. kind .. "_a", param2 = side})
	minetest.set_node({x = pos.x, y = pos.y + 1, z = pos.z}, {name = "doors:hidden", param2 = side})
	local meta = minetest.get_meta(pos)
	meta:set_int("state", 0)
	if is_locked then
		meta:set_string("owner", OWNER)
	end
end

-- Another lock, by what a skeleton key does in the owner's hand.
function building.lock(pos, secret)
	minetest.get_meta(pos):set_string("key_lock_secret", "")
	local node = minetest.get_node(pos)
	return minetest.registered_nodes[node.name].on_skeleton_key_use(pos, owner, secret)
end

function building.lay_key(pos, secret)
	local stack = ItemStack("keys:key")
	stack:get_meta():set_string("secret", secret)
	local object = minetest.add_item(pos, stack)
	object:set_velocity({x = 0, y = 0, z = 0})
	return object
end

-- From the wall behind the lever down under the floor, and up again below the door.
local function wire(region, lever, door)
	local row = lever.wall
	local function put(cell, down)
		local pos = ground.pos(region, cell)
		minetest.set_node({x = pos.x, y = pos.y - down, z = pos.z}, {name = WIRE})
	end
	put({lever.at[1], row}, -1) -- where the lever hangs, at the height of heads
	put({lever.at[1], row}, 0)
	put({lever.at[1], row}, 1)
	for column = math.min(lever.at[1], door[1]), math.max(lever.at[1], door[1]) do
		put({column, row}, 2)
	end
	for cell = math.min(row, door[2]), math.max(row, door[2]) do
		put({door[1], cell}, 2)
	end
	put(door, 1)
end

-- `quest` is as `quest.py` tells it.
function building.build(region, quest)
	for row = 0, region.height - 1 do
		for column = 0, region.width - 1 do
			local is_wall = quest.rows[row + 1]:sub(column + 1, column + 1) == "#"
			local pos = ground.pos(region, {column, row})
			for up = -3, HIGH do
				local name = up < 0 and FLOOR or up < HIGH and is_wall and WALL or "air"
				minetest.set_node({x = pos.x, y = pos.y + up, z = pos.z}, {name = name})
			end
		end
	end
	for _, door in ipairs(quest.doors) do
		-- To the east: whoever goes through looks along x.
		local pos = ground.pos(region, door.at)
		hang(pos, door.kind, 1, door.secret ~= nil or door.is_locked)
		if door.secret then
			building.lock(pos, door.secret)
		end
	end
	for _, lever in ipairs(quest.levers or {}) do
		local pos = ground.pos(region, lever.at)
		local side = lever.wall < lever.at[2] and 0 or 2
		minetest.set_node({x = pos.x, y = pos.y + 1, z = pos.z},
			{name = "mesecons_walllever:wall_lever_off", param2 = side})
		wire(region, lever, lever.door)
	end
	for _, key in ipairs(quest.keys or {}) do
		building.lay_key(ground.pos(region, key.at), key.secret)
	end
end
