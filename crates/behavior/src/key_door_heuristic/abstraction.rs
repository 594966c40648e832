//! Everything that is to be fetched, pulled and passed, got ready a little at a time.

use std::sync::Arc;

use apprentice_game::{Aim, Game, Ground, Landmark, LandmarkId, Pace};
use apprentice_search::{Budget, Cost};

use super::corridors::{Corridor, Corridors, LeadsTo, PayFor};
use super::field::{Field, Onward, StepPrices};
use super::field_pool::{FieldGround, FieldPool};
use super::rounds::{Errand, Legs, Needs, Rounds, Things};
use crate::Trail;
use crate::danger::{DangerKey, Prices};
use crate::place_table::PlaceTable;
use crate::tgraph_heuristic::Approach;
use crate::trail::LaidTrail;

/// More things than this are not kept apart: the table of rounds doubles with each.
const MOST_THINGS: usize = 10;

/// More ways to meet a goal than this are not told apart.
const MOST_FINISHES: usize = 16;

/// Everything that is known once the scenario, the goal and the locked doors are.
pub(super) struct KeyDoorAbstraction {
    pub(super) key: AgendaKey,
    /// What steps are priced by.
    trail: Option<Arc<Trail>>,
    danger: Option<Arc<Prices>>,
    things: Vec<LandmarkId>,
    /// Those of them that take a while once one is there.
    fights: Vec<(u32, LandmarkId)>,
    /// Places of doors that stop whoever has no key.
    is_shut: PlaceTable<()>,
    /// What fields are swept over.
    ground: Arc<FieldGround>,
    stops: Vec<Stop>,
    finishes: Vec<Finish>,
    corridors: Corridors,
    approaching: Approaching,
    /// How many fields are swept: of the stops first, then of the finishes.
    swept: usize,
    legs: Legs,
    rounds: Arc<Rounds>,
    /// Whether all of them are, and the rounds are worked out.
    is_grounded: bool,
    /// What was taken over from another start, if it was.
    groundwork: Option<Arc<Groundwork>>,
    idle: Option<IdleSearch>,
}

/// What agendas have in common that differ only in where the search begins.
pub(super) struct Groundwork {
    key: AgendaKey,
    trail: Option<Arc<Trail>>,
    /// The ways from demonstrations to the goal.
    onward: Vec<OnwardWay>,
    stops: Vec<Stop>,
    finishes: Vec<Finish>,
    rounds: Arc<Rounds>,
    /// For each finish, where ways to it have been, and which of its shortcuts they take.
    met: Vec<PlaceTable<Option<u32>>>,
    /// The shortcuts taken from wherever something is fetched, by finish and number.
    taken: Vec<(u32, u32)>,
}

/// A way from a demonstration to the goal, which is the only one between its ends: so many places, where
/// it begins and how long it takes.
type OnwardWay = (usize, Option<(u32, f64)>);

fn onward_way(approach: &Approach) -> OnwardWay {
    (approach.to_goal.len(), approach.to_goal.first().copied())
}

/// The way to a demonstration, or from it, that is looked at next.
#[derive(Default)]
struct Approaching {
    /// The number of the demonstration, and whether it is about the way from it.
    next: (usize, bool),
    /// Those of its places that were looked at, each with what the rest of the way counts.
    places: Vec<(u32, Cost)>,
    /// So many places may be looked at before the next unit of budget.
    paid: usize,
}

/// Which shortcuts to finishes are taken by whoever begins the last leg of a round.
#[derive(Default)]
struct IdleSearch {
    /// Where it may begin: first where a round from the start does, then wherever something is fetched.
    begins: Vec<usize>,
    /// The number of the finish, and how many ways to it were followed.
    number: usize,
    begun: usize,
    /// How far the next one was followed, and by which places.
    here: Option<usize>,
    behind: Vec<usize>,
    /// So many steps may be followed before the next unit of budget.
    paid: usize,
    /// For each finish, where ways to it have been, and which of its shortcuts they take.
    met: Vec<PlaceTable<Option<u32>>>,
    /// By finish and shortcut: from the start, and from elsewhere.
    taken: Vec<(u32, u32)>,
    taken_elsewhere: Vec<(u32, u32)>,
}

