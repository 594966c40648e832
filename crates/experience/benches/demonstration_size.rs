//! What long demonstrations cost: time for each estimate, for each expansion of a search, and to get
//! ready, when the same demonstration is cut into more and more pieces.
//!
//! `cargo bench -p apprentice-experience`
//!
//! Other programs on the same machine change the times; the ratios are between interleaved runs.

#[path = "../tests/map/mod.rs"]
mod map;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use apprentice_experience::*;
use apprentice_search::{BestFirst, Budget, Cost, Heuristic, Search, Weight};

use map::{Map, STRAIGHT, Walk};

const ROUNDS: usize = 15;

fn training(
    graph: &Arc<DemonstrationGraph>,
    start: Place,
    goal: Place,
    lookup: Lookup,
    pieces: Pieces,
) -> TrainingGraph {
    let ground = OpenGround { top_speed: 1.0 };
    let settings = TrainingSettings {
        lookup,
        pieces,
        ..TrainingSettings::with_inflation(Weight::new(10.0).unwrap())
    };
    let goal = ground.to(goal);
    let start = Some(start);
    let ways = &ground;
    TrainingGraph::new(
        graph.clone(),
        STRAIGHT,
        settings,
        &Journey { start, goal, ways },
    )
}

/// The shortest of several runs, in nanoseconds for each question.
fn nanoseconds(questions: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let begun = Instant::now();
        run();
        begun.elapsed().as_nanos() as f64
    });
    times.fold(f64::INFINITY, f64::min) / questions as f64
}

/// A walk with so many samples through a level of this width, back and forth like a lawn mower,
/// and no two samples quite in one line.
fn sweeping(samples: usize, width: f64, rows: f64) -> Demonstration {
    let turn = width / rows;
    let length = (width + turn) * rows;
    let mut seed = 7;
    let jitter = length / samples as f64 / 3.0;
    let at = |number: usize| {
        let along = number as f64 / samples as f64 * length;
        let row = (along / (width + turn)).floor();
        let within = along - row * (width + turn);
        let x = within.min(width);
        let down = (within - width).max(0.0);
        let x = if row % 2.0 == 0.0 { x } else { width - x };
        Place::flat(
            x + jitter * random(&mut seed),
            row * turn + down + jitter * random(&mut seed),
        )
    };
    Demonstration::drawn("sweeping", (0..=samples).map(at), 1.0)
}

/// Between 0 and 1, the same in each run.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as f64 / (1u64 << 31) as f64
}

fn estimates(rows: f64) {
    println!(
        "one estimate, without memo, of a demonstration in {rows} rows; nanoseconds (rails and fans of boxes looked at)"
    );
    println!(
        "{:>8} {:>18} {:>18} {:>18} {:>10}",
        "ways", "following", "followed from afar", "anywhere", "scan"
    );
    for samples in [3, 16, 128, 603, 1024, 4096, 16_384] {
        let width = 400.0;
        let mut graph = DemonstrationGraph::default();
        graph.add(&sweeping(samples, width, rows));
        let graph = Arc::new(graph);
        let (start, goal) = (Place::flat(0.0, -5.0), Place::flat(width, width + 5.0));
        let fast = training(&graph, start, goal, Lookup::Boxes, Pieces::Apart);
        let scan = training(&graph, start, goal, Lookup::Scan, Pieces::Apart);
        // A search that follows asks along the demonstration, a little off it.
        let shown = sweeping(4096, width, rows);
        let beside = |off: f64| -> Vec<Place> {
            let places = shown.places().enumerate();
            places
                .map(|(number, place)| {
                    let side = if number % 2 == 0 { off } else { -off };
                    Place::flat(place.x + side, place.y + side)
                })
                .collect()
        };
        let mut seed = 1u64;
        let mut random = || random(&mut seed) * width;
        let anywhere: Vec<Place> = (0..4096).map(|_| Place::flat(random(), random())).collect();
        let columns = [beside(0.7), beside(4.0), anywhere.clone()].map(|questions| {
            let mut hint = Hint::default();
            let time = nanoseconds(questions.len(), || {
                hint = Hint::default();
                for at in &questions {
                    black_box(fast.guided(black_box(*at), &mut hint));
                }
            });
            let each = questions.len() as f64;
            format!(
                "{time:.0} ({:.1}, {:.1})",
                hint.segments as f64 / each,
                hint.fans as f64 / each
            )
        });
        let few = &anywhere[..256];
        let by_scan = nanoseconds(few.len(), || {
            for at in few {
                black_box(scan.guided_by_scan(black_box(*at)));
            }
        });
        let [following, afar, anywhere] = columns;
        println!("{samples:>8} {following:>18} {afar:>18} {anywhere:>18} {by_scan:>10.0}");
    }
}

struct Guided<'a> {
    training: &'a TrainingGraph,
    memo: &'a mut Memo,
    goal: Place,
}

impl Heuristic<Walk<'_>> for Guided<'_> {
    fn estimate(&mut self, walk: &Walk<'_>, cell: &u32) -> Cost {
        let at = walk.map.place(*cell);
        let straight = Cost::round_down(at.distance_to(self.goal));
        self.memo.estimate(self.training, *cell, at, straight)
    }
}

/// How many cells the map is wide and high.
const SIDE: i32 = 200;

