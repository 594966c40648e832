//! Whether a demonstration can help here: what it costs to get to it, along it and on to the goal,
//! beside what a search is ready to pay.

use std::fmt;

use crate::{Demonstration, Ground};

/// What following a demonstration from the start costs, in seconds, and what it is measured
/// against.
///
/// A heuristic that follows demonstrations and inflates everything else by epsilon attracts a
/// search to this one, right at the start, if all of the way by it takes less than epsilon times
/// the straight way to the goal. Whoever knows the shortest way may measure against that instead.
///
/// ```
/// use apprentice_experience::Relevance;
///
/// let relevance = Relevance {
///     approach: 20.0, along: 30.0, onward: 25.0, straight: 12.0, epsilon: 5.0,
/// };
/// assert!(!relevance.attracts());
/// assert_eq!(relevance.detour(), 6.25);
/// assert_eq!(relevance.to_string(), "20 s to its beginning + 30 s along it + 25 s on to the goal = 75 s, not below 5 × 12 s = 60 s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevance {
    /// From the start to its first sample, along the shortest way.
    pub approach: f64,
    /// From its first sample to its last, as long as it took, but not faster than anybody can be.
    pub along: f64,
    /// From its last sample to the goal, along the shortest way.
    pub onward: f64,
    /// From the start to the goal by the way it is measured against: as the crow flies, or the
    /// shortest way there is for whoever measures against that.
    pub straight: f64,
    /// The inflation of everything that is not demonstrated.
    pub epsilon: f64,
}

impl Relevance {
    /// What a demonstration means on this ground; `None` if it is empty.
    pub fn of(
        demonstration: &Demonstration,
        ground: &dyn Ground,
        epsilon: f64,
    ) -> Option<Relevance> {
        let first = demonstration.samples.first()?;
        let last = demonstration.samples.last()?;
        let pieces = demonstration.samples.windows(2);
        let along = pieces.map(|pair| {
            let fastest = pair[0].place.distance_to(pair[1].place) / ground.top_speed();
            fastest.max(pair[1].time - pair[0].time)
        });
        Some(Relevance {
            approach: ground.time_from_start(first.place),
            along: along.sum(),
            onward: ground.time_to_goal(last.place),
            straight: ground.straight_time(),
            epsilon,
        })
    }

    /// The whole way by the demonstration.
    pub fn total(&self) -> f64 {
        self.approach + self.along + self.onward
    }

    /// Whether a search is drawn to it at the start.
    pub fn attracts(&self) -> bool {
        self.total() < self.epsilon * self.straight
    }

    /// How many times the way it is measured against it takes: with a greater epsilon than this it attracts.
    /// Infinite if it never does.
    pub fn detour(&self) -> f64 {
        let detour = self.total() / self.straight;
        if detour.is_nan() {
            f64::INFINITY
        } else {
            detour
        }
    }

    /// By how many seconds it beats that way, inflated. The more, the further a search
    /// follows it; negative if it is ignored at the start.
    pub fn benefit(&self) -> f64 {
        self.epsilon * self.straight - self.total()
    }

    /// An epsilon just large enough to be attracted by it; `None` if none is.
    pub fn epsilon_needed(&self) -> Option<f64> {
        let needed = self.detour();
        // A little more, to two digits, because the condition is strict.
        needed
            .is_finite()
            .then(|| ((needed * 100.0).floor() + 1.0) / 100.0)
            .map(|needed| needed.max(1.01))
    }
}

impl fmt::Display for Relevance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |seconds: f64| {
            if seconds.is_finite() {
                format!("{} s", (seconds * 10.0).round() / 10.0)
            } else {
                "no way".to_owned()
            }
        };
        let relation = if self.attracts() {
            "below"
        } else {
            "not below"
        };
        write!(
            f,
            "{} to its beginning + {} along it + {} on to the goal = {}, {relation} {} × {} = {}",
            seconds(self.approach),
            seconds(self.along),
            seconds(self.onward),
            seconds(self.total()),
            (self.epsilon * 100.0).round() / 100.0,
            seconds(self.straight),
            seconds(self.epsilon * self.straight),
        )
    }
}

/// Chooses demonstrations that can help, the best first.
///
/// ```
/// use apprentice_experience::RelevanceFilter;
///
/// let filter = RelevanceFilter { epsilon: 10.0, max_detour: 4.0 };
/// # let _ = filter;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelevanceFilter {
    /// The inflation of everything that is not demonstrated.
    pub epsilon: f64,
    /// Demonstrations that take more times the straight way are left out, whatever epsilon is.
    pub max_detour: f64,
}

impl RelevanceFilter {
    /// The numbers of the demonstrations to keep, the one with the most benefit first, and what
    /// each means. Of equals, the earlier comes first.
    pub fn rank(
        &self,
        demonstrations: &[Demonstration],
        ground: &dyn Ground,
    ) -> Vec<(usize, Relevance)> {
        let all = demonstrations.iter().enumerate();
        let known = all.filter_map(|(number, demonstration)| {
            Some((number, Relevance::of(demonstration, ground, self.epsilon)?))
        });
        let mut kept: Vec<(usize, Relevance)> = known
            .filter(|(_, relevance)| relevance.attracts() && relevance.detour() <= self.max_detour)
            .collect();
        kept.sort_by(|a, b| b.1.benefit().total_cmp(&a.1.benefit()));
        kept
    }
}