/// So many places of a way are looked at for a unit of budget.
const PLACES_AT_ONCE: usize = 256;
/// A way takes as long as so many places besides.
const A_WAY: usize = 16;
/// So many steps of a way are followed for a unit of budget.
const STEPS_AT_ONCE: usize = 16;

/// What an agenda is made for.
#[derive(Clone, PartialEq)]
pub(super) struct AgendaKey {
    pub(super) level: u64,
    pub(super) aim: Aim,
    /// Where the ways to demonstrations begin, if there are any.
    pub(super) start: Option<usize>,
    /// What is to be fetched first.
    pub(super) first: Vec<LandmarkId>,
    /// Whether it is a lower bound.
    pub(super) is_plain: bool,
    /// From where those are met who move, unless that does not matter.
    pub(super) moving: Vec<(LandmarkId, Vec<usize>)>,
    /// What counts as shut until somebody opens it.
    pub(super) locked: Vec<LandmarkId>,
    /// What can never be done any more.
    pub(super) gone: Vec<LandmarkId>,
    /// What others might do.
    pub(super) left_to_others: Vec<LandmarkId>,
    /// The enemies that steps are priced by.
    pub(super) danger: Option<DangerKey>,
}

/// Somewhere to go on the way.
#[derive(Clone)]
struct Stop {
    field: Arc<Field>,
    errand: Errand,
}

/// A way to meet the goal.
#[derive(Clone)]
struct Finish {
    needs: Needs,
    /// Where one must be.
    field: Arc<Field>,
}

impl KeyDoorAbstraction {
    pub(super) fn new<Q: Game>(
        game: &Q,
        trail: Option<Arc<Trail>>,
        danger: Option<Arc<Prices>>,
        key: AgendaKey,
    ) -> KeyDoorAbstraction {
        let (first, is_plain) = (key.first.clone(), key.is_plain);
        let landmarks = game.landmarks();
        let mut things: Vec<LandmarkId> = Vec::new();
        let note = |things: &mut Vec<LandmarkId>, thing: LandmarkId| {
            if things.len() < MOST_THINGS && !things.contains(&thing) {
                things.push(thing);
            }
        };
        for part in key.aim.parts() {
            let Aim::Done(id) = part else { continue };
            let Some(mark) = landmarks.get(id.index()) else {
                continue;
            };
            let counts = if mark.bars {
                key.locked.contains(id)
            } else if mark.moves {
                // Whoever moves comes along by itself, so where it is now bounds nothing; but it may have
                // a territory.
                !is_plain || key.moving.iter().any(|(moving, _)| moving == id)
            } else {
                // Others might do it too, so a lower bound can't count on that.
                !key.left_to_others.contains(id)
            };
            if counts {
                note(&mut things, *id);
            }
        }
        for thing in &first {
            note(&mut things, *thing);
        }
        // Where keys are used up, holding one no longer says which doors are open, so every door
        // has to remember it.
        let uses_up = landmarks.iter().any(|mark| mark.uses_up);
        let mut shut: Vec<LandmarkId> = Vec::new();
        for id in key.locked.iter().copied() {
            let mut wanted = landmarks[id.index()].opened_by.clone();
            // Whoever moves comes along by itself, so what it opens may be open at once.
            if is_plain && wanted.iter().any(|opener| landmarks[opener.index()].moves) {
                continue;
            }
            if uses_up {
                wanted.push(id);
            }
            wanted.retain(|thing| !things.contains(thing));
            // A door too many is as good as open: that makes the bound lower, never wrong.
            if things.len() + wanted.len() <= MOST_THINGS {
                things.extend(wanted);
                shut.push(id);
            }
        }
        things.retain(|thing| !landmarks[thing.index()].bars || shut.contains(thing));
        let places = game.ground().places();
        let mut is_shut = PlaceTable::new(places);
        let mut shut_places: Vec<usize> = Vec::new();
        for door in &shut {
            shut_places.extend(&landmarks[door.index()].places);
        }
        shut_places.sort_unstable();
        shut_places.dedup();
        for place in &shut_places {
            is_shut.get_or_insert_with(*place, || ());
        }
        let ground = FieldGround {
            level: key.level,
            shut: shut_places,
            trail: trail.as_ref().map(Arc::downgrade),
            danger: key.danger.clone(),
        };
        let mut agenda = KeyDoorAbstraction {
            key,
            trail,
            danger,
            is_shut,
            ground: Arc::new(ground),
            stops: Vec::new(),
            finishes: Vec::new(),
            corridors: Corridors::new(places),
            approaching: Approaching::default(),
            swept: 0,
            legs: Legs::default(),
            rounds: Arc::default(),
            is_grounded: false,
            groundwork: None,
            idle: None,
            fights: Vec::new(),
            things,
        };
        agenda.add_stops(game, &shut);
        let first = first
            .iter()
            .fold(0, |bits, thing| bits | agenda.bit(*thing));
        let finishes = agenda.finishes_of(&agenda.key.aim.clone(), game);
        agenda.finishes = finishes
            .into_iter()
            .map(|(all_of, at)| Finish {
                needs: Needs {
                    all_of,
                    one_of: first,
                },
                field: Arc::new(Field::to(at)),
            })
            .collect();
        agenda.legs = Legs::new(agenda.stops.len(), agenda.finishes.len());
        let errands = agenda.stops.iter().map(|stop| stop.errand).collect();
        let needs = agenda.finishes.iter().map(|finish| finish.needs).collect();
        agenda.rounds = Arc::new(Rounds::new(agenda.things.len(), errands, needs));
        agenda
    }

