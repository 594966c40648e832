//! A proof that there is no plan: the same quest in an easier world, in which whatever was found once,
//! by any way, is held by everybody from then on. The field calls it a delete relaxation.

use std::collections::BTreeMap;

use apprentice_game::{Refutation, Refuted};
use apprentice_search::{Budget, Debt};
use smallvec::SmallVec;

use crate::game::harm_of_passing;
use crate::hunting_ground::radius_for;
use crate::packed_world::PackedWorld;
use crate::player_reach::PlayerReach;
use crate::quest_problem::{GAITS, QuestProblem, WorldKey};
use crate::scenario::marks;
use crate::world::{BeastState, FEW_BEASTS};
use crate::{AgentId, DoorId, Goal, ItemKind, LeverId, Manner, Mode, Point, Scenario, World};

/// The quest in easier worlds, each searched to its end: one for each enemy who would be the end of
/// whoever it catches, without all others, and one with everybody. Where one of them is exhausted there
/// is no plan; those that turn out to be won are left.
pub(crate) struct DeleteRelaxation {
    worlds: Vec<EasierWorld>,
    /// Whose turn it is, and how many more states it may look at.
    turn: usize,
    left: u64,
    /// What others might take must be theirs alone; this is looked at first.
    others: Option<PlayerReach>,
}

/// States that one of the worlds looks at before another has its turn.
const A_TURN: u64 = 256;

/// The quest in an easier world.
///
/// What differs from the quest itself, and why everything that can be done there can be done here:
///
/// - Some enemies are dead.
/// - Items that were found in any state are held in all. Nobody is the worse for a key or a shield.
/// - Health packs never run out.
/// - Doors and levers far from every enemy are open and pulled in all states once they are in one; to
///   the planned agent an open door is never in the way, and nobody else comes there.
/// - Of two states that differ in healths alone, only the better one is looked at, if one is: in which
///   the agent is as healthy or healthier, and no enemy is.
///
/// What is left to tell states apart is where the agent is, what enemies and others do, and doors near
/// enemies. So where the quest itself has a state for every set of things that might have been taken
/// first, this has one.
struct EasierWorld {
    /// The world it begins in.
    start: World,
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
    /// States in which nobody is after anybody come first: they are cheap, and what is found in them
    /// is found before the others are looked at.
    calm: Pile,
    /// By health: those who are best off first, so that nearly every state is looked at once.
    hunted: Vec<Pile>,
    /// States beside what shuts: when something was found that opens, there may be more steps.
    beside_doors: Pile,
    /// The state whose steps are listed, and the first that is not.
    under_way: Option<(PackedWorld, usize)>,
    debt: Debt,
    answer: Option<Refuted>,
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

/// Healths this near to each other are looked at in any order.
const A_HANDFUL: f32 = 5.0;

/// States in pieces that never move, so that no push takes long.
#[derive(Default)]
struct Pile {
    pieces: Vec<Vec<PackedWorld>>,
    count: usize,
}

const A_PIECE: usize = 64;

impl Pile {
    fn push(&mut self, state: PackedWorld) {
        if self.pieces.last().is_none_or(|last| last.len() == A_PIECE) {
            self.pieces.push(Vec::with_capacity(A_PIECE));
        }
        if let Some(last) = self.pieces.last_mut() {
            last.push(state);
            self.count += 1;
        }
    }

