-- Somebody who uses things as a player does. The engine's functions ask whoever opens a door for a name and for
-- the key in hand, and this answers: it opens nothing that a player with the same things could not open.

local hands = {}
hands.__index = hands
apprentice.hands = hands

-- An inventory of its own, so that things are given to it as to a player.
function hands.new(name)
	local inventory = minetest.create_detached_inventory("apprentice_" .. name)
	inventory:set_size("main", 8)
	return setmetatable({name = name, inventory = inventory, wielded = ItemStack(""), taken = {}}, hands)
end

function hands:is_player() return true end
function hands:get_player_name() return self.name end
function hands:get_inventory() return self.inventory end
function hands:get_wielded_item() return self.wielded end
function hands:get_player_control() return {} end

function hands:keys()
	local found = {}
	for _, stack in ipairs(self.inventory:get_list("main") or {}) do
		if minetest.get_item_group(stack:get_name(), "key") == 1 then
			local secret = stack:get_meta():get_string("secret")
			found[#found + 1] = {stack = stack, secret = secret, at = self.taken[secret]}
		end
	end
	return found
end

-- Takes a thing that lies about, by the engine's own way of doing so: a punch.
function hands:take(object, secret, cell)
	local entity = object:get_luaentity()
	self.taken[secret] = cell
	entity.on_punch(entity, self)
end

-- Opens a door as a player would, with bare hands or with one key after the other. Whether it is open then.
function hands:open(pos)
	local door = doors.get(pos)
	if not door then
		return false
	end
	self.wielded = ItemStack("")
	door:open(self)
	for _, key in ipairs(self:keys()) do
		if not door:state() then
			self.wielded = key.stack
			door:open(self)
		end
	end
	return door:state()
end

function hands:right_click(pos)
	local node = minetest.get_node(pos)
	local def = minetest.registered_nodes[node.name]
	def.on_rightclick(pos, node, self, ItemStack(""), {type = "node", under = pos, above = pos})
end

function hands:drop()
	minetest.remove_detached_inventory("apprentice_" .. self.name)
end