    /// Whether it is made for this, and for the same trail.
    pub(super) fn is_for(&self, key: &AgendaKey, trail: Option<&Arc<Trail>>) -> bool {
        self.key == *key && is_same_trail(self.trail.as_ref(), trail)
    }

    /// Whether nothing was done yet.
    pub(super) fn is_untouched(&self) -> bool {
        !self.is_grounded && self.approaching.next == (0, false) && self.approaching.paid == 0
    }

    /// Whether this is what does not depend on the start.
    pub(super) fn stands_on(&self, known: &Groundwork, laid: &LaidTrail) -> bool {
        is_same_trail(self.trail.as_ref(), known.trail.as_ref())
            && self.key.is_as(&known.key)
            && laid
                .approaches
                .iter()
                .map(onward_way)
                .eq(known.onward.iter().copied())
    }

    /// Takes over what somebody else has worked out who begins elsewhere.
    pub(super) fn take_over(&mut self, known: Arc<Groundwork>) {
        self.stops.clone_from(&known.stops);
        self.finishes.clone_from(&known.finishes);
        self.rounds = known.rounds.clone();
        self.groundwork = Some(known);
        self.is_grounded = true;
    }

    /// What others can take over who begin elsewhere, once everything is worked out; none if it was
    /// taken over from others.
    pub(super) fn groundwork(&mut self, laid: &LaidTrail) -> Option<Arc<Groundwork>> {
        let idle = self.idle.take().unwrap_or_default();
        if self.groundwork.is_some() {
            return None;
        }
        Some(Arc::new(Groundwork {
            key: self.key.clone(),
            trail: self.trail.clone(),
            onward: laid.approaches.iter().map(onward_way).collect(),
            stops: self.stops.clone(),
            finishes: self.finishes.clone(),
            rounds: self.rounds.clone(),
            met: idle.met,
            taken: idle.taken_elsewhere,
        }))
    }

    fn bit(&self, thing: LandmarkId) -> Things {
        let place = self.things.iter().position(|known| *known == thing);
        place.map_or(0, |place| 1 << place)
    }

