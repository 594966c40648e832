//! A game of somebody's own is carried out as ours is: characters keep going, notice what has changed,
//! and plan again; and a game that contradicts itself is told so, and nothing panics.

use std::sync::Arc;
use std::time::Duration;

use apprentice_behavior::{
    Cast, Character, Deviation, Doing, GroundCheck, PlannerName, SavedCharacter, Settings, WhyStuck,
};
use apprentice_experience::{Demonstration, Place};
use apprentice_game::{
    Aim, Condition, Game, Ground, Landmark, LandmarkId, Live, Pace, Savable, Step, Waypoints,
};
use apprentice_search::{Budget, Cost, Problem, Search, Successors};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const WIDTH: usize = 8;
const PLACES: usize = WIDTH * 6;

/// A yard with gates in it, each of which somebody may shut or open at any time; nothing opens them
/// otherwise.
#[derive(Clone)]
struct Yard {
    ground: Arc<Waypoints>,
    gates: Vec<Landmark>,
    start: Seen,
    aim: Aim,
    /// Whether steps lead to where no place is, too.
    leaks: bool,
}

/// The time in seconds, where the character is, and a bit for each gate that is shut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Seen {
    time: u64,
    place: usize,
    shut: u64,
}

fn at(place: usize) -> Place {
    Place::flat((place % WIDTH) as f64, (place / WIDTH) as f64)
}

fn beside(place: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (place % WIDTH, place / WIDTH);
    let near = [
        (x > 0).then(|| place - 1),
        (x + 1 < WIDTH).then_some(place + 1),
        (y > 0).then(|| place - WIDTH),
        (place + WIDTH < PLACES).then_some(place + WIDTH),
    ];
    near.into_iter().flatten()
}

impl Yard {
    fn new(gates: &[usize], shut: u64, goal: usize) -> Yard {
        let mut ground = Waypoints::new((0..PLACES).map(at)).expect("places are somewhere");
        for place in 0..PLACES {
            for near in beside(place) {
                ground.add(place, near, 1.0, 0.0).expect("it is there");
            }
        }
        let gate = |place: &usize| Landmark {
            bars: true,
            ..Landmark::at_place(format!("gate {place}"), at(*place), *place)
        };
        Yard {
            ground: Arc::new(ground),
            gates: gates.iter().map(gate).collect(),
            start: Seen {
                time: 0,
                place: 0,
                shut,
            },
            aim: Aim::At(vec![goal]),
            leaks: false,
        }
    }

    fn lets_in(&self, shut: u64, place: usize) -> bool {
        let mut gates = self.gates.iter().enumerate();
        !gates.any(|(number, gate)| gate.place == place && shut >> number & 1 == 1)
    }

    /// Whether a way leads from a place to the goal past what is shut: by looking everywhere.
    fn has_way(&self, from: usize, shut: u64) -> bool {
        let mut open = vec![from];
        let mut seen = [false; PLACES];
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            if self.aim == Aim::At(vec![place]) {
                return true;
            }
            open.extend(beside(place).filter(|near| self.lets_in(shut, *near)));
        }
        false
    }
}

impl Problem for Yard {
    type State = Seen;
    type Key = usize;
    type Action = Option<usize>;

    fn start(&self) -> Seen {
        self.start
    }

    fn key(&self, seen: &Seen) -> usize {
        seen.place
    }

    fn is_goal(&self, seen: &Seen) -> bool {
        self.aim == Aim::At(vec![seen.place])
    }

    fn successors(&self, seen: &Seen, out: &mut Successors<Seen, Option<usize>>) {
        if seen.place >= PLACES {
            return;
        }
        for place in beside(seen.place).filter(|near| self.lets_in(seen.shut, *near)) {
            out.push(
                Some(place),
                Seen { place, ..*seen },
                Cost::from_seconds(1.0),
            );
        }
        if self.leaks {
            let place = PLACES + seen.place;
            out.push(
                Some(place),
                Seen { place, ..*seen },
                Cost::from_seconds(1.0),
            );
        }
    }
}

