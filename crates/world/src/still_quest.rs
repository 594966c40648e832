//! A quest in which nothing moves but the planned agent, with states of eight bytes.

use std::sync::Arc;

use apprentice_search::{Cost, Problem, Successors};

use crate::abilities::WAIT;
use crate::game::{Facts, game_of_quest};
use crate::goal::Situation;
use crate::movement::Arrival;
use crate::quest_problem::revision;
use crate::regions::{Beginning, Met, Ranks, Regions, SPECIAL};
use crate::scenario::{FULL_HEALTH, LEVER_REACH, marks};
use crate::{
    Abilities, AgentId, Branching, Cell, Direction, DoorId, Goal, ItemId, ItemKind, LeverId, Map,
    Order, Peril, Point, Quest, Role, Scenario, Stance, Thing, World, combat, items, traps,
};

/// A quest in which nothing moves but the planned agent: no enemies but guards, nobody with a route
/// before it, nothing that goes by the clock, no key that is used up, and nobody runs. The rules are the
/// same; the states are eight bytes and mostly have a number, so that searches run many times faster than
/// over whole worlds.
///
/// ```
/// use apprentice_search::astar;
/// use apprentice_world::{Abilities, Scenario, StillQuest, StraightLine, World};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }").unwrap();
/// let world = World::new(&scenario);
/// let quest = StillQuest::new(&scenario, &world, scenario.goal(), Abilities::default());
/// let path = astar(&quest.expect("nothing moves"), StraightLine).expect("there is a way");
/// assert_eq!(path.steps.len(), 2);
/// ```
pub struct StillQuest {
    scenario: Scenario,
    start_world: World,
    role: Role,
    /// The actor that is planned for.
    actor: usize,
    goal: Goal,
    start: StillState,
    abilities: Abilities,
    revision: u64,
    /// Every stance a step can be made in, with its bits in a state and the cost of a straight and
    /// of a diagonal step.
    stances: Vec<(Stance, u64, [Cost; 2])>,
    width: usize,
    strides: [isize; 8],
    flags: Flags,
    /// Points of health between two levels.
    unit: f64,
    /// How many levels of health there can be, and how many stances.
    levels: u32,
    modes: u32,
    /// A small number for every combination of flags and health that can occur, by
    /// [`StillQuest::combination`]; empty if there are too many for states to have numbers.
    ranks: Ranks,
    /// A small number for every cell that is no wall, and how many there are.
    numbers: Arc<[u32]>,
    free_cells: u32,
    pub(crate) facts: Facts,
}

/// Which flag of a state means what.
#[derive(Clone, Debug)]
struct Flags {
    items: u32,
    levers: u32,
    traps: u32,
    /// The doors whose being open is worth a flag: those the goal or the events mention. Whether
    /// others are open follows from levers and keys.
    watched: Vec<DoorId>,
    /// Doors open from the beginning.
    open: u32,
    count: u32,
}

/// A state: where the agent is, its health and stance, and what it has taken, pulled and opened.
///
/// Bits from the lowest: 12 x, 12 y, 7 levels of health lost, 6 stance, 27 flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StillState(u64);

const Y_SHIFT: u32 = 12;
const LOST_SHIFT: u32 = 24;
const STANCE_SHIFT: u32 = 31;
const FLAGS_SHIFT: u32 = 37;
const CELL_MASK: u64 = (1 << LOST_SHIFT) - 1;
const LOST_MASK: u64 = 0x7F << LOST_SHIFT;
const FLAGS_MASK: u64 = !0 << FLAGS_SHIFT;
const MOST_FLAGS: usize = 64 - FLAGS_SHIFT as usize;

/// With more numbers than this, a table of them costs more than hashing: 32 MiB.
const MOST_INDICES: u64 = 1 << 23;
/// With more combinations of flags and health than this, nobody tries which of them can occur.
const MOST_COMBINATIONS: u64 = 1 << 16;

impl StillState {
    /// The cell the agent is in.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell::new((self.0 & 0xFFF) as u16, (self.0 >> Y_SHIFT & 0xFFF) as u16)
    }

    /// How it carries itself.
    #[inline]
    pub const fn stance(self) -> Stance {
        Stance::from_bits((self.0 >> STANCE_SHIFT) as u8 & 0x3F)
    }

    #[inline]
    const fn lost(self) -> u32 {
        (self.0 >> LOST_SHIFT) as u32 & 0x7F
    }

    #[inline]
    const fn flags(self) -> u32 {
        (self.0 >> FLAGS_SHIFT) as u32
    }
}

