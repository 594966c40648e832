-- Asks the planner, step by step: what is so goes there, and orders come back.

local ground = apprentice.ground
local tasks = {} -- by their ids
apprentice.tasks = tasks

-- What is to be told with the next question.
local news = {}
function apprentice.tell(what)
	news[#news + 1] = what
end

local doing = {}

-- A quest is built where the planner wants it, and read.
function doing.build(words)
	local region = words.region
	ground.load(region, function(is_loaded)
		local missing = apprentice.building.missing()
		if missing[1] then
			apprentice.tell({what = "failed", id = words.id, why = "Luanti lacks " .. table.concat(missing, ", ")})
			return
		end
		if not is_loaded then
			apprentice.tell({what = "failed", id = words.id, why = "blocks cannot be kept loaded: raise max_forceloaded_blocks"})
			return
		end
		apprentice.building.build(region, words.quest)
		tasks[words.id] = apprentice.task.new({
			id = words.id, name = "apprentice" .. words.id, region = region, from = words.quest.start,
			goal = words.quest.goal, through = words.quest.through, trick = words.quest.trick, records = words.records,
		})
		apprentice.tell({what = "built", id = words.id, level = tasks[words.id]:told()})
	end)
end

function doing.start(words)
	local it = tasks[words.id]
	if it and it:start() then
		it.runs = true
	else
		apprentice.tell({what = "failed", id = words.id, why = "no body could be put there"})
	end
end

function doing.stop(words)
	if tasks[words.id] then
		tasks[words.id]:stop()
		tasks[words.id] = nil
	end
end

function doing.say(words)
	minetest.chat_send_player(words.to, words.text)
end

function doing.shut_down()
	minetest.request_shutdown("everything was played")
end

local function obey(reply)
	for _, order in ipairs(reply.orders or {}) do
		if tasks[order.id] then
			tasks[order.id]:order(order.to)
		end
	end
	for _, words in ipairs(reply["do"] or {}) do
		if doing[words.what] then
			doing[words.what](words)
		end
	end
end

return function(http)
	local port = tonumber(minetest.settings:get("apprentice.port") or "")
	local token = minetest.settings:get("apprentice.token") or ""
	if not port then
		minetest.log("warning", "[apprentice] there is no apprentice.port in the settings: nobody plans")
		return
	end
	if not http then
		minetest.log("error", "[apprentice] write secure.http_mods = apprentice into the settings: nobody plans")
		return
	end
	-- A world that was made for the planner ends with it.
	local is_bound_to_planner = minetest.settings:get_bool("apprentice.ends_with_planner", false)
	local waits, silent, passed = false, 0, 0

	minetest.register_globalstep(function(dtime)
		passed = passed + dtime
		silent = silent + dtime
		if is_bound_to_planner and silent > 20 then
			minetest.request_shutdown("the planner is gone")
		end
		for _, it in pairs(tasks) do
			if it.runs then
				local told, owed = it:step(dtime), it.owed or {}
				-- What is told once must not be lost because an answer is late.
				told.level, told.judged = told.level or owed.level, told.judged or owed.judged
				told.samples = owed.samples or {}
				table.insert(told.samples, told.sample)
				told.sample = nil
				it.owed, it.runs = told, not told.gone and not told.judged
			end
		end
		if waits then
			return
		end
		local bodies = {}
		for _, it in pairs(tasks) do
			bodies[#bodies + 1], it.owed = it.owed, nil
		end
		local question = minetest.write_json({seconds = passed, bodies = bodies, news = news})
		local sent = news
		news, passed, waits = {}, 0, true
		http.fetch({
			url = "http://127.0.0.1:" .. port .. "/", method = "POST", data = question, timeout = 15,
			extra_headers = {"Content-Type: application/json", "X-Apprentice-Token: " .. token, "Expect:"},
		}, function(answer)
			waits = false
			local reply = answer.succeeded and answer.code == 200 and minetest.parse_json(answer.data)
			if reply then
				silent = 0
				obey(reply)
			else
				-- It is told again, before what has happened since.
				for index, told in ipairs(sent) do
					table.insert(news, index, told)
				end
				for _, told in ipairs(bodies) do
					local it = tasks[told.id]
					if it then
						local since = it.owed or told
						since.level, since.judged = since.level or told.level, since.judged or told.judged
						it.owed = since
					end
				end
			end
		end)
	end)
end