impl Game for Yard {
    type Ground = Waypoints;

    fn ground(&self) -> &Arc<Waypoints> {
        &self.ground
    }

    fn place(&self, seen: &Seen) -> usize {
        seen.place
    }

    fn top_speed(&self) -> f64 {
        1.0
    }

    fn aim(&self) -> &Aim {
        &self.aim
    }

    fn level(&self) -> u64 {
        7
    }

    fn landmarks(&self) -> &[Landmark] {
        &self.gates
    }

    fn is_done(&self, seen: &Seen, gate: LandmarkId) -> bool {
        seen.shut >> gate.index() & 1 == 0
    }
}

impl Live for Yard {
    type World = Seen;
    /// Where to go; nowhere to wait.
    type Order = Option<usize>;
    type Goal = Aim;
    type Who = ();
    type Quest = Yard;
    type Failure = String;
    type Event = ();

    fn goal(&self, _who: &()) -> &Aim {
        &self.aim
    }

    fn is_met(&self, _who: &(), goal: &Aim, seen: &Seen) -> bool {
        *goal == Aim::At(vec![seen.place])
    }

    fn time(&self, seen: &Seen) -> Duration {
        Duration::from_secs(seen.time)
    }

    fn spot(&self, _who: &(), seen: &Seen) -> usize {
        seen.place
    }

    fn point(&self, place: usize) -> Place {
        self.ground.at(place)
    }

    fn quest(&self, _who: &(), from: &Seen, goal: &Aim, _margin_level: usize) -> Yard {
        Yard {
            start: *from,
            aim: goal.clone(),
            ..self.clone()
        }
    }

    fn after(&self, _who: &(), seen: &Seen, order: &Option<usize>) -> Result<(Seen, Cost), String> {
        let place = order.unwrap_or(seen.place);
        let is_near = place == seen.place || beside(seen.place).any(|near| near == place);
        if !is_near || !self.lets_in(seen.shut, place) && place != seen.place {
            return Err("a gate is shut".to_owned());
        }
        let after = Seen {
            time: seen.time + 1,
            place,
            ..*seen
        };
        Ok((after, Cost::from_seconds(1.0)))
    }

    fn wait(&self, _who: &(), _last: Option<&Option<usize>>) -> Option<usize> {
        None
    }

    fn things(&self) -> &[Landmark] {
        &self.gates
    }

    fn condition(&self, _who: &(), seen: &Seen, gate: LandmarkId) -> Condition {
        if self.is_done(seen, gate) {
            Condition::Open
        } else {
            Condition::Shut
        }
    }
}

impl Savable for Yard {
    fn digest(&self) -> u64 {
        let gates = self.gates.iter();
        gates.fold(PLACES as u64, |sum, gate| {
            sum.wrapping_mul(0x0100_0000_01B3) ^ gate.place as u64
        })
    }

    fn digest_of(&self, _who: &()) -> u64 {
        0
    }

    fn check(&self, seen: &Seen) -> Result<(), String> {
        match seen.place < PLACES && seen.time < 1 << 20 {
            true => Ok(()),
            false => Err(format!("nobody is in place {}", seen.place)),
        }
    }
}

/// Plays for so long, and lets the gates be as `gates` says at each second.
fn play(
    yard: &Yard,
    units: u64,
    seconds: u64,
    gates: impl Fn(u64) -> u64,
) -> (Character<Yard>, Seen, Vec<Deviation>) {
    let planner = Settings::default().check(yard, []);
    let planner = planner.expect("the settings fit").planner;
    let mut character = Character::new(planner, ());
    let (mut seen, mut deviations) = (yard.start, Vec::new());
    for second in 0..seconds {
        seen.shut = gates(second);
        let mut budget = Budget::units(units);
        let order = character.decide(yard, &seen, &mut budget);
        assert!(budget.taken() <= units, "it keeps to its budget");
        if character.deviation() != deviations.last() {
            deviations.extend(character.deviation().copied());
        }
        // Whoever walks against a gate stays where it is.
        let waited = Seen {
            time: seen.time + 1,
            ..seen
        };
        seen = yard
            .after(&(), &seen, &order)
            .map_or(waited, |(after, _)| after);
    }
    (character, seen, deviations)
}

