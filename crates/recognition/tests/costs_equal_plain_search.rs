//! The costs on grids with keys are those that Dijkstra's algorithm finds, deed by deed.

use apprentice_recognition::{
    Deed, Explaining, Gaps, GridState, Key, KeyGrid, Likelihood, Lock, recognise_on_grid,
};
use apprentice_search::{BestFirst, Budget, Cost, Problem, Search, Successors};
use proptest::prelude::*;

/// What a goal costs with these observations, by looking at everything there is.
fn plainly(grid: &KeyGrid, goal: usize, observations: &[Deed]) -> Cost {
    let grid = KeyGrid {
        goal,
        ..grid.clone()
    };
    let explains =
        |number: usize, _: &GridState, deed: &Deed, _: &GridState| observations[number] == *deed;
    let explaining = Explaining::new(&grid, observations.len(), Gaps::None, explains);
    let mut search = BestFirst::dijkstra();
    search.run(&explaining, &mut Budget::unlimited());
    search.path().map_or(Cost::INFINITE, |path| path.cost)
}

/// A grid with keys and locks anywhere; shapes may occur several times or never.
fn grid() -> impl Strategy<Value = KeyGrid> {
    let thing = || prop::collection::vec((0..12_usize, 0..4_usize), 0..4);
    let walls = prop::collection::vec(prop::bool::weighted(0.15), 12);
    (thing(), thing(), walls, 0..12_usize).prop_map(|(keys, mut locks, walls, start)| {
        let (width, height) = (4, 3);
        let mut connected = vec![Vec::new(); width * height];
        for from in 0..width * height {
            for to in 0..width * height {
                let (dx, dy) = (
                    (from % width).abs_diff(to % width),
                    (from / width).abs_diff(to / width),
                );
                if dx + dy == 1 && !walls[from] && !walls[to] {
                    connected[from].push(to as u16);
                }
            }
        }
        locks.retain(|(place, _)| *place != start);
        locks.sort_unstable();
        locks.dedup_by_key(|(place, _)| *place);
        let mut lock_of = vec![None; width * height];
        for (number, (place, _)) in locks.iter().enumerate() {
            lock_of[*place] = Some(number as u16);
        }
        let keys = keys
            .into_iter()
            .enumerate()
            .map(|(number, (place, shape))| Key {
                name: format!("key {number}"),
                place,
                shape,
            });
        let locks = locks
            .into_iter()
            .map(|(place, shape)| Lock { place, shape });
        KeyGrid {
            places: (0..width * height).map(|place| place.to_string()).collect(),
            connected,
            keys: keys.collect(),
            locks: locks.collect(),
            start,
            goal: 0,
            lock_of,
        }
    })
}

/// What somebody does who goes anywhere, as `choices` fall.
fn walk(grid: &KeyGrid, choices: &[usize]) -> Vec<Deed> {
    let mut state = grid.start();
    let mut deeds = Vec::new();
    for choice in choices {
        let mut out = Successors::new();
        grid.successors(&state, &mut out);
        let steps: Vec<_> = out.iter().collect();
        if steps.is_empty() {
            break;
        }
        let step = steps[choice % steps.len()];
        deeds.push(step.action);
        state = step.state;
    }
    deeds
}

fn exact() -> Likelihood {
    Likelihood {
        settled_within: 1e6,
        ..Likelihood::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_cost_is_what_plain_search_finds(
        grid in grid(),
        choices in prop::collection::vec((0..12_usize, any::<bool>()), 0..14),
    ) {
        let way: Vec<usize> = choices.iter().map(|(choice, _)| *choice).collect();
        let deeds = walk(&grid, &way).into_iter().zip(&choices);
        let seen: Vec<Deed> = deeds.filter(|(_, (_, seen))| *seen).map(|(deed, _)| deed).collect();
        let goals: Vec<usize> = (0..grid.places.len()).collect();
        let recognition = recognise_on_grid(&grid, &goals, &seen, &exact());
        for (goal, costs) in goals.iter().zip(&recognition.costs) {
            prop_assert!(costs.settled);
            prop_assert_eq!(costs.at_best, plainly(&grid, *goal, &[]), "goal {}", goal);
            prop_assert_eq!(costs.explaining, plainly(&grid, *goal, &seen), "goal {} with {:?}", goal, seen);
        }
    }

    #[test]
    fn what_is_not_settled_names_the_same_goals(
        grid in grid(),
        choices in prop::collection::vec((0..12_usize, any::<bool>()), 0..14),
    ) {
        let way: Vec<usize> = choices.iter().map(|(choice, _)| *choice).collect();
        let deeds = walk(&grid, &way).into_iter().zip(&choices);
        let seen: Vec<Deed> = deeds.filter(|(_, (_, seen))| *seen).map(|(deed, _)| deed).collect();
        let goals: Vec<usize> = (0..grid.places.len()).collect();
        let whole = recognise_on_grid(&grid, &goals, &seen, &exact());
        let hasty = Likelihood { settled_within: 2.0, ..Likelihood::default() };
        let hasty = recognise_on_grid(&grid, &goals, &seen, &hasty);
        prop_assert_eq!(&hasty.named, &whole.named);
        for (hasty, whole) in hasty.costs.iter().zip(&whole.costs) {
            prop_assert!(hasty.explaining <= whole.explaining);
            prop_assert!(!hasty.settled || hasty == whole);
        }
    }
}
