//! How somebody plays and what they are after, believed together.

use apprentice_playstyle::Distribution;

use crate::Recognition;

/// How likely players of each style are to be after each goal, before anybody has seen anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Habits {
    /// By style.
    goals: Vec<Distribution>,
}

impl Habits {
    /// Nothing is known: whatever the style, every goal is as likely as any other.
    ///
    /// # Panics
    ///
    /// Panics if there are no styles or no goals.
    pub fn unknown(styles: usize, goals: usize) -> Habits {
        assert!(styles > 0, "there must be a style");
        Habits {
            goals: vec![Distribution::uniform(goals); styles],
        }
    }

    /// From how often players of each style were after each goal, by style and then by goal. One is added
    /// to each, so that nothing is impossible because it was not seen yet.
    ///
    /// # Panics
    ///
    /// Panics if there are no styles or no goals, or not as many for each style.
    pub fn counted(counts: &[Vec<u32>]) -> Habits {
        assert!(!counts.is_empty(), "there must be a style");
        let goals = counts[0].len();
        assert!(
            counts.iter().all(|row| row.len() == goals),
            "each style needs a count for each goal"
        );
        let rows = counts.iter().map(|row| {
            let weights = row.iter().map(|count| f64::from(*count) + 1.0);
            Distribution::in_proportion(weights.collect())
        });
        Habits {
            goals: rows.collect(),
        }
    }
}

/// How likely each style together with each goal is.
///
/// What was done tells the style, where somebody goes tells the goal, and habits tie the two: who
/// sneaks is likely after the treasure, and who is after the treasure likely sneaks.
///
/// ```
/// use apprentice_playstyle::Distribution;
/// use apprentice_recognition::{Belief, Costs, Habits, Likelihood, Recognition};
/// use apprentice_search::Cost;
///
/// // Fighters were after the bear nine times of ten, sneaks after the treasure.
/// let habits = Habits::counted(&[vec![9, 1], vec![1, 9]]);
/// let styles = Distribution::uniform(2);
/// let seconds = Cost::from_seconds;
/// let to_the_bear = Costs { at_best: seconds(9.0), explaining: seconds(12.0), settled: true };
/// let to_the_treasure = Costs { at_best: seconds(9.0), explaining: seconds(9.0), settled: true };
/// let costs = vec![to_the_bear, to_the_treasure];
/// let goals = Recognition::of(costs, None, &Likelihood::default());
/// let belief = Belief::of(&styles, &goals, &habits);
/// assert_eq!(belief.goals().most_likely(), 1);
/// assert!(belief.styles().of(1) > 0.7); // the way tells the style, too
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// By style, then by goal.
    together: Distribution,
    styles: usize,
    goals: usize,
}

impl Belief {
    /// Joins what is believed of styles with what is recognised of goals. The recognition must be
    /// without a prior: habits are it.
    ///
    /// # Panics
    ///
    /// Panics if the habits are about other numbers of styles or goals.
    pub fn of(styles: &Distribution, goals: &Recognition, habits: &Habits) -> Belief {
        let likely = goals.distribution.probabilities();
        assert_eq!(
            habits.goals.len(),
            styles.probabilities().len(),
            "habits of each style"
        );
        assert_eq!(
            habits.goals[0].probabilities().len(),
            likely.len(),
            "for each goal"
        );
        let rows = styles.probabilities().iter().zip(&habits.goals);
        let weights = rows.flat_map(|(style, habits)| {
            let goals = likely.iter().zip(habits.probabilities());
            goals.map(move |(goal, habit)| style * goal * habit)
        });
        Belief {
            together: Distribution::in_proportion(weights.collect()),
            styles: habits.goals.len(),
            goals: likely.len(),
        }
    }

    /// How likely a style together with a goal is.
    pub fn of_both(&self, style: usize, goal: usize) -> f64 {
        if style >= self.styles || goal >= self.goals {
            return 0.0;
        }
        self.together.of(style * self.goals + goal)
    }

    /// How likely each style is, whatever the goal.
    pub fn styles(&self) -> Distribution {
        let styles = (0..self.styles).map(|style| {
            let goals = 0..self.goals;
            goals.map(|goal| self.of_both(style, goal)).sum()
        });
        Distribution::in_proportion(styles.collect())
    }

    /// How likely each goal is, whatever the style.
    pub fn goals(&self) -> Distribution {
        let goals = (0..self.goals).map(|goal| {
            let styles = 0..self.styles;
            styles.map(|style| self.of_both(style, goal)).sum()
        });
        Distribution::in_proportion(goals.collect())
    }
}
