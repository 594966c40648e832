//! The same work side by side with the `pathfinding` crate, in one run.
//!
//! Rounds of both are interleaved and the fastest of each is reported, so that a busy machine
//! disturbs the times a little and their ratio less. Both expand the same number of states (nearly:
//! the two break ties differently). A section is a function that fills a [`Table`] and judges the
//! [`Goals`] it is there for; `main` lists them.
//!
//! How long it takes to get memory depends on what was given back before, and the peer gets all of
//! its memory anew in every round. So each row is measured in a process of its own, and the peer
//! twice: in turn with a search that keeps its memory, so that it gets its own from the system; and
//! in turn with a search made anew, whose memory it then finds at hand. The goals go by the former,
//! which is how a game would meet the two; the latter stands beside them.

use std::cell::Cell as Counter;
use std::hint::black_box;
use std::time::{Duration, Instant};

use apprentice_search::{
    BestFirst, Budget, Cost, Heuristic, Problem, Promise, Search, Statistics, Successors,
};

#[path = "../tests/grid/mod.rs"]
mod grid;

use grid::{DIAGONAL, Line, MOVES, Octile, Published, STRAIGHT, Walk};

fn main() {
    if let Some(name) = std::env::args().find_map(|it| Some(it.strip_prefix(ROW)?.to_owned())) {
        println!("{}", measure(&name).to_line());
        return;
    }
    let mut goals = Goals::default();
    grids(&mut goals);
    hashed_states(&mut goals);
    memory(&mut goals);
    goals.print();
}

/// Measures a row, named as the sections name them.
fn measure(name: &str) -> Row {
    let fields: Vec<&str> = name.split('/').collect();
    match fields[..] {
        ["walk", map] => {
            let mut maps = grid::published().expect("the maps that were there a moment ago");
            maps.retain(|it| it.name == map);
            walk(&maps[0])
        }
        ["quest", memory, modes, expansions] => {
            let memory = Memory::ALL.into_iter().find(|it| it.name() == memory);
            let quest = Quest {
                modes: modes.parse().expect("a number of modes"),
                memory: memory.expect("a kind of memory"),
            };
            go_on(quest, expansions.parse().expect("a number of expansions"))
        }
        _ => panic!("there is no row {name}"),
    }
}

/// The argument that asks for one row.
const ROW: &str = "--row=";
/// How long the rounds of one row go on, once there are [`FEWEST_ROUNDS`].
const ROUNDS: Duration = Duration::from_millis(1_500);
const FEWEST_ROUNDS: u32 = 3;

// ---- Grids ----

/// Of the hardest tenth of a map's lines this many are searched, evenly spaced.
const LINES: usize = 12;

/// Published maps, whose cells have numbers: the hash table is spared.
fn grids(goals: &mut Goals) {
    println!("\nGrids: numbered cells, the hardest tenth of the published lines");
    let Some(maps) = grid::published() else {
        return;
    };
    let mut table = Table::new();
    for map in &maps {
        let row = Row::of(&format!("walk/{}", map.name));
        let ratio = table.print(&map.name, &row);
        if ["orz100d", "AR0011SR"].contains(&map.name.as_str()) {
            goals.times_as_fast(&map.name, ratio, 3.0);
            let nanoseconds = per_expansion(row.warm, row.our_expansions);
            goals.at_most(
                &format!("{}: ns per expansion", map.name),
                nanoseconds,
                60.0,
            );
        }
    }
}

