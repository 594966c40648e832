//! Everything that is to be fetched, pulled and passed, and the shortest rounds of it.

use std::sync::Arc;

use apprentice_experience::Place;
use apprentice_search::{Budget, Cost};
use apprentice_world::{
    AgentId, DoorId, Goal, ItemId, LeverId, Manner, Map, PlayerReach, Scenario,
};
use apprentice_world::{Situation, Thing, World};

use super::field::{Field, StepPrices};
use crate::Trail;
use crate::danger::{DangerKey, Prices};
use crate::ground::nearest_place;
use crate::trail::LaidTrail;

/// A set of things, a bit each, by their place in [`Agenda::things`].
type Things = u32;

/// More things than this are not kept apart: the table of rounds doubles with each.
const MOST_THINGS: usize = 10;

/// More ways to meet a goal than this are not told apart.
const MOST_FINISHES: usize = 16;

/// Everything that is known once the scenario, the goal and the locked doors are.
pub(super) struct Agenda {
    pub(super) key: AgendaKey,
    /// What steps are priced by.
    trail: Option<Arc<Trail>>,
    danger: Option<Arc<Prices>>,
    things: Vec<Thing>,
    /// Places of doors that stop whoever has no key.
    is_shut: Vec<bool>,
    stops: Vec<Stop>,
    finishes: Vec<Finish>,
    /// By place, once everything is worked out.
    corridors: Vec<CorridorPlace>,
    /// How many demonstrations have theirs.
    approached: usize,
    /// How many fields are swept: of the stops first, then of the finishes.
    swept: usize,
    /// For each set of things that are settled: the stops worth going to next, and the cost from
    /// there to the end.
    next: Vec<Vec<(usize, Cost)>>,
}

/// What an agenda is made for.
#[derive(Clone, PartialEq)]
pub(super) struct AgendaKey {
    pub(super) scenario: u64,
    pub(super) goal: String,
    /// Where the ways to demonstrations begin, if there are any.
    pub(super) start: Option<usize>,
    /// The doors that count as shut until somebody opens them.
    pub(super) locked: Vec<DoorId>,
    /// The items that are nowhere any more, or in other hands.
    pub(super) gone: Vec<ItemId>,
    /// The levers that others might pull.
    pub(super) left_to_others: Vec<LeverId>,
    /// Those who shall be dead, and are.
    pub(super) dead: Vec<AgentId>,
    /// The enemies that steps are priced by.
    pub(super) danger: Option<DangerKey>,
}

/// What else an agenda is made of.
#[derive(Clone, Copy)]
pub(super) struct Aims<'a> {
    /// What is to be fetched first.
    pub(super) first: &'a [Thing],
    /// Whether it is a lower bound.
    pub(super) is_plain: bool,
    pub(super) start: &'a World,
}

/// A place on the shortest way to a demonstration or from it to the goal.
///
/// Whoever is there is drawn on to where the way leads, and nowhere else: such a way is no road that
/// could be used for a part of it, or it would be a shortcut past what was shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CorridorPlace {
    place: u32,
    leads_to: LeadsTo,
    /// What the rest of the way counts.
    cost: Cost,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LeadsTo {
    /// The place where a demonstration begins.
    Beginning(u32),
    /// The finish of this number, from the end of a demonstration: its shortcut of this number.
    Finish { finish: u32, shortcut: u32 },
}

/// Somewhere to go on the way.
#[derive(Clone)]
struct Stop {
    field: Arc<Field>,
    /// What is settled by being there.
    settles: Things,
    /// One of these must be settled before; none if there is nothing to unlock.
    unlocked_by: Option<Things>,
}

/// A way to meet the goal.
#[derive(Clone)]
struct Finish {
    /// What must be settled.
    needs: Things,
    /// One of these must be, too, if there are any.
    one_of: Things,
    /// Where one must be.
    field: Arc<Field>,
}