#[inline]
const fn pack_cell(cell: Cell) -> u64 {
    cell.x as u64 | (cell.y as u64) << Y_SHIFT
}

impl StillQuest {
    /// The quest for `goal` that begins in `world`; `None` if something moves, goes by the clock,
    /// or does not fit into eight bytes. Then [`QuestProblem`](crate::QuestProblem) serves. A goal that
    /// fails [`Goal::check`] has no solution.
    pub fn new(
        scenario: &Scenario,
        world: &World,
        goal: &Goal,
        abilities: Abilities,
    ) -> Option<StillQuest> {
        StillQuest::made(scenario, world, &scenario.role(), goal, abilities)
    }

    /// The same for a role that was checked.
    pub(crate) fn made(
        scenario: &Scenario,
        world: &World,
        role: &Role,
        goal: &Goal,
        abilities: Abilities,
    ) -> Option<StillQuest> {
        let actor = role.actor();
        let abilities = abilities.in_level(scenario);
        // Stamina goes and comes back, and states of eight bytes have no room for it.
        let is_still = !abilities.runs
            // Nor for what was met before.
            && goal.order().is_none()
            && scenario.tables.beasts.is_empty()
            && role.others.is_routes()
            && world.others_rest(scenario, &role.orders(Order::WAIT))
            && scenario.tables.repeats_after == 1
            && !scenario.doors.iter().any(|door| door.consumes_key)
            && !scenario.levers.iter().any(|lever| lever.toggles != 0)
            && world.actors[actor].step.is_none()
            && world.actor_is_alive(actor);
        if !is_still {
            return None;
        }
        let grid = scenario.grid()?;
        let mut start_world = world.clone();
        let planned = &mut start_world.actors[actor];
        planned.stance = abilities.start_stance(planned.stance);
        let checked = goal.checked(scenario);
        let flags = Flags::new(scenario, world, actor, &checked)?;
        let health = f64::from(world.actors[actor].health);
        let unit = unit_of_health(scenario, health)?;
        let lost = ((FULL_HEALTH - health) / unit) as u32;
        let levels = if scenario.tables.guards.is_empty() && scenario.traps.is_empty() {
            lost + 1
        } else {
            (FULL_HEALTH / unit) as u32
        };
        let start = StillState(
            pack_cell(grid.cell(start_world.actors[actor].place as usize))
                | u64::from(lost) << LOST_SHIFT
                | u64::from(start_world.actors[actor].stance.bits()) << STANCE_SHIFT
                | u64::from(flags.of_world(world)) << FLAGS_SHIFT,
        );
        let stances: Vec<_> = abilities
            .stances()
            .into_iter()
            .map(|stance| {
                let cost =
                    |direction| Cost::from_ticks(scenario.rules.step_time(direction, stance));
                let costs = [cost(Direction::East), cost(Direction::NorthEast)];
                (stance, u64::from(stance.bits()) << STANCE_SHIFT, costs)
            })
            .collect();
        let modes = match abilities.branching {
            Branching::Sixteen => 2,
            // Headings have their digits between gait and fighting, and are all the same.
            Branching::ThirtyTwo => 16,
            Branching::TwoHundredFiftySix => 32,
        };
        let regions = scenario.regions(grid);
        let mut quest = StillQuest {
            facts: Facts::new(scenario, &checked, role.agent),
            revision: revision(scenario, &start_world, role, goal, abilities),
            scenario: scenario.for_planning(),
            start_world,
            role: role.clone(),
            actor,
            goal: checked.into_owned(),
            start,
            abilities,
            stances,
            width: usize::from(grid.width()),
            strides: *grid.strides(),
            flags,
            unit,
            levels,
            modes,
            ranks: Ranks::default(),
            numbers: Arc::clone(&regions.numbers),
            free_cells: regions.free_cells,
        };
        let beginning = quest.beginning(regions);
        let worked_out = || quest.rank_combinations(regions, beginning.region);
        quest.ranks = regions.ranks(beginning, || worked_out().unwrap_or_default().into());
        Some(quest)
    }

