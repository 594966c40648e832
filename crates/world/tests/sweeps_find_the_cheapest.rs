//! A sweep finds what Dijkstra's algorithm with a plain heap finds, whatever steps count and whatever
//! is barred; also a little at a time.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_experience::Place;
use apprentice_game::{ByTime, DistanceField, Ground, OutwardField, Pricing, Sweep};
use apprentice_search::{Budget, Cost};
use apprentice_world::{GridMap, Ledge, Link, Map, NavMeshParts, Point};
use proptest::prelude::*;

/// Steps count so many times their time, by the place they come from, and so much more, by the place
/// they lead to.
#[derive(Clone, Debug)]
struct Prices {
    factors: Vec<f64>,
    extras: Vec<u64>,
    barred: Vec<bool>,
    /// Whether also where a sweep begins.
    bars_beginnings: bool,
    usual: [f64; 2],
    /// How many steps were priced.
    asked: Cell<u64>,
}

impl Prices {
    fn at<T: Copy>(list: &[T], place: usize) -> T {
        list[place % list.len()]
    }
}

impl Pricing for Prices {
    type There = Cost;

    fn there(&self, place: usize) -> Cost {
        Cost::from_ticks(Prices::at(&self.extras, place))
    }

    fn price(&self, from: usize, there: Cost, _: Option<u8>, cost: Cost) -> Cost {
        self.asked.set(self.asked.get() + 1);
        Cost::round_up(cost.as_seconds() * Prices::at(&self.factors, from)) + there
    }

    fn is_barred(&self, place: usize, cost: Cost) -> bool {
        Prices::at(&self.barred, place) && (cost > Cost::ZERO || self.bars_beginnings)
    }

    fn usual(&self) -> [f64; 2] {
        self.usual
    }
}

/// The same with a heap, and with the steps as the map tells them.
fn by_heap(
    map: &Map,
    speed: f64,
    seeds: &[(usize, Cost)],
    prices: &Prices,
    is_outward: bool,
) -> Vec<Cost> {
    let mut costs = vec![Cost::INFINITE; map.places()];
    let mut open = BinaryHeap::new();
    for (place, cost) in seeds {
        if map.is_walkable(*place) && *cost < costs[*place] {
            costs[*place] = *cost;
            open.push(Reverse((*cost, *place)));
        }
    }
    while let Some(Reverse((cost, place))) = open.pop() {
        if cost > costs[place] || prices.is_barred(place, cost) {
            continue;
        }
        let steps: Vec<_> = if is_outward {
            map.steps_from(place).collect()
        } else {
            map.steps_to(place).collect()
        };
        for step in steps {
            let (from, to) = if is_outward {
                (place, step.place)
            } else {
                (step.place, place)
            };
            let total = cost + prices.price(from, prices.there(to), None, step.cost(speed));
            if total < costs[step.place] {
                costs[step.place] = total;
                open.push(Reverse((total, step.place)));
            }
        }
    }
    costs
}

fn grids() -> impl Strategy<Value = Map> {
    (1..24usize, 1..24usize).prop_flat_map(|(width, height)| {
        let row = prop::collection::vec(prop::bool::weighted(0.75), width);
        prop::collection::vec(row, height).prop_map(|rows| {
            let text = |row: Vec<bool>| -> String {
                row.iter()
                    .map(|free| if *free { '.' } else { '#' })
                    .collect()
            };
            let rows: Vec<String> = rows.into_iter().map(text).collect();
            Map::Grid(GridMap::from_rows(&rows).expect("rows of a map"))
        })
    })
}

/// A floor with a bridge above it, from which one falls, and a ledge.
fn bridge(ledge: f64) -> NavMeshParts {
    NavMeshParts {
        vertices: vec![
            [0.0, 0.0, 0.0],
            [6.0, 0.0, 0.0],
            [6.0, 4.0, 0.0],
            [0.0, 4.0, 0.0],
            [2.0, 1.0, 2.0],
            [4.0, 1.0, 2.0],
            [4.0, 3.0, 2.0],
            [2.0, 3.0, 2.0],
        ],
        polygons: vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
        ledges: vec![Ledge {
            from: Point::new(ledge, 0.0),
            to: Point::new(ledge, 4.0),
            height: 1.0,
        }],
        highest_fall: 3.0,
        ..NavMeshParts::default()
    }
}

