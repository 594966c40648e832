//! A proof that there is no plan: the same quest in easier worlds, in which whatever was found once, by
//! any way, is held by everybody from then on (a delete relaxation), and in which one enemy at a time
//! is harmful.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use apprentice_game::{Game, Refutation, Refuted};
use apprentice_search::{Budget, Debt, Problem};
use smallvec::SmallVec;

use crate::game::harm_of_passing;
use crate::hunting_ground::radius_for;
use crate::packed_world::PackedWorld;
use crate::player_reach::PlayerReach;
use crate::quest_problem::{QuestProblem, WorldKey};
use crate::scenario::marks;
use crate::world::{BeastState, FEW_BEASTS};
use crate::{
    AgentId, DoorId, Goal, ItemKind, LeverId, Manner, Mode, Point, Quest, Scenario, World,
};

/// The quest in easier worlds, to find out what it costs at least in health.
///
/// In each of them one enemy is harmful, or all guards are, and the others are not there. Whoever goes a
/// way among all of them loses at least what it would lose to each alone: it can strike only one of them
/// at a time, and nobody keeps another from striking. So what the cheapest ways cost in these worlds
/// adds up, and where that is more than somebody has, with all packs that can be afforded, there is no
/// plan. In the end all are looked at together, because what each alone lets through they may not.
pub(crate) struct DeleteRelaxation {
    worlds: Vec<EasierWorld>,
    /// Whose turn it is, and how many more states it may look at.
    turn: usize,
    left: u64,
    rounds: u32,
    /// What others might do; this is looked at first.
    others: Option<PlayerReach>,
    /// The health there is, and that of each pack.
    health: f64,
    packs: Vec<(usize, f64)>,
}

/// States that one of the worlds looks at before another has its turn, in the first round; twice as many
/// in each after that.
const A_TURN: u64 = 1024;

/// The quest in an easier world.
///
/// What differs from the quest itself, and why everything that can be done there can be done here:
///
/// - Enemies are not there, or do no harm, and nobody dies.
/// - Items that were found in any state are held in all. Nobody is the worse for a key or a shield.
/// - Doors and levers far from every enemy are open and pulled in all states once they are in one; to
///   the planned agent an open door is never in the way, and nobody else comes there.
/// - Of two states that differ in healths alone, only the better one is looked at, if one is: in which
///   the agent is as healthy or healthier, and no enemy is.
///
/// What is left to tell states apart is where the agent is, what enemies and others do, and doors near
/// enemies. So where the quest itself has a state for every set of things that might have been taken
/// first, this has one. States are looked at in the order of what they have cost in health.
struct EasierWorld {
    /// The quest among those who are there.
    quest: QuestProblem,
    /// Whether all are there, so that what it costs is not added to anything.
    is_whole: bool,
    /// Whether whoever is there is likely to be the end of everybody.
    is_deadly: bool,
    /// What was found in any state.
    found: u32,
    /// Levers and doors that no enemy comes near, and those of them that were pulled and opened.
    far_levers: u32,
    far_doors: u32,
    pulled: u32,
    open: u32,
    /// Others who neither meet enemies nor change anything are not told apart by where they are.
    ignores_others: bool,
    /// How healthy everybody was when each state was met, unless somebody else there was better off.
    met: BTreeMap<WorldKey, SmallVec<[Healths; 1]>>,
    count: usize,
    arena: Arena,
    states: usize,
    waiting: BTreeSet<Open>,
    /// What everything costs at least that was not reached yet.
    level: usize,
    /// At what level each pack was reached.
    packs: Vec<Option<usize>>,
    /// States beside what shuts: when something was found that opens, there may be more steps.
    beside_doors: Vec<u32>,
    /// The state whose steps are listed, and the first that is not.
    under_way: Option<(u32, usize)>,
    debt: Debt,
    /// Whether the goal is met in one of the states.
    is_won: bool,
}

/// So healthy that nobody dies, and every point that is lost can still be told.
const PLENTY: f32 = 8192.0;

/// What somebody has lost who is so healthy: never more than it has, however often blows were rounded.
fn cost_of(health: f32) -> usize {
    (PLENTY - health - ROUNDING).max(0.0) as usize
}

/// Hundreds of blows at the health of [`PLENTY`] are not told more exactly.
const ROUNDING: f32 = 0.25;

/// What costs more than this costs too much, however many packs there are.
const TOO_MUCH: usize = 1024;

