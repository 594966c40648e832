//! How likely each of some possibilities is.

/// Probabilities of possibilities that are numbered; they add up to 1.
///
/// ```
/// use apprentice_playstyle::Distribution;
///
/// let belief = Distribution::in_proportion(vec![1.0, 3.0]);
/// assert_eq!(belief.of(1), 0.75);
/// assert_eq!(belief.most_likely(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    probabilities: Vec<f64>,
}

impl Distribution {
    /// Everything as likely as anything else.
    ///
    /// # Panics
    ///
    /// Panics if there is nothing to choose from.
    pub fn uniform(possibilities: usize) -> Distribution {
        assert!(
            possibilities > 0,
            "a distribution needs something to choose from"
        );
        Distribution {
            probabilities: vec![1.0 / possibilities as f64; possibilities],
        }
    }

    /// As likely as these numbers say, none of which is below 0. If all are 0, nothing is known, and
    /// everything is as likely as anything else.
    ///
    /// # Panics
    ///
    /// Panics if there are no numbers, or one is below 0 or no number.
    pub fn in_proportion(mut weights: Vec<f64>) -> Distribution {
        assert!(
            weights
                .iter()
                .all(|weight| *weight >= 0.0 && weight.is_finite()),
            "weights must be numbers that are not below 0"
        );
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            return Distribution::uniform(weights.len());
        }
        for weight in &mut weights {
            *weight /= sum;
        }
        Distribution {
            probabilities: weights,
        }
    }

    /// The two of them together, the second with this share between 0 and 1.
    ///
    /// # Panics
    ///
    /// Panics if they are about different possibilities.
    #[must_use]
    pub fn mixed_with(&self, other: &Distribution, share: f64) -> Distribution {
        assert_eq!(
            self.probabilities.len(),
            other.probabilities.len(),
            "only distributions over the same possibilities can be mixed"
        );
        let pairs = self.probabilities.iter().zip(&other.probabilities);
        Distribution::in_proportion(
            pairs
                .map(|(own, others)| own * (1.0 - share) + others * share)
                .collect(),
        )
    }

    /// All probabilities, in the order of the possibilities.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// How likely one of them is; 0 for what is not among them.
    pub fn of(&self, possibility: usize) -> f64 {
        self.probabilities.get(possibility).copied().unwrap_or(0.0)
    }

    /// The most likely one; the first of those that are equally likely.
    pub fn most_likely(&self) -> usize {
        let mut best = 0;
        for (possibility, probability) in self.probabilities.iter().enumerate() {
            if *probability > self.probabilities[best] {
                best = possibility;
            }
        }
        best
    }
}