    /// Flags and health as one number.
    #[inline]
    fn combination(&self, state: StillState) -> usize {
        (state.lost() << self.flags.count | state.flags()) as usize
    }

    /// What decides which combinations of flags and health can occur.
    fn beginning(&self, regions: &Regions) -> Beginning {
        let watched = self.flags.watched.iter().map(|door| door.bit());
        Beginning {
            region: regions.at(self.index_of(self.start.cell())),
            flags: self.start.flags(),
            lost: self.start.lost(),
            levels: self.levels,
            unit: self.unit.to_bits(),
            open: self.flags.open,
            watched: watched.fold(0, |set, door| set | door),
            abilities: self.abilities,
        }
    }

    /// Numbers the combinations of flags and health that can occur, least damage first. Many can't:
    /// five rooms in a row let one collect their keys in one order only.
    fn rank_combinations(&self, regions: &Regions, first: u32) -> Option<Vec<u32>> {
        if u64::from(self.levels) << self.flags.count > MOST_COMBINATIONS {
            return None;
        }
        let mut ranks = vec![u32::MAX; (self.levels as usize) << self.flags.count];
        let most = MOST_INDICES / (u64::from(self.free_cells) * u64::from(self.modes));
        let mut met = vec![self.start];
        ranks[self.combination(self.start)] = 0;
        let (mut next, mut met_regions) = (0, Met::default());
        while let Some(state) = met.get(next).copied() {
            next += 1;
            // Doors only ever open, so whatever was reached with these flags is among the cells
            // that can be reached from the start with them.
            let lets_in = |index| self.lets_in(state.flags(), index);
            regions.for_each_special(first, &mut met_regions, lets_in, |index| {
                self.for_each_outcome(state, index, |after| {
                    let rank = &mut ranks[self.combination(after)];
                    if *rank == u32::MAX {
                        *rank = 0;
                        met.push(after);
                    }
                });
            });
            if met.len() as u64 > most {
                return None;
            }
        }
        let occurring = ranks.iter_mut().filter(|rank| **rank == 0);
        occurring.zip(0..).for_each(|(rank, number)| *rank = number);
        Some(ranks)
    }

    /// Whatever can become of the flags and the health of somebody who arrives in a cell.
    fn for_each_outcome(&self, state: StillState, index: usize, mut visit: impl FnMut(StillState)) {
        let cell = pack_cell(self.cell_of(index));
        // Only guards care how somebody arrives.
        let is_dangerous = self.scenario.marks_at(index) & marks::DANGER != 0;
        let stances = if is_dangerous { self.stances.len() } else { 1 };
        for (_, bits, costs) in &self.stances[..stances] {
            for cost in &costs[..if is_dangerous { 2 } else { 1 }] {
                let there = StillState(state.0 & (FLAGS_MASK | LOST_MASK) | cell | bits);
                if let Some(after) = self.arrive(there, cost.ticks()) {
                    visit(after);
                }
            }
        }
    }

    #[inline]
    fn place_in(&self, state: &StillState) -> usize {
        self.index_of(state.cell())
    }

