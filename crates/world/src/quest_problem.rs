//! One agent's quest as a search problem, with the whole world inside the state.

use std::time::Duration;

use apprentice_game::{Game, Refutation, Wraps};
use apprentice_search::{Cost, Guarantee, Path, Problem, Successors};
use smallvec::SmallVec;

use crate::abilities::{Asked, WAIT};
use crate::advance::MOMENT;
use crate::delete_relaxation::DeleteRelaxation;
use crate::digest::Digest;
use crate::game::{Facts, game_of_quest};
use crate::goal::Situation;
use crate::map::Move;
use crate::packed_world::{GRAIN, Layout, PackedWorld};
use crate::scenario::marks;
use crate::still_quest::nobody_else_moves;
use crate::toll::toll;
use crate::world::{FEW_BEASTS, OfActors};
use crate::{
    Abilities, AgentId, Direction, DoorId, Gait, Goal, ItemId, LeverId, Manner, Map, NavMesh,
    Order, Peril, Point, Role, RoleError, Scenario, Stance, StillQuest, Thing, World, movement,
};

/// A search problem in a game world: what estimates and everything that shows or checks plans
/// may ask of it.
pub trait Quest: Game<Action = Order, Ground = Map> {
    /// A state as goals see it.
    type View<'a>: Situation
    where
        Self: 'a;

    /// A state as goals see it.
    fn view<'a>(&'a self, state: &'a Self::State) -> Self::View<'a>;

    /// Where the planned agent is.
    #[inline]
    fn position(&self, state: &Self::State) -> Point {
        self.scenario().map.point_of(self.place(state))
    }

    /// How the planned agent carries itself; walking, where that is not told apart.
    fn stance(&self, _state: &Self::State) -> Stance {
        Stance::new(Gait::Walk)
    }

    /// How it goes.
    fn gait(&self, state: &Self::State) -> Gait {
        self.stance(state).gait()
    }

    /// What a plan decides with every step.
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// The scenario the plan is made in: with the planning margins, if there are any.
    fn scenario(&self) -> &Scenario;

    /// The world the plan begins in.
    fn start_world(&self) -> &World;

    /// What is to be achieved.
    fn goal(&self) -> &Goal;

    /// Who is planned for.
    fn agent(&self) -> AgentId;

    /// What is to be ordered, one step of the world after the other, to go along a path.
    fn orders(&self, path: &Path<Self::State, Order>) -> Vec<Order> {
        path.actions().copied().collect()
    }

    /// Who is planned for, and how everybody else behaves meanwhile: what plans are to be verified and
    /// rehearsed as.
    fn role(&self) -> Role {
        Role::of(self.agent())
    }

    /// Whether others may do anything, because somebody else than their routes decides for them.
    fn others_are_free(&self) -> bool {
        false
    }

    /// Whether others move or time matters, so that whoever comes somewhere later is in another state.
    fn others_move(&self) -> bool {
        false
    }

    /// Whether the planned agent sneaks or not as the one does for whom a model decides; `None` where
    /// there is none.
    fn keeps_step(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// What searches take for the same although it is not quite the same, in words; nothing where
    /// states are told apart exactly. What is proven is proven of what is told apart.
    fn coarseness(&self) -> Option<&'static str> {
        None
    }

    /// Somebody who looks for a proof that there is no plan.
    fn refuted(&self) -> Option<Box<dyn Refutation<Self>>> {
        None
    }

    /// What a search of this quest has proven, in words.
    fn proven(&self, guarantee: &Guarantee) -> String {
        match (guarantee, self.coarseness()) {
            (Guarantee::Within { .. } | Guarantee::Impossible, Some(coarseness)) => {
                format!("{guarantee}, if {coarseness}")
            }
            _ => guarantee.to_string(),
        }
    }
}

