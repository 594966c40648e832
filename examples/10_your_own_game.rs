//! Your own game, played as ours is: a mine with ladders, shafts and walls to be blasted, taught by
//! one line on the map, and a thief who takes the charge that the miner was going for.

use std::sync::Arc;
use std::time::Duration;

use apprentice::behavior::{Character, Doing, Explained, Settings};
use apprentice::experience::{Demonstration, Place};
use apprentice::game::{
    Aim, Condition, Game, Ground, Landmark, LandmarkId, Live, PathStory, Waypoints,
};
use apprentice::report::phrases::{self, Ids};
use apprentice::search::{Budget, Cost, Problem, Search, Successors};

/// Seen from the side. `H` is a ladder, `a` a charge, `X` a wall that one charge blasts away.
const MINE: [&str; 7] = [
    "#################",
    "#a...H......a...#",
    "####.H#####H#####",
    "#....H..X..H....#",
    "#H######X######H#",
    "#H...a..X......H#",
    "#################",
];
const WIDTH: usize = 17;
const CHARGES: u32 = 3;

/// Where the miner is, and bits for the charges it took, the walls it blasted, and what was stolen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Miner {
    place: usize,
    done: u32,
    stolen: u32,
}

/// What the miner sees: the time, and itself.
type Seen = (Duration, Miner);

/// Where to go; nowhere to wait.
type Move = Option<usize>;

#[derive(Clone)]
struct Mine {
    ground: Arc<Waypoints>,
    /// The charges, then the walls.
    landmarks: Vec<Landmark>,
    start: Miner,
    aim: Aim,
}

fn tile(place: usize) -> u8 {
    MINE[place / WIDTH].as_bytes()[place % WIDTH]
}

/// The steps from a place: where they lead, and their seconds.
fn steps(place: usize) -> Vec<(usize, f64)> {
    let (up, down) = (place - WIDTH, place + WIDTH);
    if tile(place) != b'H' && !matches!(tile(down), b'#' | b'H' | b'X') {
        return vec![(down, 0.25)]; // It falls.
    }
    let mut steps = vec![(place - 1, 1.0), (place + 1, 1.0)];
    steps.extend((tile(place) == b'H').then_some((up, 2.0)));
    steps.extend((tile(down) == b'H').then_some((down, 1.0)));
    steps.retain(|(to, _)| tile(*to) != b'#');
    steps
}

impl Mine {
    fn new(start: Miner, gold: usize) -> Mine {
        let tiles = 0..MINE.len() * WIDTH;
        let all = |sort: u8| tiles.clone().filter(move |place| tile(*place) == sort);
        let at = |place: usize| Place::flat((place % WIDTH) as f64, (place / WIDTH) as f64);
        let mut ground = Waypoints::new(tiles.clone().map(at)).expect("every tile is somewhere");
        for from in tiles.clone().filter(|place| tile(*place) != b'#') {
            for (to, seconds) in steps(from) {
                ground.add(from, to, seconds, 0.0).expect("there is a tile");
            }
        }
        let charges = all(b'a').map(|place| Landmark::at_place("charge", at(place), place));
        let walls = all(b'X').map(|place| Landmark {
            bars: true,
            uses_up: true,
            opened_by: (0..CHARGES).map(LandmarkId::new).collect(),
            ..Landmark::at_place("wall", at(place), place)
        });
        Mine {
            ground: Arc::new(ground),
            landmarks: charges.chain(walls).collect(),
            start,
            aim: Aim::At(vec![gold]),
        }
    }

    /// What a step leads to: it may find a charge, or blast a wall if a charge is left.
    fn arrive(&self, miner: &Miner, place: usize) -> Option<Miner> {
        let is_known = |mark: usize| (miner.done | miner.stolen) >> mark & 1 == 1;
        let mut marks = self.landmarks.iter().enumerate();
        let here = marks.find(|(mark, it)| it.place == place && !is_known(*mark));
        let found = here.map_or(0, |(mark, _)| 1 << mark);
        let taken = (miner.done & ((1 << CHARGES) - 1)).count_ones();
        let is_armed = taken > (miner.done >> CHARGES).count_ones();
        let (done, stolen) = (miner.done | found, miner.stolen);
        let next = Miner {
            place,
            done,
            stolen,
        };
        (found >> CHARGES == 0 || is_armed).then_some(next)
    }
}