impl Agenda {
    pub(super) fn new(
        scenario: &Scenario,
        goal: &Goal,
        aims: Aims<'_>,
        trail: Option<Arc<Trail>>,
        danger: Option<Arc<Prices>>,
        key: AgendaKey,
    ) -> Agenda {
        let Aims {
            first,
            is_plain,
            start,
        } = aims;
        let mut things: Vec<Thing> = Vec::new();
        let note = |things: &mut Vec<Thing>, thing: Thing| {
            if things.len() < MOST_THINGS && !things.contains(&thing) {
                things.push(thing);
            }
        };
        for leaf in goal.leaves() {
            match leaf {
                Goal::Holds(item) => note(&mut things, Thing::Item(*item)),
                // Others might pull and open too, so a lower bound can't count on that.
                Goal::LeverOn(lever) if !key.left_to_others.contains(lever) => {
                    note(&mut things, Thing::Lever(*lever));
                }
                Goal::DoorOpen(door) if key.locked.contains(door) => {
                    note(&mut things, Thing::Door(*door));
                }
                // Enemies come along by themselves, so where they are now bounds nothing.
                Goal::Dead(agent) if !is_plain => note(&mut things, Thing::Agent(*agent)),
                _ => {}
            }
        }
        for thing in first {
            note(&mut things, *thing);
        }
        // Where keys are used up, holding one no longer says which doors are open, so every door
        // has to remember it.
        let uses_up = scenario.doors().iter().any(|door| door.consumes_key);
        let mut shut: Vec<DoorId> = Vec::new();
        for id in key.locked.iter().copied() {
            let keys = scenario.keys_of(id).map(Thing::Item);
            let mut wanted: Vec<Thing> = keys
                .chain(scenario.levers_of(id).map(Thing::Lever))
                .collect();
            if uses_up {
                wanted.push(Thing::Door(id));
            }
            wanted.retain(|thing| !things.contains(thing));
            // A door too many is as good as open: that makes the bound lower, never wrong.
            if things.len() + wanted.len() <= MOST_THINGS {
                things.extend(wanted);
                shut.push(id);
            }
        }
        things.retain(|thing| !matches!(thing, Thing::Door(door) if !shut.contains(door)));
        let mut agenda = Agenda {
            key,
            trail,
            danger,
            things,
            is_shut: vec![false; scenario.map().places()],
            stops: Vec::new(),
            finishes: Vec::new(),
            corridors: Vec::new(),
            approached: 0,
            swept: 0,
            next: Vec::new(),
        };
        for door in &shut {
            for place in &scenario.doors()[door.index()].places {
                agenda.is_shut[*place] = true;
            }
        }
        agenda.add_stops(scenario, start, &shut);
        let first = first
            .iter()
            .fold(0, |bits, thing| bits | agenda.bit(*thing));
        let finishes = agenda.finishes_of(goal, scenario);
        agenda.finishes = finishes
            .into_iter()
            .map(|(needs, at)| Finish {
                needs,
                one_of: first,
                field: Arc::new(Field::to(at)),
            })
            .collect();
        agenda
    }

    fn bit(&self, thing: Thing) -> Things {
        let place = self.things.iter().position(|known| *known == thing);
        place.map_or(0, |place| 1 << place)
    }

    fn add_stops(&mut self, scenario: &Scenario, start: &World, shut: &[DoorId]) {
        let map = scenario.map();
        for thing in self.things.clone() {
            let settles = self.bit(thing);
            let (places, settles) = match thing {
                // Whoever has it has it, and nobody else finds it.
                Thing::Item(item) if self.key.gone.contains(&item) => continue,
                Thing::Item(item) => (scenario.places_at_hand(item), settles),
                Thing::Lever(lever) => {
                    let opened = self.opened_by(scenario, lever);
                    (scenario.places_at_lever(lever), settles | opened)
                }
                Thing::Agent(agent) => {
                    let at = map.spot_of(start.place(agent, scenario));
                    let places = map.places_on_floor(at.point(), at.height, FIGHTING_DISTANCE);
                    (places, settles)
                }
                // A door is a stop by itself, below.
                Thing::Door(_) => continue,
            };
            self.stops.push(Stop {
                field: Arc::new(Field::to(Some(places))),
                settles,
                unlocked_by: None,
            });
        }
        for door in shut {
            let keys = scenario.keys_of(*door).map(Thing::Item);
            let levers = scenario.levers_of(*door).map(Thing::Lever);
            let own = self.bit(Thing::Door(*door));
            let unlocked_by = keys
                .chain(levers)
                .fold(own, |bits, thing| bits | self.bit(thing));
            let places = scenario.doors()[door.index()].places.clone();
            self.stops.push(Stop {
                field: Arc::new(Field::to_door(places)),
                settles: own,
                unlocked_by: Some(unlocked_by),
            });
        }
    }

