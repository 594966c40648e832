//! Any problem will do, observations may have gaps, and some may be wrong.

use apprentice_playstyle::Distribution;
use apprentice_recognition::{Belief, Costs, Gaps, Habits, Likelihood, Recognition, costs_of};
use apprentice_search::{Budget, Cost, Estimate, Problem, Promise, Successors};
use proptest::prelude::*;

/// An open field; one begins in the middle of its western side.
struct Field {
    goal: (i32, i32),
}

const SIZE: i32 = 9;

impl Problem for Field {
    type State = (i32, i32);
    type Key = (i32, i32);
    type Action = ();

    fn start(&self) -> (i32, i32) {
        (0, 4)
    }
    fn key(&self, at: &(i32, i32)) -> (i32, i32) {
        *at
    }
    fn is_goal(&self, at: &(i32, i32)) -> bool {
        *at == self.goal
    }
    fn successors(&self, (x, y): &(i32, i32), out: &mut Successors<(i32, i32), ()>) {
        for (x, y) in [(x + 1, *y), (x - 1, *y), (*x, y + 1), (*x, y - 1)] {
            if (0..SIZE).contains(&x) && (0..SIZE).contains(&y) {
                out.push((), (x, y), Cost::from_seconds(1.0));
            }
        }
    }
}

/// The north-east and the south-east corner, and one's own.
const GOALS: [(i32, i32); 3] = [(8, 0), (8, 8), (0, 8)];

fn recognise(seen: &[(i32, i32)], gaps: Gaps) -> Recognition {
    let costs = GOALS.map(|goal| {
        let field = Field { goal };
        let straight = move || {
            Estimate::new(Promise::Consistent, move |(x, y): &(i32, i32)| {
                Cost::from_seconds(f64::from(x.abs_diff(goal.0) + y.abs_diff(goal.1)))
            })
        };
        let explains = |number: usize, _: &_, (): &(), to: &(i32, i32)| *to == seen[number];
        let mut budget = Budget::unlimited();
        let costs = costs_of(&field, seen.len(), gaps, explains, straight, &mut budget);
        costs.expect("nothing limits it")
    });
    Recognition::of(costs.to_vec(), None, &Likelihood::default())
}

#[test]
fn who_goes_north_east_wants_to_get_there() {
    let recognition = recognise(&[(2, 3), (4, 1)], Gaps::None);
    assert_eq!(recognition.named, [0]);
    assert!(recognition.distribution.of(0) > 0.99);
}

#[test]
fn what_is_on_the_way_to_two_goals_names_both() {
    assert_eq!(recognise(&[(3, 4)], Gaps::None).named, [0, 1]);
}

#[test]
fn nothing_seen_names_everything() {
    let recognition = recognise(&[], Gaps::None);
    assert_eq!(recognition.named, [0, 1, 2]);
}

#[test]
fn what_cannot_be_is_no_evidence_where_observers_make_mistakes() {
    let off_the_map = [(2, 3), (40, 40), (4, 1)];
    let certain = recognise(&off_the_map, Gaps::None);
    assert!(!certain.explained);
    assert_eq!(certain.named, [0, 1, 2]);
    let doubtful = recognise(&off_the_map, Gaps::For(Cost::from_seconds(3.0)));
    assert!(doubtful.explained);
    assert_eq!(doubtful.named, [0]);
}

#[test]
fn one_observation_out_of_line_costs_no_more_than_its_price() {
    let price = Cost::from_seconds(2.0);
    let with_noise = recognise(&[(2, 3), (0, 8), (5, 1)], Gaps::For(price));
    assert_eq!(with_noise.named, [0]);
    assert_eq!(with_noise.costs[0].detour(), price);
}

#[test]
fn a_budget_that_runs_out_is_no_answer() {
    let field = Field { goal: (8, 0) };
    let blind = || Estimate::new(Promise::Consistent, |_: &(i32, i32)| Cost::ZERO);
    let explains = |_: usize, _: &_, (): &(), _: &_| true;
    let mut budget = Budget::units(3);
    assert_eq!(
        costs_of(&field, 1, Gaps::None, explains, blind, &mut budget),
        None
    );
}

proptest! {
    /// Whatever the habits, what is believed of both adds up, and with habits that say nothing the two
    /// are believed apart.
    #[test]
    fn both_beliefs_are_one(
        styles in prop::collection::vec(0.01_f64..1.0, 1..5),
        detours in prop::collection::vec(0_u32..9, 1..5),
        counts in prop::collection::vec(0_u32..20, 16),
    ) {
        let styles = Distribution::in_proportion(styles);
        let costs = detours.iter().map(|detour| Costs {
            at_best: Cost::from_seconds(5.0),
            explaining: Cost::from_seconds(5.0 + f64::from(*detour)),
            settled: true,
        });
        let goals = Recognition::of(costs.collect(), None, &Likelihood::default());
        let (rows, columns) = (styles.probabilities().len(), detours.len());
        let counted: Vec<Vec<u32>> =
            (0..rows).map(|row| counts[row * columns..][..columns].to_vec()).collect();
        let belief = Belief::of(&styles, &goals, &Habits::counted(&counted));
        let sum: f64 = (0..rows)
            .flat_map(|style| (0..columns).map(move |goal| (style, goal)))
            .map(|(style, goal)| belief.of_both(style, goal))
            .sum();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        let apart = Belief::of(&styles, &goals, &Habits::unknown(rows, columns));
        for style in 0..rows {
            prop_assert!((apart.styles().of(style) - styles.of(style)).abs() < 1e-9);
            for goal in 0..columns {
                let product = styles.of(style) * goals.distribution.of(goal);
                prop_assert!((apart.of_both(style, goal) - product).abs() < 1e-9);
            }
        }
    }
}
