//! A search that has run once runs again without asking for memory, through still and moving worlds.

mod golden;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use apprentice_search::{BestFirst, Budget, Heuristic, Search};
use apprentice_world::{AnyQuest, Quest, Scenario, ShortestPath, StraightLine};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// Only counts, and leaves the work to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn check<Q: Quest>(name: &str, quest: &Q, estimate: impl Heuristic<Q>) {
    let mut search = BestFirst::astar(estimate);
    search.run(quest, &mut Budget::unlimited());
    assert!(
        search.statistics().expanded > 500,
        "{name} is too small to show anything"
    );
    search.restart();
    // The estimate looks whether it still fits before the first expansion, in a few small strings.
    search.run(quest, &mut Budget::expansions(1));
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    search.run(quest, &mut Budget::unlimited());
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0, "{name}");
}

// One test, because tests in one program share the allocator.
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