    fn add_stops<Q: Game>(&mut self, game: &Q, shut: &[LandmarkId]) {
        let landmarks = game.landmarks();
        for (number, thing) in self.things.clone().into_iter().enumerate() {
            let mark = &landmarks[thing.index()];
            // What bars is a stop by itself, below.
            if mark.bars {
                continue;
            }
            let mut moving = self.key.moving.iter();
            let met_from = moving.find(|(moving, _)| *moving == thing);
            let met_from = met_from.map(|(_, places)| places.clone());
            if mark.moves {
                // How long fights take is no part of a lower bound: not all of them may be needed.
                if !self.key.is_plain {
                    self.fights.push((number as u32, thing));
                }
            } else if self.key.gone.contains(&thing) {
                // Whoever has it has it, and nobody else finds it.
                continue;
            }
            let opens = mark.opens.iter();
            let settles = opens.fold(self.bit(thing), |bits, door| bits | self.bit(*door));
            match met_from {
                Some(places) => self.add_stop(places, settles, None),
                None => self.add_stops_for(game, settles, game.places_of(thing), shut),
            }
        }
        for door in shut {
            let mark = &landmarks[door.index()];
            self.stops.push(Stop {
                field: Arc::new(Field::to_door(mark.places.clone())),
                errand: Errand {
                    settles: self.bit(*door),
                    unlocked_by: Some(self.unlocks(*door, mark)),
                },
            });
        }
    }

    /// One of these must be settled before a door lets anybody in.
    fn unlocks(&self, door: LandmarkId, mark: &Landmark) -> Things {
        let openers = mark.opened_by.iter();
        openers.fold(self.bit(door), |bits, thing| bits | self.bit(*thing))
    }

    /// Adds the stops at which something is fetched: one for each side of a door from which it is within
    /// reach, for nobody comes through a door by reaching for something. Where it lies in a doorway, nobody
    /// is there before that door is open.
    fn add_stops_for<Q: Game>(
        &mut self,
        game: &Q,
        settles: Things,
        mut places: Vec<usize>,
        shut: &[LandmarkId],
    ) {
        for door in shut {
            let mark = &game.landmarks()[door.index()];
            let in_doorway = |place: &usize| mark.places.contains(place);
            let (inside, outside) = places.into_iter().partition(in_doorway);
            places = outside;
            self.add_stop(inside, settles, Some(self.unlocks(*door, mark)));
        }
        let ground = &**game.ground();
        let pace = Pace::new(game.top_speed(), ground.spacing());
        while let Some(first) = places.pop() {
            let (mut side, mut next) = (vec![first], 0);
            while let Some(place) = side.get(next).copied() {
                next += 1;
                ground.each_step_from(place, &pace, |step| {
                    if let Some(known) = places.iter().position(|other| *other == step.place) {
                        side.push(places.swap_remove(known));
                    }
                });
            }
            side.sort_unstable();
            self.add_stop(side, settles, None);
        }
    }

    fn add_stop(&mut self, places: Vec<usize>, settles: Things, unlocked_by: Option<Things>) {
        if !places.is_empty() {
            self.stops.push(Stop {
                field: Arc::new(Field::to(Some(places))),
                errand: Errand {
                    settles,
                    unlocked_by,
                },
            });
        }
    }

    /// Adds the ways from the start to demonstrations, and from their ends to the goal; a unit of
    /// budget for each, and for every so many of its places.
    pub(super) fn add_corridors(&mut self, laid: &LaidTrail, budget: &mut Budget<'_>) -> bool {
        while let Some(approach) = laid.approaches.get(self.approaching.next.0) {
            // Whoever takes over what others have worked out has little to do for each.
            if !self.is_grounded || self.approaching.paid == 0 {
                if !budget.take() {
                    return false;
                }
                self.approaching.paid = PLACES_AT_ONCE;
            }
            let Approaching { next, places, paid } = &mut self.approaching;
            let way = if next.1 {
                &approach.to_goal
            } else {
                &approach.to_beginning
            };
            let price = |seconds| laid.trail.price_along(seconds, approach.is_within_reach);
            let more = way[places.len()..].iter().take(PLACES_AT_ONCE);
            let is_open = |place: &u32| !self.is_shut.contains(*place as usize);
            let open = more.clone().take_while(|(place, _)| is_open(place));
            let (count, before) = (more.len(), places.len());
            *paid = paid.saturating_sub(count.max(A_WAY));
            places.extend(open.map(|(place, seconds)| (*place, price(*seconds))));
            let is_barred = places.len() < before + count;
            if !is_barred && places.len() < way.len() {
                continue;
            }
            let places = std::mem::take(places);
            let is_onward = next.1;
            *next = if is_onward {
                (next.0 + 1, false)
            } else {
                (next.0, true)
            };
            if !is_barred {
                self.add_corridor(places, is_onward);
            }
        }
        true
    }

