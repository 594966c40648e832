//! Your own game, planned as ours is: a mine with ladders, shafts and walls to be blasted, taught by
//! one line on the map.

use std::sync::Arc;

use apprentice::behavior::Settings;
use apprentice::experience::{Demonstration, Place};
use apprentice::game::{Aim, Game, Ground, Landmark, LandmarkId, Waypoints};
use apprentice::search::{Budget, Cost, Problem, Search, Status, Successors};

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
const START: usize = 3 * WIDTH + 7;
const GOLD: usize = 5 * WIDTH + 14;

/// Where the miner is, and a bit for each charge it took and each wall it blasted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Miner {
    place: usize,
    done: u32,
}

#[derive(Clone, Copy, Debug)]
enum Move {
    Walk,
    Climb,
    Fall,
    Blast,
}

struct Mine {
    ground: Arc<Waypoints>,
    /// The charges, then the walls.
    landmarks: Vec<Landmark>,
    charges: usize,
    aim: Aim,
}

fn tile(place: usize) -> u8 {
    MINE[place / WIDTH].as_bytes()[place % WIDTH]
}

/// The steps from a place: what they are, where they lead, and their seconds.
fn steps(place: usize) -> Vec<(Move, usize, f64)> {
    let (up, down) = (place - WIDTH, place + WIDTH);
    if tile(place) != b'H' && !matches!(tile(down), b'#' | b'H' | b'X') {
        return vec![(Move::Fall, down, 0.25)];
    }
    let mut steps = vec![(Move::Walk, place - 1, 1.0), (Move::Walk, place + 1, 1.0)];
    if tile(place) == b'H' {
        steps.push((Move::Climb, up, 2.0));
    }
    if tile(down) == b'H' {
        steps.push((Move::Climb, down, 1.0));
    }
    steps.retain(|(_, to, _)| tile(*to) != b'#');
    steps
}

impl Mine {
    fn new() -> Mine {
        let tiles = 0..MINE.len() * WIDTH;
        let all = |sort: u8| tiles.clone().filter(move |place| tile(*place) == sort);
        let at = |place: usize| Place::flat((place % WIDTH) as f64, (place / WIDTH) as f64);
        let mut ground = Waypoints::new(tiles.clone().map(at)).expect("every tile is somewhere");
        for from in tiles.clone().filter(|place| tile(*place) != b'#') {
            for (_, to, seconds) in steps(from) {
                ground.add(from, to, seconds, 0.0).expect("there is a tile");
            }
        }
        let charge = |place| Landmark::at_place("charge", at(place), place);
        let mut landmarks: Vec<Landmark> = all(b'a').map(charge).collect();
        let charges = landmarks.len();
        landmarks.extend(all(b'X').map(|place| Landmark {
            bars: true,
            uses_up: true,
            opened_by: (0..charges as u32).map(LandmarkId::new).collect(),
            ..Landmark::at_place("wall", at(place), place)
        }));
        let aim = Aim::At(vec![GOLD]);
        Mine {
            ground: Arc::new(ground),
            landmarks,
            charges,
            aim,
        }
    }

    /// What a step comes to: it may blast a wall, or find a charge.
    fn arrive(&self, miner: &Miner, action: Move, place: usize) -> Option<(Move, Miner)> {
        let mut marks = self.landmarks.iter().enumerate();
        let here = marks.find(|(mark, it)| it.place == place && miner.done >> mark & 1 == 0);
        let Some((mark, _)) = here else {
            return Some((action, Miner { place, ..*miner }));
        };
        let done = miner.done | 1 << mark;
        if mark < self.charges {
            return Some((action, Miner { place, done }));
        }
        let taken = (miner.done & ((1 << self.charges) - 1)).count_ones();
        let is_armed = taken > (miner.done >> self.charges).count_ones();
        is_armed.then_some((Move::Blast, Miner { place, done }))
    }
}

impl Problem for Mine {
    type State = Miner;
    type Key = Miner;
    type Action = Move;

    fn start(&self) -> Miner {
        Miner {
            place: START,
            done: 0,
        }
    }

    fn key(&self, miner: &Miner) -> Miner {
        *miner
    }

    fn is_goal(&self, miner: &Miner) -> bool {
        miner.place == GOLD
    }

    fn successors(&self, miner: &Miner, out: &mut Successors<Miner, Move>) {
        for (action, to, seconds) in steps(miner.place) {
            if let Some((action, next)) = self.arrive(miner, action, to) {
                out.push(action, next, Cost::from_seconds(seconds));
            }
        }
    }
}

impl Game for Mine {
    type Ground = Waypoints;

    fn ground(&self) -> &Arc<Waypoints> {
        &self.ground
    }

    fn place(&self, miner: &Miner) -> usize {
        miner.place
    }

    fn top_speed(&self) -> f64 {
        1.0
    }

    fn aim(&self) -> &Aim {
        &self.aim
    }

    fn level(&self) -> u64 {
        0 // There is only one.
    }

    fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
    }

    fn is_done(&self, miner: &Miner, landmark: LandmarkId) -> bool {
        miner.done >> landmark.index() & 1 == 1
    }
}

/// Plans, and prints the way.
fn plan(mine: &Mine, shown: Vec<Demonstration>) {
    let checked = Settings::default().check_for(mine, shown);
    let planner = checked.expect("the settings fit").planner;
    let mut search = planner.search(mine).expect("auto always searches").search;
    assert_eq!(search.run(mine, &mut Budget::unlimited()), Status::Finished);
    let path = search.path().expect("there is a way");
    let expanded = search.statistics().expanded;
    println!(
        "{}, {expanded} expansions, {}",
        path.cost,
        search.guarantee()
    );
    for (action, miner) in path.actions().zip(path.states().skip(1)) {
        println!("  {action:?} to {}", mine.ground.at(miner.place));
    }
}

fn main() {
    let mine = Mine::new();
    plan(&mine, Vec::new());
    let line = [(7, 3), (1, 3), (1, 5), (14, 5)].map(|(x, y)| Place::flat(x.into(), y.into()));
    plan(&mine, vec![Demonstration::drawn("below", line, 1.0)]);
}