fn walk(map: &Published) -> Row {
    let lines = hardest(&map.lines);
    let mut search = BestFirst::astar(Octile);
    let mut row = Row::default();
    let warm = |row: &mut Row| {
        let (mut bytes, mut states) = (0, 0);
        row.our_expansions = 0;
        for line in &lines {
            search.restart();
            let walk = Walk::new(&map.grid, line.from, line.to);
            black_box(search.run(&walk, &mut Budget::unlimited()));
            row.our_expansions += search.statistics().expanded;
            bytes += search.statistics().bytes;
            states += search.statistics().states;
        }
        row.bytes_per_state = bytes as f64 / states as f64;
    };
    let cold = || {
        for line in &lines {
            let mut search = BestFirst::astar(Octile);
            let walk = Walk::new(&map.grid, line.from, line.to);
            black_box(search.run(&walk, &mut Budget::unlimited()));
        }
    };
    let theirs = |row: &mut Row| {
        let expansions = Counter::new(0);
        for line in &lines {
            let target = map.grid.place(line.to);
            black_box(pathfinding::prelude::astar(
                &line.from,
                |cell| {
                    expansions.set(expansions.get() + 1);
                    let moves = map.grid.moves(*cell).map(|(_, to, cost)| (to, cost));
                    moves.collect::<Vec<_>>()
                },
                |cell| map.grid.octile_to(*cell, target),
                |cell| *cell == line.to,
            ));
        }
        row.their_expansions = expansions.get();
    };
    row.measure(warm, cold, theirs);
    row
}

fn hardest(lines: &[Line]) -> Vec<Line> {
    let tenth = &lines[lines.len() - lines.len() / 10..];
    let step = tenth.len().div_ceil(LINES).max(1);
    tenth.iter().step_by(step).copied().collect()
}

// ---- Hashed states ----

/// States without numbers: 16 bytes, found by their hash. How fast a search is depends on how many of
/// the successors are new to it; there are goals wherever about half of them are or more.
fn hashed_states(goals: &mut Goals) {
    println!("\nHashed states of 16 bytes: a quest whose goal is never reached");
    for memory in Memory::ALL {
        println!("\n{}", memory.says());
        let mut table = Table::new();
        for (modes, expansions, wanted, nanoseconds) in [
            (2, 1_000, 2.0, Some(150.0)),
            (2, 10_000, 2.0, Some(350.0)),
            (2, 100_000, 2.0, Some(700.0)),
            (32, 200, 3.0, None),
            (32, 2_000, 3.0, None),
        ] {
            let name = format!("{} successors, {expansions}", modes * 8);
            let row = Row::of(&format!("quest/{}/{modes}/{expansions}", memory.name()));
            let ratio = table.print(&name, &row);
            if memory == Memory::None {
                continue;
            }
            let name = format!("{name}, {}", memory.name());
            goals.times_as_fast(&name, ratio, wanted);
            if let Some(wanted) = nanoseconds {
                let measured = per_expansion(row.warm, row.our_expansions);
                goals.at_most(&format!("{name}: ns per expansion"), measured, wanted);
            }
        }
    }
}

fn go_on(quest: Quest, expansions: u64) -> Row {
    let mut kept = BestFirst::astar(Remaining);
    let mut row = Row::default();
    let warm = |row: &mut Row| {
        kept.restart();
        black_box(kept.run(&quest, &mut Budget::units(expansions)));
        row.our_expansions = kept.statistics().expanded;
        row.bytes_per_state = kept.statistics().bytes_per_state();
    };
    let cold = || drop(black_box(search_quest(quest, expansions)));
    let theirs = |row: &mut Row| row.their_expansions = peer_quest(quest, expansions);
    row.measure(warm, cold, theirs);
    row
}

fn search_quest(quest: Quest, expansions: u64) -> BestFirst<Quest, Remaining> {
    let mut search = BestFirst::astar(Remaining);
    search.run(&quest, &mut Budget::units(expansions));
    search
}

/// The peer on the same quest; returns its expansions.
fn peer_quest(quest: Quest, expansions: u64) -> u64 {
    let expanded = Counter::new(0);
    black_box(pathfinding::prelude::astar(
        &quest.start(),
        |state| {
            expanded.set(expanded.get() + 1);
            let mut out = Vec::with_capacity(MOVES.len() * quest.modes as usize);
            quest.for_each_step(state, |_, to, cost| out.push((to, cost)));
            out
        },
        remaining,
        |_| expanded.get() == expansions,
    ));
    expanded.get()
}

/// Going about a wide country, picking things up and laying them down.
///
/// What a state remembers of it decides how many successors are new.
#[derive(Clone, Copy)]
struct Quest {
    /// In how many ways each of the eight moves can be made: with hands still, or picking up or
    /// laying down one of the things that are there.
    modes: u32,
    memory: Memory,
}