    /// Adds the ways from the start to demonstrations, and from their ends to the goal; one unit of
    /// budget for each demonstration.
    pub(super) fn add_corridors(
        &mut self,
        map: &Map,
        laid: &LaidTrail,
        budget: &mut Budget<'_>,
    ) -> bool {
        while let Some(approach) = laid.approaches.get(self.approached) {
            if !budget.take() {
                return false;
            }
            self.approached += 1;
            let price = |seconds| laid.trail.price_along(seconds, approach.is_within_reach);
            if let Some(way) = self.open_way(map, &approach.to_beginning)
                && let Some((beginning, _)) = way.last()
            {
                self.add_corridor(&way, LeadsTo::Beginning(*beginning), price);
            }
            let Some(way) = self.open_way(map, &approach.to_goal) else {
                continue;
            };
            let ([(end, seconds), ..], Some((goal, _))) = (&way[..], way.last()) else {
                continue;
            };
            let is_there = |finish: &Finish| {
                let places = finish.field.places.as_ref();
                places.is_some_and(|places| places.contains(&(*goal as usize)))
            };
            if let Some(number) = self.finishes.iter().position(is_there) {
                let cost = price(*seconds);
                // Nobody shares a field before it is swept.
                let Some(field) = Arc::get_mut(&mut self.finishes[number].field) else {
                    continue;
                };
                let leads_to = LeadsTo::Finish {
                    finish: number as u32,
                    shortcut: field.shortcuts.len() as u32,
                };
                field.shortcuts.push((*end as usize, cost));
                self.add_corridor(&way, leads_to, price);
            }
        }
        true
    }

    /// Takes over whatever was swept for the last agenda and would be swept again. To be called when
    /// the corridors are known, because some of them are shortcuts.
    pub(super) fn take_over(&mut self, last: &Agenda) {
        let same_trail = match (&self.trail, &last.trail) {
            (Some(trail), Some(last)) => Arc::ptr_eq(trail, last),
            (trail, last) => trail.is_none() && last.is_none(),
        };
        let same_level =
            self.key.scenario == last.key.scenario && self.key.danger == last.key.danger;
        if self.swept > 0 || !same_trail || !same_level || self.is_shut != last.is_shut {
            return;
        }
        let swept = || {
            let stops = last.stops.iter().map(|stop| &stop.field);
            stops.chain(last.finishes.iter().map(|finish| &finish.field))
        };
        let stops = self.stops.iter_mut().map(|stop| &mut stop.field);
        let finishes = self.finishes.iter_mut().map(|finish| &mut finish.field);
        for field in stops.chain(finishes) {
            let same = |other: &&Arc<Field>| field.is_untouched() && other.leads_like(field);
            if let Some(other) = swept().find(same) {
                *field = Arc::clone(other);
            }
        }
    }

    /// The places of a way, unless a door on it is shut.
    fn open_way(&self, map: &Map, way: &[(Place, f64)]) -> Option<Vec<(u32, f64)>> {
        let place = |(at, seconds): &(Place, f64)| {
            let place = nearest_place(map, *at).filter(|place| !self.is_shut[*place])?;
            Some((place as u32, *seconds))
        };
        way.iter().map(place).collect()
    }

    fn add_corridor(&mut self, way: &[(u32, f64)], leads_to: LeadsTo, price: impl Fn(f64) -> Cost) {
        self.corridors
            .extend(way.iter().map(|(place, seconds)| CorridorPlace {
                place: *place,
                leads_to,
                cost: price(*seconds),
            }));
    }

    /// The doors among the things that a lever opens.
    fn opened_by(&self, scenario: &Scenario, lever: LeverId) -> Things {
        let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        let opened = doors.filter(|door| scenario.levers_of(*door).any(|other| other == lever));
        opened.fold(0, |bits, door| bits | self.bit(Thing::Door(door)))
    }