/// Three ways, cut into pieces: what a whole search costs, for each expansion.
fn searches() {
    let map = Map::open(SIDE, SIDE);
    let (from, to) = (map.cell(10, 100).unwrap(), map.cell(190, 100).unwrap());
    let (start, goal) = (map.place(from), map.place(to));
    let corners = [(10.0, 100.0), (80.0, 30.0), (150.0, 100.0), (190.0, 100.0)];
    let cut = |pieces: usize| {
        let corners = corners.map(|(x, y)| Place::flat(x, y));
        let mut points = vec![corners[0]];
        for ends in corners.windows(2) {
            let parts = (1..=pieces).map(|piece| piece as f64 / pieces as f64);
            points.extend(parts.map(|part| ends[0].toward(ends[1], part)));
        }
        let mut graph = DemonstrationGraph::default();
        graph.add(&Demonstration::drawn("three ways", points, 1.0));
        Arc::new(graph)
    };
    println!("\na search that follows three ways, cut into pieces; nanoseconds for each expansion");
    println!(
        "{:>8} {:>12} {:>10} {:>10} {:>12} {:>10}",
        "ways", "expansions", "joined", "apart", "apart, memo", "scan"
    );
    let mut first: Option<[f64; 4]> = None;
    for pieces in [1, 5, 21, 201] {
        let graph = cut(pieces);
        let joined = training(&graph, start, goal, Lookup::Boxes, Pieces::Joined);
        let apart = training(&graph, start, goal, Lookup::Boxes, Pieces::Apart);
        let scan = training(&graph, start, goal, Lookup::Scan, Pieces::Apart);
        let mut expanded = 0;
        let modes = [
            (&joined, Remember::Nothing),
            (&apart, Remember::Nothing),
            (&apart, Remember::Places),
            (&scan, Remember::Nothing),
        ];
        let times = modes.map(|(training, remember)| {
            let walk = Walk {
                map: &map,
                from,
                to,
            };
            // What is known about places outlives a search, as long as the goal does.
            let mut memo = Memo::new(remember, (SIDE * SIDE) as usize);
            let time = nanoseconds(1, || {
                let guided = Guided {
                    training,
                    memo: &mut memo,
                    goal,
                };
                let mut search = BestFirst::weighted_astar(guided, Weight::new(2.0).unwrap());
                search.run(&walk, &mut Budget::unlimited());
                expanded = search.statistics().expanded;
                black_box(search.path());
            });
            time / expanded as f64
        });
        let ways = pieces * 3;
        let [joined, apart, memo, by_scan] = times;
        println!(
            "{ways:>8} {expanded:>12} {joined:>10.0} {apart:>10.0} {memo:>12.0} {by_scan:>10.0}"
        );
        let first = first.get_or_insert(times);
        if pieces == 201 {
            let ratio = |mode: usize| times[mode] / first[mode];
            println!(
                "603 ways to 3: {:.2} joined, {:.2} apart, {:.2} apart with memo, {:.2} by scan",
                ratio(0),
                ratio(1),
                ratio(2),
                ratio(3)
            );
        }
    }
}

/// What it takes to get ready, in slices of one unit of budget.
fn preparations() {
    println!("\ngetting ready, one unit of budget at a time");
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>12}",
        "ways", "slices", "all, ms", "each, us", "longest, us"
    );
    for samples in [1024, 16_384, 131_072] {
        let width = 400.0;
        let shown = sweeping(samples, width, 20.0);
        let ground = OpenGround { top_speed: 1.0 };
        let settings = TrainingSettings {
            pieces: Pieces::Apart,
            ..TrainingSettings::with_inflation(Weight::new(10.0).unwrap())
        };
        // The shortest of several runs, slice by slice: whatever else the machine does would make
        // some slice long in each.
        let mut slices: Vec<f64> = Vec::new();
        for _ in 0..ROUNDS {
            let mut times: Vec<f64> = Vec::new();
            let mut timed = |go_on: &mut dyn FnMut(&mut Budget<'_>) -> bool| {
                loop {
                    let begun = Instant::now();
                    let is_done = go_on(&mut Budget::units(1));
                    times.push(begun.elapsed().as_nanos() as f64);
                    if is_done {
                        return;
                    }
                }
            };
            let mut graph = DemonstrationGraph::default();
            let mut adding = DemonstrationGraphBuilder::default();
            timed(&mut |budget| adding.go_on(&mut graph, &shown, budget));
            let journey = Journey {
                start: Some(Place::flat(0.0, -5.0)),
                goal: ground.to(Place::flat(width, width + 5.0)),
                ways: &ground,
            };
            let mut learning =
                TrainingGraphBuilder::new(Arc::new(graph), STRAIGHT, settings, &journey);
            timed(&mut |budget| learning.go_on(&ground, budget));
            black_box(learning.finish());
            if slices.is_empty() {
                slices = times;
            } else {
                for (least, time) in slices.iter_mut().zip(times) {
                    *least = least.min(time);
                }
            }
        }
        let all: f64 = slices.iter().sum();
        let longest = slices.iter().copied().fold(0.0, f64::max);
        println!(
            "{samples:>8} {:>8} {:>10.2} {:>12.2} {:>12.1}",
            slices.len(),
            all / 1e6,
            all / 1e3 / slices.len() as f64,
            longest / 1e3,
        );
    }
}

fn main() {
    estimates(4.0);
    // So narrow that jumping to the last row pays, and nothing is near what was asked last.
    estimates(20.0);
    searches();
    preparations();
}