/// A quest around another is a quest as that is.
impl<W: Wraps<Action = Order, Ground = Map, Inside: Quest> + 'static> Quest for W {
    type View<'a> = <W::Inside as Quest>::View<'a>;

    fn view<'a>(&'a self, state: &'a Self::State) -> Self::View<'a> {
        self.inside().view(self.state_inside(state))
    }

    fn position(&self, state: &Self::State) -> Point {
        self.inside().position(self.state_inside(state))
    }

    fn stance(&self, state: &Self::State) -> Stance {
        self.inside().stance(self.state_inside(state))
    }

    fn abilities(&self) -> Abilities {
        self.inside().abilities()
    }

    fn scenario(&self) -> &Scenario {
        self.inside().scenario()
    }

    fn start_world(&self) -> &World {
        self.inside().start_world()
    }

    fn goal(&self) -> &Goal {
        self.inside().goal()
    }

    fn agent(&self) -> AgentId {
        self.inside().agent()
    }

    fn orders(&self, path: &Path<Self::State, Order>) -> Vec<Order> {
        self.actions(path)
    }

    fn role(&self) -> Role {
        self.inside().role()
    }

    fn others_are_free(&self) -> bool {
        self.inside().others_are_free()
    }

    fn others_move(&self) -> bool {
        self.inside().others_move()
    }

    fn keeps_step(&self, state: &Self::State) -> Option<bool> {
        self.inside().keeps_step(self.state_inside(state))
    }

    fn coarseness(&self) -> Option<&'static str> {
        self.inside().coarseness()
    }
}

/// How long an order takes somebody in this place.
pub(crate) fn duration_of(scenario: &Scenario, place: usize, order: Order) -> Duration {
    order.action().map_or(WAIT, |action| {
        Duration::from_nanos(scenario.time_of(place, action, order.stance()))
    })
}

/// A quest in the representation that serves it best.
///
/// ```
/// use apprentice_search::{BestFirst, Budget, Search};
/// use apprentice_world::{AnyQuest, Quest, Scenario, StraightLine};
///
/// fn expansions<Q: Quest>(quest: &Q) -> u64 {
///     let mut search = BestFirst::astar(StraightLine);
///     search.run(quest, &mut Budget::unlimited());
///     search.statistics().expanded
/// }
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }").unwrap();
/// let expanded = match &scenario.quest() {
///     AnyQuest::Still(quest) => expansions(quest),
///     AnyQuest::Moving(quest) => expansions(quest),
/// };
/// assert_eq!(expanded, 2);
/// ```
// A quest is made once and then lent: its size doesn't matter.
#[allow(clippy::large_enum_variant)]
pub enum AnyQuest {
    /// Nothing moves but the planned agent.
    Still(StillQuest),
    /// Others move too, or time matters.
    Moving(QuestProblem),
}

impl AnyQuest {
    /// The quest for `goal` that begins in `world`, of whom the scenario plans for. One that fails [`Goal::check`] cannot be achieved:
    /// its quest has no solution.
    pub fn new(scenario: &Scenario, world: &World, goal: &Goal, abilities: Abilities) -> AnyQuest {
        AnyQuest::made(scenario, world, &scenario.role(), goal, abilities)
    }

    /// The quest of anybody who takes orders for `goal` that begins in `world`, while all others
    /// behave as the role says. Who is not there, or takes no orders, is an error.
    ///
    /// ```
    /// use apprentice_search::{Problem, astar};
    /// use apprentice_world::{Abilities, AnyQuest, Role, Scenario, StraightLine, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["......."] }
    ///     actor = [{ id = "anna", at = [6, 0] }]
    /// "#)?;
    /// let (world, goal) = (World::new(&scenario), scenario.goal());
    /// let role = Role::of(scenario.actor("anna")?);
    /// let quest = AnyQuest::for_role(&scenario, &world, &role, goal, Abilities::default())?;
    /// let AnyQuest::Still(quest) = quest else { panic!("nobody else moves") };
    /// assert_eq!(astar(&quest, StraightLine).unwrap().steps.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_role(
        scenario: &Scenario,
        world: &World,
        role: &Role,
        goal: &Goal,
        abilities: Abilities,
    ) -> Result<AnyQuest, RoleError> {
        role.check(scenario)?;
        Ok(AnyQuest::made(scenario, world, role, goal, abilities))
    }

    /// The same, for a role that was checked.
    pub(crate) fn made(
        scenario: &Scenario,
        world: &World,
        role: &Role,
        goal: &Goal,
        abilities: Abilities,
    ) -> AnyQuest {
        match StillQuest::made(scenario, world, role, goal, abilities) {
            Some(quest) => AnyQuest::Still(quest),
            None => AnyQuest::Moving(QuestProblem::made(scenario, world, role, goal, abilities)),
        }
    }
}