    #[inline]
    fn index_of(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    fn cell_of(&self, index: usize) -> Cell {
        let (x, y) = (index % self.width, index / self.width);
        Cell::new(x as u16, y as u16)
    }

    fn health(&self, state: StillState) -> f64 {
        FULL_HEALTH - f64::from(state.lost()) * self.unit
    }

    /// Whether the agent may enter a cell that is no wall.
    fn lets_in(&self, flags: u32, index: usize) -> bool {
        if self.scenario.marks_at(index) & marks::SHUTS == 0 {
            return true;
        }
        self.scenario
            .doors
            .iter()
            .enumerate()
            .all(|(number, door)| {
                !door.places.contains(&index)
                    || door.keys & self.flags.holding(&self.scenario, flags) != 0
                    || self.is_open(flags, DoorId::new(number as u8))
            })
    }

    fn is_open(&self, flags: u32, door: DoorId) -> bool {
        let levers = self.scenario.levers.iter().enumerate();
        let mut pulled = levers.filter(|(number, _)| self.flags.lever(flags, *number));
        self.flags.open & door.bit() != 0
            || pulled.any(|(_, lever)| lever.opens & door.bit() != 0)
            || self
                .flags
                .watched
                .iter()
                .enumerate()
                .any(|(place, watched)| {
                    *watched == door && flags >> self.flags.watched_shift(place) & 1 == 1
                })
    }

    /// Whether doors allow a step that walls allow.
    #[cold]
    fn doors_allow(&self, flags: u32, from: usize, direction: Direction) -> bool {
        let beside =
            |direction: Direction| (from as isize + self.strides[direction as usize]) as usize;
        let corners = !direction.is_diagonal()
            || self.lets_in(flags, beside(direction.left()))
                && self.lets_in(flags, beside(direction.right()));
        self.lets_in(flags, beside(direction)) && corners
    }

    /// What becomes of the agent in a cell where something happens: first guards strike, then it
    /// picks up, pulls and opens. `None`: it dies.
    #[cold]
    fn arrive(&self, state: StillState, took: u64) -> Option<StillState> {
        let place = self.index_of(state.cell());
        let marks = self.scenario.marks_at(place);
        let mut flags = state.flags();
        let mut health = self.health(state) as f32;
        if marks & marks::DANGER != 0 {
            let shielded =
                self.flags.holding(&self.scenario, flags) & self.scenario.tables.shields != 0;
            let arrival = Arrival {
                took,
                gait: state.stance().gait(),
                pulls: true,
            };
            let mut total = 0.0;
            combat::for_each_guard_blow(
                &self.scenario,
                self.actor,
                place,
                arrival,
                shielded,
                |_, damage| {
                    total += damage;
                },
            );
            if total > 0.0 {
                health = combat::after_guards(health, total);
            }
            let (pulled, sprung) = (
                self.flags.levers_pulled(flags),
                self.flags.traps_sprung(flags),
            );
            let (lost, sprung, _) =
                traps::after_traps(&self.scenario, place, pulled, sprung, |_, _| {});
            health = (f64::from(health) - lost) as f32;
            flags |= sprung << self.flags.traps_shift();
            if health <= 0.0 {
                return None;
            }
        }
        if marks & marks::ITEM != 0 {
            for (number, item) in self.scenario.items.iter().enumerate() {
                if item.place as usize == place && flags >> number & 1 == 0 {
                    flags |= 1 << number;
                    if let ItemKind::Pack { health: by } = item.kind {
                        health = items::restored(health, by);
                    }
                }
            }
        }
        if marks & marks::LEVER != 0 {
            for (number, lever) in self.scenario.levers.iter().enumerate() {
                if lever.at.distance_to(state.cell().center()) <= LEVER_REACH {
                    flags |= 1 << (self.flags.items + number as u32);
                }
            }
        }
        if marks & marks::SHUTS != 0 {
            let holding = self.flags.holding(&self.scenario, flags);
            for (rank, door) in self.flags.watched.iter().enumerate() {
                let door = &self.scenario.doors[door.index()];
                if door.keys & holding != 0 && door.places.contains(&place) {
                    flags |= 1 << self.flags.watched_shift(rank);
                }
            }
        }
        let lost = ((FULL_HEALTH - f64::from(health)) / self.unit) as u64;
        let kept = state.0 & !(FLAGS_MASK | LOST_MASK);
        Some(StillState(
            kept | lost << LOST_SHIFT | u64::from(flags) << FLAGS_SHIFT,
        ))
    }
}

impl Flags {
    fn new(scenario: &Scenario, world: &World, actor: usize, goal: &Goal) -> Option<Flags> {
        let in_goal = doors_in(goal);
        let in_events = |door: DoorId| scenario.events.contains(&crate::Thing::Door(door));
        let doors = (0..scenario.doors.len() as u8).map(DoorId::new);
        let flags = Flags {
            items: scenario.items.len() as u32,
            levers: scenario.levers.len() as u32,
            traps: scenario.bits_of_traps(),
            watched: doors
                .filter(|door| in_goal & door.bit() != 0 || in_events(*door))
                .collect(),
            open: world.doors,
            count: 0,
        };
        let things = scenario.items.len() + scenario.levers.len();
        let count = things + flags.traps as usize + flags.watched.len();
        let all_held =
            flags.holding(scenario, flags.of_world(world)) == world.actors[actor].holding;
        (count <= MOST_FLAGS && all_held).then_some(Flags {
            count: count as u32,
            ..flags
        })
    }

