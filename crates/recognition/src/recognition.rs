//! From what goals cost to how likely they are.

use apprentice_playstyle::{Distribution, exactly};
use apprentice_search::Cost;

/// What a goal costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// On the best way there is.
    pub at_best: Cost,
    /// On the best way on which everything happens that was observed.
    pub explaining: Cost,
    /// Whether that is exact. If not, it costs at least as much, and the goal is so much less likely than
    /// another that it was not worked out how much more.
    pub settled: bool,
}

impl Costs {
    /// What the observations add; infinite if they cannot be explained, or the goal cannot be reached.
    pub fn detour(self) -> Cost {
        if self.explaining == Cost::INFINITE {
            return Cost::INFINITE;
        }
        Cost::from_ticks(self.explaining.ticks().saturating_sub(self.at_best.ticks()))
    }
}

/// How costs become likelihoods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihood {
    /// How much a second of detour tells: with 1, a goal for which what was observed is a second further
    /// is 2.7 times less likely. The more deliberate players are, the more.
    pub per_second: f64,
    /// Goals are named together with the most likely one if they are at least this share as likely.
    pub named_from: f64,
    /// Detours that are so many seconds longer than the shortest are not worked out.
    pub settled_within: f64,
}

impl Default for Likelihood {
    fn default() -> Likelihood {
        Likelihood {
            per_second: 1.0,
            named_from: 0.999,
            // Such a goal is 20,000 times less likely.
            settled_within: 10.0,
        }
    }
}

/// How likely each goal is.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognition {
    /// What each goal costs.
    pub costs: Vec<Costs>,
    /// How likely each is.
    pub distribution: Distribution,
    /// The most likely ones: those that nothing tells apart.
    pub named: Vec<usize>,
    /// Whether any goal explains what was observed at all. If not, all are equally likely.
    pub explained: bool,
}

impl Recognition {
    /// Weighs goals by what the observations add to their costs. Before anything was observed they were
    /// as likely as `prior` says, or all the same.
    ///
    /// ```
    /// use apprentice_recognition::{Costs, Likelihood, Recognition};
    /// use apprentice_search::Cost;
    ///
    /// let seconds = Cost::from_seconds;
    /// let near = Costs { at_best: seconds(10.0), explaining: seconds(10.0), settled: true };
    /// let far = Costs { at_best: seconds(8.0), explaining: seconds(12.0), settled: true };
    /// let recognition = Recognition::of(vec![near, far], None, &Likelihood::default());
    /// assert_eq!(recognition.named, [0]);
    /// assert!(recognition.distribution.of(0) > 0.98);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are no goals, or the prior is about a different number of them.
    pub fn of(
        costs: Vec<Costs>,
        prior: Option<&Distribution>,
        likelihood: &Likelihood,
    ) -> Recognition {
        if let Some(prior) = prior {
            let goals = prior.probabilities().len();
            assert_eq!(
                goals,
                costs.len(),
                "a prior is about the goals that are weighed"
            );
        }
        let least = costs.iter().map(|costs| costs.detour()).min();
        let least = least.unwrap_or(Cost::INFINITE);
        let explained = least < Cost::INFINITE;
        let weights = costs.iter().enumerate().map(|(goal, costs)| {
            let prior = prior.map_or(1.0, |prior| prior.of(goal));
            match costs.detour() {
                Cost::INFINITE if explained => 0.0,
                Cost::INFINITE => prior,
                detour => {
                    let further = detour.as_seconds() - least.as_seconds();
                    prior * exactly::exp(-likelihood.per_second * further)
                }
            }
        });
        let distribution = Distribution::in_proportion(weights.collect());
        let most = distribution.of(distribution.most_likely());
        let named = (0..costs.len())
            .filter(|goal| distribution.of(*goal) >= most * likelihood.named_from)
            .collect();
        Recognition {
            costs,
            distribution,
            named,
            explained,
        }
    }
}