impl Scenario {
    /// The scenario's own quest from its beginning, with sixteen successors in the open.
    pub fn quest(&self) -> AnyQuest {
        self.quest_with(Abilities::default())
    }

    /// The scenario's own quest from its beginning.
    pub fn quest_with(&self, abilities: Abilities) -> AnyQuest {
        AnyQuest::new(self, &World::new(self), &self.goal, abilities)
    }

    /// The quest of anybody who takes orders, for its own goal, from the scenario's beginning.
    pub fn quest_for(&self, role: &Role, abilities: Abilities) -> Result<AnyQuest, RoleError> {
        let goal = self.goal_of(role.agent);
        AnyQuest::for_role(self, &World::new(self), role, goal, abilities)
    }
}

/// One agent's quest. The state is a world: each step simulates what everybody else does
/// meanwhile, with the scenario's planning margins.
///
/// Works for every scenario; where nothing moves, [`StillQuest`] is many times faster.
///
/// Where others move, hardly two worlds are the same. Those that are nearly so count as one
/// ([`Quest::coarseness`]), and the one reached soonest stands for all: it may die where another
/// would have lived, or wait where another could go. So a bound is about what is told apart, and now
/// and then a plan that was "proven" to be the best, or not to be, is beaten by another planner's.
/// Plans themselves are exact: whoever lives through one arrives.
///
/// ```
/// use apprentice_search::astar;
/// use apprentice_world::{Abilities, QuestProblem, Scenario, StraightLine, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { dead = "grey" }
///     map = { rows = ["....."] }
///     enemy = [{ id = "grey", kind = "wolf", at = [4, 0] }]
/// "#)?;
/// let world = World::new(&scenario);
/// let quest = QuestProblem::new(&scenario, &world, scenario.goal(), Abilities::default());
/// assert!(astar(&quest, StraightLine).is_some());
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
pub struct QuestProblem {
    pub(crate) scenario: Scenario,
    pub(crate) start: World,
    pub(crate) goal: Goal,
    abilities: Abilities,
    pub(crate) stances: Vec<Stance>,
    pub(crate) role: Role,
    /// The actor that is planned for.
    pub(crate) actor: usize,
    /// Whom it accompanies: the first for whom a script decides.
    accompanied: Option<usize>,
    /// Those others without whom the goal cannot be achieved.
    needed: OfActors<usize>,
    layout: Layout,
    revision: u64,
    pub(crate) facts: Facts,
}

/// What makes two worlds the same to a search: positions by the metre, healths by the handful.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorldKey {
    /// The one who is planned for first.
    actors: OfActors<Bucket>,
    doors: u32,
    /// And which traps have sprung.
    levers: u32,
    taken: u32,
    /// Where in the cycle of everything that goes by the clock this is.
    phase: u32,
    beasts: SmallVec<[u32; FEW_BEASTS]>,
}

impl WorldKey {
    /// Leaves out what the planned agent has and how healthy it is, and all doors and levers but these.
    pub(crate) fn forget_things(&mut self, doors: u32, levers: u32) {
        if let Some(agent) = self.actors.first_mut() {
            agent.holding = 0;
            agent.health = 0;
        }
        self.taken = 0;
        self.doors &= doors;
        self.levers &= levers;
    }

    /// Leaves out how healthy enemies are that live.
    pub(crate) fn forget_wounds(&mut self) {
        for beast in &mut self.beasts {
            *beast &= !(0x1F << 24);
        }
    }

