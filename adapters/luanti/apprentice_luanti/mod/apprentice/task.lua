-- Somebody in a region who is to come to a goal: its body, what it is told and tells, and the judge.

local ground = apprentice.ground
local reading = apprentice.reading

local task = {}
task.__index = task
apprentice.task = task

-- As far as hands reach, less than a player's, and not through a wall.
local REACH = 1.4
local BENDS = 0.9 -- to things that lie about
local READ_ANEW = 2 -- seconds
local SAMPLE = 0.25 -- seconds between two samples of a recording
-- Where it has come in a step is so much farther at most than its speed allows; the engine's steps are uneven.
local SLACK = 0.35

-- Of a region that was loaded for it, and is let go when it stops.
function task.new(words)
	local self = setmetatable(words, task)
	self.hands = apprentice.hands.new(self.name)
	self.trickster = setmetatable({name = "trickster"}, {__index = apprentice.hands})
	self.seconds, self.events = 0, {}
	self.read_anew = READ_ANEW
	self.level = reading.read(self.region, {})
	return self
end

function task:told()
	return reading.told(self.level)
end

-- It begins to live. Who says where to is the planner, or whoever else gives orders.
function task:start()
	local pos = ground.pos(self.region, self.from)
	self.object = minetest.add_entity({x = pos.x, y = pos.y - 0.49, z = pos.z}, "apprentice:body")
	return self.object ~= nil
end

function task:order(cell)
	local body = self.object and self.object:get_luaentity()
	if body then
		body.to = cell and ground.pos(self.region, cell) or nil
		self.to = cell
	end
end

local function happened(self, what, id)
	self.events[#self.events + 1] = what .. ":" .. id
end

local function far(pos, other)
	return math.sqrt((pos.x - other.x) ^ 2 + (pos.z - other.z) ^ 2)
end

-- As levels of Apprentice have it: whoever comes to a key takes it, whoever is next to a lever pulls it, and
-- a door is opened by whoever goes into it and may.
function task:reach_out(pos)
	for _, key in ipairs(self.level.keys) do
		local at = not key.held and key.object:get_pos()
		if at and far(pos, at) < BENDS then
			self.hands:take(key.object, key.secret, key.at)
			happened(self, "picked_up", key.id)
		end
	end
	for _, lever in ipairs(self.level.levers) do
		if far(pos, lever.pos) < REACH and reading.is_off(lever.pos) then
			self.hands:right_click(lever.pos)
			happened(self, "lever_pulled", lever.id)
		end
	end
	for _, door in ipairs(self.level.doors) do
		local is_next = self.to and self.to[1] == door.at[1] and self.to[2] == door.at[2]
		local it = is_next and far(pos, door.pos) < REACH and doors.get(door.pos)
		if it and not it:state() and self.hands:open(door.pos) then
			happened(self, "door_opened", door.id)
		end
	end
end

-- What the judge sees: it neither flies nor goes through what is shut.
function task:judge(pos, dtime)
	if self.last then
		-- Bodies have moved in the step before this one, which may have been longer.
		local passed = math.max(dtime, self.last_dtime)
		if far(pos, self.last) > apprentice.SPEED * passed + SLACK or math.abs(pos.y - self.last.y) > 1 then
			self.foul = self.foul or "it did not walk"
		end
	end
	self.last, self.last_dtime = pos, dtime
	local cell = ground.cell(self.region, pos)
	for _, door in ipairs(self.level.doors) do
		if door.at[1] == cell[1] and door.at[2] == cell[2] then
			local it = doors.get(door.pos)
			if not (it and it:state()) then
				self.foul = self.foul or door.id .. " was shut when it went through"
			end
		end
	end
	local goal = ground.pos(self.region, self.goal)
	if math.abs(pos.x - goal.x) < 0.5 and math.abs(pos.z - goal.z) < 0.5 and math.abs(pos.y - goal.y) < 0.6 then
		self.arrived = true
		-- A quest has no way there but through these, and nobody shuts them behind it.
		for _, id in ipairs(self.through or {}) do
			for _, door in ipairs(self.level.doors) do
				local it = door.id == id and doors.get(door.pos)
				if it and not it:state() then
					self.foul = self.foul or id .. " is shut, and it is there all the same"
				end
			end
		end
	end
end

local function signature(level)
	return minetest.write_json(reading.told(level))
end

-- A step of the engine's. What is to be told then is in the answer.
function task:step(dtime)
	local pos = self.object and self.object:get_pos()
	if not pos then
		return {id = self.id, gone = true}
	end
	self.seconds = self.seconds + dtime
	self:judge(pos, dtime)
	apprentice.mischief(self, pos)
	-- Whether somebody has built or dug is looked at now and then.
	if self.seconds >= self.read_anew then
		self.read_anew = self.seconds + READ_ANEW
		self.level = reading.read(self.region, self.hands:keys())
	end
	reading.refresh(self.region, self.level, self.hands:keys())
	self:reach_out(pos)
	reading.refresh(self.region, self.level, self.hands:keys())
	local place = ground.place(self.region, pos)
	local told = reading.state(self.level)
	told.id, told.at = self.id, place
	local now = signature(self.level)
	if now ~= self.signature then
		self.signature = now
		told.level = self:told()
	end
	if self.records and self.seconds >= (self.due or 0) then
		self.due = self.seconds + SAMPLE
		told.sample = apprentice.sample(self.seconds, place, told.holding, self.events)
		self.events = {}
	end
	if self.arrived or self.foul then
		told.judged = {
			arrived = self.arrived or false, foul = self.foul, seconds = self.seconds, tricked = self.tricked,
		}
	end
	return told
end

function task:stop()
	if self.object then
		self.object:remove()
		self.object = nil
	end
	self.hands:drop()
	ground.unload(self.region)
end

-- A line of a recording, as demonstrations are written.
function apprentice.sample(seconds, place, holding, events)
	local function rounded(number)
		return math.floor(number * 1000 + 0.5) / 1000
	end
	local line = {t = rounded(seconds), x = rounded(place[1]), y = rounded(place[2]), gait = "walk"}
	line.holding = holding[1] and holding or nil
	line.events = events[1] and events or nil
	return line
end