/// How healthy everybody is.
struct Healths {
    agent: f32,
    /// By the handful.
    beasts: SmallVec<[u8; FEW_BEASTS]>,
}

impl Healths {
    /// Whether the agent is no worse off, and nobody else better.
    fn is_as_good_as(&self, other: &Healths) -> bool {
        let mut beasts = self.beasts.iter().zip(&other.beasts);
        self.agent >= other.agent && beasts.all(|(own, other)| own <= other)
    }
}

/// States in pieces that never move, so that no push takes long.
#[derive(Default)]
struct Arena {
    pieces: Vec<Vec<PackedWorld>>,
}

const A_PIECE: usize = 64;

impl Arena {
    fn push(&mut self, state: PackedWorld) -> u32 {
        if self.pieces.last().is_none_or(|last| last.len() == A_PIECE) {
            self.pieces.push(Vec::with_capacity(A_PIECE));
        }
        let number = (self.pieces.len() - 1) * A_PIECE;
        let last = self.pieces.last_mut().map_or(0, |last| {
            last.push(state);
            last.len() - 1
        });
        (number + last) as u32
    }

    fn get(&self, number: u32) -> &PackedWorld {
        &self.pieces[number as usize / A_PIECE][number as usize % A_PIECE]
    }
}

/// A state that is to be looked at. What costs least health comes first, then where nobody is after
/// anybody, which is quick, then what is nearest to the goal as the crow flies, and then what was reached
/// last: where others walk about, hardly two states are the same, and it is better to go on than to try
/// the same way a moment later.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    cost: u32,
    is_hunted: bool,
    left: u64,
    number: Reverse<u32>,
}

impl DeleteRelaxation {
    /// Begins to look; `None` where the easier worlds would be none.
    pub(crate) fn new(quest: &QuestProblem) -> Option<DeleteRelaxation> {
        // Scripts might mind anything, and what must not be done is easier to do in no easier world.
        // Whoever runs may be too tired in a state that counts for another one.
        if !quest.role.others.is_routes()
            || !quest.goal.is_easier_with_more()
            || Quest::abilities(quest).runs
            // What traps cost would be counted in each of the worlds.
            || !quest.scenario.traps.is_empty()
        {
            return None;
        }
        let (scenario, start) = (&quest.scenario, &quest.start);
        let is_there = |slot: &usize| start.beasts[*slot].is_alive();
        let beasts: Vec<usize> = (0..start.beasts.len()).filter(is_there).collect();
        let is_guard = |enemy: &crate::Enemy| matches!(enemy.kind.manner, Manner::Guard(_));
        // All together first: where they can be passed unnoticed, that shows soon. Then one by one,
        // whoever is worst first.
        let harm = |slot: &usize| {
            let (_, beast) = scenario.beast(*slot);
            harm_of_passing(scenario, quest.role.agent, beast)
        };
        let mut worst = beasts;
        worst.sort_by(|one, other| harm(other).total_cmp(&harm(one)));
        let has_guards = scenario.enemies.iter().any(is_guard);
        let guards = has_guards.then_some(Harmful::Guards);
        let apart = worst.into_iter().map(Harmful::Beast).chain(guards);
        let all = std::iter::once(Harmful::All).chain(apart);
        let worlds: Vec<EasierWorld> = all.map(|it| EasierWorld::new(quest, it)).collect();
        let others = PlayerReach::of_all_but(quest.role.agent, scenario, start);
        let packs = scenario
            .items
            .iter()
            .enumerate()
            .filter_map(|(number, item)| {
                let lies = start.taken >> number & 1 == 0;
                match item.kind {
                    ItemKind::Pack { health } if lies => Some((number, health)),
                    _ => None,
                }
            });
        Some(DeleteRelaxation {
            worlds,
            turn: 0,
            left: A_TURN,
            rounds: 0,
            others: (scenario.actors.len() > 1).then_some(others),
            health: f64::from(start.actors[quest.actor].health),
            packs: packs.collect(),
        })
    }

    /// Finds out what others might do, first. False: the budget is spent.
    fn look_at_others(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>) -> bool {
        let Some(mut others) = self.others.take() else {
            return true;
        };
        if !others.go_on(&quest.scenario, budget) {
            self.others = Some(others);
            return false;
        }
        let (scenario, start) = (&quest.scenario, &quest.start);
        let held = (start.actors.iter()).fold(0, |held, actor| held | actor.holding);
        if is_out_of_the_way(scenario, start, &others, quest) {
            for world in &mut self.worlds {
                world.ignores_others = true;
                world.begin();
            }
        } else if others.might_take() & !held & !start.taken == 0 {
            // Somebody who dies, or does not, may change what enemies do, for better or worse: only
            // what all do together is easier for the agent.
            self.worlds.retain(|world| world.is_whole);
        } else {
            // Who takes what depends on who comes first, which easier worlds don't know.
            self.worlds.clear();
        }
        true
    }