    /// Ways to meet a goal: what must be settled, and where one must be. Whatever can't be said
    /// this way is left out.
    fn finishes_of(&self, goal: &Goal, scenario: &Scenario) -> Vec<(Things, Option<Vec<usize>>)> {
        let map = scenario.map();
        let settle = |thing| vec![(self.bit(thing), None)];
        let mut ways = match goal {
            Goal::Within { at, height, radius }
            | Goal::AgentWithin {
                agent: AgentId::NPC,
                at,
                height,
                radius,
            } => vec![(0, Some(map.places_on_floor(*at, *height, *radius)))],
            Goal::Holds(item) => settle(Thing::Item(*item)),
            Goal::LeverOn(lever) => settle(Thing::Lever(*lever)),
            Goal::DoorOpen(door) => settle(Thing::Door(*door)),
            Goal::Dead(agent) if self.never_dies(scenario, *agent) => Vec::new(),
            Goal::Dead(agent) => settle(Thing::Agent(*agent)),
            Goal::Not(_) | Goal::AgentWithin { .. } => vec![(0, None)],
            Goal::Any(goals) => {
                let ways = goals
                    .iter()
                    .flat_map(|goal| self.finishes_of(goal, scenario));
                ways.collect()
            }
            Goal::All(goals) => {
                let mut ways: Vec<(Things, Option<Vec<usize>>)> = vec![(0, None)];
                for goal in goals {
                    let more = self.finishes_of(goal, scenario);
                    let both = ways
                        .iter()
                        .flat_map(|way| more.iter().map(|other| together(way, other)));
                    ways = both.take(MOST_FINISHES + 1).collect();
                }
                ways
            }
        };
        if ways.len() > MOST_FINISHES {
            ways = vec![(0, None)];
        }
        ways
    }

    /// Whether an agent lives and cannot die at all: guards cannot, and whoever must be attacked by
    /// several cannot where there are not as many.
    fn never_dies(&self, scenario: &Scenario, agent: AgentId) -> bool {
        let AgentId::Enemy(number) = agent else {
            return false;
        };
        let enemy = scenario.enemies().get(usize::from(number));
        let can_die = enemy.is_some_and(|enemy| match &enemy.kind.manner {
            Manner::Guard(_) => false,
            Manner::Beast(beast) => usize::from(beast.attackers) <= scenario.actors().len(),
        });
        !can_die && !self.key.dead.contains(&agent)
    }

    /// What is settled in a situation.
    #[inline]
    pub(super) fn settled<S: Situation>(&self, situation: &S) -> Things {
        let mut settled = 0;
        for (place, thing) in self.things.iter().enumerate() {
            settled |= Things::from(thing.is_settled(situation)) << place;
        }
        settled
    }

    /// The time that fights still take which have to be won.
    #[inline]
    pub(super) fn fights_left<S: Situation>(&self, settled: Things, situation: &S) -> Cost {
        let mut left = Cost::ZERO;
        for (place, thing) in self.things.iter().enumerate() {
            if let Thing::Agent(agent) = thing
                && settled >> place & 1 == 0
            {
                let (_, after_first) = situation.fight_left(*agent);
                left = left + after_first;
            }
        }
        left
    }

    /// Sweeps the fields, one unit of budget for each place, and then works out the rounds.
    pub(super) fn work_out(&mut self, map: &Map, speed: f64, budget: &mut Budget<'_>) -> bool {
        let prices = StepPrices {
            trail: self.trail.as_deref(),
            danger: self.danger.as_deref(),
            speed,
        };
        let stops = self.stops.iter_mut().map(|stop| &mut stop.field);
        let finishes = self.finishes.iter_mut().map(|finish| &mut finish.field);
        for field in stops.chain(finishes).skip(self.swept) {
            // One that is shared was swept for another.
            if let Some(field) = Arc::get_mut(field)
                && !field.sweep(map, &prices, &self.is_shut, budget)
            {
                return false;
            }
            self.swept += 1;
        }
        if self.next.is_empty() {
            self.work_out_rounds();
            self.corridors.sort_unstable();
            // Many demonstrations begin in the same place.
            self.corridors.dedup();
            self.close_idle_corridors();
        }
        true
    }