/// The same with a ladder, which may take no time at all.
fn meshes() -> impl Strategy<Value = Map> {
    (1.0..5.0f64, 0.0..3.0f64, any::<bool>(), any::<bool>()).prop_map(
        |(ledge, delay, both_ways, is_quick)| {
            let parts = NavMeshParts {
                links: vec![Link {
                    from: (Point::new(0.5, 0.5), Some(0.0)).into(),
                    to: (Point::new(3.0, 2.0), Some(2.0)).into(),
                    delay: if is_quick { 0.0 } else { delay },
                    both_ways,
                }],
                ..bridge(ledge)
            };
            Map::Mesh(parts.build().expect("a mesh"))
        },
    )
}

/// Prices from next to nothing to very much, and what is said to be usual, right or not.
fn prices() -> impl Strategy<Value = Prices> {
    let factor = prop_oneof![
        4 => Just(1.0),
        2 => 1.0..20.0f64,
        1 => 0.001..1.0f64,
        1 => Just(0.0),
    ];
    let extra = prop_oneof![
        6 => Just(0u64),
        2 => 0..3_000_000_000u64,
        1 => 0..9_000_000_000_000u64,
    ];
    let usual = prop_oneof![
        Just([1.0, 1.0]),
        Just([0.001, 20.0]),
        Just([0.0, 0.0]),
        Just([f64::NAN, f64::INFINITY]),
        [0.01..2.0f64, 1.0..100.0f64],
    ];
    (
        prop::collection::vec(factor, 1..200),
        prop::collection::vec(extra, 1..200),
        prop::collection::vec(prop::bool::weighted(0.1), 1..60),
        any::<bool>(),
        usual,
    )
        .prop_map(|(factors, extras, barred, bars_beginnings, usual)| Prices {
            factors,
            extras,
            barred,
            bars_beginnings,
            usual,
            asked: Cell::default(),
        })
}

fn seeds() -> impl Strategy<Value = Vec<(usize, Cost)>> {
    let cost = prop_oneof![
        3 => Just(Cost::ZERO),
        1 => (0..5_000_000_000u64).prop_map(Cost::from_ticks),
        1 => any::<u64>().prop_map(Cost::from_ticks),
    ];
    prop::collection::vec((0..600usize, cost), 0..5)
}

/// A sweep that begins at every place of a large map is as right a little at a time.
#[test]
fn a_sweep_begins_anywhere() {
    let side = 130;
    let rows = vec![".".repeat(side); side];
    let map = Map::Grid(GridMap::from_rows(&rows).expect("rows of a map"));
    let cost = |place: usize| Cost::from_ticks((place as u64 * 7919) % 100_000);
    let mut sweep = Sweep::to((0..map.places()).map(|place| (place, cost(place))));
    let units = (1..).find(|_| sweep.go_on(&map, 1.0, &ByTime, &mut Budget::units(1)));
    assert!((0..map.places()).all(|place| sweep.at(place) == cost(place)));
    // One for each place, and for every 4,096 after the first: for the memory, and to begin.
    let places = map.places() as u64;
    let more = 2 * (places.div_ceil(4096) - 1);
    assert_eq!(units, Some(places + more));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn as_dijkstra_with_a_heap(
        map in prop_oneof![3 => grids(), 1 => meshes()],
        prices in prices(),
        seeds in seeds(),
        speed in prop_oneof![Just(1.0), 0.1..30.0f64],
        is_outward in any::<bool>(),
        units in 1..50u64,
    ) {
        let expected = by_heap(&map, speed, &seeds, &prices, is_outward);
        let begun = || {
            let seeds = seeds.iter().copied();
            if is_outward { Sweep::from(seeds) } else { Sweep::to(seeds) }
        };
        let mut whole = begun();
        let mut budget = Budget::unlimited();
        prop_assert!(whole.go_on(&map, speed, &prices, &mut budget));
        let found: Vec<Cost> = (0..map.places()).map(|place| whole.at(place)).collect();
        prop_assert_eq!(&found, &expected);

        let mut sliced = begun();
        let mut taken = 0;
        loop {
            let mut slice = Budget::units(units);
            let is_done = sliced.go_on(&map, speed, &prices, &mut slice);
            taken += slice.taken();
            if is_done {
                break;
            }
            prop_assert_eq!(slice.taken(), units);
        }
        prop_assert_eq!(taken, budget.taken());
        let sliced: Vec<Cost> = (0..map.places()).map(|place| sliced.at(place)).collect();
        prop_assert_eq!(&sliced, &expected);
    }
}

