-- A body with Luanti's own physics: it is given velocities, and the engine says where it comes to.

local SPEED = 4 -- nodes a second, as players walk
local NEAR = 0.02
local HALF_WIDTH = 0.3

apprentice.SPEED = SPEED

minetest.register_entity("apprentice:body", {
	initial_properties = {
		physical = true,
		collide_with_objects = true,
		collisionbox = {-HALF_WIDTH, 0, -HALF_WIDTH, HALF_WIDTH, 1.7, HALF_WIDTH},
		selectionbox = {-HALF_WIDTH, 0, -HALF_WIDTH, HALF_WIDTH, 1.7, HALF_WIDTH},
		stepheight = 0.6,
		visual = "mesh",
		mesh = "character.b3d",
		textures = {"character.png"},
		visual_size = {x = 1, y = 1},
		static_save = false,
	},

	on_activate = function(self)
		self.object:set_acceleration({x = 0, y = -9.81, z = 0})
		self.object:set_armor_groups({immortal = 1})
	end,

	on_step = function(self, dtime)
		local object, to = self.object, self.to
		local falling = object:get_velocity().y
		local pos = object:get_pos()
		local dx, dz = to and to.x - pos.x or 0, to and to.z - pos.z or 0
		local far = math.sqrt(dx * dx + dz * dz)
		if far < NEAR then
			object:set_velocity({x = 0, y = falling, z = 0})
			self:look(false)
			return
		end
		-- No farther in a step than it is.
		local speed = math.min(SPEED, far / math.max(dtime, 0.01))
		object:set_velocity({x = dx / far * speed, y = falling, z = dz / far * speed})
		object:set_yaw(math.atan2(dz, dx) - math.pi / 2)
		self:look(true)
	end,

	-- Walking or standing, for whoever watches.
	look = function(self, walks)
		if self.walks ~= walks then
			self.walks = walks
			self.object:set_animation(walks and {x = 168, y = 187} or {x = 0, y = 79}, 30)
		end
	end,
})
