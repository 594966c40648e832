//! Whether the same people answered differently about several things: Friedman's test.
//!
//! Within each person the answers are ranked, equal ones share their ranks, and the sums of ranks are
//! compared (Friedman 1937; corrected for ties as by Conover, *Practical Nonparametric Statistics*, 5.8).

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Friedman {
    /// Friedman's statistic, corrected for ties.
    pub(crate) statistic: f64,
    /// One less than the things that are compared.
    pub(crate) degrees: usize,
    /// How probable a statistic at least as large is if nobody sees a difference: by the distribution
    /// of χ², which is coarse for few people.
    pub(crate) p: f64,
    /// Kendall's W: from 0, no agreement between people, to 1, all rank alike.
    pub(crate) agreement: f64,
}

/// The test on the answers of people, each with one about each thing. Nothing if there is nobody, or all
/// gave the same answer about everything.
pub(crate) fn friedman<const THINGS: usize>(people: &[[f64; THINGS]]) -> Option<Friedman> {
    let (n, k) = (people.len() as f64, THINGS as f64);
    if people.is_empty() || THINGS < 2 {
        return None;
    }
    let mut sums = [0.0; THINGS];
    let mut ties = 0.0;
    for answers in people {
        for (sum, answer) in sums.iter_mut().zip(answers) {
            let below = answers.iter().filter(|other| *other < answer).count() as f64;
            let same = answers.iter().filter(|other| *other == answer).count() as f64;
            *sum += below + (same + 1.0) / 2.0;
            // Summed over the members of a tie, this is t³ − t of the tie.
            ties += same * same - 1.0;
        }
    }
    let mean = n * (k + 1.0) / 2.0;
    let spread: f64 = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum();
    let uncorrected = 12.0 * spread / (n * k * (k + 1.0));
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    if correction <= 0.0 {
        return None;
    }
    let statistic = uncorrected / correction;
    let degrees = THINGS - 1;
    Some(Friedman {
        statistic,
        degrees,
        p: chi_squared_above(statistic, degrees),
        agreement: statistic / (n * (k - 1.0)),
    })
}

/// How much of the distribution of χ² lies above a value.
fn chi_squared_above(value: f64, degrees: usize) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    // Closed forms by recurrence: Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), from Q(1, x) = e^-x or
    // Q(1/2, x) = erfc √x.
    let x = value / 2.0;
    let (mut a, mut above, mut term) = if degrees.is_multiple_of(2) {
        (1.0, (-x).exp(), x * (-x).exp())
    } else {
        let term = 2.0 * (x / std::f64::consts::PI).sqrt() * (-x).exp();
        (0.5, erfc(x.sqrt()), term)
    };
    while 2.0 * a + 0.5 < degrees as f64 {
        above += term;
        a += 1.0;
        term *= x / a;
    }
    above.clamp(0.0, 1.0)
}

/// The complementary error function of a number that is not negative.
fn erfc(x: f64) -> f64 {
    if x < 2.5 {
        // erf x = 2/√π · Σ (−1)^i x^(2i+1) / (i! (2i+1)), by terms without a change of sign:
        // e^-x² · Σ 2^i x^(2i+1) / (1·3·5···(2i+1)).
        let (mut term, mut sum, mut odd) = (x, 0.0, 1.0);
        while term > sum * 1e-17 {
            sum += term;
            odd += 2.0;
            term *= 2.0 * x * x / odd;
        }
        return 1.0 - 2.0 / std::f64::consts::PI.sqrt() * (-x * x).exp() * sum;
    }
    // The continued fraction of Laplace, from far within.
    let mut below = x;
    for step in (1..=60).rev() {
        below = x + f64::from(step) / 2.0 / below;
    }
    (-x * x).exp() / (std::f64::consts::PI.sqrt() * below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * other.abs().max(1e-9)
    }

    fn check(people: &[[f64; 4]], statistic: f64, p: f64) {
        let test = friedman(people).expect("there is something to compare");
        assert!(is_near(test.statistic, statistic), "{test:?}");
        assert!(is_near(test.p, p), "{test:?}");
        assert_eq!(test.degrees, 3);
        assert!((0.0..=1.0 + 1e-12).contains(&test.agreement));
    }

    /// The numbers are those of `scipy.stats.friedmanchisquare`.
    #[test]
    fn the_statistic_and_p_are_those_of_others() {
        let without_ties = [
            [1.0, 2.0, 3.0, 4.0],
            [2.0, 1.0, 4.0, 3.0],
            [1.0, 3.0, 2.0, 4.0],
            [1.0, 2.0, 4.0, 3.0],
            [2.0, 1.0, 3.0, 4.0],
            [1.0, 2.0, 3.0, 4.0],
        ];
        check(&without_ties, 13.0, 0.004_636_605_438_041_72);
        let with_ties = [
            [0.0, -1.0, 2.0, -2.0],
            [1.0, 1.0, 2.0, -1.0],
            [0.0, 0.0, 1.0, -2.0],
            [1.0, -1.0, 1.0, 1.0],
            [2.0, 0.0, 2.0, 0.0],
        ];
        check(&with_ties, 10.571_428_571_428_57, 0.014_284_102_656_782_6);
        let times = [
            [43.5, 44.6, 42.8, 67.3],
            [41.0, 47.0, 40.0, 80.0],
            [50.0, 49.0, 44.0, 61.0],
            [39.0, 42.0, 42.0, 75.0],
            [44.0, 45.0, 43.0, 66.0],
            [42.0, 46.0, 41.0, 70.0],
            [48.0, 44.0, 45.0, 72.0],
            [40.0, 43.0, 39.0, 69.0],
        ];
        check(&times, 18.493_670_886_075_95, 0.000_347_874_759_889_337);
    }

    /// The numbers are those of `scipy.stats.chi2.sf`.
    #[test]
    fn the_distribution_is_that_of_others_for_any_number_of_things() {
        for (value, degrees, above) in [
            (0.5, 1, 0.479_500_122_186_953_4),
            (3.84, 1, 0.050_043_521_248_705_19),
            (5.99, 2, 0.050_036_627_086_586_29),
            (7.8147, 3, 0.050_000_625_284_760_06),
            (20.0, 3, 0.000_169_742_435_552_826_3),
            (60.0, 3, 5.878_230_727_906_921e-13),
            (1.2, 4, 0.878_098_617_750_442_4),
            (9.3, 5, 0.097_680_045_640_355_43),
            (0.0, 3, 1.0),
        ] {
            let ours = chi_squared_above(value, degrees);
            assert!(
                is_near(ours, above),
                "{value}, {degrees}: {ours} and not {above}"
            );
        }
    }

    #[test]
    fn where_everybody_says_the_same_of_everything_there_is_nothing_to_compare() {
        assert_eq!(friedman(&[[1.0; 4]; 9]), None);
        assert_eq!(friedman::<4>(&[]), None);
        let same = [[1.0, 2.0, 3.0, 4.0]; 5];
        let test = friedman(&same).expect("they differ");
        assert!(is_near(test.agreement, 1.0), "all rank alike: {test:?}");
    }
}