    /// Adds the way to a demonstration, or from it.
    fn add_corridor(&mut self, places: Vec<(u32, Cost)>, is_onward: bool) {
        let ([(begin, cost), ..], Some((end, _))) = (&places[..], places.last()) else {
            return;
        };
        if !is_onward {
            let leads_to = LeadsTo::Beginning(*end);
            self.corridors.add(Corridor { leads_to, places });
            return;
        }
        let is_there = |finish: &Finish| {
            let places = finish.field.places.as_ref();
            places.is_some_and(|places| places.contains(&(*end as usize)))
        };
        let Some(number) = self.finishes.iter().position(is_there) else {
            return;
        };
        let shortcut = (*begin as usize, *cost);
        let field = &mut self.finishes[number].field;
        let known = field.shortcuts.iter().position(|known| *known == shortcut);
        let known = match known.filter(|_| self.is_grounded) {
            Some(known) => known,
            // Nobody shares a field before it is swept.
            None => {
                let Some(field) = Arc::get_mut(field) else {
                    return;
                };
                field.shortcuts.push(shortcut);
                field.shortcuts.len() - 1
            }
        };
        let leads_to = LeadsTo::Finish {
            finish: number as u32,
            shortcut: known as u32,
        };
        self.corridors.add(Corridor { leads_to, places });
    }

    /// Ways to meet an aim: what must be settled, and where one must be. Whatever can't be said
    /// this way is left out.
    fn finishes_of<Q: Game>(&self, aim: &Aim, game: &Q) -> Vec<(Things, Option<Vec<usize>>)> {
        let mut ways = match aim {
            Aim::Within {
                x,
                y,
                height,
                radius,
            } => vec![(0, Some(game.ground().within(*x, *y, *height, *radius)))],
            Aim::At(places) => vec![(0, Some(places.clone()))],
            Aim::Done(landmark) if self.key.gone.contains(landmark) => Vec::new(),
            Aim::Done(landmark) => vec![(self.bit(*landmark), None)],
            Aim::Any(aims) => {
                let ways = aims.iter().flat_map(|aim| self.finishes_of(aim, game));
                ways.collect()
            }
            Aim::All(aims) => {
                let mut ways: Vec<(Things, Option<Vec<usize>>)> = vec![(0, None)];
                for aim in aims {
                    let more = self.finishes_of(aim, game);
                    let both = ways
                        .iter()
                        .flat_map(|way| more.iter().map(|other| together(way, other)));
                    ways = both.take(MOST_FINISHES + 1).collect();
                }
                ways
            }
            _ => vec![(0, None)],
        };
        if ways.len() > MOST_FINISHES {
            ways = vec![(0, None)];
        }
        ways
    }

    /// What is settled in a state.
    #[inline]
    pub(super) fn settled<Q: Game>(&self, game: &Q, state: &Q::State) -> Things {
        let mut settled = 0;
        for (place, thing) in self.things.iter().enumerate() {
            settled |= Things::from(game.is_done(state, *thing)) << place;
        }
        settled
    }

    /// The time that fights still take which have to be won.
    #[inline]
    pub(super) fn fights_left<Q: Game>(&self, settled: Things, game: &Q, state: &Q::State) -> Cost {
        let mut left = Cost::ZERO;
        for (place, thing) in &self.fights {
            if settled >> place & 1 == 0 {
                left = left + game.time_left(state, *thing);
            }
        }
        left
    }

