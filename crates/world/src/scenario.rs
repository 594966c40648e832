//! All that never changes in a run: the map, who and what is where, and the rules.

mod agents;
mod areas;
mod encoding;
mod expectation;
mod hindrances;
mod known;
mod planning;
mod rules;
mod style;
mod tables;
mod things;

use std::sync::Arc;

use apprentice_game::Prices;
use apprentice_search::Cost;

use crate::game::Landmarks;
use crate::map::Move;
use crate::scenario_file::nearest;
use crate::{
    Conduct, Goal, GridMap, Map, PlayerModel, PlayerModelError, Point, Role, RoleError, Stance,
    World, perception,
};
use apprentice_experience::Demonstration;

pub use agents::{Actor, AgentId, Beast, Enemy, FULL_HEALTH, Guard, Kind, Manner};
pub use areas::Area;
pub(crate) use areas::Counts;
pub use expectation::Expectation;
use known::Known;
pub use planning::Planning;
pub use rules::{Margins, Rules};
pub use style::{NoStyle, Style};
use tables::Tables;
pub(crate) use tables::marks;
pub(crate) use things::LEVER_REACH;
pub use things::{
    Cycle, Door, DoorId, Drawing, Drawn, Item, ItemId, ItemKind, Lever, LeverId, Obstacle, Thing,
    Trap, TrapId,
};

/// All that never changes in a run. Made by [`Scenario::parse`], which checks everything.
///
/// Cheap to copy: copies share everything that takes memory, and what was worked out about it.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     name = "A locked room"
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///
///     [map]
///     rows = ["...#.", "....."]
///
///     [[key]]
///     id = "red"
///     at = [1, 0]
///     opens = ["gate"]
///
///     [[door]]
///     id = "gate"
///     at = [[3, 1]]
/// "#)?;
/// assert_eq!(scenario.name(), "A locked room");
/// assert_eq!(scenario.items()[0].id, "red");
/// assert!(scenario.thing("gate").is_some());
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) name: Arc<str>,
    pub(crate) map: Arc<Map>,
    pub(crate) actors: Arc<[Actor]>,
    /// Who is planned for.
    pub(crate) agent: AgentId,
    /// How everybody else behaves while one is planned for.
    pub(crate) others: Conduct,
    /// The style of which the player is a model, if it is one.
    pub(crate) modelled: Option<Arc<str>>,
    pub(crate) goal: Arc<Goal>,
    pub(crate) items: Arc<[Item]>,
    pub(crate) doors: Arc<[Door]>,
    pub(crate) levers: Arc<[Lever]>,
    pub(crate) traps: Arc<[Trap]>,
    pub(crate) areas: Arc<[Area]>,
    pub(crate) obstacles: Arc<[Obstacle]>,
    pub(crate) enemies: Arc<[Enemy]>,
    pub(crate) demonstrations: Arc<[Drawn]>,
    pub(crate) drawings: Arc<[Drawing]>,
    pub(crate) styles: Arc<[Style]>,
    pub(crate) events: Arc<[Thing]>,
    pub(crate) rules: Rules,
    pub(crate) margins: Margins,
    pub(crate) planning: Arc<Planning>,
    pub(crate) expected: Option<Arc<Expectation>>,
    pub(crate) prices: Prices,
    /// The scenario in which enemies are as bad as advisers take them to be, if they are not as bad
    /// as in this one.
    pub(crate) feared: Option<Arc<Scenario>>,
    pub(crate) solvable: bool,
    pub(crate) needs: Arc<[ItemId]>,
    pub(crate) seed: u64,
    /// Items that are not there, a bit each.
    pub(crate) absent: u32,
    /// Where runs begin, if not at the beginning.
    pub(crate) snapshot: Option<Arc<World>>,
    pub(crate) tables: Arc<Tables>,
    /// Whoever changes any of the others must begin anew with this.
    pub(crate) known: Arc<Known>,
}

/// How far from where it was shown to end the player may be, in cells or metres.
const NEAR_THE_END: f64 = 2.0;

impl Scenario {
    /// How many items, doors and levers there may be of each: sets of them are machine words.
    pub const MOST_THINGS: usize = 32;
    /// How many enemies there may be: enough for any level, and few enough to keep a step quick.
    pub const MOST_ENEMIES: usize = 1000;
    /// How many may take orders, for the same reason.
    pub const MOST_ACTORS: usize = 1000;

