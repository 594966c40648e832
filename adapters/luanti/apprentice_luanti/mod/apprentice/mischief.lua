-- What becomes otherwise while somebody walks. Each happens once, and only by means that players have, too.

local ground = apprentice.ground
local reading = apprentice.reading
local building = apprentice.building

local function far(a, b)
	return math.sqrt((a.x - b.x) ^ 2 + (a.z - b.z) ^ 2)
end

local function named(things, id)
	for _, thing in ipairs(things) do
		if thing.id == id then
			return thing
		end
	end
end

local kinds = {}

-- A key is carried off when somebody is about to take it.
function kinds.key_moved(task, trick, pos)
	local key = named(task.level.keys, trick.key)
	if not key or key.held or far(pos, key.object:get_pos()) > 2.5 then
		return false
	end
	key.object:remove()
	building.lay_key(ground.pos(task.region, trick.to), key.secret)
	return true
end

-- A lever is thrown back, and its door shut, when somebody has gone away from the one and is not at the other.
function kinds.lever_back(task, trick, pos)
	local lever, door = named(task.level.levers, trick.lever), named(task.level.doors, trick.door)
	local it = doors.get(door.pos)
	if reading.is_off(lever.pos) or not it:state() or far(pos, lever.pos) < 1.7 or far(pos, door.pos) < 1.4 then
		return false
	end
	task.trickster:right_click(lever.pos)
	it:close()
	return true
end

local function is_just_opened(task, trick, pos)
	local door = named(task.level.doors, trick.door)
	local it = doors.get(door.pos)
	-- Nobody is caught between a door and its frame.
	return it:state() and far(pos, door.pos) > 0.95, it, door
end

-- A door falls shut before somebody who has opened it.
function kinds.door_shut(task, trick, pos)
	local is_due, it = is_just_opened(task, trick, pos)
	if is_due then
		it:close()
	end
	return is_due
end

-- A door is locked again with another lock, whose key lies elsewhere.
function kinds.lock_changed(task, trick, pos)
	local is_due, it, door = is_just_opened(task, trick, pos)
	if is_due then
		it:close()
		building.lock(door.pos, trick.secret)
		building.lay_key(ground.pos(task.region, trick.to), trick.secret)
	end
	return is_due
end

-- Whether it has happened now.
function apprentice.mischief(task, pos)
	local trick = task.trick
	if not trick or task.tricked or not kinds[trick.kind](task, trick, pos) then
		return false
	end
	task.tricked = trick.kind
	return true
end