    fn of_world(&self, world: &World) -> u32 {
        // A watched door that is open at the beginning is known to be open without a flag.
        let sprung = u64::from(world.sprung) << self.traps_shift();
        (u64::from(world.taken) | u64::from(world.levers) << self.items | sprung) as u32
    }

    /// The items in the agent's hands. Packs are used up, and what is absent is nowhere.
    #[inline]
    fn holding(&self, scenario: &Scenario, flags: u32) -> u32 {
        let taken = flags & ((1u64 << self.items) - 1) as u32 & !scenario.absent;
        let packs = scenario
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| matches!(item.kind, ItemKind::Pack { .. }));
        packs.fold(taken, |held, (number, _)| held & !(1 << number))
    }

    #[inline]
    fn lever(&self, flags: u32, number: usize) -> bool {
        flags >> (self.items + number as u32) & 1 == 1
    }

    /// The levers that were pulled, a bit each.
    #[inline]
    fn levers_pulled(&self, flags: u32) -> u32 {
        (u64::from(flags) >> self.items) as u32 & ((1u64 << self.levers) - 1) as u32
    }

    /// The traps that have sprung for good, a bit each.
    #[inline]
    fn traps_sprung(&self, flags: u32) -> u32 {
        (u64::from(flags) >> self.traps_shift()) as u32 & ((1u64 << self.traps) - 1) as u32
    }

    #[inline]
    fn traps_shift(&self) -> u32 {
        self.items + self.levers
    }

    #[inline]
    fn watched_shift(&self, place: usize) -> u32 {
        self.traps_shift() + self.traps + place as u32
    }
}

/// The doors a goal mentions, a bit each.
fn doors_in(goal: &Goal) -> u32 {
    let mut doors = 0;
    goal.for_each_leaf(&mut |leaf| {
        if let Goal::DoorOpen(door) = leaf {
            doors |= door.bit();
        }
    });
    doors
}

/// The largest unit every health that can occur is a multiple of; `None` if that is too small.
fn unit_of_health(scenario: &Scenario, start: f64) -> Option<f64> {
    let packs = scenario.items.iter().filter_map(|item| match item.kind {
        ItemKind::Pack { health } => Some(health),
        _ => None,
    });
    let healths = std::iter::once(start).chain(packs);
    let healths = healths.chain(scenario.traps.iter().map(|trap| trap.damage));
    // Guards leave multiples of 20. A hundred levels of one point each still fit.
    let are_multiples = |unit: &f64| healths.clone().all(|health| health % unit == 0.0);
    [20.0, 1.0].into_iter().find(are_multiples)
}

impl Problem for StillQuest {
    type State = StillState;
    type Key = StillState;
    type Action = Order;

    fn start(&self) -> StillState {
        self.start
    }

    #[inline]
    fn key(&self, state: &StillState) -> StillState {
        *state
    }

    #[inline]
    fn is_goal(&self, state: &StillState) -> bool {
        self.goal.is_met(&self.view(state))
    }

    #[inline]
    fn successors(&self, state: &StillState, out: &mut Successors<StillState, Order>) {
        let Map::Grid(grid) = &*self.scenario.map else {
            unreachable!("still quests are on grids");
        };
        let all_marks = self.scenario.marks();
        let from = self.index_of(state.cell());
        let exits = grid.exits(from);
        let is_near_door = all_marks[from] & marks::NEAR_SHUTS != 0;
        let kept = state.0 & (FLAGS_MASK | LOST_MASK);
        let counts = self.scenario.counts_for(self.actor);
        for direction in Direction::ALL {
            if exits >> direction as u8 & 1 == 0
                || is_near_door && !self.doors_allow(state.flags(), from, direction)
            {
                continue;
            }
            let (x, y) = direction.offset();
            let moved = i64::from(x) + (i64::from(y) << Y_SHIFT);
            let cell = (state.0 & CELL_MASK).wrapping_add_signed(moved);
            let to = (from as isize + self.strides[direction as usize]) as usize;
            let is_special = all_marks[to] & SPECIAL != 0;
            for (stance, bits, costs) in &self.stances {
                let time = costs[usize::from(direction.is_diagonal())];
                let mut cost = match counts {
                    Some(counts) => counts.cost(to, time),
                    None => time,
                };
                let mut next = StillState(kept | cell | bits);
                if is_special {
                    match self.arrive(next, time.ticks()) {
                        Some(arrived) => {
                            let lost = arrived.lost().saturating_sub(state.lost());
                            if lost > 0 {
                                let lost = f64::from(lost) * self.unit;
                                cost = cost + self.scenario.prices.of_harm(lost);
                            }
                            next = arrived;
                        }
                        // A step that leads to death costs infinitely much: it is no step at all.
                        None => continue,
                    }
                }
                out.push(Order::Step(direction, *stance), next, cost);
            }
        }
        if self.abilities.waits {
            for (stance, bits, _) in &self.stances {
                let next = StillState(kept | state.0 & CELL_MASK | bits);
                let time = Cost::from_ticks(WAIT.as_nanos() as u64);
                let cost = self.scenario.cost_of_time(self.actor, from, time);
                out.push(Order::Wait(*stance), next, cost);
            }
        }
    }