/// A unit of budget is one place with its steps, and each place is one unit: where steps count what is
/// said to be usual, nothing is looked at twice.
#[test]
fn a_unit_is_a_place() {
    let side = 300;
    let rows: Vec<String> = (0..side)
        .map(|y| {
            let is_wall = |x: usize| (x * 7 + y * 13).is_multiple_of(11);
            let cell = |x: usize| if is_wall(x) { '#' } else { '.' };
            (0..side).map(cell).collect()
        })
        .collect();
    let map = Map::Grid(GridMap::from_rows(&rows).expect("rows of a map"));
    let prices = Prices {
        factors: vec![1.0, 5.0, 0.2, 3.0],
        extras: vec![0],
        barred: vec![false],
        bars_beginnings: false,
        usual: [0.2, 5.0],
        asked: Cell::default(),
    };
    let mut sweep = Sweep::to([(1, Cost::ZERO)]);
    let (mut units, mut most) = (0u64, 0);
    loop {
        let before = prices.asked.get();
        let is_done = sweep.go_on(&map, 1.0, &prices, &mut Budget::units(1));
        most = most.max(prices.asked.get() - before);
        if is_done {
            break;
        }
        units += 1;
    }
    let reached = (0..map.places()).filter(|place| sweep.at(*place).is_finite());
    let reached = reached.count() as u64;
    assert!(reached > 80_000, "{reached}");
    assert!(most <= 8, "{most} steps at one go");
    // And one for the memory of every 4,096 places after the first.
    let memory = (map.places() as u64).div_ceil(4096) - 1;
    assert_eq!(units + 1, reached + memory);
}

fn map_of(rows: &[&str]) -> Map {
    Map::Grid(GridMap::from_rows(rows).unwrap())
}

#[test]
fn a_sweep_in_slices_is_the_same_sweep() {
    let map = map_of(&[".....", ".###.", "...#.", "..#.."]);
    let target = [19];
    let mut whole = DistanceField::to(&map, target, 1.0);
    assert!(whole.sweep(&map, &mut Budget::unlimited()));
    let mut sliced = DistanceField::to(&map, target, 1.0);
    let mut slices = 0;
    while !sliced.sweep(&map, &mut Budget::units(3)) {
        slices += 1;
    }
    assert!(slices >= 4);
    assert!((0..20).all(|place| whole.at(place) == sliced.at(place)));
}

#[test]
fn outwards_is_the_same_the_other_way_round() {
    // On a mesh there are ways that don't lead back: over a ledge, and from a bridge.
    let grid = map_of(&[".....", ".###.", "...#.", "..#.."]);
    for map in [grid, Map::Mesh(bridge(5.0).build().unwrap())] {
        for from in 0..map.places() {
            let mut outward = OutwardField::from([(from, 0.0)], 2.0);
            let mut slices = 0;
            while !outward.sweep(&map, &mut Budget::units(3)) {
                slices += 1;
            }
            assert!(slices > 1 || !map.is_walkable(from));
            for to in (0..map.places()).step_by(3) {
                let mut inward = DistanceField::to(&map, [to], 2.0);
                inward.sweep(&map, &mut Budget::unlimited());
                assert_eq!(outward.at(to), inward.at(from), "{from} to {to}");
                let way = outward.way(&map, to);
                let mut cost = Cost::ZERO;
                for pair in way.windows(2) {
                    let steps = map.steps_from(pair[0]);
                    let steps = steps.filter(|step| step.place == pair[1]);
                    cost = cost + steps.map(|step| step.cost(2.0)).min().unwrap();
                }
                assert_eq!(way.is_empty(), !outward.at(to).is_finite());
                assert!(way.is_empty() || (way[0], cost) == (from, outward.at(to)));
            }
        }
    }
}

#[test]
fn no_way_is_infinite() {
    let map = map_of(&[".#."]);
    let mut field = DistanceField::to(&map, [2], 1.0);
    field.sweep(&map, &mut Budget::unlimited());
    assert_eq!(field.at(0), Cost::INFINITE);
    assert_eq!(field.at(77), Cost::INFINITE);
    assert!(field.way(&map, Place::flat(0.0, 0.0)).is_empty());
}

#[test]
fn the_way_costs_what_the_field_says() {
    let map = map_of(&[".....", ".###.", "...#.", "..#.."]);
    let mut field = DistanceField::to(&map, [19], 1.0);
    field.sweep(&map, &mut Budget::unlimited());
    for place in (0..20).filter(|place| map.is_walkable(*place)) {
        let way = field.way(&map, map.at(place));
        let length: f64 = way
            .windows(2)
            .map(|pair| pair[0].distance_to(pair[1]))
            .sum();
        assert!(
            (length - field.at(place).as_seconds()).abs() < 1e-6,
            "{place}"
        );
    }
}
