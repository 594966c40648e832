//! What enemies do while somebody makes a step is simulated, and paid by how much that is: where many
//! hunt, no unit of a budget is worth much more than another.

use std::cell::Cell;

use apprentice_search::{
    BestFirst, Blind, Budget, Debt, Problem, Search, Statistics, Status, Successors,
};
use apprentice_world::{
    Abilities, Branching, Order, PackedWorld, QuestProblem, Scenario, World, WorldKey,
};

/// A yard with something to go round. All wolves are near enough to notice whoever sets out, or so far
/// that nobody is ever noticed.
fn yard(wolves_at: [u32; 2]) -> Scenario {
    let mut rows = vec![".".repeat(40); 14];
    for row in &mut rows[3..11] {
        row.replace_range(18..21, "###");
    }
    let wolf = |number: u32| {
        let at = [wolves_at[0] + number % 2, wolves_at[1] + number / 2];
        format!("{{ id = \"w{number}\", kind = \"wolf\", at = {at:?} }}")
    };
    let wolves: Vec<String> = (0..8).map(wolf).collect();
    Scenario::parse(&format!(
        "format = 1\nstart = [2, 6]\ngoal = {{ within = {{ at = [12, 6], radius = 0.0 }} }}
         map = {{ rows = {rows:?} }}\nenemy = [{}]",
        wolves.join(", ")
    ))
    .unwrap()
}

fn quest(scenario: &Scenario, branching: Branching) -> QuestProblem {
    let abilities = Abilities {
        branching,
        ..Abilities::default()
    };
    QuestProblem::new(scenario, &World::new(scenario), scenario.goal(), abilities)
}

/// A quest that counts how much is simulated, and the most for one part of a listing.
struct Counted<'a> {
    quest: &'a QuestProblem,
    worked: Cell<u64>,
    most: Cell<u64>,
}

impl Problem for Counted<'_> {
    type State = PackedWorld;
    type Key = WorldKey;
    type Action = Order;

    const LISTS_IN_PARTS: bool = QuestProblem::LISTS_IN_PARTS;

    fn start(&self) -> PackedWorld {
        self.quest.start()
    }
    fn key(&self, state: &PackedWorld) -> WorldKey {
        self.quest.key(state)
    }
    fn is_goal(&self, state: &PackedWorld) -> bool {
        self.quest.is_goal(state)
    }
    fn successors(&self, state: &PackedWorld, out: &mut Successors<PackedWorld, Order>) {
        self.quest.successors(state, out);
    }
    fn successors_from(
        &self,
        state: &PackedWorld,
        from: usize,
        out: &mut Successors<PackedWorld, Order>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        let mut counting = |nanoseconds| {
            self.worked.set(self.worked.get() + nanoseconds);
            self.most.set(self.most.get().max(nanoseconds));
            go_on(nanoseconds)
        };
        (self.quest).successors_from(state, from, out, &mut counting)
    }
}

/// Searches for some thousand units, so many at a time, and looks how much is simulated in each slice.
fn search(quest: &QuestProblem, slice: u64) -> Statistics {
    let counted = Counted {
        quest,
        worked: Cell::new(0),
        most: Cell::new(0),
    };
    let mut search = BestFirst::astar(Blind);
    for _ in 0..UNITS / slice {
        let (before, mut budget) = (counted.worked.get(), Budget::units(slice));
        let status = search.run(&counted, &mut budget);
        // The last expansion may have begun, and its unit is paid when it ends.
        let worked = counted.worked.get() - before;
        let most = (slice + 1) * Debt::A_UNIT + counted.most.get();
        assert!(worked <= most, "{worked} ns for {slice} units");
        if status != Status::Paused {
            break;
        }
        assert_eq!(budget.taken(), slice);
    }
    search.statistics().clone()
}

const UNITS: u64 = 6_000;

#[test]
fn where_a_pack_hunts_an_expansion_takes_many_units() {
    let hunted = quest(&yard([7, 3]), Branching::Sixteen);
    let whole = search(&hunted, UNITS);
    assert_eq!(whole.expanded + whole.upkeep, UNITS);
    assert!(whole.upkeep > 10 * whole.expanded, "{whole:?}");
    for slice in [1, 40] {
        assert_eq!(search(&hunted, slice), whole, "{slice}");
    }
}

#[test]
fn where_nobody_hunts_an_expansion_takes_one() {
    let left_alone = quest(&yard([37, 10]), Branching::Sixteen);
    let statistics = search(&left_alone, 200);
    assert!(statistics.expanded > 100, "{statistics:?}");
    assert_eq!(statistics.upkeep, 0);
}

/// Wherever a listing is interrupted, what is listed is the same.
#[test]
fn listings_can_be_interrupted_anywhere() {
    for (branching, waits) in [
        (Branching::Sixteen, false),
        (Branching::Sixteen, true),
        (Branching::TwoHundredFiftySix, true),
    ] {
        let scenario = yard([10, 4]);
        let abilities = Abilities {
            branching,
            waits,
            ..Abilities::default()
        };
        let world = World::new(&scenario);
        let quest = QuestProblem::new(&scenario, &world, scenario.goal(), abilities);
        let mut state = quest.start();
        for depth in 0..4 {
            let mut whole = Successors::new();
            quest.successors(&state, &mut whole);
            let listed: Vec<_> = whole.iter().cloned().collect();
            assert!(depth > 0 || listed.len() >= 8, "{}", listed.len());
            for after in 1..6 {
                let (mut parts, mut next) = (Successors::new(), Some(0));
                while let Some(from) = next {
                    let mut left = after;
                    let mut go_on = |_| {
                        left -= 1;
                        left > 0
                    };
                    next = quest.successors_from(&state, from, &mut parts, &mut go_on);
                    assert!(next.is_none_or(|next| next > from));
                }
                assert_eq!(parts.iter().cloned().collect::<Vec<_>>(), listed);
            }
            // Of those who are hunted hardly anybody lives long.
            let Some(step) = listed.get(listed.len() / 2) else {
                break;
            };
            state = step.state.clone();
        }
    }
}