    /// Leaves out everybody but the planned agent.
    pub(crate) fn forget_others(&mut self) {
        self.actors.truncate(1);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Bucket {
    place: u32,
    holding: u32,
    memory: u32,
    health: u8,
    /// Only of who is planned for, and only where plans run.
    stamina: u8,
    stance: u8,
}

impl QuestProblem {
    /// The quest for `goal` that begins in `world`; without a solution if it fails [`Goal::check`].
    pub fn new(scenario: &Scenario, world: &World, goal: &Goal, abilities: Abilities) -> Self {
        QuestProblem::made(scenario, world, &scenario.role(), goal, abilities)
    }

    /// The quest of anybody who takes orders for `goal` that begins in `world`, while all others
    /// behave as the role says.
    pub fn for_role(
        scenario: &Scenario,
        world: &World,
        role: &Role,
        goal: &Goal,
        abilities: Abilities,
    ) -> Result<Self, RoleError> {
        role.check(scenario)?;
        Ok(QuestProblem::made(scenario, world, role, goal, abilities))
    }

    /// The same, for a role that was checked.
    fn made(
        scenario: &Scenario,
        world: &World,
        role: &Role,
        goal: &Goal,
        abilities: Abilities,
    ) -> Self {
        let (mut start, actor) = (world.clone(), role.actor());
        let abilities = abilities.in_level(scenario);
        start.actors[actor].stance = abilities.start_stance(start.actors[actor].stance);
        let revision = revision(scenario, &start, role, goal, abilities);
        let scenario = scenario.for_planning_from(&start);
        let stances = abilities.stances();
        let goal = goal.checked(&scenario).into_owned();
        let others = (0..scenario.actors.len()).filter(|other| *other != actor);
        let needed = others.filter(|other| goal.needs_alive(AgentId::Actor(*other as u16)));
        let needed = needed.collect();
        QuestProblem {
            start,
            facts: Facts::new(&scenario, &goal, role.agent),
            layout: Layout::new(&scenario, actor, &goal),
            goal,
            scenario,
            abilities,
            stances,
            role: role.clone(),
            actor,
            accompanied: role.accompanied(),
            needed,
            revision,
        }
    }

    /// Whether it is no [`StillQuest`] only because it begins in the middle of a step.
    pub(crate) fn is_still_but_for_its_step(&self) -> bool {
        self.scenario.grid().is_some()
            && self.start.actors[self.actor].step.is_some()
            && nobody_else_moves(&self.scenario, &self.start, &self.role)
    }

    /// The same quest with other enemies, or in another world, as somebody says who changes both.
    pub(crate) fn among(&self, change: impl FnOnce(&mut Scenario, &mut World)) -> QuestProblem {
        let (mut scenario, mut start) = (self.scenario.clone(), self.start.clone());
        change(&mut scenario, &mut start);
        QuestProblem {
            scenario,
            start,
            goal: self.goal.clone(),
            abilities: self.abilities,
            stances: self.stances.clone(),
            role: self.role.clone(),
            actor: self.actor,
            accompanied: self.accompanied,
            needed: self.needed.clone(),
            layout: self.layout.clone(),
            revision: self.revision,
            facts: self.facts.clone(),
        }
    }

    /// The world a state stands for, but for what lies in its past.
    pub fn world(&self, state: &PackedWorld) -> World {
        state.unpack(&self.layout, &self.scenario, &self.start)
    }

    /// Pushes an order in some stances that differ in no gait. Returns how many nanoseconds that takes,
    /// about.
    fn push_all(
        &self,
        (world, parts_met): (&World, usize),
        asked: Asked,
        stances: &[Stance],
        out: &mut Successors<PackedWorld, Order>,
    ) -> u64 {
        // Where the agent looks changes nothing but its stance, so what follows from fighting and
        // blocking or not is simulated once for all headings. A script might look, though.
        let mut outcomes: [Option<World>; 4] = [const { None }; 4];
        let is_free = !self.role.others.is_routes();
        let mut worked = 0;
        for stance in stances {
            let order = asked.in_stance(*stance);
            let outcome =
                &mut outcomes[usize::from(stance.fights()) + 2 * usize::from(stance.blocks())];
            if stance.heading() == 0 || is_free {
                *outcome = self.outcome(world, order, &mut worked);
            }
            if let Some(next) = outcome {
                next.actors[self.actor].stance = *stance;
                let cost = self.cost_of(world, order, next);
                out.push(order, self.packed_after(next, parts_met), cost);
            }
        }
        worked
    }

    /// At which gaits steps are made.
    pub(crate) fn gaits(&self) -> &'static [Gait] {
        self.abilities.gaits()
    }

    /// Whether the agent has the stamina to do something at a run, with some left: played in other
    /// slices of time it is a little less or more. Nobody stands at a run.
    fn can_run(&self, world: &World, asked: Asked) -> bool {
        let order = asked.in_stance(Stance::new(Gait::Run));
        if !matches!(order, Order::Step(..) | Order::Leap(_)) {
            return false;
        }
        let takes = duration_of(&self.scenario, self.place_of(world), order);
        let stamina = f64::from(world.actors[self.actor].stamina);
        stamina - movement::EXHAUSTION * takes.as_secs_f64() >= RESERVE
    }

    /// What may be asked of the agent in a world, by number: whether anything comes of it, as far as
    /// that is known before it is tried; nothing beyond the last number.
    pub(crate) fn asked(&self, world: &World, number: usize) -> Option<(Asked, bool)> {
        let (map, place) = (&self.scenario.map, self.place_of(world));
        if let Some(direction) = Direction::ALL.get(number) {
            // What goes by the clock may open a moment after the step was asked for.
            let leads_on = if self.scenario.tables.repeats_after != 1 {
                map.step(place, *direction).is_some()
            } else {
                let step = Move::Step(*direction);
                movement::step_leads_to(world, &self.scenario, self.actor, step).is_some()
            };
            return Some((Asked::Step(*direction), leads_on));
        }
        let number = number - Direction::ALL.len();
        let mesh = map.mesh();
        if number < NavMesh::MOST_LEAPS {
            let leap = mesh.and_then(|mesh| mesh.footholds.leap(place, number as u8));
            return Some((Asked::Leap(number as u8), leap.is_some()));
        }
        match number - NavMesh::MOST_LEAPS {
            0 => {
                let has_lever = self.scenario.marks_at(place) & marks::LEVER != 0;
                Some((Asked::Use, mesh.is_some() && has_lever))
            }
            1 => Some((Asked::Wait, self.abilities.waits)),
            _ => None,
        }
    }

    /// The world after an order; `None` if it leads to death, which costs infinitely much, or to
    /// nothing.
    pub(crate) fn outcome(&self, world: &World, order: Order, worked: &mut u64) -> Option<World> {
        let orders = self.role.orders(order);
        let duration = duration_of(&self.scenario, self.place_of(world), order);
        let mut next = world.clone();
        *worked += next.live(&self.scenario, &orders, duration, &mut ());
        let is_lost = self.role.lost(&self.scenario, &next).is_some()
            || self.needed.iter().any(|actor| !next.actor_is_alive(*actor));
        let stays = self.place_of(&next) == self.place_of(world);
        let moves = matches!(order, Order::Step(..) | Order::Leap(_));
        let comes_to_nothing =
            moves && stays || matches!(order, Order::Use(_)) && next.levers == world.levers;
        (next.actor_is_alive(self.actor) && !is_lost && !comes_to_nothing).then_some(next)
    }

    /// What a step costs from one world to the next.
    pub(crate) fn cost_of(&self, world: &World, order: Order, next: &World) -> Cost {
        let duration = duration_of(&self.scenario, self.place_of(world), order);
        let time = Cost::from_ticks(duration.as_nanos() as u64);
        let place = self.place_of(next);
        let cost = self.scenario.cost_of_time(self.actor, place, time);
        cost + toll(&self.scenario, self.actor, world, next)
    }

    #[inline]
    fn place_of(&self, world: &World) -> usize {
        world.actors[self.actor].place as usize
    }

    #[inline]
    pub(crate) fn packed(&self, world: &World) -> PackedWorld {
        PackedWorld::new(world, &self.layout, &self.scenario, self.start.time, 0)
    }

    /// A world that comes after one in which so many parts of a goal with an order were met.
    #[inline]
    fn packed_after(&self, world: &World, parts_met: usize) -> PackedWorld {
        let agent = self.role.agent;
        let parts_met = world.parts_met(&self.goal, parts_met, agent, &self.scenario);
        let began = self.start.time;
        PackedWorld::new(world, &self.layout, &self.scenario, began, parts_met)
    }

    #[inline]
    fn place_in(&self, state: &PackedWorld) -> usize {
        state.place()
    }

    fn bucket(&self, state: &PackedWorld, rank: usize) -> Bucket {
        let (layout, actor) = (&self.layout, self.layout.at_rank(rank));
        let is_under_way = state.is_under_way(layout, actor);
        Bucket {
            place: state.place_of(layout, actor) as u32,
            holding: state.held(layout, rank),
            // Nobody scripts who is planned for.
            memory: match rank {
                0 => state.parts_met(layout) as u32,
                _ => state.memory_of(layout, actor),
            },
            health: handfuls(f64::from(state.health_of(layout, actor) / 5.0)) as u8,
            stamina: match rank == 0 && self.abilities.runs {
                true => handfuls(f64::from(state.stamina_of(layout, actor) / 10.0)) as u8,
                false => 0,
            },
            stance: state.stance_of(layout, actor).bits() | u8::from(is_under_way) << 7,
        }
    }

    /// How healthy an enemy is: ten points of health each, or a thirtieth of what it has where that is
    /// more.
    pub(crate) fn beast_handfuls(&self, state: &PackedWorld, slot: usize) -> u8 {
        self.handfuls_of(state.beast_health(&self.layout, slot), slot)
    }

    #[inline]
    fn handfuls_of(&self, health: f32, slot: usize) -> u8 {
        let (_, beast) = self.scenario.beast(slot);
        let handful = (beast.health / 30.0).max(10.0);
        handfuls(f64::from(health) / handful) as u8
    }

    #[inline]
    fn beast_bucket(&self, state: &PackedWorld, slot: usize) -> u32 {
        let layout = &self.layout;
        let health = state.beast_health(layout, slot);
        if health <= 0.0 {
            return 0;
        }
        let health = u32::from(self.handfuls_of(health, slot));
        let (first, _) = self.scenario.map.bounds();
        let at = state.beast_at(layout, &self.scenario, slot);
        let x = (at.x - first.x + 0.5) as u32;
        let y = (at.y - first.y + 0.5) as u32;
        x | y << 12 | health << 24 | (state.beast_mode(layout, slot) as u32) << 29 | 1 << 31
    }
}

/// Nobody plans to have less stamina than this at the end of a step at a run.
const RESERVE: f64 = 2.0;

/// The smallest whole number that is not smaller: `ceil` is a call where the processor has no
/// instruction for it.
#[inline]
fn handfuls(health: f64) -> u32 {
    let whole = health as u32;
    whole + u32::from(f64::from(whole) < health)
}

/// Changes whenever the start, the goal or the steps change.
pub(crate) fn revision(
    scenario: &Scenario,
    start: &World,
    role: &Role,
    goal: &Goal,
    abilities: Abilities,
) -> u64 {
    let mut digest = Digest::new();
    digest.number(scenario.digest());
    digest.number(start.digest());
    digest.number(goal.digest());
    let Abilities {
        branching,
        fights,
        waits,
        runs,
    } = abilities;
    digest.number(branching as u64);
    digest.number(u64::from(fights) | u64::from(waits) << 1 | u64::from(runs) << 2);
    role.tell(&mut digest);
    digest.value()
}

impl Problem for QuestProblem {
    type State = PackedWorld;
    type Key = WorldKey;
    type Action = Order;
    /// Where others move, each step simulates what all of them do meanwhile.
    const LISTS_IN_PARTS: bool = true;