    /// Sweeps the fields, unless others have, and then works out the rounds.
    pub(super) fn lay_ground<G: Ground>(
        &mut self,
        ground: &G,
        speed: f64,
        pool: &FieldPool,
        budget: &mut Budget<'_>,
    ) -> bool {
        if self.is_grounded {
            return true;
        }
        let (trail, danger) = (self.trail.as_deref(), self.danger.as_deref());
        let prices = StepPrices::new(ground, speed, trail, danger, &self.is_shut);
        let stops = self.stops.iter_mut().map(|stop| &mut stop.field);
        let finishes = self.finishes.iter_mut().map(|finish| &mut finish.field);
        for field in stops.chain(finishes).skip(self.swept) {
            let Some(swept) = pool.sweep(&self.ground, field, &prices, budget) else {
                return false;
            };
            *field = swept;
            self.swept += 1;
        }
        let measured = self.legs.go_on(budget, |from, to| {
            let field = match to {
                Ok(stop) => &self.stops[stop].field,
                Err(finish) => &self.finishes[finish].field,
            };
            field.least_from(self.stops[from].field.places.as_deref())
        });
        // Nobody shares rounds before they are worked out.
        let rounds = Arc::get_mut(&mut self.rounds);
        if !measured || rounds.is_some_and(|rounds| !rounds.go_on(&self.legs, budget)) {
            return false;
        }
        self.is_grounded = true;
        true
    }

    /// Works out what depends on the start.
    pub(super) fn work_out<G: Ground>(
        &mut self,
        ground: &G,
        speed: f64,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (trail, danger) = (self.trail.as_deref(), self.danger.as_deref());
        let prices = StepPrices::new(ground, speed, trail, danger, &self.is_shut);
        let mut idle = self.idle.take().unwrap_or_else(|| self.begin_idle_search());
        if !self.go_on_idle(&mut idle, ground, &prices, budget) {
            self.idle = Some(idle);
            return false;
        }
        let known = self.groundwork.as_ref();
        self.corridors.retain(|leads_to| match leads_to {
            LeadsTo::Beginning(_) => true,
            LeadsTo::Finish { finish, shortcut } => {
                let it = (finish, shortcut);
                let known = || known.is_some_and(|known| known.taken.contains(&it));
                idle.taken.contains(&it) || idle.taken_elsewhere.contains(&it) || known()
            }
        });
        self.idle = Some(idle);
        let pay = match self.groundwork {
            Some(_) => PayFor::Places,
            None => PayFor::Ways,
        };
        self.corridors.lay(pay, budget)
    }

    /// Begins to look for the ways from the ends of demonstrations that a round from the start does
    /// not go to: whoever follows another one would leave it where it crosses such a way.
    fn begin_idle_search(&self) -> IdleSearch {
        let Some(start) = self.key.start else {
            return IdleSearch::default();
        };
        let mut from = vec![(self.left_by_fields(0, start), start)];
        for way in self.corridors.ways() {
            let LeadsTo::Beginning(beginning) = way.leads_to else {
                continue;
            };
            let onward = self.left_by_fields(0, beginning as usize);
            let here = way
                .places
                .iter()
                .filter(|(place, _)| *place as usize == start);
            from.extend(here.map(|(_, cost)| (*cost + onward, beginning as usize)));
        }
        // The last leg of a round begins there, or wherever something is fetched.
        let begins = from.into_iter().min().map(|(_, place)| place);
        let stops = self.stops.iter().filter(|_| self.groundwork.is_none());
        let stops = stops.filter_map(|stop| stop.field.places.as_ref());
        IdleSearch {
            begins: begins.into_iter().chain(stops.flatten().copied()).collect(),
            // What is left of the last unit that was taken to look at places.
            paid: self.approaching.paid * STEPS_AT_ONCE / PLACES_AT_ONCE,
            ..IdleSearch::default()
        }
    }