/// What is remembered of the things that were handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// All of them and on which way: hardly two ways lead to the same state.
    All,
    /// The last ones: about half of the successors are new, or a little more.
    Last,
    /// Nothing: most successors are known already.
    None,
}

impl Memory {
    const ALL: [Memory; 3] = [Memory::All, Memory::Last, Memory::None];

    fn name(self) -> &'static str {
        match self {
            Memory::All => "all new",
            Memory::Last => "half new",
            Memory::None => "few new",
        }
    }

    fn says(self) -> &'static str {
        match self {
            Memory::All => "Everything that was handled is remembered: nearly all states are new",
            Memory::Last => "What was handled last is remembered: about half of the states are new",
            Memory::None => "Nothing is remembered: most states are known already",
        }
    }

    /// What is remembered after a thing was handled on the way in a direction.
    #[inline]
    fn after(self, handled: u32, thing: u32, direction: u32) -> u32 {
        match self {
            Memory::All => (handled ^ (thing + 64 * direction + 1))
                .wrapping_mul(0x9E37_79B1)
                .rotate_left(15),
            Memory::Last => handled << 5 | thing,
            Memory::None => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Questing {
    x: u32,
    y: u32,
    /// A bit for each thing.
    carried: u32,
    /// What is remembered of the things that were handled.
    handled: u32,
}

/// Far beyond what any budget here reaches.
const TARGET: (u32, u32) = (1 << 20, (1 << 20) + (1 << 18));
/// What handling a thing costs: about an eighth of a step.
const HANDLING: u64 = STRAIGHT / 8;

impl Quest {
    #[inline]
    fn for_each_step(&self, from: &Questing, mut visit: impl FnMut(u16, Questing, u64)) {
        let land = terrain(from.x, from.y);
        for (number, (dx, dy)) in MOVES.iter().enumerate() {
            let straight = *dx == 0 || *dy == 0;
            let distance = if straight { STRAIGHT } else { DIAGONAL };
            // Rough land costs up to an eighth more.
            let cost = distance + distance * (land & 255) / 2048;
            let moved = Questing {
                x: from.x.wrapping_add_signed(*dx),
                y: from.y.wrapping_add_signed(*dy),
                ..*from
            };
            visit(number as u16, moved, cost);
            for mode in 1..self.modes {
                let thing = ((land >> 8) as u32 + mode) & 31;
                let handled = Questing {
                    carried: moved.carried ^ (1 << thing),
                    handled: self.memory.after(moved.handled, thing, number as u32),
                    ..moved
                };
                visit(mode as u16 * 8 + number as u16, handled, cost + HANDLING);
            }
        }
    }
}

/// What a place is like: bits that look random.
#[inline]
fn terrain(x: u32, y: u32) -> u64 {
    let place = u64::from(x) << 32 | u64::from(y);
    (place ^ (place >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40
}

/// The octile distance to the target.
#[inline]
fn remaining(state: &Questing) -> u64 {
    let dx = u64::from(state.x.abs_diff(TARGET.0));
    let dy = u64::from(state.y.abs_diff(TARGET.1));
    dx.max(dy) * STRAIGHT + dx.min(dy) * (DIAGONAL - STRAIGHT)
}

impl Problem for Quest {
    type State = Questing;
    type Key = Questing;
    type Action = u16;

    fn start(&self) -> Questing {
        Questing {
            x: 1 << 19,
            y: 1 << 19,
            carried: 0,
            handled: 0,
        }
    }
    #[inline]
    fn key(&self, state: &Questing) -> Questing {
        *state
    }
    #[inline]
    fn is_goal(&self, state: &Questing) -> bool {
        (state.x, state.y) == TARGET
    }
    #[inline]
    fn successors(&self, state: &Questing, out: &mut Successors<Questing, u16>) {
        self.for_each_step(state, |action, to, cost| {
            out.push(action, to, Cost::from_ticks(cost));
        });
    }
}

/// The octile distance to the target, as a heuristic.
struct Remaining;

impl Heuristic<Quest> for Remaining {
    #[inline]
    fn estimate(&mut self, _: &Quest, state: &Questing) -> Cost {
        Cost::from_ticks(remaining(state))
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

// ---- Memory ----

/// What a state takes: as the statistics count it, and as the allocator saw it at its highest.
fn memory(goals: &mut Goals) {
    println!("\nMemory: bytes for each state met, the states themselves (16 bytes) included");
    println!(
        "{:<24}{:>12}{:>12}{:>12}{:>14}{:>14}",
        "", "expansions", "states", "counted", "ours at most", "peer at most"
    );
    for (modes, expansions) in [(2, 1_000), (2, 10_000), (2, 100_000), (32, 2_000)] {
        let quest = Quest {
            modes,
            memory: Memory::Last,
        };
        let mut statistics = Statistics::default();
        let ours = heap::peak(|| {
            statistics = search_quest(quest, expansions).statistics().clone();
        });
        let theirs = heap::peak(|| {
            peer_quest(quest, expansions);
        });
        let states = statistics.states as f64;
        let counted = statistics.bytes_per_state();
        let name = format!("{} successors", modes * 8);
        println!(
            "{name:<24}{expansions:>12}{states:>12}{counted:>12.1}{:>14.1}{:>14.1}",
            ours as f64 / states,
            theirs as f64 / states
        );
        let beside = counted - size_of::<Questing>() as f64;
        let name = format!("{name}, {expansions}: bytes beside the state");
        goals.at_most(&name, beside, 64.0);
    }
}

/// An allocator that remembers the most it ever held.
mod heap {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[global_allocator]
    static HEAP: Counting = Counting;

    static HELD: AtomicUsize = AtomicUsize::new(0);
    static HIGHEST: AtomicUsize = AtomicUsize::new(0);

    struct Counting;

    // An allocator cannot be written without it, and only an allocator sees what is really held.
    #[allow(unsafe_code)]
    // SAFETY: every call is handed on to the system's allocator as it came.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
            HIGHEST.fetch_max(held, Relaxed);
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            HELD.fetch_sub(layout.size(), Relaxed);
            unsafe { System.dealloc(memory, layout) }
        }
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
            HIGHEST.fetch_max(held, Relaxed);
            unsafe { System.alloc_zeroed(layout) }
        }
        unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            let held = HELD.fetch_add(size, Relaxed) + size;
            HIGHEST.fetch_max(held, Relaxed);
            HELD.fetch_sub(layout.size(), Relaxed);
            unsafe { System.realloc(memory, layout, size) }
        }
    }

    /// The most bytes held at once during `work`, beyond what was held before.
    pub(crate) fn peak(work: impl FnOnce()) -> usize {
        let before = HELD.load(Relaxed);
        HIGHEST.store(before, Relaxed);
        work();
        HIGHEST.load(Relaxed) - before
    }
}

// ---- Measuring and printing ----

/// The figures of one row.
#[derive(Default)]
struct Row {
    our_expansions: u64,
    their_expansions: u64,
    /// The fastest round of a search that is restarted, the way a game uses it.
    warm: Duration,
    /// The fastest round of a search that is made anew.
    cold: Duration,
    /// The peer's fastest round, in turn with the warm search and with the cold one.
    theirs: [Duration; 2],
    bytes_per_state: f64,
}

impl Row {
    /// A row, measured in a process of its own.
    fn of(name: &str) -> Row {
        let program = std::env::current_exe().expect("the path of this program");
        let output = std::process::Command::new(program)
            .arg(format!("{ROW}{name}"))
            .output()
            .expect("a second process");
        let line = String::from_utf8_lossy(&output.stdout);
        Row::from_line(&line).unwrap_or_else(|| panic!("no figures for {name}: {line}"))
    }

    fn to_line(&self) -> String {
        format!(
            "{} {} {} {} {} {} {}",
            self.our_expansions,
            self.their_expansions,
            self.warm.as_nanos(),
            self.cold.as_nanos(),
            self.theirs[0].as_nanos(),
            self.theirs[1].as_nanos(),
            self.bytes_per_state,
        )
    }

    fn from_line(line: &str) -> Option<Row> {
        let mut fields = line.split_whitespace();
        let mut whole = || fields.next()?.parse().ok();
        Some(Row {
            our_expansions: whole()?,
            their_expansions: whole()?,
            warm: Duration::from_nanos(whole()?),
            cold: Duration::from_nanos(whole()?),
            theirs: [
                Duration::from_nanos(whole()?),
                Duration::from_nanos(whole()?),
            ],
            bytes_per_state: fields.next()?.parse().ok()?,
        })
    }

    /// Does the work again and again, ours and theirs in turn.
    fn measure(
        &mut self,
        mut warm: impl FnMut(&mut Row),
        cold: impl Fn(),
        theirs: impl Fn(&mut Row),
    ) {
        (self.warm, self.cold) = (Duration::MAX, Duration::MAX);
        self.theirs = [Duration::MAX; 2];
        repeat(|| {
            self.warm = self.warm.min(timed(|| warm(self)));
            self.theirs[0] = self.theirs[0].min(timed(|| theirs(self)));
        });
        repeat(|| {
            self.cold = self.cold.min(timed(&cold));
            self.theirs[1] = self.theirs[1].min(timed(|| theirs(self)));
        });
    }
}

fn repeat(mut round: impl FnMut()) {
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < FEWEST_ROUNDS || begin.elapsed() < ROUNDS {
        rounds += 1;
        round();
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

fn per_expansion(time: Duration, expansions: u64) -> f64 {
    time.as_nanos() as f64 / expansions as f64
}

/// Rows under a common heading.
struct Table;

impl Table {
    fn new() -> Table {
        print!("{:<24}{:>12}{:>12}", "", "expansions", "peer's");
        print!("{:>12}{:>12}", "warm ns", "cold ns");
        print!("{:>12}{:>12}", "peer ns", "at hand");
        println!("{:>12}{:>12}{:>14}", "times", "at hand", "bytes/state");
        Table
    }

    /// Prints a row and returns how many times as fast as the peer a warm search is.
    fn print(&mut self, name: &str, row: &Row) -> Ratio {
        let warm = per_expansion(row.warm, row.our_expansions);
        let cold = per_expansion(row.cold, row.our_expansions);
        let [theirs, at_hand] = row
            .theirs
            .map(|time| per_expansion(time, row.their_expansions));
        let ratio = Ratio {
            from_system: theirs / warm,
            at_hand: at_hand / warm,
        };
        print!(
            "{name:<24}{:>12}{:>12}",
            row.our_expansions, row.their_expansions
        );
        print!("{warm:>12.1}{cold:>12.1}{theirs:>12.1}{at_hand:>12.1}");
        print!("{:>12.2}{:>12.2}", ratio.from_system, ratio.at_hand);
        println!("{:>14.1}", row.bytes_per_state);
        ratio
    }
}

/// How many times as fast as the peer.
#[derive(Clone, Copy)]
struct Ratio {
    from_system: f64,
    at_hand: f64,
}

/// What was hoped for. Printed, never asserted: a busy machine is no bug.
#[derive(Default)]
struct Goals {
    lines: Vec<String>,
    met: usize,
}

impl Goals {
    fn times_as_fast(&mut self, what: &str, ratio: Ratio, wanted: f64) {
        let Ratio {
            from_system,
            at_hand,
        } = ratio;
        let met = from_system >= wanted;
        let beside = format!("at least {wanted} ({at_hand:.2} beside memory at hand)");
        self.judge(&format!("{what}: times as fast"), from_system, &beside, met);
    }

    fn at_most(&mut self, what: &str, measured: f64, wanted: f64) {
        self.judge(
            what,
            measured,
            &format!("at most {wanted}"),
            measured <= wanted,
        );
    }

    fn judge(&mut self, what: &str, measured: f64, wanted: &str, met: bool) {
        let verdict = if met { "met" } else { "MISSED" };
        self.met += usize::from(met);
        let line = format!("{verdict:<8}{what:<56}{measured:>10.2}   {wanted}");
        self.lines.push(line);
    }

    fn print(&self) {
        println!("\nGoals: {} of {} met", self.met, self.lines.len());
        for line in &self.lines {
            println!("{line}");
        }
    }
}
