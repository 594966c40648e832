//! A proof that there is no plan: the same quest in easier worlds, in which whatever was found once, by
//! any way, is held by everybody from then on (a delete relaxation), and in which one enemy at a time
//! is harmful.

mod company;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use apprentice_game::{Game, Refutation, Refuted};
use apprentice_search::{Budget, Debt, Problem};
use smallvec::SmallVec;

use crate::game::harm_of_passing;
use crate::hunting_ground::radius_for;
use crate::packed_world::PackedWorld;
use crate::quest_problem::{QuestProblem, WorldKey};
use crate::scenario::{FULL_HEALTH, marks};
use crate::world::{BeastState, FEW_BEASTS};
use crate::{
    AgentId, DoorId, Goal, ItemKind, LeverId, Manner, Mode, Point, Quest, Scenario, World,
};

use company::Company;

/// The quest in easier worlds, to find out what it costs at least in health.
///
/// In each of them one enemy is harmful, or all guards are, and the others are not there. Whoever goes a
/// way among all of them loses at least what it would lose to each alone: it can strike only one of them
/// at a time, and nobody keeps another from striking. So what the cheapest ways cost in these worlds
/// adds up, and where that is more than somebody has, with all packs that can be afforded, there is no
/// plan. Nor is there one where somebody dies of one enemy alone, however often packs can be used again.
/// In the end all are looked at together, because what each alone lets through they may not.
pub(crate) struct DeleteRelaxation {
    worlds: Vec<EasierWorld>,
    /// Whose turn it is, and how many more states it may look at.
    turn: usize,
    left: u64,
    rounds: u32,
    /// What others might do; this is looked at first.
    company: Option<Company>,
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
    tally: Tally,
    /// As healthy as one is who has lost nothing.
    full: f32,
    /// Whether all are there.
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
    /// Whether everything was reached that can be.
    is_exhausted: bool,
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

/// Hundreds of blows at the health of [`PLENTY`] are not told more exactly.
const ROUNDING: f32 = 0.25;

/// What costs more than this costs too much, however many packs there are.
const TOO_MUCH: usize = 1024;

/// What becomes of the agent's health.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tally {
    /// It has plenty, and what it loses is counted: that adds up from one world to the next. Guards round
    /// nothing, for whoever meets them first loses less by that.
    Losses,
    /// It has what it has, and whoever dies is dead. Packs are there again whenever somebody comes.
    Health,
}

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
        let lies = |number: &usize| start.taken >> number & 1 == 0;
        let packs = scenario.items.iter().enumerate();
        let packs = packs.filter_map(|(number, item)| match item.kind {
            ItemKind::Pack { health } if lies(&number) => Some((number, health)),
            _ => None,
        });
        let mut relaxation = DeleteRelaxation {
            worlds: Vec::new(),
            turn: 0,
            left: A_TURN,
            rounds: 0,
            company: (scenario.actors.len() > 1).then(|| Company::new(quest)),
            health: f64::from(start.actors[quest.actor].health),
            packs: packs.collect(),
        };
        if relaxation.company.is_none() {
            relaxation.worlds = relaxation.worlds_of(quest, None);
        }
        Some(relaxation)
    }

    /// The easier worlds, with whoever is worst first.
    fn worlds_of(&self, quest: &QuestProblem, company: Option<&Company>) -> Vec<EasierWorld> {
        let (scenario, start) = (&quest.scenario, &quest.start);
        let is_there = |slot: &usize| start.beasts[*slot].is_alive();
        let harm = |slot: &usize| {
            let (_, beast) = scenario.beast(*slot);
            harm_of_passing(scenario, quest.role.agent, beast)
        };
        let mut worst: Vec<usize> = (0..start.beasts.len()).filter(is_there).collect();
        worst.sort_by(|one, other| harm(other).total_cmp(&harm(one)));
        let is_guard = |enemy: &crate::Enemy| matches!(enemy.kind.manner, Manner::Guard(_));
        let has_guards = scenario.enemies.iter().any(is_guard);
        let guards = has_guards.then_some(Harmful::Guards);
        let apart = worst.into_iter().map(Harmful::Beast).chain(guards);
        let apart =
            apart.filter(|it| company.is_none_or(|company| company.leaves_alone(quest, *it)));
        let apart: Vec<Harmful> = apart.collect();
        // All together first: where they can be passed unnoticed, that shows soon. Then one by one.
        let is_whole_too = company.is_none_or(Company::takes_nothing);
        // Whoever is healthier than one gets loses by a pack, so that having it again is nothing easier.
        let is_usual = self.health <= FULL_HEALTH;
        let whole = (is_whole_too && is_usual).then_some((Harmful::All, Tally::Health));
        let losses = apart.iter().map(|it| (*it, Tally::Losses));
        // Without packs, whoever loses more than it has is dead; but guards leave less than they take.
        let kills = |it: &&Harmful| match it {
            Harmful::Beast(slot) => !self.packs.is_empty() && harm(slot) >= self.health,
            Harmful::Guards | Harmful::All => true,
        };
        let healths = apart
            .iter()
            .filter(|it| is_usual && kills(it))
            .map(|it| (*it, Tally::Health));
        let worlds = whole.into_iter().chain(healths).chain(losses);
        worlds
            .map(|(harmful, tally)| EasierWorld::new(quest, harmful, tally, company))
            .collect()
    }

    /// Finds out what others might do, first. False: the budget is spent.
    fn look_at_others(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>) -> bool {
        let Some(mut company) = self.company.take() else {
            return true;
        };
        if !company.go_on(quest, budget) {
            self.company = Some(company);
            return false;
        }
        self.worlds = self.worlds_of(quest, Some(&company));
        true
    }

    /// Whether it costs more than there is: in all worlds of one enemy together, or in one of them alone.
    fn is_too_much(&self) -> bool {
        let is_hopeless = |world: &EasierWorld| world.tally == Tally::Health && world.is_exhausted;
        let counted = self
            .worlds
            .iter()
            .filter(|world| world.tally == Tally::Losses);
        let counted: Vec<&EasierWorld> = counted.collect();
        self.worlds.iter().any(is_hopeless) || !counted.is_empty() && self.is_too_much_in(&counted)
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
            let open = |world: &EasierWorld| !world.is_won && !world.is_exhausted;
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
            let before = (world.level, world.is_exhausted);
            let goes_on = world.go_on(budget, &mut self.left);
            if (world.level, world.is_exhausted) != before && self.is_too_much() {
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
    fn new(
        quest: &QuestProblem,
        harmful: Harmful,
        tally: Tally,
        company: Option<&Company>,
    ) -> EasierWorld {
        let health = f64::from(quest.start.actors[quest.actor].health);
        let is_deadly = match harmful {
            Harmful::Beast(slot) => {
                let (_, beast) = quest.scenario.beast(slot);
                harm_of_passing(&quest.scenario, quest.role.agent, beast) >= health
            }
            Harmful::Guards | Harmful::All => false,
        };
        let are_alone = quest.scenario.actors.len() == 1;
        // Whoever neither meets this enemy nor changes anything where it comes may as well stay at home.
        let others_rest = company.is_some() && harmful != Harmful::All;
        let mut quest = quest.among(|scenario, start| {
            if others_rest {
                rest(scenario, start, quest.actor);
            }
            scenario.rules.guards_round = tally == Tally::Health;
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
        let full = match tally {
            Tally::Losses => {
                // Packs count as health that there is anyway.
                for (number, item) in quest.scenario.items.iter().enumerate() {
                    if matches!(item.kind, ItemKind::Pack { .. }) {
                        quest.start.taken |= 1 << number;
                    }
                }
                quest.start.actors[quest.actor].health = PLENTY;
                PLENTY
            }
            Tally::Health => (health as f32).max(FULL_HEALTH as f32),
        };
        let scenario = &quest.scenario;
        let are_alone = are_alone || others_rest;
        let far_doors = if are_alone {
            far_doors(scenario, &quest.start)
        } else {
            0
        };
        let acts_far_away = |lever: &crate::Lever| (lever.opens | lever.toggles) & !far_doors == 0;
        let levers = scenario.levers.iter().zip(0..);
        let levers = levers.filter(|(lever, _)| are_alone && acts_far_away(lever));
        let far_levers = levers.fold(0, |all, (_, id)| all | LeverId::new(id).bit());
        let opened = company.filter(|_| others_rest);
        let opened = opened.map_or((0, 0), Company::opened);
        let mut world = EasierWorld {
            tally,
            full,
            is_whole: harmful == Harmful::All,
            is_deadly,
            found: quest.start.actors[quest.actor].holding,
            far_levers,
            far_doors,
            pulled: quest.start.levers & far_levers | opened.0,
            open: (quest.start.doors | opened.1) & far_doors,
            ignores_others: company
                .is_some_and(|company| others_rest || company.is_out_of_the_way()),
            met: BTreeMap::new(),
            count: 0,
            arena: Arena::default(),
            states: 0,
            waiting: BTreeSet::new(),
            level: 0,
            is_exhausted: false,
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

    /// What somebody has lost who is so healthy: never more than it has, however often blows were rounded.
    fn cost_of(&self, health: f32) -> usize {
        (self.full - health - ROUNDING).max(0.0) as usize
    }

    /// A state of the easier world was reached.
    fn meet(&mut self, world: &mut World) {
        let agent = self.quest.actor;
        world.actors[agent].holding |= self.found;
        world.levers |= self.pulled;
        world.doors |= self.open;
        let health = world.actors[agent].health;
        let cost = self.cost_of(health);
        if cost >= TOO_MUCH && self.tally == Tally::Losses {
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
            (self.level, self.is_exhausted) = (TOO_MUCH, true);
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
            cost: self.cost_of(health) as u32,
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
        while *left > 0 && self.level == level && !self.is_won && !self.is_exhausted {
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
pub(super) fn is_far_from(scenario: &Scenario, slot: usize, now: Point, at: Point) -> bool {
    let (enemy, beast) = scenario.beast(slot);
    let reach = radius_for(beast.leash, beast.reach) + beast.radius;
    enemy.home.distance_to(at) > reach && now.distance_to(at) > reach
}

/// Lets everybody but one actor stay where they are.
fn rest(scenario: &Scenario, start: &mut World, actor: usize) {
    for (number, (state, rules)) in start.actors.iter_mut().zip(&*scenario.actors).enumerate() {
        if number != actor {
            state.memory = rules.route.len() as u32;
            state.step = None;
            state.moved = 0;
            state.stance = rules.stance;
            state.stamina = FULL_HEALTH as f32;
        }
    }
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
