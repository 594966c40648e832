//! While a plan is being rehearsed, a decision that gets no further than paying for the next step
//! allocates nothing: what is rehearsed was gathered once.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use apprentice_behavior::{Doing, Executor, PlannerName, Settings};
use apprentice_search::Budget;
use apprentice_world::{Abilities, Scenario, World};

/// Counts the calls that hand out memory.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one only counts"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A long way, with a wolf asleep far from it, so that there is something to rehearse.
fn long_way() -> Scenario {
    let mut rows = vec![
        format!("'{}'", ".".repeat(200)),
        format!("'{}'", "#".repeat(200)),
    ];
    rows.extend(vec![format!("'{}'", ".".repeat(200)); 2]);
    let text = format!(
        "format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [199, 0], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        enemy = [{{ id = 'grey', kind = 'wolf', at = [100, 3] }}]",
        rows.join(", ")
    );
    Scenario::parse(&text).expect("the scenario is sound")
}

// One test: the allocator is shared by all tests of a file.
#[test]
fn between_two_steps() {
    let scenario = long_way();
    let settings = Settings {
        planner: PlannerName::Wastar,
        ..Settings::default()
    };
    let planner = settings
        .check(&scenario, [])
        .expect("the settings fit")
        .planner;
    let world = World::new(&scenario);
    let mut executor = Executor::new(planner, Abilities::default());
    let (mut slices, mut idle) = (0, 0);
    while executor.doing() == Doing::Thinking {
        let before = CALLS.load(Ordering::Relaxed);
        executor.decide(&scenario, &world, &mut Budget::expansions(1));
        slices += 1;
        idle += u32::from(CALLS.load(Ordering::Relaxed) == before);
    }
    // A step of the way is eight units of the rehearsal: in the last of them it is lived through and
    // noted.
    assert_eq!(executor.ahead().len(), 199);
    assert!(idle >= 199 * 7, "{idle} of {slices}");
}
