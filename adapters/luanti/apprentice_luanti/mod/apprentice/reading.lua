-- Nodes and things of a region as a level: walls, doors, which key and which lever opens which.

local ground = apprentice.ground
local reading = {}
apprentice.reading = reading

-- Levers are whatever receptor of mesecons is switched by a right click and shows in its name whether it is on.
local function lever_state(pos)
	local name = minetest.get_node(pos).name
	local def = minetest.registered_nodes[name]
	if not (def and def.on_rightclick and def.mesecons and def.mesecons.receptor) then
		return nil
	end
	local state = name:match("_(o[nf]+)$")
	return (state == "on" or state == "off") and state or nil
end

-- From where a node takes signals. Of doors mesecons says so only while they are shut.
local function input_rules(pos)
	local node = minetest.get_node(pos)
	local rules = mesecon.get_any_inputrules(node)
	if not rules and ground.door(pos) then
		local shut = minetest.registered_nodes[node.name].door.name .. "_a"
		rules = mesecon.get_effector(shut) and mesecon.effector_get_rules({name = shut, param2 = 0})
	end
	return rules and mesecon.flattenrules(rules) or {}
end

local function is_linked(from, to)
	for _, rule in ipairs(input_rules(to)) do
		if vector.equals(vector.add(to, rule), from) then
			return true
		end
	end
	return false
end

-- Doors that are reached from a lever through conductors, as mesecons itself would go.
local function doors_of_lever(pos)
	local found, seen, open = {}, {}, {}
	local function spread(from, rules)
		for _, rule in ipairs(mesecon.flattenrules(rules)) do
			local to = vector.add(from, rule)
			if is_linked(from, to) then
				open[#open + 1] = to
			end
		end
	end
	spread(pos, mesecon.receptor_get_rules(minetest.get_node(pos)))
	while #open > 0 do
		local at = table.remove(open)
		local id = minetest.hash_node_position(at)
		if not seen[id] then
			seen[id] = true
			local node = minetest.get_node(at)
			if ground.door(at) then
				found[id] = true
			elseif mesecon.is_conductor(node.name) then
				spread(at, mesecon.conductor_get_rules(node))
			end
		end
	end
	return found
end

-- Keys that lie about, each with its entity.
function reading.lying_keys(region)
	local middle = {
		x = region.x + (region.width - 1) / 2, y = region.y, z = region.z - (region.height - 1) / 2,
	}
	local found = {}
	for _, object in ipairs(minetest.get_objects_inside_radius(middle, region.width + region.height)) do
		local entity = object:get_luaentity()
		if entity and entity.name == "__builtin:item" then
			local stack = ItemStack(entity.itemstring)
			local cell = ground.cell(region, object:get_pos())
			if minetest.get_item_group(stack:get_name(), "key") == 1 and ground.is_inside(region, cell) then
				found[#found + 1] = {
					secret = stack:get_meta():get_string("secret"), at = cell, object = object, stack = stack,
				}
			end
		end
	end
	table.sort(found, function(a, b)
		if a.at[1] ~= b.at[1] then return a.at[1] < b.at[1] end
		return a.at[2] < b.at[2]
	end)
	return found
end

-- The lever in a cell, if any: at the height of the feet or of the head.
local function lever_at(pos)
	for up = 0, 1 do
		local at = {x = pos.x, y = pos.y + up, z = pos.z}
		local state = lever_state(at)
		if state then
			return at, state
		end
	end
end

-- The whole region, as it is now. Doors and levers are numbered by columns from west to east, so that the
-- same things have the same names whenever it is read, and in quests that are made alike.
function reading.read(region, held)
	local level = {rows = {}, doors = {}, levers = {}, keys = {}}
	local number_of = {}
	local free = {}
	for column = 0, region.width - 1 do
		for row = 0, region.height - 1 do
			local pos = ground.pos(region, {column, row})
			free[column .. "," .. row] = ground.is_free(pos)
			local door = ground.door(pos)
			if door then
				local number = #level.doors
				number_of[minetest.hash_node_position(pos)] = number
				level.doors[number + 1] = {
					id = "door" .. number, at = {column, row}, pos = pos,
				}
			end
			local lever = minetest.global_exists("mesecon") and lever_at(pos)
			if lever then
				level.levers[#level.levers + 1] = {
					id = "lever" .. #level.levers, at = {column, row}, pos = lever, opens = {},
				}
			end
		end
	end
	for row = 0, region.height - 1 do
		local cells = {}
		for column = 0, region.width - 1 do
			cells[column + 1] = free[column .. "," .. row] and "." or "#"
		end
		level.rows[row + 1] = table.concat(cells)
	end
	for _, lever in ipairs(level.levers) do
		for id in pairs(doors_of_lever(lever.pos)) do
			if number_of[id] then
				table.insert(lever.opens, "door" .. number_of[id])
			end
		end
		table.sort(lever.opens)
	end
	reading.refresh(region, level, held)
	return level
end

-- What changes without a node being put or taken away: locks, and where keys are.
function reading.refresh(region, level, held)
	level.keys = {}
	for _, door in ipairs(level.doors) do
		local meta = minetest.get_meta(door.pos)
		door.locked, door.secret = meta:get_string("owner") ~= "", meta:get_string("key_lock_secret")
	end
	local function note(key, is_held)
		local opens = {}
		for _, door in ipairs(level.doors) do
			if door.locked and door.secret ~= "" and door.secret == key.secret then
				opens[#opens + 1] = door.id
			end
		end
		if opens[1] then
			local id = opens[1]:gsub("door", "key")
			for _, other in ipairs(level.keys) do
				id = other.id == id and id .. "_other" or id
			end
			level.keys[#level.keys + 1] = {
				id = id, at = key.at, opens = opens, held = is_held, secret = key.secret, object = key.object,
			}
		end
	end
	for _, key in ipairs(held) do
		note(key, true)
	end
	for _, key in ipairs(reading.lying_keys(region)) do
		note(key, false)
	end
end

-- What is told of a level to the planner: neither secrets nor anything of the engine's.
function reading.told(level)
	local told = {rows = level.rows, doors = {}, levers = {}, keys = {}}
	for index, door in ipairs(level.doors) do
		told.doors[index] = {id = door.id, at = door.at, locked = door.locked}
	end
	for index, lever in ipairs(level.levers) do
		told.levers[index] = {id = lever.id, at = lever.at, opens = lever.opens}
	end
	for index, key in ipairs(level.keys) do
		told.keys[index] = {id = key.id, at = key.at, opens = key.opens}
	end
	return told
end

-- How things are now that a planner is told of without reading all anew.
function reading.state(level)
	local state = {open = {}, pulled = {}, holding = {}}
	for _, door in ipairs(level.doors) do
		local it = doors.get(door.pos)
		if it and it:state() then
			table.insert(state.open, door.id)
		end
	end
	for _, lever in ipairs(level.levers) do
		if lever_state(lever.pos) == "on" then
			table.insert(state.pulled, lever.id)
		end
	end
	for _, key in ipairs(level.keys) do
		if key.held then
			table.insert(state.holding, key.id)
		end
	end
	return state
end

function reading.is_off(pos)
	return lever_state(pos) == "off"
end