    /// Leaves out the ways from the ends of demonstrations that a round from the start does not go
    /// to: whoever follows another one would leave it where it crosses such a way.
    fn close_idle_corridors(&mut self) {
        let Some(start) = self.key.start else {
            return;
        };
        let mut from = vec![(self.left_by_fields(0, start), start)];
        for corridor in &self.corridors {
            if let LeadsTo::Beginning(beginning) = corridor.leads_to
                && corridor.place as usize == start
            {
                let onward = self.left_by_fields(0, beginning as usize);
                from.push((corridor.cost + onward, beginning as usize));
            }
        }
        // The last leg of a round begins there, or wherever something is fetched.
        let begins = from.into_iter().min().map(|(_, place)| place);
        let stops = self
            .stops
            .iter()
            .filter_map(|stop| stop.field.places.as_ref());
        let begins: Vec<usize> = begins.into_iter().chain(stops.flatten().copied()).collect();
        let finishes = &self.finishes;
        self.corridors.retain(|corridor| match corridor.leads_to {
            LeadsTo::Beginning(_) => true,
            LeadsTo::Finish { finish, shortcut } => {
                let by = &finishes[finish as usize].field.by;
                begins.iter().any(|place| by[*place] == shortcut)
            }
        });
    }

    /// From the set of all things downwards, because fetching only ever adds to the set. Passing
    /// doors leaves the set as it is, so within a set values are improved until nothing changes.
    fn work_out_rounds(&mut self) {
        let all = 1usize << self.things.len();
        let stops = self.stops.len();
        let between = |from: &Stop, to: &Field| to.least_from(from.field.places.as_deref());
        let to_stop: Vec<Vec<Cost>> = self
            .stops
            .iter()
            .map(|from| {
                let to = self.stops.iter().map(|to| between(from, &to.field));
                to.collect()
            })
            .collect();
        let to_finish: Vec<Vec<Cost>> = self
            .stops
            .iter()
            .map(|from| {
                let to = self
                    .finishes
                    .iter()
                    .map(|finish| between(from, &finish.field));
                to.collect()
            })
            .collect();
        let mut left = vec![Cost::INFINITE; all * stops];
        for settled in (0..all).rev() {
            let bits = settled as Things;
            let base = settled * stops;
            for from in 0..stops {
                let finishes = self.finishes.iter().enumerate();
                let ends = finishes
                    .filter(|(_, finish)| finish.is_open(bits))
                    .map(|(number, _)| to_finish[from][number]);
                left[base + from] = ends.min().unwrap_or(Cost::INFINITE);
            }
            let mut changed = true;
            while changed {
                changed = false;
                for from in 0..stops {
                    for to in 0..stops {
                        let Some(after) = self.stops[to].after(bits) else {
                            continue;
                        };
                        let onward = left[after as usize * stops + to];
                        let total = to_stop[from][to] + onward;
                        if total < left[base + from] {
                            left[base + from] = total;
                            changed = true;
                        }
                    }
                }
            }
        }
        self.next = (0..all)
            .map(|settled| {
                let bits = settled as Things;
                let mut next = Vec::new();
                for (number, stop) in self.stops.iter().enumerate() {
                    let Some(after) = stop.after(bits) else {
                        continue;
                    };
                    let onward = left[after as usize * stops + number];
                    if onward.is_finite() {
                        next.push((number, onward));
                    }
                }
                next
            })
            .collect();
    }

    /// The cost of the shortest round from a place.
    #[inline]
    pub(super) fn left(&self, settled: Things, place: usize) -> Cost {
        let mut least = self.left_by_fields(settled, place);
        let from = self
            .corridors
            .partition_point(|corridor| (corridor.place as usize) < place);
        let here = self.corridors[from..].iter();
        for corridor in here.take_while(|corridor| corridor.place as usize == place) {
            let onward = match corridor.leads_to {
                LeadsTo::Beginning(beginning) => self.left_by_fields(settled, beginning as usize),
                LeadsTo::Finish { finish, .. }
                    if self.finishes[finish as usize].is_open(settled) =>
                {
                    Cost::ZERO
                }
                LeadsTo::Finish { .. } => continue,
            };
            least = least.min(corridor.cost + onward);
        }
        least
    }

