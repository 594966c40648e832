//! A quest that somebody wrote as a game of their own is planned as the same quest in a scenario: the
//! same cost, the same expansions, one by one the same heuristics, and the same explanation.

use std::fmt::Write;
use std::sync::Arc;

use apprentice_behavior::{Explained, Followed, NoWay, PlannerName, Settings};
use apprentice_experience::{Demonstration, Place};
use apprentice_game::{Aim, Game, Landmark, LandmarkId, PathStory, Waypoints};
use apprentice_search::{Budget, Cost, Problem, Search, Status, Successors};
use apprentice_world::{AnyQuest, Scenario};
use proptest::prelude::*;

const WIDTH: usize = 14;
const HEIGHT: usize = 9;

/// A level in plain numbers.
#[derive(Clone, Debug)]
struct Level {
    walls: Vec<bool>,
    start: usize,
    goal: usize,
    /// Where each key lies, and the door it opens.
    keys: Vec<(usize, usize)>,
}

/// Somebody in it, written without any of our world.
struct Own {
    level: Level,
    ground: Arc<Waypoints>,
    landmarks: Vec<Landmark>,
    aim: Aim,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    place: usize,
    sneaks: bool,
    held: u32,
}

/// East, and on against the clock.
const DIRECTIONS: [(isize, isize); 8] = [
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// Seconds for a cell, walking and sneaking.
const PACES: [f64; 2] = [1.0, 2.0];

impl Level {
    fn at(place: usize) -> Place {
        Place::flat((place % WIDTH) as f64, (place / WIDTH) as f64)
    }

    /// The cell beside one, if that is on the map and no wall.
    fn beside(&self, place: usize, (x, y): (isize, isize)) -> Option<usize> {
        let x = (place % WIDTH)
            .checked_add_signed(x)
            .filter(|x| *x < WIDTH)?;
        let y = (place / WIDTH)
            .checked_add_signed(y)
            .filter(|y| *y < HEIGHT)?;
        let there = y * WIDTH + x;
        (!self.walls[there]).then_some(there)
    }

    /// Where a step leads that passes only what `lets_in`: nobody cuts corners.
    fn step(
        &self,
        place: usize,
        way: (isize, isize),
        lets_in: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let open = |way| self.beside(place, way).filter(|there| lets_in(*there));
        let there = open(way)?;
        let is_straight = way.0 == 0 || way.1 == 0;
        (is_straight || open((way.0, 0)).is_some() && open((0, way.1)).is_some()).then_some(there)
    }

    fn scenario(&self) -> Scenario {
        let cell = |place: usize| format!("[{}, {}]", place % WIDTH, place / WIDTH);
        let mut text = format!(
            "format = 1\nstart = {}\ngoal = {{ within = {{ at = {}, radius = 0.0 }} }}\n",
            cell(self.start),
            cell(self.goal)
        );
        for (number, (key, door)) in self.keys.iter().enumerate() {
            write!(
                text,
                "[[key]]\nid = 'k{number}'\nat = {}\nopens = ['d{number}']\n\
                 [[door]]\nid = 'd{number}'\nat = [{}]\n",
                cell(*key),
                cell(*door)
            )
            .expect("it fits");
        }
        text += "[map]\nrows = [\n";
        for row in self.walls.chunks(WIDTH) {
            let row: String = row
                .iter()
                .map(|wall| if *wall { '#' } else { '.' })
                .collect();
            writeln!(text, "'{row}',").expect("it fits");
        }
        text += "]\n";
        Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn own(&self) -> Own {
        let mut ground = Waypoints::new((0..WIDTH * HEIGHT).map(Level::at)).expect("places");
        for from in (0..WIDTH * HEIGHT).filter(|place| !self.walls[*place]) {
            for way in DIRECTIONS {
                if let Some(to) = self.step(from, way, |_| true) {
                    let length = Level::at(from).distance_to(Level::at(to));
                    ground.add(from, to, length, 0.0).expect("a step");
                }
            }
        }
        let keys = self.keys.iter().enumerate().map(|(number, (place, _))| {
            Landmark::at_place(format!("k{number}"), Level::at(*place), *place)
        });
        let doors = self
            .keys
            .iter()
            .enumerate()
            .map(|(number, (_, place))| Landmark {
                bars: true,
                opened_by: vec![LandmarkId::new(number as u32)],
                ..Landmark::at_place(format!("d{number}"), Level::at(*place), *place)
            });
        let goal = Level::at(self.goal);
        Own {
            landmarks: keys.chain(doors).collect(),
            aim: Aim::Within {
                x: goal.x,
                y: goal.y,
                height: None,
                radius: 0.0,
            },
            ground: Arc::new(ground),
            level: self.clone(),
        }
    }
}

impl Own {
    fn arrive(&self, state: State) -> State {
        let keys = self.level.keys.iter().enumerate();
        let here = keys.filter(|(_, (key, _))| *key == state.place);
        State {
            held: here.fold(state.held, |held, (number, _)| held | 1 << number),
            ..state
        }
    }
}

impl Problem for Own {
    type State = State;
    type Key = State;
    type Action = (isize, isize);

    fn start(&self) -> State {
        State {
            place: self.level.start,
            sneaks: false,
            held: 0,
        }
    }

    fn key(&self, state: &State) -> State {
        *state
    }

    fn is_goal(&self, state: &State) -> bool {
        state.place == self.level.goal
    }

    fn successors(&self, state: &State, out: &mut Successors<State, (isize, isize)>) {
        let doors = || self.level.keys.iter().enumerate();
        let lets_in = |place: usize| {
            doors().all(|(number, (_, door))| *door != place || state.held >> number & 1 == 1)
        };
        for way in DIRECTIONS {
            let Some(place) = self.level.step(state.place, way, lets_in) else {
                continue;
            };
            let length = Level::at(state.place).distance_to(Level::at(place));
            for (sneaks, pace) in [false, true].into_iter().zip(PACES) {
                let next = self.arrive(State {
                    place,
                    sneaks,
                    held: state.held,
                });
                out.push(way, next, Cost::round_up(length * pace));
            }
        }
    }
}

impl Game for Own {
    type Ground = Waypoints;

    fn ground(&self) -> &Arc<Waypoints> {
        &self.ground
    }

    fn place(&self, state: &State) -> usize {
        state.place
    }

    fn top_speed(&self) -> f64 {
        1.0
    }

    fn aim(&self) -> &Aim {
        &self.aim
    }

    fn level(&self) -> u64 {
        0
    }

    fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
    }

    fn is_done(&self, state: &State, landmark: LandmarkId) -> bool {
        // A door is open to whoever has its key.
        state.held >> (landmark.index() % self.level.keys.len()) & 1 == 1
    }
}

fn levels() -> impl Strategy<Value = (Level, Vec<usize>)> {
    let cells = WIDTH * HEIGHT;
    let walls = prop::collection::vec(prop::bool::weighted(0.15), cells);
    let keys = prop::collection::vec((0..cells, 0..cells), 0..3);
    let line = prop::collection::vec(0..cells, 0..4);
    (walls, 0..cells, 0..cells, keys, line).prop_map(|(mut walls, start, goal, mut keys, line)| {
        // Everything lies apart, and nothing in a wall.
        let mut used = vec![start, goal];
        keys.retain(|(key, door)| {
            let is_new = key != door && !used.contains(key) && !used.contains(door);
            used.extend([*key, *door]);
            is_new
        });
        let others = keys.iter().flat_map(|(key, door)| [*key, *door]);
        for place in [start, goal].into_iter().chain(others) {
            walls[place] = false;
        }
        let mut level = Level {
            walls,
            start,
            goal,
            keys,
        };
        // Where no step leads nobody means to be: our map takes such cells for places, a graph does not.
        let leads_nowhere = |place: &usize| {
            let mut ways = DIRECTIONS.iter();
            ways.all(|way| level.step(*place, *way, |_| true).is_none())
        };
        let alone = (0..WIDTH * HEIGHT).filter(leads_nowhere);
        let alone: Vec<usize> = alone.filter(|place| !used.contains(place)).collect();
        for place in alone {
            level.walls[place] = true;
        }
        (level, line)
    })
}

/// Status, cost, expansions of each heuristic, and what is followed where.
type Figures = (
    Status,
    Option<Cost>,
    Vec<u64>,
    Vec<(usize, usize, Option<Followed>)>,
);

fn figures<G: Game + 'static>(game: &G, settings: &Settings, shown: &[Demonstration]) -> Figures {
    let checked = settings
        .check_for(game, shown.to_vec())
        .expect("the settings fit");
    let mut search = checked
        .planner
        .search(game)
        .expect("it makes a search")
        .search;
    let status = search.run(game, &mut Budget::units(200_000));
    let path = search.path();
    let stretches = path.iter().flat_map(|path| {
        let explained = Explained {
            story: PathStory::new(game, path),
            demonstrations: shown,
            relevances: None,
        };
        explained.explain().stretches
    });
    let stretches = stretches
        .map(|it| (it.first, it.last, it.follows))
        .collect();
    let cost = path.as_ref().map(|path| path.cost);
    (
        status,
        cost,
        search.statistics().expanded_by.clone(),
        stretches,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_same_quest_in_two_games_is_one((level, line) in levels()) {
        let (scenario, own) = (level.scenario(), level.own());
        let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
        // Along rows and columns, so that no point of it is as near to one cell as to another.
        let corners = line.windows(2).map(|pair| Place::flat(Level::at(pair[1]).x, Level::at(pair[0]).y));
        let ends = line.iter().skip(1).copied().map(Level::at);
        let legs = corners.zip(ends).flat_map(|(corner, end)| [corner, end]);
        let line: Vec<Place> = line.first().copied().map(Level::at).into_iter().chain(legs).collect();
        let shown = Demonstration::drawn("a line", line.clone(), 1.0);
        // In walls it is a matter of the ground which place is nearest.
        let is_free = |at: &Place| !level.walls[at.y as usize * WIDTH + at.x as usize];
        let legs = line.windows(2).flat_map(|leg| (0..=WIDTH).map(|part| {
            let along = leg[0].toward(leg[1], part as f64 / WIDTH as f64);
            Place::flat(along.x.round(), along.y.round())
        }));
        let is_walked = line.len() >= 2 && legs.collect::<Vec<_>>().iter().all(is_free);
        let shown = if is_walked { vec![shown] } else { vec![] };
        let events = Some((0..level.keys.len()).map(|number| format!("k{number}")).collect());
        for planner in PlannerName::ALL {
            let settings = Settings { planner, events: events.clone(), ..Settings::default() };
            let ours = figures(&quest, &settings, &shown);
            prop_assert_eq!(&ours, &figures(&own, &settings, &shown), "{}", planner);
        }
        let no_way = |no_way: Option<NoWay>| no_way.map(|no_way| (no_way.hindrance, no_way.never_opened));
        let (one, other) = (NoWay::of(&quest, &mut Budget::unlimited()), NoWay::of(&own, &mut Budget::unlimited()));
        prop_assert_eq!(no_way(one), no_way(other));
    }
}