    /// Stances are the lowest digit, cells the next: what is met together lies together.
    #[inline]
    fn index(&self, state: &StillState) -> Option<u32> {
        let rank = *self.ranks.get(self.combination(*state))?;
        let cell = self.numbers[self.index_of(state.cell())];
        let mode = u32::from(state.stance().bits()) & (self.modes - 1);
        Some((rank * self.free_cells + cell) * self.modes + mode)
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl Quest for StillQuest {
    type View<'a> = StillView<'a>;

    #[inline]
    fn view<'a>(&'a self, state: &'a StillState) -> StillView<'a> {
        StillView {
            quest: self,
            state: *state,
        }
    }

    #[inline]
    fn position(&self, state: &StillState) -> Point {
        state.cell().center()
    }

    fn stance(&self, state: &StillState) -> Stance {
        state.stance()
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    fn start_world(&self) -> &World {
        &self.start_world
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
}

game_of_quest!(StillQuest);

/// A state of a [`StillQuest`] as goals and estimates see it.
#[derive(Clone, Copy)]
pub struct StillView<'a> {
    quest: &'a StillQuest,
    state: StillState,
}

impl StillView<'_> {
    /// The agent's health.
    pub fn health(&self) -> f64 {
        self.quest.health(self.state)
    }
}

impl Situation for StillView<'_> {
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
        if agent == self.quest.role.agent {
            return self.state.cell().center();
        }
        // Nobody else moves.
        let start = &self.quest.start_world;
        start.position(agent, &self.quest.scenario)
    }

    fn height(&self, _: AgentId) -> f64 {
        // Grids are flat.
        0.0
    }

    fn is_dead(&self, agent: AgentId) -> bool {
        // Guards cannot die, states in which the agent is dead don't exist, and nobody hurts anybody
        // who rests.
        let start = &self.quest.start_world;
        start.is_dead(agent, &self.quest.scenario)
    }

    fn holds(&self, item: ItemId) -> bool {
        self.quest
            .flags
            .holding(&self.quest.scenario, self.state.flags())
            & item.bit()
            != 0
    }

    fn is_on(&self, lever: LeverId) -> bool {
        lever.index() < self.quest.scenario.levers.len()
            && self.quest.flags.lever(self.state.flags(), lever.index())
    }

    /// Doors that neither the goal nor the events mention count as shut after a key opened them.
    fn is_open(&self, door: DoorId) -> bool {
        self.quest.is_open(self.state.flags(), door)
    }

    fn fight_left(&self, _: AgentId) -> (Cost, Cost) {
        (Cost::ZERO, Cost::ZERO)
    }