#[rustfmt::skip] // An answer a line.
impl Problem for Mine {
    type State = Miner;
    type Key = Miner;
    type Action = Move;
    fn start(&self) -> Miner { self.start }
    fn key(&self, miner: &Miner) -> Miner { *miner }
    fn is_goal(&self, miner: &Miner) -> bool { self.aim == Aim::At(vec![miner.place]) }
    fn successors(&self, miner: &Miner, out: &mut Successors<Miner, Move>) {
        for (to, seconds) in steps(miner.place) {
            if let Some(next) = self.arrive(miner, to) {
                out.push(Some(to), next, Cost::from_seconds(seconds));
            }
        }
    }
}

#[rustfmt::skip]
impl Game for Mine {
    type Ground = Waypoints;
    fn ground(&self) -> &Arc<Waypoints> { &self.ground }
    fn place(&self, miner: &Miner) -> usize { miner.place }
    fn top_speed(&self) -> f64 { 1.0 }
    fn aim(&self) -> &Aim { &self.aim }
    fn level(&self) -> u64 { 0 } // There is only one.
    fn landmarks(&self) -> &[Landmark] { &self.landmarks }
    fn is_done(&self, it: &Miner, mark: LandmarkId) -> bool { it.done >> mark.index() & 1 == 1 }
    fn is_gone(&self, mark: LandmarkId) -> bool { self.start.stolen >> mark.index() & 1 == 1 }
}

#[rustfmt::skip]
impl Live for Mine {
    type World = Seen;
    type Order = Move;
    type Goal = Aim;
    type Who = ();
    type Quest = Mine;
    type Failure = &'static str;
    type Event = ();
    fn goal(&self, _who: &()) -> &Aim { &self.aim }
    fn is_met(&self, _: &(), goal: &Aim, it: &Seen) -> bool { *goal == Aim::At(vec![it.1.place]) }
    fn time(&self, seen: &Seen) -> Duration { seen.0 }
    fn spot(&self, _: &(), seen: &Seen) -> usize { seen.1.place }
    fn point(&self, place: usize) -> Place { self.ground.at(place) }
    fn quest(&self, _: &(), from: &Seen, goal: &Aim, _: usize) -> Mine {
        Mine { start: from.1, aim: goal.clone(), ..self.clone() }
    }
    fn after(&self, _: &(), seen: &Seen, order: &Move) -> Result<(Seen, Cost), &'static str> {
        let mut steps = Successors::new();
        self.successors(&seen.1, &mut steps);
        let step = steps.iter().find(|step| step.action == *order).ok_or("there is no way")?;
        Ok(((seen.0 + Duration::from_nanos(step.cost.ticks()), step.state), step.cost))
    }
    fn wait(&self, _: &(), _: Option<&Move>) -> Move { None }
    fn things(&self) -> &[Landmark] { &self.landmarks }
    fn condition(&self, _: &(), seen: &Seen, mark: LandmarkId) -> Condition {
        if seen.1.stolen >> mark.index() & 1 == 1 { Condition::Gone }
        else if self.is_done(&seen.1, mark) { Condition::Done } else { Condition::Undone }
    }
}

#[rustfmt::skip]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mine = Mine::new(Miner { place: 3 * WIDTH + 7, done: 0, stolen: 0 }, 5 * WIDTH + 14);
    let line = [(7, 3), (1, 3), (1, 5), (14, 5)].map(|(x, y)| Place::flat(x.into(), y.into()));
    let shown = vec![Demonstration::drawn("below", line, 1.0)];
    let planner = Settings::default().check_for(&mine, shown)?.planner;
    let mut search = planner.search(&mine)?.search;
    search.run(&mine, &mut Budget::unlimited());
    let path = search.path().ok_or("there is no way")?;
    println!("{}, {}", path.cost, search.guarantee());
    let (story, demonstrations) = (PathStory::new(&mine, &path), &**planner.demonstrations());
    for stretch in (Explained { story, demonstrations, relevances: None }).explain().stretches {
        println!("  from {:4.1} s: {}", stretch.time.0, phrases::stretch(&stretch, Ids::Quoted));
    }
    let (mut miner, mut seen) = (Character::new(planner, ()), (Duration::ZERO, mine.start));
    while miner.doing() != Doing::Done {
        let order = miner.decide(&mine, &seen, &mut Budget::units(500));
        let waited = (seen.0 + Duration::from_secs(1), seen.1);
        seen = mine.after(&(), &seen, &order).map_or(waited, |(after, _)| after);
        println!("{:6.2} s, {:?}: {}", seen.0.as_secs_f64(), miner.doing(), mine.point(seen.1.place));
        if seen.1.place == 3 * WIDTH + 4 { seen.1.stolen = 1 << 2 } // The thief, below.
    }
    let why = miner.deviation().ok_or("nobody noticed the thief")?;
    println!("{} plans: {}", miner.plans(), why.in_words(&mine.landmarks));
    Ok(())
}