    /// What may have to be done in it, for all copies.
    pub(crate) fn shared_landmarks(&self) -> &Arc<Landmarks> {
        let worked_out = || Arc::new(Landmarks::new(self));
        self.known.landmarks.get_or_init(worked_out)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The level's geometry.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The level's geometry, to be kept.
    pub fn shared_map(&self) -> Arc<Map> {
        self.map.clone()
    }

    /// The level's geometry as a grid, if it is one.
    #[inline]
    pub fn grid(&self) -> Option<&GridMap> {
        self.map.grid()
    }

    /// Who takes orders: the character at `start` first, then the player if there is one, then all
    /// others in the order of the file.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// Who is planned for, unless a [`Role`](crate::Role) says otherwise: [`AgentId::NPC`], or whom the
    /// scenario was [made for](Scenario::for_agent).
    #[inline]
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// The same scenario with somebody else planned for, and with that one's goal.
    ///
    /// ```
    /// use apprentice_world::{AgentId, AnyQuest, Quest, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["......"] }
    ///     key = [{ id = "red", at = [5, 0], opens = [] }]
    ///     actor = [{ id = "anna", at = [2, 0], goal = { holds = "red" } }]
    /// "#)?;
    /// let annas = scenario.for_agent(scenario.actor("anna")?)?;
    /// let AnyQuest::Still(quest) = annas.quest() else { panic!("nobody else moves") };
    /// assert_eq!(annas.id_of(apprentice_world::Thing::Agent(quest.agent())), "anna");
    /// assert_ne!(annas.goal(), scenario.goal());
    /// assert!(scenario.for_agent(AgentId::Actor(7)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_agent(&self, agent: AgentId) -> Result<Scenario, RoleError> {
        Role::of(agent).check(self)?;
        if agent == self.agent {
            return Ok(self.clone());
        }
        Ok(Scenario {
            agent,
            goal: Arc::new(self.goal_of(agent).clone()),
            known: Arc::default(),
            feared: None,
            ..self.clone()
        })
    }

    /// Who is planned for and how everybody else behaves meanwhile, unless somebody says otherwise: all
    /// follow their routes, or a model that [the scenario was made with](Scenario::with_player_model).
    pub fn role(&self) -> Role {
        Role {
            agent: self.agent,
            others: self.others.clone(),
        }
    }

    /// The style of which the player is a model here, if it is one.
    pub fn player_model(&self) -> Option<&str> {
        self.modelled.as_deref()
    }

    /// The styles of players the file tells of.
    pub fn styles(&self) -> &[Style] {
        &self.styles
    }