#[test]
fn a_gate_that_is_shut_is_noticed_by_name_and_another_way_taken() {
    // A wall of gates from top to bottom; the way leads through the topmost.
    let gates: Vec<usize> = (0..6).map(|row| row * WIDTH + 4).collect();
    let yard = Yard::new(&gates, 0b011110, 7);
    let (character, seen, deviations) = play(&yard, 10_000, 40, |second| {
        if second < 2 { 0b011110 } else { 0b011111 }
    });
    assert_eq!((character.doing(), seen.place), (Doing::Done, 7));
    assert_eq!(character.plans(), 2);
    let words = deviations.iter().map(|why| why.in_words(yard.things()));
    assert_eq!(words.collect::<Vec<_>>(), ["`gate 4` is shut"]);
}

#[test]
fn a_gate_that_is_not_on_the_way_changes_no_plan() {
    let yard = Yard::new(&[4 * WIDTH + 4], 0, 7);
    let (character, seen, _) = play(&yard, 10_000, 20, |second| u64::from(second > 2));
    assert_eq!((character.doing(), seen.place), (Doing::Done, 7));
    assert_eq!((character.plans(), character.deviation()), (1, None));
}

proptest! {
    /// Whatever is shut and opened for a while: when that is over, everybody arrives to whom a way is
    /// left, and nobody else.
    #[test]
    fn whoever_has_a_way_arrives(
        gates in prop::collection::btree_set(1..PLACES - 1, 0..30),
        changes in prop::collection::vec(any::<u64>(), 1..12),
        units in 20..2_000u64,
    ) {
        let gates: Vec<usize> = gates.into_iter().collect();
        let yard = Yard::new(&gates, changes[0], PLACES - 1);
        let last = changes.len() as u64 - 1;
        let (character, seen, _) = play(&yard, units, 1_200, |second| {
            changes[second.min(last) as usize]
        });
        let has_way = yard.has_way(seen.place, changes[last as usize]);
        let expected = if has_way { Doing::Done } else { Doing::Stuck };
        prop_assert_eq!(character.doing(), expected, "{:?}", character.why_stuck());
        prop_assert_eq!(seen.place == PLACES - 1, has_way);
        if !has_way {
            prop_assert_eq!(character.why_stuck(), Some(&WhyStuck::NoPlan));
        }
    }
}

proptest! {
    /// Saved at any moment, and loaded, it does the same to the end, and takes as much.
    #[test]
    fn a_game_of_ones_own_is_saved(
        gates in prop::collection::btree_set(1..PLACES - 1, 0..30),
        changes in prop::collection::vec(any::<u64>(), 1..12),
        units in 1..400u64,
        saved_at in 0..40usize,
    ) {
        let gates: Vec<usize> = gates.into_iter().collect();
        let yard = Yard::new(&gates, changes[0], PLACES - 1);
        let planner = Settings::default().check(&yard, []);
        let planner = planner.expect("the settings fit").planner;
        let mut characters = vec![Character::new(planner.clone(), ())];
        let mut seen = yard.start;
        for second in 0..200 {
            seen.shut = changes[second.min(changes.len() - 1)];
            if second == saved_at {
                let saved = characters[0].save(&yard).expect("it can be saved");
                let text = serde_json::to_string(&saved).expect("it can be written");
                let read: SavedCharacter<Yard> = serde_json::from_str(&text).expect("it is read");
                let cast = Cast { planners: std::slice::from_ref(&planner), who: &[()] };
                let units = read.units();
                let mut budget = Budget::unlimited();
                let loaded = read.load(&yard, &cast, &mut budget).expect("it is sound");
                prop_assert_eq!(budget.taken(), units);
                characters.push(loaded);
            }
            let decide = |character: &mut Character<Yard>| {
                let mut budget = Budget::units(units);
                (character.decide(&yard, &seen, &mut budget), budget.taken(), character.doing())
            };
            let decided: Vec<_> = characters.iter_mut().map(decide).collect();
            prop_assert!(decided.iter().all(|it| *it == decided[0]), "{:?}", decided);
            let waited = Seen { time: seen.time + 1, ..seen };
            let (order, ..) = decided[0];
            seen = yard.after(&(), &seen, &order).map_or(waited, |(after, _)| after);
        }
    }
}