    /// Whether it costs more than there is: in all worlds of one enemy together, or in the one with
    /// everybody.
    fn is_too_much(&self) -> bool {
        let apart = self.worlds.iter().filter(|world| !world.is_whole);
        let apart: Vec<&EasierWorld> = apart.collect();
        let whole = self.worlds.iter().filter(|world| world.is_whole);
        self.is_too_much_in(&apart) || whole.into_iter().any(|world| self.is_too_much_in(&[world]))
    }

    fn is_too_much_in(&self, worlds: &[&EasierWorld]) -> bool {
        let sum = |of: &dyn Fn(&EasierWorld) -> usize| worlds.iter().map(|world| of(world)).sum();
        let goal: usize = sum(&|world| world.level);
        let mut health = self.health;
        let mut packs: Vec<(usize, f64)> = self.packs.clone();
        loop {
            let before = packs.len();
            packs.retain(|(pack, more)| {
                let costs: usize = sum(&|world| world.packs[*pack].unwrap_or(world.level));
                let is_affordable = (costs as f64) < health;
                if is_affordable {
                    health += more;
                }
                !is_affordable
            });
            if packs.len() == before {
                return goal as f64 >= health;
            }
        }
    }
}

impl Refutation<QuestProblem> for DeleteRelaxation {
    fn go_on(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>) -> Refuted {
        if !self.look_at_others(quest, budget) {
            return Refuted::NotYet;
        }
        loop {
            let open = |world: &EasierWorld| !world.is_won && world.level < TOO_MUCH;
            if self.worlds.is_empty() {
                return Refuted::No;
            }
            let has_won = |world: &EasierWorld| world.is_whole && world.is_won;
            if self.worlds.iter().any(has_won) {
                return Refuted::No;
            }
            if !self.worlds.iter().any(open) {
                return Refuted::No;
            }
            // After the first round the world with everybody waits for all others.
            let mut apart = self.worlds.iter().filter(|world| !world.is_whole);
            let waits = self.rounds > 0 && apart.any(open);
            let world = &self.worlds[self.turn];
            if !open(world) || self.left == 0 || world.is_whole && waits {
                self.turn += 1;
                if self.turn == self.worlds.len() {
                    (self.turn, self.rounds) = (0, self.rounds + 1);
                }
                let turns = if self.worlds[self.turn].is_deadly {
                    4
                } else {
                    1
                };
                self.left = (turns * A_TURN) << self.rounds.min(16);
                continue;
            }
            let world = &mut self.worlds[self.turn];
            let level = world.level;
            let goes_on = world.go_on(budget, &mut self.left);
            if world.level != level && self.is_too_much() {
                return Refuted::Proven;
            }
            if !goes_on {
                return Refuted::NotYet;
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.worlds.iter().map(EasierWorld::bytes).sum()
    }
}

/// Who does harm in an easier world.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Harmful {
    /// The enemy that moves in this slot.
    Beast(usize),
    Guards,
    All,
}

impl EasierWorld {
    fn new(quest: &QuestProblem, harmful: Harmful) -> EasierWorld {
        let health = f64::from(quest.start.actors[quest.actor].health);
        let is_deadly = match harmful {
            Harmful::Beast(slot) => {
                let (_, beast) = quest.scenario.beast(slot);
                harm_of_passing(&quest.scenario, quest.role.agent, beast) >= health
            }
            Harmful::Guards | Harmful::All => false,
        };
        let mut quest = quest.among(|scenario, start| {
            for (slot, beast) in start.beasts.iter_mut().enumerate() {
                if harmful == Harmful::All || harmful == Harmful::Beast(slot) {
                    continue;
                }
                let number = scenario.tables.beasts[slot];
                if !quest.goal.is_about(AgentId::Enemy(number)) {
                    beast.health = 0.0;
                } else if let Manner::Beast(beast) = &mut Arc::make_mut(&mut scenario.enemies)
                    [usize::from(number)]
                .kind
                .manner
                {
                    // Whoever is to be killed must be met.
                    beast.damage = 0.0;
                }
            }
            if let Harmful::Beast(_) = harmful {
                for enemy in Arc::make_mut(&mut scenario.enemies) {
                    if let Manner::Guard(guard) = &mut enemy.kind.manner {
                        guard.damage = 0.0;
                    }
                }
            }
        });
        // Packs count as health that there is anyway.
        for (number, item) in quest.scenario.items.iter().enumerate() {
            if matches!(item.kind, ItemKind::Pack { .. }) {
                quest.start.taken |= 1 << number;
            }
        }
        quest.start.actors[quest.actor].health = PLENTY;
        let scenario = &quest.scenario;
        let are_alone = scenario.actors.len() == 1;
        let far_doors = if are_alone {
            far_doors(scenario, &quest.start)
        } else {
            0
        };
        let acts_far_away = |lever: &crate::Lever| (lever.opens | lever.toggles) & !far_doors == 0;
        let levers = scenario.levers.iter().zip(0..);
        let levers = levers.filter(|(lever, _)| are_alone && acts_far_away(lever));
        let far_levers = levers.fold(0, |all, (_, id)| all | LeverId::new(id).bit());
        let mut world = EasierWorld {
            is_whole: harmful == Harmful::All,
            is_deadly,
            found: quest.start.actors[quest.actor].holding,
            far_levers,
            far_doors,
            pulled: quest.start.levers & far_levers,
            open: quest.start.doors & far_doors,
            ignores_others: false,
            met: BTreeMap::new(),
            count: 0,
            arena: Arena::default(),
            states: 0,
            waiting: BTreeSet::new(),
            level: 0,
            packs: vec![None; scenario.items.len()],
            beside_doors: Vec::new(),
            under_way: None,
            debt: Debt::default(),
            is_won: false,
            quest,
        };
        world.begin();
        world
    }

