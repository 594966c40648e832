//! Prints what it costs to make a quest, and what an expansion costs where enemies move: the least of
//! several runs, because whatever else a machine does only adds to it.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use apprentice_search::{BestFirst, Blind, Budget, Heuristic, Problem, Search, Successors};
use apprentice_world::{Abilities, AnyQuest, Quest, QuestProblem, Scenario, StraightLine, World};

const WOLVES: &str = "enemy = [
    { id = 'a', kind = 'wolf', at = [20, 12] }, { id = 'b', kind = 'wolf', at = [44, 20] },
    { id = 'c', kind = 'wolf', at = [12, 44] }, { id = 'd', kind = 'wolf', at = [50, 52] },
]";
const DOOR: &str = "key = [{ id = 'red', at = [3, 1], opens = ['gate'] }]
    door = [{ id = 'gate', at = [[11, 7], [12, 7]] }]";
const RUNS: usize = 7;

fn main() {
    let player = format!("player = {{ at = [2, 2] }}\n{WOLVES}");
    println!(
        "| 64×64, 4 wolves | expansion ns | successors ns | key ns | estimate ns | is_goal ns |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, more) in [
        ("alone", WOLVES.to_owned()),
        ("a player who stands", player.clone()),
        (
            "a player who stands near one",
            format!("player = {{ at = [18, 12] }}\n{WOLVES}"),
        ),
        (
            "the same, walls hide",
            format!("rules = {{ line_of_sight = true }}\n{player}"),
        ),
    ] {
        expansions(name, &rooms(64, &more));
    }
    println!("\n| level | AnyQuest::new µs | QuestProblem::new µs |");
    println!("|---|---|---|");
    for side in [64, 496] {
        making(&format!("{side}×{side}, still"), &rooms(side, DOOR));
        making(&format!("{side}×{side}, 4 wolves"), &rooms(side, &player));
    }
}

/// Rooms of seven by seven cells with openings in the middle of every wall.
fn rooms(side: usize, more: &str) -> Scenario {
    let goal = side - 2;
    let mut text = format!(
        "format = 1\nstart = [1, 1]\ngoal = {{ within = {{ at = [{goal}, {goal}], radius = 0.0 }} }}\n{more}\n[map]\nrows = [\n"
    );
    for y in 0..side {
        let row = (0..side).map(|x| match (x % 8, y % 8) {
            (7, 3 | 4) | (3 | 4, 7) => '.',
            (7, _) | (_, 7) => '#',
            _ => '.',
        });
        writeln!(text, "'{}',", row.collect::<String>()).expect("a text takes what is written");
    }
    Scenario::parse(&(text + "]")).expect("the scenario is valid")
}

/// The nanoseconds one of `count` takes.
fn least(count: usize, mut what: impl FnMut()) -> f64 {
    let runs = (0..RUNS).map(|_| {
        let start = Instant::now();
        what();
        start.elapsed().as_secs_f64() * 1e9 / count as f64
    });
    runs.fold(f64::INFINITY, f64::min)
}

fn expansions(name: &str, scenario: &Scenario) {
    let world = World::new(scenario);
    let quest = QuestProblem::new(scenario, &world, scenario.goal(), Abilities::default());
    // Without an estimate, so that it comes to everything around the start, wolves included.
    let mut search = BestFirst::astar(Blind);
    let budget = 3000;
    let expansion = least(budget, || {
        search.restart();
        search.run(&quest, &mut Budget::units(budget as u64));
    });
    let states = states_around(&quest, budget);
    let mut out = Successors::new();
    let successors = least(states.len(), || {
        for state in &states {
            out.clear();
            quest.successors(state, &mut out);
        }
    });
    let key = least(states.len(), || {
        for state in &states {
            black_box(quest.key(state));
        }
    });
    let estimate = least(states.len(), || {
        for state in &states {
            black_box(Heuristic::estimate(&mut StraightLine, &quest, state));
        }
    });
    let is_goal = least(states.len(), || {
        for state in &states {
            black_box(quest.is_goal(state));
        }
    });
    println!(
        "| {name} | {expansion:.0} | {successors:.0} | {key:.1} | {estimate:.1} | {is_goal:.1} |"
    );
}

/// The states a search without an estimate meets first.
fn states_around<Q: Quest>(quest: &Q, count: usize) -> Vec<Q::State> {
    let mut states = vec![quest.start()];
    let mut met = std::collections::HashSet::from([quest.key(&states[0])]);
    let (mut out, mut next) = (Successors::new(), 0);
    while states.len() < count && next < states.len() {
        out.clear();
        quest.successors(&states[next], &mut out);
        let new = out.iter().filter(|step| met.insert(quest.key(&step.state)));
        states.extend(new.map(|step| step.state.clone()));
        next += 1;
    }
    states
}

fn making(name: &str, scenario: &Scenario) {
    let world = World::new(scenario);
    let goal = scenario.goal();
    let count = 100;
    let any = least(count, || {
        for _ in 0..count {
            let quest = AnyQuest::new(scenario, &world, goal, Abilities::default());
            black_box(&quest);
        }
    });
    let problem = least(count, || {
        for _ in 0..count {
            let quest = QuestProblem::new(scenario, &world, goal, Abilities::default());
            black_box(&quest);
        }
    });
    println!("| {name} | {:.2} | {:.2} |", any / 1e3, problem / 1e3);
}
