//! What is still to be fetched, pulled and passed before the goal, and the shortest round of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use apprentice_experience::Place;
use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{AgentId, DoorId, Goal, ItemId, LeverId, Map, Quest, Scenario};
use apprentice_world::{Situation, Thing, World};

use crate::ground::nearest_place;
use crate::trail::{LaidTrail, SharedTrail};
use crate::{Following, Trail};

/// The time of the shortest round that fetches keys, pulls levers, passes doors and ends at the
/// goal, as if no enemy were about.
///
/// It is the exact cost of a simpler quest, in which only walls and doors matter, so it is
/// consistent and sees what straight lines and shortest ways don't: that a locked door means a way
/// to its key first. One sweep over the map for each thing, and then a table of rounds. Which doors
/// are locked is asked of the world the quest begins in: whatever has been opened until then, by
/// whomever, is no errand any more.
///
/// Two variants promise nothing and serve as advisers. With a [`Trail`](crate::Trail), steps along demonstrations
/// count less than others, so the round keeps to what was shown and leaves it only for what lies
/// elsewhere. With things to fetch first, the round passes by them even if no door asks for it: a
/// shield, say.
///
/// ```
/// use apprentice_behavior::Errands;
/// use apprentice_search::{Budget, Cost, Heuristic, Problem};
/// use apprentice_world::{AnyQuest, Scenario};
///
/// let scenario = Scenario::parse(r##"
///     format = 1
///     start = [2, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     key = [{ id = "red", at = [0, 0], opens = ["gate"] }]
///     door = [{ id = "gate", at = [[3, 0]] }]
/// "##)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// let mut errands = Errands::default();
/// assert!(errands.prepare(&quest, &mut Budget::unlimited()));
/// // Two steps back for the key, four to the goal.
/// assert_eq!(errands.estimate(&quest, &quest.start()), Cost::from_seconds(6.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Default)]
pub struct Errands {
    trail: Option<SharedTrail>,
    first: Vec<Thing>,
    agenda: Option<Agenda>,
    /// The last agenda, until the ways that were swept for it are taken over.
    last: Option<Agenda>,
}

/// More things than this are not kept apart: the table of rounds doubles with each.
const MOST_THINGS: usize = 10;

/// More ways to meet a goal than this are not told apart.
const MOST_FINISHES: usize = 16;

impl Errands {
    /// The round that passes by these things first.
    #[must_use]
    pub fn with_first(mut self, things: impl IntoIterator<Item = Thing>) -> Errands {
        self.first.extend(things);
        self
    }

    /// The round that keeps to the trail of what is followed, by the shortest ways to it and from
    /// it. Steps off it count `inflation` times. Where the way along a demonstration takes more
    /// than that many times the shortest, but less than `reach` times, steps along it count as much
    /// less than once as it takes to prefer it; along those that take longer they count once. The trail is laid when it is needed, and clones share
    /// it.
    #[must_use]
    pub fn along(mut self, following: Following, inflation: f64, reach: f64) -> Errands {
        self.trail = Some(SharedTrail::new(following, inflation, reach));
        self
    }

    /// Whether it is nothing but the simpler quest, and so a lower bound.
    fn is_plain(&self) -> bool {
        self.trail.is_none() && self.first.is_empty()
    }
}

impl<Q: Quest> Heuristic<Q> for Errands {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let Some(agenda) = &self.agenda else {
            debug_assert!(false, "prepare comes before the first estimate");
            return Cost::ZERO;
        };
        let settled = agenda.settled(&quest.view(state));
        agenda.left(settled, quest.place(state))
    }

    fn promise(&self) -> Promise {
        if self.is_plain() {
            Promise::Consistent
        } else {
            Promise::None
        }
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        let trail = match &mut self.trail {
            Some(shared) => match shared.laid(quest, budget) {
                Some(trail) => Some(trail),
                None => return false,
            },
            None => None,
        };
        let laid = trail.as_deref();
        let (scenario, goal) = (quest.scenario(), quest.goal());
        let key = AgendaKey {
            scenario: scenario.layout_digest(),
            goal: format!("{goal:?}"),
            start: laid.map(|_| quest.place(&quest.start())),
            locked: locked(scenario, quest.start_world()),
        };
        if self.agenda.as_ref().is_none_or(|agenda| agenda.key != key) {
            let plain = self.is_plain();
            let trail = laid.map(|laid| laid.trail.clone());
            let agenda = Agenda::new(scenario, goal, &self.first, plain, trail, key);
            // One that has not taken anything over yet has not swept anything, either.
            let replaced = self.agenda.replace(agenda);
            self.last = self.last.take().or(replaced);
        }
        let (map, speed) = (scenario.map(), quest.top_speed());
        let Some(agenda) = &mut self.agenda else {
            return true;
        };
        if let Some(laid) = laid
            && !agenda.add_corridors(map, laid, budget)
        {
            return false;
        }
        if let Some(last) = self.last.take() {
            agenda.take_over(last);
        }
        agenda.work_out(map, speed, budget)
    }
}