    fn peril(&self) -> Peril {
        Peril::none(self.quest.health(self.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Observation;

    /// Numbers from a seed.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: u64) -> u64 {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }
    }

    /// A small level with everything a still quest can have.
    fn level(dice: &mut Dice) -> Scenario {
        let rows: Vec<String> = (0..7)
            .map(|_| {
                let cells = (0..9).map(|_| if dice.below(4) == 0 { '#' } else { '.' });
                cells.collect()
            })
            .collect();
        let mut rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        let mut place = || {
            let (x, y) = (dice.below(9), dice.below(7));
            rows[y as usize][x as usize] = '.';
            format!("[{x}, {y}]")
        };
        let mut text = format!("format = 1\nstart = {}\n", place());
        text += "goal = { all = [{ open = 'd0' }, { holds = 'k1' }] }\n";
        for number in 0..3 {
            let (first, second) = (place(), place());
            text += &format!("[[door]]\nid = 'd{number}'\nat = [{first}, {second}]\n");
            text += &format!("[[key]]\nid = 'k{number}'\nat = {}\n", place());
            text += &format!("opens = ['d{}']\n", (number + 1) % 3);
        }
        text += &format!("[[lever]]\nid = 'l'\nat = {}\nopens = ['d2']\n", place());
        text += &format!("[[shield]]\nid = 's'\nat = {}\n", place());
        text += &format!("[[pack]]\nid = 'p'\nat = {}\nhealth = 40\n", place());
        for number in 0..2 {
            let at = place();
            text += &format!("[[enemy]]\nid = 'g{number}'\nkind = 'guard'\nat = {at}\n");
        }
        text += "[map]\nrows = [\n";
        for row in rows {
            text += &format!("  '{}',\n", row.into_iter().collect::<String>());
        }
        Scenario::parse(&(text.clone() + "]")).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The combinations that can occur, found by going over all cells for each of them.
    fn by_flooding(quest: &StillQuest) -> Vec<bool> {
        let mut occurs = vec![false; (quest.levels as usize) << quest.flags.count];
        occurs[quest.combination(quest.start)] = true;
        let mut met = vec![quest.start];
        while let Some(state) = met.pop() {
            let first = quest.index_of(quest.start.cell());
            let (mut cells, mut next) = (vec![first], 0);
            while let Some(from) = cells.get(next).copied() {
                next += 1;
                for direction in Direction::ALL {
                    let to = quest.scenario.map.step(from, direction);
                    let to = to.filter(|to| quest.lets_in(state.flags(), *to));
                    cells.extend(to.filter(|to| !cells.contains(to)));
                }
                for (_, bits, costs) in &quest.stances {
                    for cost in costs {
                        let cell = pack_cell(quest.cell_of(from));
                        let there = state.0 & (FLAGS_MASK | LOST_MASK) | cell | bits;
                        let after = quest.arrive(StillState(there), cost.ticks());
                        let Some(after) = after else { continue };
                        if !std::mem::replace(&mut occurs[quest.combination(after)], true) {
                            met.push(after);
                        }
                    }
                }
            }
        }
        occurs
    }

    #[test]
    fn ranks_are_those_of_going_over_all_cells() {
        let mut dice = Dice(5);
        let mut counts = Vec::new();
        for _ in 0..40 {
            let scenario = level(&mut dice);
            for _ in 0..4 {
                let mut world = World::new(&scenario);
                for number in 0..3 {
                    let at = Point::new(dice.below(9) as f64, dice.below(7) as f64);
                    let disturbance = match dice.below(5) {
                        0 => Observation::Open(DoorId::new(number)),
                        1 => Observation::Give(AgentId::NPC, ItemId::new(number)),
                        2 => Observation::Remove(ItemId::new(number)),
                        3 => Observation::Health(AgentId::NPC, 60.0),
                        _ => Observation::Move(AgentId::NPC, at, None),
                    };
                    world.observe(&scenario, disturbance);
                }
                let quest = |branching| {
                    let abilities = Abilities {
                        branching,
                        ..Abilities::default()
                    };
                    StillQuest::new(&scenario, &world, scenario.goal(), abilities)
                };
                let Some(quest) = quest(match dice.below(4) {
                    0 => Branching::TwoHundredFiftySix,
                    1 => Branching::ThirtyTwo,
                    _ => Branching::Sixteen,
                }) else {
                    continue;
                };
                let ranked: Vec<bool> = quest.ranks.iter().map(|rank| *rank < u32::MAX).collect();
                assert_eq!(ranked, by_flooding(&quest));
                counts.push(ranked.iter().filter(|occurs| **occurs).count());
            }
        }
        // Otherwise this shows nothing.
        assert!(
            counts.len() > 60 && counts.iter().any(|count| *count > 100),
            "{counts:?}"
        );
    }
}
