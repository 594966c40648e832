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

-- Calls back when a region is there and stays active, players near or not.
function ground.load(region, deep, high, ready)
	local low = {x = region.x, y = region.y - deep, z = region.z - region.height + 1}
	local top = {x = region.x + region.width - 1, y = region.y + high, z = region.z}
	minetest.emerge_area(low, top, function(_, _, remaining)
		if remaining > 0 then
			return
		end
		local missing = 0
		for x = math.floor(low.x / 16), math.floor(top.x / 16) do
			for y = math.floor(low.y / 16), math.floor(top.y / 16) do
				for z = math.floor(low.z / 16), math.floor(top.z / 16) do
					if not minetest.forceload_block({x = x * 16, y = y * 16, z = z * 16}, true) then
						missing = missing + 1
					end
				end
			end
		end
		ready(missing == 0 or nil)
	end)
end