    fn pop(&mut self) -> Option<PackedWorld> {
        let last = self.pieces.last_mut()?;
        let state = last.pop();
        if last.is_empty() {
            self.pieces.pop();
        }
        self.count -= usize::from(state.is_some());
        state
    }
}

impl DeleteRelaxation {
    /// Begins to look; `None` where the easier worlds would be none.
    pub(crate) fn new(quest: &QuestProblem) -> Option<DeleteRelaxation> {
        // Scripts might mind anything, and what must not be done is easier to do in no easier world.
        if !quest.role.others.is_routes() || !quest.goal.is_easier_with_more() {
            return None;
        }
        let (scenario, start) = (&quest.scenario, &quest.start);
        let are_alone = scenario.actors.len() == 1;
        let health = f64::from(start.actors[quest.actor].health);
        let is_there = |slot: &usize| start.beasts[*slot].is_alive();
        let is_asked_for = |slot: usize| {
            let enemy = AgentId::Enemy(scenario.tables.beasts[slot]);
            quest.goal.is_about(enemy)
        };
        let beasts = (0..start.beasts.len()).filter(is_there);
        let deadly = beasts.filter(|slot| {
            let (_, beast) = scenario.beast(*slot);
            harm_of_passing(scenario, quest.role.agent, beast) >= health
        });
        let mut worlds: Vec<EasierWorld> = deadly
            .map(|deadly| {
                let mut start = start.clone();
                for slot in 0..start.beasts.len() {
                    if slot != deadly && !is_asked_for(slot) {
                        start.beasts[slot].health = 0.0;
                    }
                }
                EasierWorld::new(quest, start)
            })
            .collect();
        if worlds.len() != 1 || start.beasts.len() > 1 {
            worlds.push(EasierWorld::new(quest, start.clone()));
        }
        let others = PlayerReach::of_all_but(quest.role.agent, scenario, start);
        Some(DeleteRelaxation {
            worlds,
            turn: 0,
            left: A_TURN,
            others: (!are_alone).then_some(others),
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
        let taken = others.might_take() & !held & !start.taken;
        let is_out_of_the_way = is_out_of_the_way(scenario, start, &others, quest);
        if taken != 0 && !is_out_of_the_way {
            // Who takes what depends on who comes first, which easier worlds don't know.
            self.worlds.clear();
        } else if is_out_of_the_way {
            for world in &mut self.worlds {
                world.ignores_others = true;
                world.begin(quest);
            }
        }
        true
    }
}

impl Refutation<QuestProblem> for DeleteRelaxation {
    fn go_on(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>) -> Refuted {
        if !self.look_at_others(quest, budget) {
            return Refuted::NotYet;
        }
        while !self.worlds.is_empty() {
            // The one with everybody, which is the last, waits for all others.
            let count = (self.worlds.len() - 1).max(1);
            let world = &mut self.worlds[self.turn % count];
            match world.go_on(quest, budget, &mut self.left) {
                Refuted::Proven => return Refuted::Proven,
                Refuted::No => {
                    self.worlds.remove(self.turn % count);
                    self.left = A_TURN;
                }
                Refuted::NotYet if self.left == 0 => {
                    self.turn = (self.turn + 1) % count;
                    self.left = A_TURN;
                }
                Refuted::NotYet => return Refuted::NotYet,
            }
        }
        Refuted::No
    }

    fn tell(&self) -> String {
        self.worlds
            .iter()
            .map(|w| w.tell())
            .collect::<Vec<_>>()
            .join(" | ")
    }

    fn bytes(&self) -> u64 {
        self.worlds.iter().map(EasierWorld::bytes).sum()
    }
}

impl EasierWorld {
    fn new(quest: &QuestProblem, start: World) -> EasierWorld {
        let scenario = &quest.scenario;
        let are_alone = scenario.actors.len() == 1;
        let far_doors = if are_alone {
            far_doors(scenario, &start)
        } else {
            0
        };
        let acts_far_away = |lever: &crate::Lever| (lever.opens | lever.toggles) & !far_doors == 0;
        let levers = scenario.levers.iter().zip(0..);
        let levers = levers.filter(|(lever, _)| are_alone && acts_far_away(lever));
        let far_levers = levers.fold(0, |all, (_, id)| all | LeverId::new(id).bit());
        let mut world = EasierWorld {
            found: start.actors[quest.actor].holding,
            far_levers,
            far_doors,
            pulled: start.levers & far_levers,
            open: start.doors & far_doors,
            start,
            ignores_others: false,
            met: BTreeMap::new(),
            count: 0,
            calm: Pile::default(),
            hunted: Vec::new(),
            beside_doors: Pile::default(),
            under_way: None,
            debt: Debt::default(),
            answer: None,
        };
        world.begin(quest);
        world
    }

    /// Begins anew, with everything that was found.
    fn begin(&mut self, quest: &QuestProblem) {
        self.met.clear();
        self.count = 0;
        self.calm = Pile::default();
        self.hunted.clear();
        self.beside_doors = Pile::default();
        self.under_way = None;
        let mut start = self.start.clone();
        self.meet(quest, &mut start);
    }

    /// A state of the easier world was reached.
    fn meet(&mut self, quest: &QuestProblem, world: &mut World) {
        world.actors[quest.actor].holding |= self.found;
        world.levers |= self.pulled;
        world.doors |= self.open;
        let packed = quest.packed(world);
        if apprentice_search::Problem::is_goal(quest, &packed) {
            self.answer = Some(Refuted::No);
            return;
        }
        let health = world.actors[quest.actor].health;
        let beasts = (0..world.beasts.len()).map(|slot| quest.beast_handfuls(&packed, slot));
        let healths = Healths {
            agent: health,
            beasts: beasts.collect(),
        };
        let key = self.key(quest, &packed);
        let known = self.met.entry(key).or_default();
        if known.iter().any(|known| known.is_as_good_as(&healths)) {
            return;
        }
        let before = known.len();
        known.retain(|known| !healths.is_as_good_as(known));
        known.push(healths);
        self.count = self.count + known.len() - before;
        let is_hunted = |beast: &BeastState| beast.is_alive() && beast.mode != Mode::Idle;
        if !world.beasts.iter().any(is_hunted) {
            self.calm.push(packed);
            return;
        }
        let rank = (health / A_HANDFUL) as usize;
        if self.hunted.len() <= rank {
            self.hunted.resize_with(rank + 1, Pile::default);
        }
        self.hunted[rank].push(packed);
    }

    /// The next state to be looked at.
    fn next(&mut self) -> Option<PackedWorld> {
        let hunted = || self.hunted.iter_mut().rev().find_map(Pile::pop);
        self.calm.pop().or_else(hunted)
    }

    /// What makes two states the same.
    fn key(&self, quest: &QuestProblem, state: &PackedWorld) -> WorldKey {
        let mut key = apprentice_search::Problem::key(quest, state);
        key.forget_things(!self.far_doors, !self.far_levers);
        key.forget_wounds();
        if self.ignores_others {
            key.forget_others();
        }
        key
    }

    /// Takes note of what is there besides in the world after a step.
    fn find(&mut self, quest: &QuestProblem, next: &World) {
        let found = next.actors[quest.actor].holding & !self.found;
        let pulled = next.levers & self.far_levers & !self.pulled;
        let open = next.doors & self.far_doors & !self.open;
        if found | pulled | open == 0 {
            return;
        }
        self.found |= found;
        self.pulled |= pulled;
        self.open |= open;
        let items = quest.scenario.items.iter().zip(0..);
        let mut new = items.filter(|(_, id)| found >> id & 1 == 1);
        let changes_all = new.any(|(item, _)| item.kind != ItemKind::Key);
        if changes_all || !quest.goal.is_about_places() {
            // A shield helps everywhere, and what was no goal may be one now.
            self.begin(quest);
            return;
        }
        let beside = std::mem::take(&mut self.beside_doors);
        for state in beside.pieces.into_iter().flatten() {
            self.calm.push(state);
        }
    }

    /// The world of a state, with everything that was found.
    fn world(&self, quest: &QuestProblem, state: &PackedWorld) -> World {
        let mut world = quest.world(state);
        world.actors[quest.actor].holding = self.found;
        // What lay there lies there still: packs for whoever comes again.
        world.taken = quest.start.taken;
        world.levers |= self.pulled;
        world.doors |= self.open;
        world
    }

    /// Lists the steps that leave a state from one on. False: the budget is spent.
    fn expand(
        &mut self,
        quest: &QuestProblem,
        state: &PackedWorld,
        from: usize,
        budget: &mut Budget<'_>,
    ) -> bool {
        let world = self.world(quest, state);
        let at_a_gait = quest.stances.len() / GAITS.len();
        let found = (self.found, self.pulled, self.open);
        for part in from.. {
            let (number, gait) = (part / GAITS.len(), part % GAITS.len());
            let Some((asked, leads_on)) = quest.asked(&world, number) else {
                break;
            };
            if !leads_on {
                continue;
            }
            let mut worked = 0;
            for stance in &quest.stances[gait * at_a_gait..][..at_a_gait] {
                // Where the agent looks makes no difference.
                if stance.heading() != 0 {
                    continue;
                }
                let outcome = quest.outcome(&world, asked.in_stance(*stance), &mut worked);
                let Some(mut next) = outcome else { continue };
                next.actors[quest.actor].stance = *stance;
                self.find(quest, &next);
                self.meet(quest, &mut next);
            }
            if self.answer.is_some() {
                return true;
            }
            if (self.found, self.pulled, self.open) != found {
                // It was found here, so here it is held as well: all steps once more.
                self.calm.push(state.clone());
                return true;
            }
            self.debt.add(worked);
            if !self.debt.pay(budget) {
                self.under_way = Some((state.clone(), part + 1));
                return false;
            }
        }
        let place = state.place();
        if quest.scenario.marks_at(place) & marks::NEAR_SHUTS != 0 {
            self.beside_doors.push(state.clone());
        }
        true
    }

    /// Goes on for so many states.
    fn go_on(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>, left: &mut u64) -> Refuted {
        if !self.debt.pay(budget) {
            return Refuted::NotYet;
        }
        loop {
            if let Some(answer) = self.answer {
                return answer;
            }
            let (state, from) = match self.under_way.take() {
                Some(under_way) => under_way,
                None => {
                    if *left == 0 || !budget.take() {
                        return Refuted::NotYet;
                    }
                    *left -= 1;
                    match self.next() {
                        Some(state) => (state, 0),
                        None => {
                            self.answer = Some(Refuted::Proven);
                            continue;
                        }
                    }
                }
            };
            if !self.expand(quest, &state, from, budget) {
                return Refuted::NotYet;
            }
        }
    }

    fn tell(&self) -> String {
        format!(
            "met {}/{} calm {} hunted {} found {:b} far {:b} ignores {} alive {}",
            self.met.len(),
            self.calm.count,
            self.hunted.iter().map(|pile| pile.count).sum::<usize>(),
            self.found,
            self.far_doors,
            self.ignores_others,
            self.start.beasts.iter().filter(|b| b.is_alive()).count()
        )
    }

    fn bytes(&self) -> u64 {
        let piles = self.calm.count + self.hunted.iter().map(|pile| pile.count).sum::<usize>() + self.beside_doors.count;
        let piles = piles * size_of::<PackedWorld>();
        // Nodes of the tree are half empty at the worst.
        let met = (self.met.len() + self.count) * 3 * size_of::<(WorldKey, Healths)>() / 4;
        (piles + met) as u64
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
        beasts.any(|(slot, state)| state.is_alive() && !is_far_from(scenario, slot, state.at(), at))
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