    fn start(&self) -> PackedWorld {
        self.packed_after(&self.start, 0)
    }

    fn key(&self, state: &PackedWorld) -> WorldKey {
        let beasts = 0..self.scenario.tables.beasts.len();
        let actors = 0..self.scenario.actors.len();
        // Dividing takes longer than all the rest, and mostly nothing goes by the clock.
        let phase = match self.scenario.tables.repeats_after {
            1 => 0,
            length => (self.start.time + state.elapsed(&self.layout)) % length / MOMENT,
        };
        let mut buckets = OfActors::with_capacity(actors.len());
        for rank in actors {
            buckets.push(self.bucket(state, rank));
        }
        WorldKey {
            actors: buckets,
            doors: state.doors(&self.layout),
            levers: state.levers_and_traps(&self.layout),
            taken: state.taken(&self.layout),
            phase: phase as u32,
            beasts: beasts.map(|slot| self.beast_bucket(state, slot)).collect(),
        }
    }

    fn is_goal(&self, state: &PackedWorld) -> bool {
        self.goal.is_met(&self.view(state))
    }

    fn successors(&self, state: &PackedWorld, out: &mut Successors<PackedWorld, Order>) {
        self.successors_from(state, 0, out, &mut |_| true);
    }

    /// A part is what is asked of the agent, at one gait.
    fn successors_from(
        &self,
        state: &PackedWorld,
        from: usize,
        out: &mut Successors<PackedWorld, Order>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        let world = &self.world(state);
        let parts_met = state.parts_met(&self.layout);
        let gaits = self.gaits();
        let at_a_gait = self.stances.len() / gaits.len();
        let mut first = from % gaits.len();
        for number in from / gaits.len().. {
            let (asked, leads_on) = self.asked(world, number)?;
            for gait in first..gaits.len() {
                if !leads_on {
                    break;
                }
                if gaits[gait] == Gait::Run && !self.can_run(world, asked) {
                    continue;
                }
                let stances = &self.stances[gait * at_a_gait..][..at_a_gait];
                let worked = self.push_all((world, parts_met), asked, stances, out);
                if !go_on(worked) {
                    return Some(number * gaits.len() + gait + 1);
                }
            }
            first = 0;
        }
        None
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl Quest for QuestProblem {
    type View<'a> = QuestView<'a>;

    #[inline]
    fn view<'a>(&'a self, state: &'a PackedWorld) -> QuestView<'a> {
        QuestView { quest: self, state }
    }

    fn stance(&self, state: &PackedWorld) -> Stance {
        state.stance_of(&self.layout, self.actor)
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    fn start_world(&self) -> &World {
        &self.start
    }

    fn goal(&self) -> &Goal {
        &self.goal
    }

    fn agent(&self) -> AgentId {
        self.role.agent
    }

    fn role(&self) -> Role {
        self.role.clone()
    }

    fn others_are_free(&self) -> bool {
        !self.role.others.is_routes()
    }

    fn others_move(&self) -> bool {
        !nobody_else_moves(&self.scenario, &self.start, &self.role)
    }

    fn keeps_step(&self, state: &PackedWorld) -> Option<bool> {
        let other = self.accompanied?;
        let gait = state.stance_of(&self.layout, other).gait();
        Some((gait == Gait::Sneak) == (self.gait(state) == Gait::Sneak))
    }

    fn refuted(&self) -> Option<Box<dyn Refutation<QuestProblem>>> {
        let relaxation = DeleteRelaxation::new(self)?;
        Some(Box::new(relaxation))
    }

    fn coarseness(&self) -> Option<&'static str> {
        Some(match self.abilities.runs {
            false => {
                "worlds in which all are in the same square metre and nearly as healthy count as one"
            }
            true => {
                "worlds in which all are in the same square metre, nearly as healthy and nearly as \
                 rested count as one"
            }
        })
    }
}

game_of_quest!(QuestProblem);

/// A state of a [`QuestProblem`] as goals and estimates see it. Only what is asked for is unpacked.
#[derive(Clone, Copy)]
pub struct QuestView<'a> {
    quest: &'a QuestProblem,
    state: &'a PackedWorld,
}

impl QuestView<'_> {
    /// The slot of an enemy that moves.
    fn slot(&self, enemy: u16) -> Option<usize> {
        let slot = self.quest.scenario.enemy(enemy)?.slot;
        slot.map(usize::from)
    }

