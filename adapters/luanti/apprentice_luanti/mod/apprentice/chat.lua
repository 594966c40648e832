-- For players: record how one does it, and hand the character over.

local ground = apprentice.ground

local players = {} -- what each has said, by name

minetest.register_privilege("apprentice", {
	description = "Can record, and put characters that plan into the world",
})

local function here(player)
	local pos = player:get_pos()
	-- Feet stand on the edge between two nodes, and the upper one is meant.
	return {x = math.floor(pos.x + 0.5), y = math.floor(pos.y + 0.75), z = math.floor(pos.z + 0.5)}
end

local function region_of(said)
	local a, b = said.corner1, said.corner2
	if not (a and b) then
		return nil, "first stand in two corners: /apprentice corner1, /apprentice corner2"
	end
	local region = {
		x = math.min(a.x, b.x), y = a.y, z = math.max(a.z, b.z),
		width = math.abs(a.x - b.x) + 1, height = math.abs(a.z - b.z) + 1,
	}
	if region.width * region.height > 4096 then
		return nil, "that is more than 4096 nodes; choose corners that are nearer to each other"
	end
	return region
end

local doing = {}

function doing.corner1(said, player) said.corner1 = here(player) return "one corner" end
function doing.corner2(said, player) said.corner2 = here(player) return "the other corner" end
function doing.goal(said, player) said.goal = here(player) return "the goal" end

function doing.record(said, player)
	local region, why = region_of(said)
	if not region then
		return nil, why
	end
	said.recording = {region = region, from = ground.cell(region, here(player)), lines = {}, seconds = 0, due = 0}
	return "recording"
end

function doing.stop(said)
	if not said.recording then
		return nil, "nothing is recorded; /apprentice record"
	end
	said.recorded, said.recording = said.recording, nil
	local lines = {minetest.write_json({format = 1, scenario = "luanti", interval = 0.25, unit = "cell"})}
	for _, line in ipairs(said.recorded.lines) do
		lines[#lines + 1] = minetest.write_json(line)
	end
	said.text = table.concat(lines, "\n") .. "\n"
	local path = minetest.get_worldpath() .. "/apprentice.jsonl"
	minetest.safe_file_write(path, said.text)
	return ("%d samples, written to %s"):format(#said.recorded.lines, path)
end

function doing.hand_over(said, player, name)
	local region, why = region_of(said)
	if not region then
		return nil, why
	end
	if not said.goal then
		return nil, "first stand where it is to go: /apprentice goal"
	end
	if said.recording then
		doing.stop(said)
	end
	local id = "of " .. name
	doing.away(nil, nil, name)
	local from = said.recorded and said.recorded.from or ground.cell(region, here(player))
	local goal = ground.cell(region, said.goal)
	if not (ground.is_inside(region, from) and ground.is_inside(region, goal)) then
		return nil, "its place and its goal must lie between the corners"
	end
	ground.load(region, function(is_loaded)
		if not is_loaded then
			minetest.chat_send_player(name, "blocks cannot be kept loaded: raise max_forceloaded_blocks")
			return
		end
		local task = apprentice.task.new({
			id = id, name = "apprentice_of_" .. name, region = region, from = from, goal = goal,
		})
		apprentice.tasks[id] = task
		apprentice.tell({
			what = "handed_over", id = id, by = name, from = from, goal = goal, level = task:told(),
			shown = said.text,
		})
	end)
	return "it is handed over"
end

function doing.away(_, _, name)
	local id = "of " .. name
	if apprentice.tasks[id] then
		apprentice.tasks[id]:stop()
		apprentice.tasks[id] = nil
		apprentice.tell({what = "away", id = id})
	end
	return "it is gone"
end

local function obey(name, word)
	local player = minetest.get_player_by_name(name)
	if not player then
		return false, "only players who are in the world can say that"
	end
	if not doing[word] then
		return false, "say corner1, corner2, goal, record, stop, hand_over or away"
	end
	players[name] = players[name] or {}
	local text, why = doing[word](players[name], player, name)
	return text ~= nil, text or why
end

minetest.register_chatcommand("apprentice", {
	params = "corner1 | corner2 | goal | record | stop | hand_over | away",
	description = "Record how you do it between two corners, and let a character do it",
	privs = {apprentice = true},
	func = obey,
})

-- The same with a thing in the hand: a click begins and ends a recording, a right click hands over.
local function by_hand(word)
	return function(stack, player)
		local name = player and player:get_player_name() or ""
		local may = minetest.check_player_privs(name, {apprentice = true})
		local said = players[name] or {}
		local chosen = word or (said.recording and "stop" or "record")
		local _, text = true, "you lack the privilege apprentice"
		if may then
			_, text = obey(name, chosen)
		end
		minetest.chat_send_player(name, text)
		return stack
	end
end

minetest.register_craftitem("apprentice:baton", {
	description = "Baton: click to record, right click to hand over",
	inventory_image = "default_stick.png^[colorize:#c0392b:120",
	stack_max = 1,
	on_use = by_hand(nil),
	on_place = by_hand("hand_over"),
	on_secondary_use = by_hand("hand_over"),
})

minetest.register_globalstep(function(dtime)
	for name, said in pairs(players) do
		local player, recording = minetest.get_player_by_name(name), said.recording
		if player and recording then
			recording.seconds = recording.seconds + dtime
			if recording.seconds >= recording.due then
				recording.due = recording.seconds + 0.25
				local place = ground.place(recording.region, player:get_pos())
				table.insert(recording.lines, apprentice.sample(recording.seconds, place, {}, {}))
			end
		end
	end
end)

minetest.register_on_leaveplayer(function(player)
	local name = player:get_player_name()
	doing.away(nil, nil, name)
	players[name] = nil
end)