fn refusal<G: Game>(game: &G) -> String {
    let refused = Settings::default().check_for(game, []).err();
    refused.expect("it makes no sense").to_string()
}

#[test]
fn games_that_contradict_themselves_are_refused() {
    let sound = Yard::new(&[9], 0, 7);
    assert!(Settings::default().check_for(&sound, []).is_ok());
    // In slices it is the same, with a unit for each place.
    let (mut ground, mut slices) = (GroundCheck::default(), 0);
    let mut check = || {
        slices += 1;
        let mut budget = Budget::units(1);
        Settings::default().check_for_within(&sound, [], &mut ground, &mut budget)
    };
    while check().expect("it is sound").is_none() {}
    assert_eq!(slices, PLACES);

    let mut nowhere = sound.clone();
    nowhere.start.place = 99;
    assert_eq!(
        refusal(&nowhere),
        "the start is in place 99, and there are 48 places"
    );
    let mut lost = sound.clone();
    lost.gates[0].place = 50;
    assert_eq!(
        refusal(&lost),
        "the landmark `gate 9` is in place 50, and there are 48 places"
    );
    let mut locked = sound.clone();
    locked.gates[0].opened_by.push(LandmarkId::new(3));
    assert_eq!(
        refusal(&locked),
        "the landmark `gate 9` speaks of landmark 3, and there are 1"
    );
    let mut aimless = sound;
    aimless.aim = Aim::At(vec![48]);
    assert_eq!(
        refusal(&aimless),
        "the aim is in place 48, and there are 48 places"
    );
}