    /// Begins anew, with everything that was found. What was not reached before costs no less for that.
    fn begin(&mut self) {
        self.met.clear();
        self.count = 0;
        self.arena = Arena::default();
        self.states = 0;
        self.waiting.clear();
        self.beside_doors.clear();
        self.under_way = None;
        let mut start = self.quest.start.clone();
        self.meet(&mut start);
    }

    /// A state of the easier world was reached.
    fn meet(&mut self, world: &mut World) {
        let agent = self.quest.actor;
        world.actors[agent].holding |= self.found;
        world.levers |= self.pulled;
        world.doors |= self.open;
        let health = world.actors[agent].health;
        let cost = cost_of(health);
        if cost >= TOO_MUCH {
            return;
        }
        let packed = self.quest.packed(world);
        let beasts = (0..world.beasts.len()).map(|slot| self.quest.beast_handfuls(&packed, slot));
        let healths = Healths {
            agent: health,
            beasts: beasts.collect(),
        };
        let key = self.key(&packed);
        let known = self.met.entry(key).or_default();
        if known.iter().any(|known| known.is_as_good_as(&healths)) {
            return;
        }
        let were = known.len();
        known.retain(|known| !healths.is_as_good_as(known));
        known.push(healths);
        self.count = self.count + known.len() - were;
        let is_hunted = |beast: &BeastState| beast.is_alive() && beast.mode != Mode::Idle;
        let is_hunted = world.beasts.iter().any(is_hunted);
        let left = self.quest.straight(&packed).ticks();
        let number = self.arena.push(packed);
        self.states += 1;
        self.waiting.insert(Open {
            cost: cost as u32,
            is_hunted,
            left,
            number: Reverse(number),
        });
    }

    /// The next state to be looked at: one of those that cost least. What is reached from here on costs
    /// as much, whether by its own way or by that of whatever opens it.
    fn next(&mut self) -> Option<u32> {
        let Some(open) = self.waiting.pop_first() else {
            self.level = TOO_MUCH;
            return None;
        };
        self.level = self.level.max(open.cost as usize);
        Some(open.number.0)
    }

    /// Looks at a state once more, because there may be more steps now.
    fn look_again(&mut self, number: u32) {
        let world = self.quest.world(self.arena.get(number));
        let health = world.actors[self.quest.actor].health;
        self.waiting.insert(Open {
            cost: cost_of(health) as u32,
            is_hunted: false,
            left: 0,
            number: Reverse(number),
        });
    }