    /// The style of a name.
    pub fn style(&self, id: &str) -> Result<&Style, NoStyle> {
        let found = self.styles.iter().find(|style| style.id == id);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.styles.iter().map(|style| style.id.as_str()).collect();
            NoStyle {
                name: id.to_owned(),
                suggestion: nearest(id, &known),
                known: known.into_iter().map(str::to_owned).collect(),
            }
        })
    }

    /// The same scenario in which the player is taken to go as was shown of a style, and the goal is
    /// that of both: the style's own, or this scenario's with the player alive where what is shown ends.
    /// Plans that are made in it are verified and rehearsed in it.
    ///
    /// ```
    /// use apprentice_world::{AnyQuest, Drawn, Quest, Scenario, drawn_line};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["....."] }
    ///     player = { at = [1, 0] }
    ///     style = [{ id = "sneak", points = [[1, 0], [4, 0]], gait = "sneak" }]
    /// "#)?;
    /// let style = scenario.style("sneak")?;
    /// let Drawn::Points(points) = &style.shown else { panic!("it is drawn") };
    /// let shown = drawn_line(&scenario, "sneak", points);
    /// let together = scenario.with_player_model(style, &shown)?;
    /// let AnyQuest::Moving(quest) = together.quest() else { panic!("the player moves") };
    /// assert!(quest.others_are_free());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If nobody can go as was shown.
    pub fn with_player_model(
        &self,
        style: &Style,
        shown: &Demonstration,
    ) -> Result<Scenario, PlayerModelError> {
        let model = PlayerModel::new(self, shown, style.stance)?;
        let goal = style.goal.clone().unwrap_or_else(|| {
            let there = Goal::AgentWithin {
                agent: AgentId::PLAYER,
                at: model.end(self),
                height: None,
                radius: NEAR_THE_END,
            };
            let lives = Goal::Not(Box::new(Goal::Dead(AgentId::PLAYER)));
            Goal::All(vec![Goal::clone(&self.goal), there, lives])
        });
        Ok(Scenario {
            others: self.others.clone().with(AgentId::PLAYER, Arc::new(model)),
            modelled: Some(Arc::from(&*style.id)),
            goal: Arc::new(goal),
            known: Arc::default(),
            feared: None,
            ..self.clone()
        })
    }

    /// What is to be achieved.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// What somebody is to achieve: its own goal, or that of the level if it has none.
    pub fn goal_of(&self, agent: AgentId) -> &Goal {
        let own = self.actor_of(agent).and_then(|actor| actor.goal.as_ref());
        own.unwrap_or(&self.goal)
    }

    /// Who takes orders by this id; `None` for enemies, and if there is nobody.
    pub fn actor_of(&self, agent: AgentId) -> Option<&Actor> {
        match agent {
            AgentId::Actor(actor) => self.actors.get(usize::from(actor)),
            AgentId::Enemy(_) => None,
        }
    }

    /// Everything that can be picked up.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// All doors.
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// All levers.
    pub fn levers(&self) -> &[Lever] {
        &self.levers
    }

    /// All traps.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let scenario = Scenario::parse(
    ///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }\n\
    ///      trap = [{ id = 'spears', at = [[1, 0]], damage = 40 }]",
    /// )?;
    /// assert_eq!(scenario.traps()[0].damage, 40.0);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn traps(&self) -> &[Trap] {
        &self.traps
    }

    /// The levers that disarm a trap.
    pub fn levers_against(&self, trap: TrapId) -> impl Iterator<Item = LeverId> + use<> {
        let levers = self.traps.get(trap.index()).map_or(0, |trap| trap.levers);
        let all = (0..Scenario::MOST_THINGS as u8).map(LeverId::new);
        all.filter(move |lever| levers & lever.bit() != 0)
    }

    /// Everything that moves by the clock.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// All enemies.
    pub fn enemies(&self) -> &[Enemy] {
        &self.enemies
    }

    /// The demonstrations that come with it.
    pub fn demonstrations(&self) -> &[Drawn] {
        &self.demonstrations
    }

    /// What one of the [demonstrations](Scenario::demonstrations) is called, by its number from 0;
    /// none if it has no name.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let scenario = Scenario::parse(
    ///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\n\
    ///      demonstration = [{ points = [[0, 0]], used = false }, { points = [[1, 0]], name = 'by the river' }]",
    /// )?;
    /// assert_eq!(scenario.demonstrations().len(), 1);
    /// assert_eq!(scenario.demonstration_name(0), Some("by the river"));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn demonstration_name(&self, number: usize) -> Option<&str> {
        let mut used = self.drawings.iter().filter(|drawing| drawing.is_used);
        used.nth(number)?.name.as_deref()
    }

    /// All demonstrations its file has, also those that are left out.
    pub fn drawings(&self) -> &[Drawing] {
        &self.drawings
    }

    /// The quest events: those the file names, or every key, shield, item and lever.
    pub fn events(&self) -> &[Thing] {
        &self.events
    }

    /// Speeds and options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How much worse enemies are taken to be while planning.
    pub fn margins(&self) -> Margins {
        self.margins
    }

    /// How plans are to be made, as far as the file says.
    pub fn planning(&self) -> &Planning {
        &self.planning
    }

    /// What is expected of whoever plays in it, if the file says so.
    pub fn expected(&self) -> Option<&Expectation> {
        self.expected.as_deref()
    }

    /// What plans pay for besides time.
    pub fn prices(&self) -> Prices {
        self.prices
    }

    /// Whether the file says that the quest can be achieved.
    pub fn claims_solvable(&self) -> bool {
        self.solvable
    }

    /// The items without which, the file says, the quest cannot be achieved.
    pub fn needs(&self) -> &[ItemId] {
        &self.needs
    }

    /// The seed of whatever was placed at random; 0 if nothing was.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether runs begin midway: the file says how the world is then.
    pub fn begins_midway(&self) -> bool {
        self.snapshot.is_some()
    }

    /// What the file calls by this id.
    pub fn thing(&self, id: &str) -> Option<Thing> {
        self.things().find(|thing| self.id_of(*thing) == id)
    }

    /// Everything that has an id.
    pub(crate) fn things(&self) -> impl Iterator<Item = Thing> + use<> {
        let items = (0..self.items.len() as u8).map(|number| Thing::Item(ItemId::new(number)));
        let doors = (0..self.doors.len() as u8).map(|number| Thing::Door(DoorId::new(number)));
        let levers = (0..self.levers.len() as u8).map(|number| Thing::Lever(LeverId::new(number)));
        let actors = (0..self.actors.len() as u16).map(AgentId::Actor);
        let enemies = (0..self.enemies.len() as u16).map(AgentId::Enemy);
        let agents = actors.chain(enemies).map(Thing::Agent);
        items.chain(doors).chain(levers).chain(agents)
    }

    /// Whether it has such a thing. Ids are numbers, and those of another level may be too large.
    ///
    /// ```
    /// use apprentice_world::{AgentId, DoorId, Scenario, Thing};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\ndoor = [{ id = 'gate', at = [[1, 0]] }]").unwrap();
    /// assert!(scenario.has(Thing::Door(DoorId::new(0))) && !scenario.has(Thing::Door(DoorId::new(1))));
    /// assert!(!scenario.has(Thing::Agent(AgentId::PLAYER)));
    /// ```
    #[inline]
    pub fn has(&self, thing: Thing) -> bool {
        let number = match thing {
            Thing::Item(item) => item.index(),
            Thing::Door(door) => door.index(),
            Thing::Lever(lever) => lever.index(),
            Thing::Agent(AgentId::Actor(actor)) => usize::from(actor),
            Thing::Agent(AgentId::Enemy(enemy)) => usize::from(enemy),
        };
        number < self.count_of(thing)
    }

    /// How many there are of the sort a thing is of.
    pub(crate) fn count_of(&self, thing: Thing) -> usize {
        match thing {
            Thing::Item(_) => self.items.len(),
            Thing::Door(_) => self.doors.len(),
            Thing::Lever(_) => self.levers.len(),
            Thing::Agent(AgentId::Actor(_)) => self.actors.len(),
            Thing::Agent(AgentId::Enemy(_)) => self.enemies.len(),
        }
    }

    /// What the file calls a thing; nothing if there is no such thing.
    pub fn id_of(&self, thing: Thing) -> &str {
        let id = match thing {
            Thing::Item(item) => self.items.get(item.index()).map(|item| &item.id),
            Thing::Door(door) => self.doors.get(door.index()).map(|door| &door.id),
            Thing::Lever(lever) => self.levers.get(lever.index()).map(|lever| &lever.id),
            Thing::Agent(AgentId::Actor(actor)) => {
                self.actors.get(usize::from(actor)).map(|actor| &actor.id)
            }
            Thing::Agent(AgentId::Enemy(enemy)) => self.enemy(enemy).map(|enemy| &enemy.id),
        };
        id.map_or("", String::as_str)
    }

    /// Where a thing is at the beginning; of a door, the first of its places. [`Point::NOWHERE`] if
    /// there is no such thing.
    pub fn position_of(&self, thing: Thing) -> Point {
        let at = match thing {
            Thing::Item(item) => self.items.get(item.index()).map(|item| item.at),
            Thing::Door(door) => {
                let door = self.doors.get(door.index());
                door.map(|door| self.map.point_of(door.places[0]))
            }
            Thing::Lever(lever) => self.levers.get(lever.index()).map(|lever| lever.at),
            Thing::Agent(AgentId::Actor(actor)) => {
                self.actors.get(usize::from(actor)).map(|actor| actor.start)
            }
            Thing::Agent(AgentId::Enemy(enemy)) => self.enemy(enemy).map(|enemy| enemy.home),
        };
        at.unwrap_or(Point::NOWHERE)
    }

    /// The place of the map in which a thing is at the beginning; of a door, the first of its places.
    /// [`Map::NO_PLACE`] if there is no such thing.
    pub fn place_of(&self, thing: Thing) -> usize {
        let place = match thing {
            Thing::Item(item) => self.items.get(item.index()).map(|item| item.place),
            Thing::Door(door) => {
                let door = self.doors.get(door.index());
                return door.map_or(Map::NO_PLACE, |door| door.places[0]);
            }
            Thing::Lever(lever) => self.levers.get(lever.index()).map(|lever| lever.place),
            Thing::Agent(AgentId::Actor(actor)) => {
                self.actors.get(usize::from(actor)).map(|actor| actor.place)
            }
            Thing::Agent(AgentId::Enemy(enemy)) => self.enemy(enemy).map(|enemy| enemy.place),
        };
        place.map_or(Map::NO_PLACE, |place| place as usize)
    }

    #[inline]
    pub(crate) fn enemy(&self, number: u16) -> Option<&Enemy> {
        self.enemies.get(usize::from(number))
    }

    /// The items that open a door.
    pub fn keys_of(&self, door: DoorId) -> impl Iterator<Item = ItemId> {
        let keys = self.doors.get(door.index()).map_or(0, |door| door.keys);
        (0..self.items.len() as u8)
            .map(ItemId::new)
            .filter(move |item| keys & item.bit() != 0)
    }

    /// The places from which an item can be picked up. On a mesh with few footholds there may be none
    /// within reach but the nearest, and that will do.
    pub fn places_at_hand(&self, item: ItemId) -> Vec<usize> {
        let Some(item) = self.items.get(item.index()) else {
            return Vec::new();
        };
        let mut places = self.map.places_within(item.at, self.map.reach_of_hands());
        places.retain(|place| item.is_at_hand(&self.map, *place as u32));
        if let Err(rank) = places.binary_search(&(item.place as usize)) {
            places.insert(rank, item.place as usize);
        }
        places
    }

    /// How far from an item somebody can be who picks it up.
    pub(crate) fn reach_for(&self, item: ItemId) -> f64 {
        let item = &self.items[item.index()];
        let from_nearest = self.map.point_of(item.place as usize).distance_to(item.at);
        self.map.reach_of_hands().max(from_nearest)
    }

    /// The places from which a lever can be pulled: as with items, at least the nearest.
    pub fn places_at_lever(&self, lever: LeverId) -> Vec<usize> {
        let Some(lever) = self.levers.get(lever.index()) else {
            return Vec::new();
        };
        let mut places = self.map.places_within(lever.at, LEVER_REACH);
        places.retain(|place| lever.is_at_hand(&self.map, *place));
        if let Err(rank) = places.binary_search(&(lever.place as usize)) {
            places.insert(rank, lever.place as usize);
        }
        places
    }

    /// How far from a lever somebody can be who pulls it.
    pub(crate) fn reach_for_lever(&self, lever: LeverId) -> f64 {
        let lever = &self.levers[lever.index()];
        let from_nearest = self
            .map
            .point_of(lever.place as usize)
            .distance_to(lever.at);
        LEVER_REACH.max(from_nearest)
    }

    /// The levers that open a door, or that open it if it is shut.
    pub fn levers_of(&self, door: DoorId) -> impl Iterator<Item = LeverId> {
        let numbered = (0..).map(LeverId::new).zip(&*self.levers);
        let opening =
            numbered.filter(move |(_, lever)| (lever.opens | lever.toggles) & door.bit() != 0);
        opening.map(|(id, _)| id)
    }

    /// The same scenario with its enemies as bad as its margins say: what plans are made in.
    ///
    /// ```
    /// use apprentice_world::{Manner, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { dead = "grey" }
    ///     map = { rows = ["....."] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [4, 0] }]
    /// "#)?;
    /// let Manner::Beast(wolf) = scenario.for_planning().enemies()[0].kind.manner else { panic!() };
    /// assert_eq!((wolf.damage, wolf.radius), (7.5, 10.0));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn for_planning(&self) -> Scenario {
        // Margins don't add up, and where there are none things are as bad as they are.
        if self.margins == Margins::NONE {
            return self.clone();
        }
        let worked_out = || {
            let mut scenario = self.clone();
            scenario.margins = Margins::NONE;
            for enemy in Arc::make_mut(&mut scenario.enemies) {
                if let Manner::Beast(beast) = &mut enemy.kind.manner {
                    beast.damage *= self.margins.damage;
                    beast.radius *= self.margins.radius;
                }
            }
            scenario.known = Arc::new(Known::of_layout(self));
            scenario
        };
        self.known.for_planning.get_or_init(worked_out).clone()
    }

    /// The scenario as planning takes it to be from a world on. Margins are there so that nobody comes
    /// too near, not to make anybody notice who is near already: whoever is not noticed where it
    /// stands, and would be with the margin, has only as much of a margin as leaves it unnoticed.
    pub(crate) fn for_planning_from(&self, world: &World) -> Scenario {
        let mut planning = self.for_planning();
        for slot in 0..self.tables.beasts.len() {
            let (_, beast) = self.beast(slot);
            let (_, wider) = planning.beast(slot);
            if beast.radius < wider.radius
                && let Some(radius) = perception::unnoticed_within(world, self, slot, wider.radius)
            {
                let number = usize::from(self.tables.beasts[slot]);
                let enemies = Arc::make_mut(&mut planning.enemies);
                if let Manner::Beast(beast) = &mut enemies[number].kind.manner {
                    beast.radius = radius;
                }
            }
        }
        planning
    }

    /// The same scenario by another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Scenario {
        self.name = Arc::from(name);
        self.known = Arc::default();
        self
    }

    /// The same scenario in which plans pay for other things than time, or for nothing else.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Scenario {
        if prices != self.prices {
            self.prices = prices;
            self.known = Arc::default();
        }
        self
    }

    /// The same scenario with other margins.
    #[must_use]
    pub fn with_margins(mut self, margins: Margins) -> Scenario {
        self.known = Arc::new(Known::but_for_margins(&self));
        self.margins = margins;
        self.feared = None;
        self
    }

    /// The same scenario with other margins, for a plan from a world on, and with the enemies that
    /// advisers keep away from [left as bad](Scenario::feared) as the margins it had say: whoever
    /// tries several margins in turn gets ready only once what advisers rest on.
    ///
    /// ```
    /// use apprentice_world::{Margins, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { dead = "grey" }
    ///     map = { rows = ["...................."] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [19, 0] }]
    /// "#)?;
    /// let bold = scenario.with_margins_from(&World::new(&scenario), Margins::NONE);
    /// assert_eq!(bold.margins(), Margins::NONE);
    /// let planned = bold.for_planning();
    /// let (is, feared) = (&planned.enemies()[0].kind, &planned.feared().enemies()[0].kind);
    /// assert_eq!(*is, scenario.enemies()[0].kind);
    /// assert_eq!(*feared, scenario.for_planning().enemies()[0].kind);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn with_margins_from(&self, world: &World, margins: Margins) -> Scenario {
        let mut scenario = self.clone().with_margins(margins);
        scenario.feared = Some(Arc::new(self.for_planning_from(world)));
        scenario
    }

    /// The scenario in which enemies are as bad as advisers take them to be: this one, unless it was
    /// made [from another](Scenario::with_margins_from).
    pub fn feared(&self) -> &Scenario {
        self.feared.as_deref().unwrap_or(self)
    }

    /// The same scenario without an item, to find out whether it is needed.
    ///
    /// ```
    /// # use apprentice_world::{Scenario, Thing, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { holds = 'ring' }\nmap = { rows = ['.'] }\nitem = [{ id = 'ring', at = [0, 0] }]").unwrap();
    /// let Some(Thing::Item(ring)) = scenario.thing("ring") else { panic!() };
    /// let without = scenario.without(ring);
    /// assert!(!scenario.goal().is_met(&World::new(&without).seen_in(&without)));
    /// ```
    #[must_use]
    pub fn without(&self, item: ItemId) -> Scenario {
        let mut scenario = self.clone();
        scenario.absent |= item.bit();
        scenario.work_out_tables();
        scenario
    }

    /// The same scenario with an item elsewhere. The caller has found the place to be walkable.
    pub(crate) fn with_item_at(mut self, item: ItemId, place: usize) -> Scenario {
        let at = self.map.point_of(place);
        let item = &mut Arc::make_mut(&mut self.items)[item.index()];
        item.at = at;
        item.place = place as u32;
        self.work_out_tables();
        self
    }

    /// The nanoseconds a move takes from a place.
    #[inline]
    pub(crate) fn time_of(&self, place: usize, action: Move, stance: Stance) -> u64 {
        if let (Move::Step(direction), Map::Grid(_)) = (action, &*self.map) {
            return self.rules.step_time(direction, stance);
        }
        let Some(step) = self.map.follow(place, action) else {
            return 0;
        };
        if let (Move::Step(direction), 0.0) = (action, step.delay) {
            return self.rules.step_time(direction, stance);
        }
        let slowed = self.rules.block_slows && stance.blocks();
        let speed = self.rules.speed(stance.gait()) * if slowed { 0.5 } else { 1.0 };
        let seconds = if step.length > 0.0 {
            step.length / speed + step.delay
        } else {
            step.delay
        };
        Cost::round_up(seconds).ticks().max(1)
    }
}