/// A corridor of three places, told wrongly.
#[derive(Clone, Copy)]
struct Corridor(&'static str);

impl Ground for Corridor {
    fn places(&self) -> usize {
        3
    }

    fn at(&self, place: usize) -> Place {
        match self.0 {
            "a place is nowhere" if place == 2 => Place::flat(f64::NAN, 0.0),
            _ => Place::flat(place as f64, 0.0),
        }
    }

    fn nearest(&self, at: Place) -> Option<usize> {
        Some((at.x.round() as usize).min(2))
    }

    fn within(&self, _x: f64, _y: f64, _height: Option<f64>, _radius: f64) -> Vec<usize> {
        Vec::new()
    }

    fn each_step_from(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        let seconds = match self.0 {
            "a step takes no time" => 0.0,
            "a step takes less than no time" => -1.0,
            _ => 1.0,
        };
        let next = match self.0 {
            "a step leads off the ground" if place == 1 => 3,
            _ => place + 1,
        };
        if place < 2 {
            visit(Step {
                place: next,
                cost: pace.cost(seconds, 0.0),
                exit: None,
            });
        }
    }

    fn each_step_into(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        if place > 0 && self.0 != "a step is known at one end only" {
            visit(Step {
                place: place - 1,
                cost: pace.cost(1.0, 0.0),
                exit: None,
            });
        }
    }

    fn spacing(&self) -> f64 {
        1.0
    }
}

/// Somebody in it.
struct InCorridor(Arc<Corridor>, Aim);

impl Problem for InCorridor {
    type State = usize;
    type Key = usize;
    type Action = ();

    fn start(&self) -> usize {
        0
    }

    fn key(&self, place: &usize) -> usize {
        *place
    }

    fn is_goal(&self, place: &usize) -> bool {
        *place == 2
    }

    fn successors(&self, place: &usize, out: &mut Successors<usize, ()>) {
        out.push((), place + 1, Cost::from_seconds(1.0));
    }
}

impl Game for InCorridor {
    type Ground = Corridor;

    fn ground(&self) -> &Arc<Corridor> {
        &self.0
    }

    fn place(&self, place: &usize) -> usize {
        *place
    }

    fn top_speed(&self) -> f64 {
        1.0
    }

    fn aim(&self) -> &Aim {
        &self.1
    }

    fn level(&self) -> u64 {
        1
    }
}

#[test]
fn grounds_with_holes_are_refused() {
    let corridor = |told| InCorridor(Arc::new(Corridor(told)), Aim::At(vec![2]));
    assert!(
        Settings::default()
            .check_for(&corridor("rightly"), [])
            .is_ok()
    );
    for (told, part) in [
        ("a place is nowhere", "place 2 of the ground is at (NaN, 0)"),
        (
            "a step leads off the ground",
            "a step leads from place 1 to 3, where nobody can stand; there are 3 places",
        ),
        ("a step takes no time", "from place 0 to 1 takes 0"),
        (
            "a step takes less than no time",
            "from place 0 to 1 takes 0",
        ),
        (
            "a step is known at one end only",
            "is not among those that lead into 1",
        ),
    ] {
        let refusal = refusal(&corridor(told));
        assert!(refusal.contains(part), "{told}: {refusal}");
    }
}

/// A search that comes to a state that is nowhere takes it for a dead end.
#[test]
fn a_state_that_is_nowhere_leads_nowhere() {
    let points = (0..3).map(|x| Place::flat(f64::from(x), 0.0));
    let ground = Waypoints::new(points).expect("places are somewhere");
    assert!(!ground.at(3).is_anywhere());
    let mut steps = 0;
    ground.each_step_from(3, &Pace::new(1.0, 1.0), |_| steps += 1);
    ground.each_step_into(3, &Pace::new(1.0, 1.0), |_| steps += 1);
    assert_eq!(steps, 0);

    let yard = Yard {
        leaks: true,
        ..Yard::new(&[9, 17, 25], 0b101, PLACES - 1)
    };
    let line = [0, 7, PLACES - 1].map(at);
    for planner in PlannerName::ALL {
        for shown in [vec![], vec![Demonstration::drawn("round", line, 1.0)]] {
            let settings = Settings {
                planner,
                ..Settings::default()
            };
            let checked = settings.check_for(&yard, shown).expect("it fits");
            let search = checked.planner.search(&yard);
            let mut search = search.expect("it makes a search").search;
            search.run(&yard, &mut Budget::units(100_000));
            let path = search.path().expect("there is a way");
            assert!(path.states().all(|seen| seen.place < PLACES), "{planner}");
        }
    }
}

#[test]
fn a_character_that_is_nowhere_says_so_and_goes_on_when_it_is_back() {
    let yard = Yard::new(&[], 0, 7);
    let planner = Settings::default().check(&yard, []);
    let planner = planner.expect("the settings fit").planner;
    let mut character = Character::new(planner, ());
    let nowhere = Seen {
        place: 1_000,
        ..yard.start
    };
    character.decide(&yard, &nowhere, &mut Budget::unlimited());
    assert_eq!(character.doing(), Doing::Stuck);
    let why = character.why_stuck().map(ToString::to_string);
    assert_eq!(
        why.as_deref(),
        Some("the game makes no sense: the start is in place 1000, and there are 48 places")
    );
    character.decide(&yard, &yard.start, &mut Budget::unlimited());
    assert_eq!(character.doing(), Doing::Following);
    // In the middle of a plan, too.
    character.decide(&yard, &nowhere, &mut Budget::unlimited());
    assert_eq!(character.doing(), Doing::Stuck);
}