    /// The same by the steps of the map alone.
    #[inline]
    fn left_by_fields(&self, settled: Things, place: usize) -> Cost {
        let mut least = Cost::INFINITE;
        for finish in &self.finishes {
            if finish.is_open(settled) {
                least = least.min(finish.field.at(place));
            }
        }
        for (stop, onward) in &self.next[settled as usize] {
            least = least.min(self.stops[*stop].field.at(place) + *onward);
        }
        least
    }
}

impl Finish {
    /// Whether everything is settled that it needs.
    #[inline]
    fn is_open(&self, settled: Things) -> bool {
        self.needs & !settled == 0 && (self.one_of == 0 || self.one_of & settled != 0)
    }
}

impl Stop {
    /// What is settled after going there; `None` if that is useless or impossible.
    #[inline]
    fn after(&self, settled: Things) -> Option<Things> {
        match self.unlocked_by {
            Some(keys) => (keys & settled != 0).then_some(settled | self.settles),
            None => (self.settles & !settled != 0).then_some(settled | self.settles),
        }
    }
}

/// How near one must come to fight somebody.
const FIGHTING_DISTANCE: f64 = 1.5;

/// The doors that count as shut until somebody opens them, in a quest that begins in this world.
///
/// Those that stand open are none of them, even if a lever shuts them later: that makes the bound
/// lower, never wrong. Except where a key of theirs is held or a lever of theirs has been pulled:
/// whoever did that gets through in either case, so it makes no difference to the rounds, and
/// whatever was swept before a character opened a door serves after it, too.
/// What somebody else might open is none of them either.
pub(super) fn locked(scenario: &Scenario, start: &World, others: &PlayerReach) -> Vec<DoorId> {
    let doors = (0..).map(DoorId::new).zip(scenario.doors());
    let locked = doors.filter(|(id, door)| {
        let is_shut = || !start.is_open(*id);
        let was_unlocked = || {
            scenario
                .keys_of(*id)
                .any(|key| start.holds(AgentId::NPC, key))
                || scenario.levers_of(*id).any(|lever| start.is_on(lever))
        };
        door.cycle.is_none()
            && !others.might_open(*id)
            && (is_shut() || !door.starts_open && was_unlocked())
    });
    locked.map(|(id, _)| id).collect()
}

/// The items that neither lie where they lay nor are held by the planned agent: nobody ever puts
/// anything down, so they are gone for good.
pub(super) fn gone(scenario: &Scenario, start: &World) -> Vec<ItemId> {
    let items = (0..scenario.items().len() as u8).map(ItemId::new);
    let gone = items.filter(|item| !start.is_lying(*item) && !start.holds(AgentId::NPC, *item));
    gone.collect()
}

/// The levers that others might pull.
pub(super) fn left_to_others(scenario: &Scenario, others: &PlayerReach) -> Vec<LeverId> {
    let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
    levers.filter(|lever| others.might_pull(*lever)).collect()
}

/// Those who shall be dead by a goal, and are.
pub(super) fn dead(scenario: &Scenario, start: &World, goal: &Goal) -> Vec<AgentId> {
    let leaves = goal.leaves().into_iter();
    let dead = leaves.filter_map(|leaf| match leaf {
        Goal::Dead(agent) => start.is_dead(*agent, scenario).then_some(*agent),
        _ => None,
    });
    dead.collect()
}

/// Both ways to meet a goal at once.
fn together(
    (needs, at): &(Things, Option<Vec<usize>>),
    (more, there): &(Things, Option<Vec<usize>>),
) -> (Things, Option<Vec<usize>>) {
    let at = match (at, there) {
        (Some(at), Some(there)) => {
            let both = at.iter().filter(|place| there.contains(place));
            Some(both.copied().collect())
        }
        (at, there) => at.clone().or_else(|| there.clone()),
    };
    (needs | more, at)
}