    /// What makes two states the same.
    fn key(&self, state: &PackedWorld) -> WorldKey {
        let mut key = self.quest.key(state);
        key.forget_things(!self.far_doors, !self.far_levers);
        key.forget_wounds();
        if self.ignores_others {
            key.forget_others();
        }
        key
    }

    /// Takes note of what is there besides in the world after a step.
    fn find(&mut self, next: &World) {
        let agent = &next.actors[self.quest.actor];
        self.reach_packs(agent.place);
        let found = agent.holding & !self.found;
        let pulled = next.levers & self.far_levers & !self.pulled;
        let open = next.doors & self.far_doors & !self.open;
        if found | pulled | open == 0 {
            return;
        }
        self.found |= found;
        self.pulled |= pulled;
        self.open |= open;
        let items = self.quest.scenario.items.iter().zip(0..);
        let mut new = items.filter(|(_, id)| found >> id & 1 == 1);
        let changes_all = new.any(|(item, _)| item.kind == ItemKind::Shield);
        if changes_all || !self.quest.goal.is_about_places() {
            // A shield helps everywhere, and what was no goal may be one now.
            self.begin();
            return;
        }
        for number in std::mem::take(&mut self.beside_doors) {
            self.look_again(number);
        }
    }

    /// Notes that packs were reached.
    fn reach_packs(&mut self, place: u32) {
        let scenario = &self.quest.scenario;
        if scenario.marks_at(place as usize) & marks::ITEM == 0 {
            return;
        }
        for (item, level) in scenario.items.iter().zip(&mut self.packs) {
            if level.is_none() && item.is_at_hand(&scenario.map, place) {
                *level = Some(self.level);
            }
        }
    }

    /// The world of a state, with everything that was found.
    fn world(&self, state: &PackedWorld) -> World {
        let mut world = self.quest.world(state);
        world.actors[self.quest.actor].holding = self.found;
        // What lay there lies there still, for others.
        world.taken = self.quest.start.taken;
        world.levers |= self.pulled;
        world.doors |= self.open;
        world
    }

    /// Lists the steps that leave a state from one on. False: the budget is spent.
    fn expand(&mut self, number: u32, from: usize, budget: &mut Budget<'_>) -> bool {
        let begun = self.states;
        let world = self.world(self.arena.get(number));
        let place = world.actors[self.quest.actor].place as usize;
        let gaits = self.quest.gaits();
        let at_a_gait = self.quest.stances.len() / gaits.len();
        let found = (self.found, self.pulled, self.open);
        for part in from.. {
            let gait = part % gaits.len();
            let Some((asked, leads_on)) = self.quest.asked(&world, part / gaits.len()) else {
                break;
            };
            if !leads_on {
                continue;
            }
            let mut worked = 0;
            for rank in gait * at_a_gait..(gait + 1) * at_a_gait {
                let stance = self.quest.stances[rank];
                // Where the agent looks makes no difference.
                if stance.heading() != 0 {
                    continue;
                }
                let order = asked.in_stance(stance);
                let Some(mut next) = self.quest.outcome(&world, order, &mut worked) else {
                    continue;
                };
                next.actors[self.quest.actor].stance = stance;
                self.find(&next);
                if self.states < begun {
                    // It began anew, with what was found here.
                    return true;
                }
                self.meet(&mut next);
            }
            self.debt.add(worked);
            if (self.found, self.pulled, self.open) != found {
                // It was found here, so here it is held as well: all steps once more.
                self.look_again(number);
                return true;
            }
            if !self.debt.pay(budget) {
                self.under_way = Some((number, part + 1));
                return false;
            }
        }
        if self.quest.scenario.marks_at(place) & marks::NEAR_SHUTS != 0 {
            self.beside_doors.push(number);
        }
        true
    }

    /// Goes on until the turn is over, or the level changes. False: the budget is spent.
    fn go_on(&mut self, budget: &mut Budget<'_>, left: &mut u64) -> bool {
        if !self.debt.pay(budget) {
            return false;
        }
        let level = self.level;
        while *left > 0 && self.level == level && !self.is_won {
            let (number, from) = match self.under_way.take() {
                Some(under_way) => under_way,
                None => {
                    if !budget.take() {
                        return false;
                    }
                    *left -= 1;
                    let Some(number) = self.next() else {
                        return true;
                    };
                    let world = self.world(self.arena.get(number));
                    if self.quest.is_goal(&self.quest.packed(&world)) {
                        self.is_won = true;
                        return true;
                    }
                    (number, 0)
                }
            };
            if !self.expand(number, from, budget) {
                return false;
            }
        }
        true
    }