    fn has_actor(&self, actor: u16) -> bool {
        usize::from(actor) < self.quest.scenario.actors.len()
    }
}

impl Situation for QuestView<'_> {
    #[inline]
    fn agent(&self) -> AgentId {
        self.quest.role.agent
    }

    #[inline]
    fn has(&self, thing: Thing) -> bool {
        self.quest.scenario.has(thing)
    }

    /// Goals of quests are checked when they are made.
    #[inline]
    fn has_all_of(&self, goal: &Goal) -> bool {
        std::ptr::eq(goal, &raw const self.quest.goal) || goal.check(&self.quest.scenario).is_ok()
    }

    #[inline]
    fn position(&self, agent: AgentId) -> Point {
        let (scenario, layout) = (&self.quest.scenario, &self.quest.layout);
        match agent {
            AgentId::Actor(actor) if !self.has_actor(actor) => Point::NOWHERE,
            AgentId::Actor(actor) if self.state.is_under_way(layout, usize::from(actor)) => {
                self.quest.world(self.state).position(agent, scenario)
            }
            AgentId::Actor(actor) => {
                let place = self.state.place_of(layout, usize::from(actor));
                scenario.map.point_of(place)
            }
            AgentId::Enemy(enemy) => match self.slot(enemy) {
                Some(slot) => self.state.beast_at(layout, scenario, slot),
                None => scenario.position_of(Thing::Agent(agent)),
            },
        }
    }

