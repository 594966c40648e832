//! A search that has grown large pays for the next unit of its budget what a small one pays: nothing
//! it holds is moved, hashed or sorted all at once.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use apprentice_search::*;

/// Counts the bytes that are handed out, and the largest piece of them.
struct Counting;

// For each thread apart: those of the test runner allocate whenever they like.
thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
    /// How often the problem was asked for a key, and a heuristic for an estimate.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    BYTES.set(BYTES.get() + bytes);
    LARGEST.set(LARGEST.get().max(bytes));
}

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one only counts"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// No piece may be larger: a quarter of a mebibyte is moved in some tens of microseconds.
const LARGEST_PIECE: usize = 256 << 10;
/// All pieces of a unit together. An expansion may begin a shelf of everything there is, for each of
/// three searches in one.
const BYTES_A_UNIT: usize = 1 << 20;
/// Keys and estimates: more than an expansion needs, because advisers may have to catch up.
const ASKED_A_UNIT: usize = 8_000;
/// States that are met.
const MANY: u64 = 1_000_000;

/// A tree without end, each state of which also has a step to its neighbour.
struct Tree {
    /// Whether states are numbered, or hashed.
    is_numbered: bool,
    /// Whether all steps cost the same: then very many states are as good as each other.
    is_even: bool,
    goal: Option<u32>,
}

/// Numbers that seem to have nothing to do with each other.
fn mix(number: u32) -> u64 {
    let product = (u64::from(number) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ product >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40
}

impl Problem for Tree {
    type State = u32;
    type Key = u32;
    type Action = u8;
    fn start(&self) -> u32 {
        0
    }
    fn key(&self, state: &u32) -> u32 {
        ASKED.set(ASKED.get() + 1);
        *state
    }
    fn index(&self, key: &u32) -> Option<u32> {
        self.is_numbered.then_some(*key)
    }
    fn is_goal(&self, state: &u32) -> bool {
        Some(*state) == self.goal
    }
    fn successors(&self, state: &u32, out: &mut Successors<u32, u8>) {
        let children = (0..4).map(|child| 4 * state + 1 + child);
        for (action, to) in children.chain([state ^ 1]).enumerate() {
            let ticks = if self.is_even {
                1_000
            } else {
                1_000 + mix(to) % 10_000
            };
            // Numbers end somewhere, but not before the search is stopped.
            if to < 1 << 28 {
                out.push(action as u8, to, Cost::from_ticks(ticks));
            }
        }
    }
}

fn weight(weight: f64) -> Weight {
    Weight::new(weight).expect("a weight")
}

/// Advisers that have opinions, and an anchor that has none.
fn adviser(salt: u32) -> BoxedHeuristic<Tree> {
    Box::new(Estimate::new(Promise::None, move |state: &u32| {
        ASKED.set(ASKED.get() + 1);
        Cost::from_ticks(mix(state ^ salt) % 50_000)
    }))
}

fn searches() -> Vec<(&'static str, Box<dyn Search<Tree>>)> {
    let advisers = || vec![adviser(1), adviser(1 << 20)];
    let weights = MhaWeights {
        inflation: weight(1.5),
        trust: weight(2.0),
    };
    let sharing = MhaStar::new(Blind, advisers(), weights).expect("an anchor");
    let alone = IndependentMhaStar::new(Blind, advisers(), weights).expect("an anchor");
    let low = Estimate::new(Promise::Admissible, |state: &u32| {
        Cost::from_ticks(mix(*state) % 1_000)
    });
    let heavy = weight(2.0);
    let mut all: Vec<(&'static str, Box<dyn Search<Tree>>)> = vec![
        ("A*", Box::new(BestFirst::astar(Blind))),
        (
            "weighted A*",
            Box::new(BestFirst::weighted_astar(low, heavy)),
        ),
        (
            "ARA*",
            Box::new(AraStar::new(Blind, AraSchedule::default())),
        ),
        ("LPA*", Box::new(LpaStar::new(Blind))),
        ("shared MHA*", Box::new(sharing)),
        ("independent MHA*", Box::new(alone)),
    ];
    for form in MhaForm::ALL {
        let search = ImprovedMhaStar::new(form, Blind, advisers(), weight(3.0));
        all.push(("improved MHA*", Box::new(search.expect("an anchor"))));
    }
    all
}

/// The most that a unit took.
#[derive(Debug, Default)]
struct Most {
    bytes: usize,
    largest: usize,
    asked: usize,
}

fn check(name: &str, problem: &Tree, search: &mut dyn Search<Tree>) {
    let (mut most, mut units) = (Most::default(), 0);
    loop {
        let (bytes, asked) = (BYTES.get(), ASKED.get());
        LARGEST.set(0);
        let mut budget = Budget::units(1);
        let status = search.run(problem, &mut budget);
        most.bytes = most.bytes.max(BYTES.get() - bytes);
        most.largest = most.largest.max(LARGEST.get());
        most.asked = most.asked.max(ASKED.get() - asked);
        units += budget.taken();
        if !status.is_unfinished() || problem.goal.is_none() && search.statistics().states >= MANY {
            break;
        }
    }
    let Statistics {
        expanded,
        upkeep,
        states,
        ..
    } = *search.statistics();
    let told = format!("{name}: {most:?} for {states} states, {upkeep} units besides {expanded}");
    println!("{told}");
    assert_eq!(units, expanded + upkeep, "{told}");
    assert!(states > MANY / 2, "{told}");
    assert!(most.largest <= LARGEST_PIECE, "{told}");
    assert!(most.bytes <= BYTES_A_UNIT, "{told}");
    assert!(most.asked <= ASKED_A_UNIT, "{told}");
}

#[test]
fn whatever_is_searched_and_however() {
    for (is_numbered, is_even) in [(true, false), (false, false), (false, true)] {
        for (name, mut search) in searches() {
            let problem = Tree {
                is_numbered,
                is_even,
                goal: None,
            };
            check(name, &problem, &mut *search);
        }
    }
    // Between the rounds of an anytime search all that is open is sorted anew.
    let problem = Tree {
        is_numbered: false,
        is_even: true,
        goal: Some(900_000),
    };
    let mut search = AraStar::new(Blind, AraSchedule::default());
    check("ARA* in rounds", &problem, &mut search);
}