    /// Goes on with it, a unit of budget for every so many steps of a way. False: the budget is spent,
    /// call again.
    fn go_on_idle<G: Ground>(
        &self,
        idle: &mut IdleSearch,
        ground: &G,
        prices: &StepPrices<'_, G>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let known = self.groundwork.as_ref();
        while let Some(finish) = self.finishes.get(idle.number) {
            if idle.met.len() == idle.number {
                idle.met.push(PlaceTable::new(ground.places()));
            }
            let begin = idle.begins.get(idle.begun).copied();
            let Some(begin) = begin.filter(|_| !finish.field.shortcuts.is_empty()) else {
                (idle.number, idle.begun) = (idle.number + 1, 0);
                continue;
            };
            // Whoever takes over what others have worked out has few steps to go for each.
            if known.is_none() || idle.paid == 0 {
                if !budget.take() {
                    return false;
                }
                idle.paid = STEPS_AT_ONCE;
            }
            let known = known.and_then(|known| known.met.get(idle.number));
            let met = &mut idle.met[idle.number];
            let mut here = idle.here.unwrap_or(begin);
            let mut end = None;
            while idle.paid > 0 {
                idle.paid -= 1;
                // From where another way has been it goes on as that one did.
                let before = met
                    .get(here)
                    .or_else(|| known.and_then(|known| known.get(here)));
                if let Some(shortcut) = before {
                    end = Some(*shortcut);
                    break;
                }
                idle.behind.push(here);
                match finish.field.onward(ground, prices, here) {
                    // A way never comes back to where it has been: each step leaves less.
                    Onward::Step(next) => here = next,
                    Onward::Shortcut(shortcut) => end = Some(Some(shortcut)),
                    Onward::End => end = Some(None),
                }
                if end.is_some() {
                    break;
                }
            }
            let Some(shortcut) = end else {
                idle.here = Some(here);
                continue;
            };
            for place in idle.behind.drain(..) {
                met.get_or_insert_with(place, || shortcut);
            }
            if let Some(shortcut) = shortcut {
                let taken = match idle.begun {
                    0 => &mut idle.taken,
                    _ => &mut idle.taken_elsewhere,
                };
                taken.push((idle.number as u32, shortcut));
            }
            idle.here = None;
            idle.begun += 1;
        }
        true
    }

    /// The cost of the shortest round from a place.
    #[inline]
    pub(super) fn left(&self, settled: Things, place: usize) -> Cost {
        let mut least = self.left_by_fields(settled, place);
        for passing in self.corridors.passing(place) {
            let onward = match passing.leads_to {
                LeadsTo::Beginning(beginning) => self.left_by_fields(settled, beginning as usize),
                LeadsTo::Finish { finish, .. }
                    if self.finishes[finish as usize].needs.are_met(settled) =>
                {
                    Cost::ZERO
                }
                LeadsTo::Finish { .. } => continue,
            };
            least = least.min(passing.cost + onward);
        }
        least
    }

    /// The same by the steps of the map alone.
    #[inline]
    fn left_by_fields(&self, settled: Things, place: usize) -> Cost {
        let mut least = Cost::INFINITE;
        for finish in &self.finishes {
            if finish.needs.are_met(settled) {
                least = least.min(finish.field.at(place));
            }
        }
        for (stop, onward) in self.rounds.next(settled) {
            least = least.min(self.stops[*stop as usize].field.at(place) + *onward);
        }
        least
    }
}

/// Both ways to meet a goal at once.
fn together(
    (needs, at): &(Things, Option<Vec<usize>>),
    (more, there): &(Things, Option<Vec<usize>>),
) -> (Things, Option<Vec<usize>>) {
    let at = match (at, there) {
        (Some(at), Some(there)) => {
            let mut there = there.clone();
            there.sort_unstable();
            let both = at.iter().filter(|place| there.binary_search(place).is_ok());
            Some(both.copied().collect())
        }
        (at, there) => at.clone().or_else(|| there.clone()),
    };
    (needs | more, at)
}

/// Whether both are the same trail, or none.
fn is_same_trail(one: Option<&Arc<Trail>>, other: Option<&Arc<Trail>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

impl AgendaKey {
    /// Whether it is the same but for the start.
    fn is_as(&self, other: &AgendaKey) -> bool {
        let AgendaKey {
            level,
            aim,
            start: _,
            first,
            is_plain,
            moving,
            locked,
            gone,
            left_to_others,
            danger,
        } = self;
        *level == other.level
            && *aim == other.aim
            && *first == other.first
            && *is_plain == other.is_plain
            && *moving == other.moving
            && *locked == other.locked
            && *gone == other.gone
            && *left_to_others == other.left_to_others
            && *danger == other.danger
    }
}