    fn height(&self, agent: AgentId) -> f64 {
        let (scenario, layout) = (&self.quest.scenario, &self.quest.layout);
        if !scenario.has(Thing::Agent(agent)) {
            return f64::NAN;
        }
        let place = match agent {
            AgentId::Actor(actor) => self.state.place_of(layout, usize::from(actor)),
            AgentId::Enemy(enemy) => match self.slot(enemy) {
                Some(slot) => self.state.beast_place(layout, slot),
                None => scenario.place_of(Thing::Agent(agent)),
            },
        };
        scenario.map.height_of(place)
    }

    fn is_dead(&self, agent: AgentId) -> bool {
        let layout = &self.quest.layout;
        match agent {
            AgentId::Actor(actor) => {
                self.has_actor(actor) && self.state.health_of(layout, usize::from(actor)) <= 0.0
            }
            AgentId::Enemy(enemy) => {
                let slot = self.slot(enemy);
                slot.is_some_and(|slot| self.state.beast_health(layout, slot) <= 0.0)
            }
        }
    }

    fn holds(&self, item: ItemId) -> bool {
        self.state.held(&self.quest.layout, 0) & item.bit() != 0
    }

    fn parts_met(&self) -> usize {
        self.state.parts_met(&self.quest.layout)
    }

    fn is_on(&self, lever: LeverId) -> bool {
        self.state.levers(&self.quest.layout) & lever.bit() != 0
    }

