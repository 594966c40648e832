-- A region of the world as a grid: cell [0, 0] is its north-west corner, as levels of Apprentice count.

local ground = {}
apprentice.ground = ground

-- A region is where cell [0, 0] is, at the height of the feet, and how many cells it has each way.

function ground.pos(region, cell)
	return {x = region.x + cell[1], y = region.y, z = region.z - cell[2]}
end

-- Where somebody is in a region, counted in cells.
function ground.place(region, pos)
	return {pos.x - region.x, region.z - pos.z}
end

function ground.cell(region, pos)
	return {math.floor(pos.x - region.x + 0.5), math.floor(region.z - pos.z + 0.5)}
end

function ground.is_inside(region, cell)
	return cell[1] >= 0 and cell[1] < region.width and cell[2] >= 0 and cell[2] < region.height
end

local function definition(pos)
	return minetest.registered_nodes[minetest.get_node(pos).name]
end

local function is_in_the_way(pos)
	local def = definition(pos)
	-- What is not known or not loaded is no ground.
	return not def or def.walkable or (def.damage_per_second or 0) > 0
end

-- The door whose lower half is there, by the engine's own functions.
function ground.door(pos)
	local def = definition(pos)
	return def and def.door and doors.get(pos) or nil
end

-- Whether a body can stand there, once doors are open.
function ground.is_free(pos)
	if not is_in_the_way({x = pos.x, y = pos.y - 1, z = pos.z}) then
		return false -- nothing to stand on
	end
	if ground.door(pos) then
		return true
	end
	return not is_in_the_way(pos) and not is_in_the_way({x = pos.x, y = pos.y + 1, z = pos.z})
end

local function corners(region)
	-- As deep as wires lie below it, and as high as walls.
	return {x = region.x, y = region.y - 3, z = region.z - region.height + 1},
		{x = region.x + region.width - 1, y = region.y + 4, z = region.z}
end

local function each_block(region, visit)
	local low, top = corners(region)
	for x = math.floor(low.x / 16), math.floor(top.x / 16) do
		for y = math.floor(low.y / 16), math.floor(top.y / 16) do
			for z = math.floor(low.z / 16), math.floor(top.z / 16) do
				visit({x = x * 16, y = y * 16, z = z * 16})
			end
		end
	end
end

-- Calls back when a region is there and stays active, players near or not; or says that it does not.
function ground.load(region, ready)
	local low, top = corners(region)
	minetest.emerge_area(low, top, function(_, _, remaining)
		if remaining > 0 then
			return
		end
		local is_loaded = true
		each_block(region, function(pos)
			is_loaded = minetest.forceload_block(pos, true) and is_loaded
		end)
		ready(is_loaded)
	end)
end

-- It need not stay active any longer.
function ground.unload(region)
	each_block(region, function(pos)
		minetest.forceload_free_block(pos, true)
	end)
end
