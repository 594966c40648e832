//! A search that has run once runs again without asking for memory, through still and moving worlds.

use crate::golden;

use apprentice_search::{BestFirst, Budget, Heuristic, Search};
use apprentice_world::{AnyQuest, Quest, Scenario, ShortestPath, StraightLine};

fn check<Q: Quest>(name: &str, quest: &Q, estimate: impl Heuristic<Q>) {
    let mut search = BestFirst::astar(estimate);
    search.run(quest, &mut Budget::unlimited());
    assert!(
        search.statistics().expanded > 500,
        "{name} is too small to show anything"
    );
    search.restart();
    // The estimate looks whether it still fits before the first expansion, in a few small strings.
    search.run(quest, &mut Budget::units(1));
    let taken = allocation_counter::measure(|| {
        search.run(quest, &mut Budget::unlimited());
    });
    assert_eq!(taken.count_total, 0, "{name}");
}

#[test]
fn on_every_kind_of_quest() {
    for name in ["quest_compound", "k5d5", "bear_bypass", "multi_demo"] {
        let path = golden::root().join(format!("scenarios/{name}.toml"));
        let scenario = Scenario::parse(&golden::read(&path)).unwrap();
        match scenario.quest() {
            AnyQuest::Still(quest) => {
                check(name, &quest, StraightLine);
                check(name, &quest, ShortestPath::default());
            }
            AnyQuest::Moving(quest) => {
                check(name, &quest, StraightLine);
                check(name, &quest, ShortestPath::default());
            }
        }
    }
}