    fn is_open(&self, door: DoorId) -> bool {
        self.state.doors(&self.quest.layout) & door.bit() != 0
    }

    fn fight_left(&self, enemy: AgentId) -> (Cost, Cost) {
        let world = self.quest.world(self.state);
        let view = world.seen_by(self.agent(), &self.quest.scenario);
        view.fight_left(enemy)
    }

    fn peril(&self) -> Peril {
        let QuestProblem {
            scenario,
            layout,
            actor,
            ..
        } = self.quest;
        let state = self.state;
        let in_full = || self.quest.world(state).peril(scenario, *actor);
        // Nearly always nobody is after it, and the whole world need not be unpacked to see that.
        let mut beasts = 0..scenario.tables.beasts.len();
        if beasts.any(|slot| state.beast_mode(layout, slot).is_hostile()) {
            return in_full();
        }
        let peril = Peril::none(f64::from(state.health_of(layout, *actor)));
        debug_assert_eq!(peril, in_full());
        peril
    }
}

/// Positions of enemies are rounded at the end of every moment. This is how fast an enemy might
/// drift by that alone.
fn drift(scenario: &Scenario) -> f64 {
    // Ten moments a second, and a shorter one at the end of every step.
    let steps = scenario.rules.speed(Gait::Walk) / scenario.map.spacing();
    GRAIN * (11.0 + steps)
}

/// The greatest speed a plan can have, by what it costs: where a second counts as less than one, it goes
/// as if faster.
pub(crate) fn top_speed<Q: Quest>(quest: &Q) -> f64 {
    let rules = &quest.scenario().rules;
    let speed = match quest.abilities().runs {
        true => rules.top_speed().max(rules.speed(Gait::Run)),
        false => rules.top_speed(),
    };
    speed / quest.scenario().least_counted(quest.agent())
}

/// The greatest speed an agent can have.
pub(crate) fn top_speed_of(scenario: &Scenario, agent: AgentId) -> f64 {
    match agent {
        AgentId::Actor(_) => scenario.rules.speeds.into_iter().fold(0.0, f64::max),
        AgentId::Enemy(enemy) => match scenario.enemy(enemy).map(|enemy| &enemy.kind.manner) {
            Some(Manner::Beast(beast)) => beast.speed + drift(scenario),
            Some(Manner::Guard(_)) | None => 0.0,
        },
    }
}