    fn bytes(&self) -> u64 {
        // Nodes of trees are half empty at the worst.
        let met = (self.met.len() + self.count) * 3 * size_of::<(WorldKey, Healths)>() / 4;
        let waiting = self.waiting.len() * 3 * size_of::<Open>() / 2;
        (self.states * size_of::<PackedWorld>() + met + waiting) as u64
    }
}

/// How far somebody comes in a moment or two, so that it makes no difference when exactly somebody looks.
const A_STRIDE: f64 = 2.0;

/// Doors that no enemy that moves comes near or looks through, a bit each.
fn far_doors(scenario: &Scenario, world: &World) -> u32 {
    let is_far = |place: &usize| {
        let at = scenario.map.point_of(*place);
        let mut beasts = world.beasts.iter().enumerate();
        beasts.all(|(slot, state)| !state.is_alive() || is_far_from(scenario, slot, state.at(), at))
    };
    let doors = scenario.doors.iter().zip(0..);
    // What goes by the clock shuts again.
    let far = doors.filter(|(door, _)| door.cycle.is_none() && door.places.iter().all(is_far));
    far.fold(0, |all, (_, id)| all | DoorId::new(id).bit())
}

/// Whether an enemy never comes near a point, nor looks or listens as far.
fn is_far_from(scenario: &Scenario, slot: usize, now: Point, at: Point) -> bool {
    let (enemy, beast) = scenario.beast(slot);
    let reach = radius_for(beast.leash, beast.reach) + beast.radius;
    enemy.home.distance_to(at) > reach && now.distance_to(at) > reach
}

/// Whether others neither meet enemies, nor open or pull anything, nor are any matter of the goal.
fn is_out_of_the_way(
    scenario: &Scenario,
    start: &World,
    others: &PlayerReach,
    quest: &QuestProblem,
) -> bool {
    let changes = (0..scenario.doors.len() as u8).any(|door| others.might_open(DoorId::new(door)))
        || (0..scenario.levers.len() as u8).any(|lever| others.might_pull(LeverId::new(lever)));
    let is_asked_for = |actor: usize| {
        let agent = AgentId::Actor(actor as u16);
        actor != quest.actor && quest.goal.is_about(agent)
    };
    let meets = |place: usize| {
        let at = scenario.map.point_of(place);
        let mut beasts = start.beasts.iter().enumerate();
        beasts.any(|(slot, state)| {
            let (enemy, beast) = scenario.beast(slot);
            // Whoever is followed is no farther from its home than the leash is long.
            let reach = beast.leash + beast.radius.max(beast.reach) + A_STRIDE;
            let near = |from: Point| from.distance_to(at) <= reach;
            state.is_alive() && (near(enemy.home) || near(state.at()))
        })
    };
    let stands_by_a_guard = |place: usize| {
        let at = scenario.map.point_of(place);
        let mut enemies = scenario.enemies.iter();
        enemies.any(|enemy| match &enemy.kind.manner {
            Manner::Guard(guard) => enemy.home.distance_to(at) <= guard.radius,
            Manner::Beast(_) => false,
        })
    };
    !changes
        && !(0..scenario.actors.len()).any(is_asked_for)
        && !scenario.tables.some_must_survive
        && others
            .places()
            .all(|place| !meets(place) && !stands_by_a_guard(place))
}

impl Goal {
    /// Whether whoever has, pulls and opens more is never farther from it.
    fn is_easier_with_more(&self) -> bool {
        match self {
            Goal::All(goals) | Goal::Any(goals) => goals.iter().all(Goal::is_easier_with_more),
            Goal::Not(goal) => goal.is_about_places() && goal.is_easier_with_more(),
            // States there do not know what was met before.
            Goal::InOrder(_) => false,
            _ => true,
        }
    }

    /// Whether it is about nothing that can be had, pulled or opened.
    fn is_about_places(&self) -> bool {
        self.leaves()
            .iter()
            .all(|leaf| !matches!(leaf, Goal::Holds(_) | Goal::LeverOn(_) | Goal::DoorOpen(_)))
    }

    /// Whether it is about somebody.
    fn is_about(&self, who: AgentId) -> bool {
        self.leaves().iter().any(|leaf| match leaf {
            Goal::AgentWithin { agent, .. } | Goal::Near { agent, .. } | Goal::Dead(agent) => {
                *agent == who
            }
            _ => false,
        })
    }
}