/// A set of things, a bit each, by their place in [`Agenda::things`].
type Things = u32;

/// Everything that is known once the scenario, the goal and the locked doors are.
#[derive(Clone)]
struct Agenda {
    key: AgendaKey,
    /// The trail that steps are priced by.
    trail: Option<Arc<Trail>>,
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
struct AgendaKey {
    scenario: u64,
    goal: String,
    /// Where the ways to demonstrations begin, if there are any.
    start: Option<usize>,
    /// The doors that count as shut until somebody opens them.
    locked: Vec<DoorId>,
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
    field: Field,
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
    /// Where one must be.
    field: Field,
}

/// The cost from everywhere to the nearest of some places, through no door that is shut.
#[derive(Clone, Default)]
struct Field {
    /// The places; `None` if being anywhere will do.
    places: Option<Vec<usize>>,
    /// Other places from which there is a way at this cost.
    shortcuts: Vec<(usize, Cost)>,
    costs: Vec<Cost>,
    /// For each place the number of the shortcut it is best to take; only if there are any.
    by: Vec<u32>,
    open: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl Agenda {
    fn new(
        scenario: &Scenario,
        goal: &Goal,
        first: &[Thing],
        plain: bool,
        trail: Option<Arc<Trail>>,
        key: AgendaKey,
    ) -> Agenda {
        let mut things: Vec<Thing> = Vec::new();
        let note = |things: &mut Vec<Thing>, thing: Thing| {
            if things.len() < MOST_THINGS && !things.contains(&thing) {
                things.push(thing);
            }
        };
        // Others might pull and open too, so a lower bound can't count on levers and doors then.
        let alone = scenario.actors().len() == 1 || !plain;
        for leaf in goal.leaves() {
            match leaf {
                Goal::Holds(item) => note(&mut things, Thing::Item(*item)),
                Goal::LeverOn(lever) if alone => note(&mut things, Thing::Lever(*lever)),
                Goal::DoorOpen(door) if alone && key.locked.contains(door) => {
                    note(&mut things, Thing::Door(*door));
                }
                // Enemies come along by themselves, so where they are now bounds nothing.
                Goal::Dead(agent) if !plain => note(&mut things, Thing::Agent(*agent)),
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
        for id in key.locked.iter().copied().filter(|_| alone) {
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
        agenda.add_stops(scenario, &shut);
        let first = first
            .iter()
            .fold(0, |bits, thing| bits | agenda.bit(*thing));
        let finishes = agenda.finishes_of(goal, scenario.map());
        agenda.finishes = finishes
            .into_iter()
            .map(|(needs, at)| Finish {
                needs: needs | first,
                field: Field::to(at),
            })
            .collect();
        agenda
    }

    fn bit(&self, thing: Thing) -> Things {
        let place = self.things.iter().position(|known| *known == thing);
        place.map_or(0, |place| 1 << place)
    }

    fn add_stops(&mut self, scenario: &Scenario, shut: &[DoorId]) {
        let map = scenario.map();
        for thing in self.things.clone() {
            let settles = self.bit(thing);
            let (places, settles) = match thing {
                Thing::Item(item) => (scenario.places_at_hand(item), settles),
                Thing::Lever(lever) => {
                    let opened = self.opened_by(scenario, lever);
                    (scenario.places_at_lever(lever), settles | opened)
                }
                Thing::Agent(agent) => {
                    let at = map.spot_of(scenario.place_of(Thing::Agent(agent)));
                    let places = map.places_on_floor(at.point(), at.height, FIGHTING_DISTANCE);
                    (places, settles)
                }
                // A door is a stop by itself, below.
                Thing::Door(_) => continue,
            };
            self.stops.push(Stop {
                field: Field::to(Some(places)),
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
                field: Field::to(Some(places)),
                settles: own,
                unlocked_by: Some(unlocked_by),
            });
        }
    }

    /// Adds the ways from the start to demonstrations, and from their ends to the goal; one unit of
    /// budget for each demonstration.
    fn add_corridors(&mut self, map: &Map, laid: &LaidTrail, budget: &mut Budget<'_>) -> bool {
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
                let shortcuts = &mut self.finishes[number].field.shortcuts;
                let leads_to = LeadsTo::Finish {
                    finish: number as u32,
                    shortcut: shortcuts.len() as u32,
                };
                shortcuts.push((*end as usize, cost));
                self.add_corridor(&way, leads_to, price);
            }
        }
        true
    }

    /// Takes over whatever was swept for the last agenda and would be swept again. To be called when
    /// the corridors are known, because some of them are shortcuts.
    fn take_over(&mut self, last: Agenda) {
        let same_trail = match (&self.trail, &last.trail) {
            (Some(trail), Some(last)) => Arc::ptr_eq(trail, last),
            (trail, last) => trail.is_none() && last.is_none(),
        };
        if !same_trail || self.key.scenario != last.key.scenario || self.is_shut != last.is_shut {
            return;
        }
        let stops = last.stops.into_iter().map(|stop| stop.field);
        let finishes = last.finishes.into_iter().map(|finish| finish.field);
        let mut swept: Vec<Field> = stops.chain(finishes).collect();
        let stops = self.stops.iter_mut().map(|stop| &mut stop.field);
        let finishes = self.finishes.iter_mut().map(|finish| &mut finish.field);
        for field in stops.chain(finishes) {
            let same = |other: &Field| {
                field.costs.is_empty()
                    && other.places == field.places
                    && other.shortcuts == field.shortcuts
            };
            if let Some(number) = swept.iter().position(same) {
                *field = swept.swap_remove(number);
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
    fn finishes_of(&self, goal: &Goal, map: &Map) -> Vec<(Things, Option<Vec<usize>>)> {
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
            Goal::Dead(agent) => settle(Thing::Agent(*agent)),
            Goal::Not(_) | Goal::AgentWithin { .. } => vec![(0, None)],
            Goal::Any(goals) => {
                let ways = goals.iter().flat_map(|goal| self.finishes_of(goal, map));
                ways.collect()
            }
            Goal::All(goals) => {
                let mut ways: Vec<(Things, Option<Vec<usize>>)> = vec![(0, None)];
                for goal in goals {
                    let more = self.finishes_of(goal, map);
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

    /// What is settled in a situation.
    #[inline]
    fn settled<S: Situation>(&self, situation: &S) -> Things {
        let mut settled = 0;
        for (place, thing) in self.things.iter().enumerate() {
            settled |= Things::from(thing.is_settled(situation)) << place;
        }
        settled
    }

    /// Sweeps the fields, one unit of budget for each place, and then works out the rounds.
    fn work_out(&mut self, map: &Map, speed: f64, budget: &mut Budget<'_>) -> bool {
        let trail = self.trail.as_deref();
        let stops = self.stops.iter_mut().map(|stop| &mut stop.field);
        let finishes = self.finishes.iter_mut().map(|finish| &mut finish.field);
        for field in stops.chain(finishes).skip(self.swept) {
            if !field.sweep(map, speed, trail, &self.is_shut, budget) {
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
                    .filter(|(_, finish)| finish.needs & !bits == 0)
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
    fn left(&self, settled: Things, place: usize) -> Cost {
        let mut least = self.left_by_fields(settled, place);
        let from = self
            .corridors
            .partition_point(|corridor| (corridor.place as usize) < place);
        let here = self.corridors[from..].iter();
        for corridor in here.take_while(|corridor| corridor.place as usize == place) {
            let onward = match corridor.leads_to {
                LeadsTo::Beginning(beginning) => self.left_by_fields(settled, beginning as usize),
                LeadsTo::Finish { finish, .. }
                    if self.finishes[finish as usize].needs & !settled == 0 =>
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
            if finish.needs & !settled == 0 {
                least = least.min(finish.field.at(place));
            }
        }
        for (stop, onward) in &self.next[settled as usize] {
            least = least.min(self.stops[*stop].field.at(place) + *onward);
        }
        least
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

impl Field {
    fn to(places: Option<Vec<usize>>) -> Field {
        Field {
            places,
            ..Field::default()
        }
    }

    fn sweep(
        &mut self,
        map: &Map,
        speed: f64,
        trail: Option<&Trail>,
        is_shut: &[bool],
        budget: &mut Budget<'_>,
    ) -> bool {
        let Some(places) = &self.places else {
            return true;
        };
        if self.costs.is_empty() {
            self.costs.resize(map.places(), Cost::INFINITE);
            if !self.shortcuts.is_empty() {
                self.by.resize(map.places(), NO_SHORTCUT);
            }
            let there = places.iter().map(|place| (*place, Cost::ZERO, NO_SHORTCUT));
            let shortcuts = (0..).zip(&self.shortcuts);
            let shortcuts = shortcuts.map(|(number, (place, cost))| (*place, *cost, number));
            for (place, cost, number) in there.chain(shortcuts) {
                if map.is_walkable(place) && cost < self.costs[place] {
                    self.costs[place] = cost;
                    self.open.push(Reverse((cost, place as u32)));
                    if let Some(by) = self.by.get_mut(place) {
                        *by = number;
                    }
                }
            }
        }
        while let Some(Reverse((cost, place))) = self.open.peek().copied() {
            let place = place as usize;
            // From a door on one only comes by opening it, which is a stop by itself.
            let is_barred = is_shut[place] && !cost.eq(&Cost::ZERO);
            if cost > self.costs[place] || is_barred {
                self.open.pop();
                continue;
            }
            if !budget.take() {
                return false;
            }
            self.open.pop();
            for step in map.steps_to(place) {
                let mut price = step.cost(speed);
                if let Some(trail) = trail {
                    price = trail.price(map, step.place, place, price);
                }
                let total = cost + price;
                if total < self.costs[step.place] {
                    self.costs[step.place] = total;
                    self.open.push(Reverse((total, step.place as u32)));
                    if !self.by.is_empty() {
                        self.by[step.place] = self.by[place];
                    }
                }
            }
        }
        true
    }

    #[inline]
    fn at(&self, place: usize) -> Cost {
        match &self.places {
            Some(_) => self.costs.get(place).copied().unwrap_or(Cost::INFINITE),
            None => Cost::ZERO,
        }
    }

    /// The cost from the nearest of some places; nothing from anywhere.
    fn least_from(&self, places: Option<&[usize]>) -> Cost {
        let Some(places) = places else {
            return Cost::ZERO;
        };
        let costs = places.iter().map(|place| self.at(*place));
        costs.min().unwrap_or(Cost::INFINITE)
    }
}

/// In [`Field::by`]: straight to the places themselves.
const NO_SHORTCUT: u32 = u32::MAX;

/// How near one must come to fight somebody.
const FIGHTING_DISTANCE: f64 = 1.5;

/// The doors that count as shut until somebody opens them, in a quest that begins in this world.
///
/// Those that stand open are none of them, even if a lever shuts them later: that makes the bound
/// lower, never wrong. Except where a key of theirs is held or a lever of theirs has been pulled:
/// whoever did that gets through in either case, so it makes no difference to the rounds, and
/// whatever was swept before a character opened a door serves after it, too.
fn locked(scenario: &Scenario, start: &World) -> Vec<DoorId> {
    let doors = (0..).map(DoorId::new).zip(scenario.doors());
    let locked = doors.filter(|(id, door)| {
        let is_shut = || !start.is_open(*id);
        let was_unlocked = || {
            scenario
                .keys_of(*id)
                .any(|key| start.holds(AgentId::NPC, key))
                || scenario.levers_of(*id).any(|lever| start.is_on(lever))
        };
        door.cycle.is_none() && (is_shut() || !door.starts_open && was_unlocked())
    });
    locked.map(|(id, _)| id).collect()
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

/// The items a round should pass by first because no door asks for them: shields.
pub(crate) fn worth_fetching(scenario: &Scenario, events: &[Thing]) -> Vec<Thing> {
    let opens_something = |item: ItemId| {
        let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        doors
            .into_iter()
            .any(|door| scenario.keys_of(door).any(|key| key == item))
    };
    let is_worth = |thing: &&Thing| matches!(thing, Thing::Item(item) if !opens_something(*item));
    events.iter().filter(is_worth).copied().collect()
}
