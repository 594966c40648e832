//! Costs and weights: the integers every ordering in this crate rests on.
//!
//! Seconds enter as floating point numbers and are rounded once, on entry. From there on costs add
//! exactly, compare exactly and are the same on every machine.

use std::fmt;
use std::iter::Sum;
use std::num::NonZeroU64;
use std::ops::Add;

/// How much something costs: a whole number of nanoseconds, or [`Cost::INFINITE`].
///
/// ```
/// use apprentice_search::Cost;
///
/// let step = Cost::from_seconds(1.5);
/// assert_eq!(step + step, Cost::from_seconds(3.0));
/// assert_eq!(step + Cost::INFINITE, Cost::INFINITE);
/// assert_eq!(step.to_string(), "1.5 s");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost(u64);

/// One second in ticks. Nanoseconds meet the tolerance of 1e-9 s that plans are compared with, and
/// 64 bits of them last for 584 years.
const TICKS_PER_SECOND: f64 = 1e9;

impl Cost {
    /// No cost at all.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::ZERO + Cost::from_ticks(7), Cost::from_ticks(7));
    /// assert_eq!(Cost::ZERO, Cost::default());
    /// ```
    pub const ZERO: Cost = Cost(0);
    /// Forbidden, or out of reach. Adding to it changes nothing.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::INFINITE + Cost::from_ticks(7), Cost::INFINITE);
    /// assert!(Cost::INFINITE > Cost::from_seconds(1e9));
    /// ```
    pub const INFINITE: Cost = Cost(u64::MAX);

    /// A cost of that many nanoseconds; problems that don't measure time may count what they like.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::from_ticks(7).ticks(), 7);
    /// ```
    pub const fn from_ticks(ticks: u64) -> Cost {
        Cost(ticks)
    }

    /// The number of nanoseconds; `u64::MAX` for an infinite cost.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::from_seconds(1.5).ticks(), 1_500_000_000);
    /// assert_eq!(Cost::INFINITE.ticks(), u64::MAX);
    /// ```
    pub const fn ticks(self) -> u64 {
        self.0
    }

    /// The nearest cost to that many seconds. For literals; see [`Cost::round_up`] and
    /// [`Cost::round_down`] for steps and estimates, and [`Cost::try_from_seconds`] for whatever comes
    /// from elsewhere.
    ///
    /// Less than nothing becomes [`Cost::ZERO`], and what is no number at all is forbidden.
    ///
    /// # Panics
    ///
    /// In debug builds, if that happens.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::from_seconds(0.25).ticks(), 250_000_000);
    /// ```
    pub fn from_seconds(seconds: f64) -> Cost {
        debug_assert!(seconds >= 0.0, "nothing costs {seconds} seconds");
        Cost::round_down(seconds + 0.5 / TICKS_PER_SECOND)
    }

    /// The same for numbers of which nobody knows where they have been: an error if they are less
    /// than nothing or none. An infinite number is an infinite cost, and so are more than 584 years.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::try_from_seconds(0.25), Ok(Cost::from_seconds(0.25)));
    /// assert_eq!(Cost::try_from_seconds(f64::INFINITY), Ok(Cost::INFINITE));
    /// let error = Cost::try_from_seconds(-1.0).unwrap_err();
    /// assert_eq!(error.to_string(), "nothing costs -1 seconds; give it a number from 0 on");
    /// assert!(Cost::try_from_seconds(f64::NAN).is_err());
    /// ```
    pub fn try_from_seconds(seconds: f64) -> Result<Cost, BadCost> {
        if seconds >= 0.0 {
            Ok(Cost::from_seconds(seconds))
        } else {
            Err(BadCost { seconds })
        }
    }

    /// The cost of a step: never less than `seconds`.
    ///
    /// Steps round up and estimates round down, so that an estimate that is consistent in real
    /// numbers is still consistent in whole ones: ⌊a + b⌋ ≤ ⌊a⌋ + ⌈b⌉.
    /// Less than nothing becomes [`Cost::ZERO`]; what is no number at all is forbidden, which is
    /// the reading that cannot make a plan look better than it is.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::round_up(2f64.sqrt()).ticks(), 1_414_213_563);
    /// assert_eq!(Cost::round_up(f64::NAN), Cost::INFINITE);
    /// ```
    #[inline]
    pub fn round_up(seconds: f64) -> Cost {
        let ticks = seconds * TICKS_PER_SECOND;
        if ticks.is_nan() {
            return Cost::INFINITE;
        }
        // A cast truncates and saturates, which spares a call to the platform's `ceil`.
        let whole = ticks as u64;
        Cost(whole.saturating_add(u64::from((whole as f64) < ticks)))
    }

    /// An estimate: never more than `seconds`. Treats odd numbers as [`Cost::round_up`] does.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::round_down(2f64.sqrt()).ticks(), 1_414_213_562);
    /// assert_eq!(Cost::round_down(f64::INFINITY), Cost::INFINITE);
    /// ```
    #[inline]
    pub fn round_down(seconds: f64) -> Cost {
        let ticks = seconds * TICKS_PER_SECOND;
        if ticks.is_nan() {
            Cost::INFINITE
        } else {
            Cost(ticks as u64)
        }
    }

    /// The cost in seconds; `f64::INFINITY` for an infinite one.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::from_ticks(1_500_000_000).as_seconds(), 1.5);
    /// ```
    pub fn as_seconds(self) -> f64 {
        if self.is_finite() {
            self.0 as f64 / TICKS_PER_SECOND
        } else {
            f64::INFINITY
        }
    }

    /// Whether this is a cost somebody could pay.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert!(Cost::ZERO.is_finite() && !Cost::INFINITE.is_finite());
    /// ```
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.0 != u64::MAX
    }

    /// What remains of a cost after `other` has been paid; nothing if `other` is more.
    ///
    /// ```
    /// # use apprentice_search::Cost;
    /// assert_eq!(Cost::from_ticks(7).less(Cost::from_ticks(5)), Cost::from_ticks(2));
    /// assert_eq!(Cost::INFINITE.less(Cost::from_ticks(5)), Cost::INFINITE);
    /// ```
    #[inline]
    pub const fn less(self, other: Cost) -> Cost {
        if self.is_finite() {
            Cost(self.0.saturating_sub(other.0))
        } else {
            self
        }
    }
}

impl Add for Cost {
    type Output = Cost;

    /// Adds exactly. Sums beyond 584 years are infinite.
    #[inline]
    fn add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_finite() {
            return f.write_str("infinite");
        }
        match f.precision() {
            Some(digits) => write!(f, "{:.digits$} s", self.as_seconds()),
            None => write!(f, "{} s", self.as_seconds()),
        }
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number of seconds nothing can cost.
///
/// ```
/// use apprentice_search::{BadCost, Cost};
///
/// assert_eq!(Cost::try_from_seconds(-2.5), Err(BadCost { seconds: -2.5 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadCost {
    /// What was asked for.
    pub seconds: f64,
}

impl fmt::Display for BadCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(
            f,
            "nothing costs {seconds} seconds; give it a number from 0 on"
        )
    }
}

impl std::error::Error for BadCost {}

/// How many times the optimum is still good enough; how much an estimate is trusted. At least 1.
///
/// Kept in steps of 1/65536, rounded down, so that a search never promises less than it was asked
/// for and priorities can be compared exactly.
///
/// ```
/// use apprentice_search::Weight;
///
/// let twice = Weight::new(2.0)?;
/// assert_eq!(twice.as_f64(), 2.0);
/// assert!(Weight::new(0.5).is_err());
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "f64", try_from = "f64"))]
pub struct Weight(NonZeroU64);

impl Weight {
    /// Estimates at face value: nothing but the best is good enough.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Weight};
    /// let best = Cost::from_seconds(5.0);
    /// assert!(Weight::ONE.allows(best, best));
    /// assert!(!Weight::ONE.allows(best + Cost::from_ticks(1), best));
    /// ```
    pub const ONE: Weight = Weight::whole(NonZeroU64::MIN);
    /// The greatest weight there is. With 48 bits, a weight times a cost fits 128 bits with room
    /// to spare for comparing two such products.
    ///
    /// ```
    /// # use apprentice_search::Weight;
    /// assert_eq!(Weight::MAX.times(Weight::MAX), Weight::MAX);
    /// assert!(Weight::MAX.as_f64() < (1u64 << 32) as f64);
    /// ```
    pub const MAX: Weight = Weight(NonZeroU64::new((1 << 48) - 1).unwrap());

    pub(crate) const FRACTION_BITS: u32 = 16;

    /// A weight of at least 1 and less than 2³².
    ///
    /// ```
    /// # use apprentice_search::Weight;
    /// assert!(Weight::new(2.5).is_ok());
    /// assert!(Weight::new(f64::NAN).is_err());
    /// ```
    pub fn new(weight: f64) -> Result<Weight, BadWeight> {
        if !(weight >= 1.0 && weight < (1u64 << 32) as f64) {
            return Err(BadWeight { weight });
        }
        let steps = (weight * f64::from(1u32 << Weight::FRACTION_BITS)) as u64;
        Ok(NonZeroU64::new(steps).map_or(Weight::ONE, Weight))
    }

    /// A whole weight, for constants; weights beyond 2³² are cut down to [`Weight::MAX`].
    ///
    /// ```
    /// # use std::num::NonZeroU64;
    /// # use apprentice_search::Weight;
    /// const TEN: Weight = Weight::whole(NonZeroU64::new(10).unwrap());
    /// assert_eq!(TEN.as_f64(), 10.0);
    /// ```
    pub const fn whole(weight: NonZeroU64) -> Weight {
        if weight.get() >= 1 << 32 {
            return Weight::MAX;
        }
        match NonZeroU64::new(weight.get() << Weight::FRACTION_BITS) {
            Some(steps) => Weight(steps),
            None => Weight::MAX,
        }
    }

    /// The weight as a number.
    ///
    /// ```
    /// # use apprentice_search::Weight;
    /// assert_eq!(Weight::ONE.as_f64(), 1.0);
    /// ```
    pub fn as_f64(self) -> f64 {
        self.0.get() as f64 / f64::from(1u32 << Weight::FRACTION_BITS)
    }

    /// The weight in steps of 1/65536.
    #[inline]
    pub(crate) const fn steps(self) -> u64 {
        self.0.get()
    }

    /// The weight from steps of 1/65536; cut to what a weight can be.
    pub(crate) fn from_steps(steps: u64) -> Weight {
        Weight(NonZeroU64::new(steps).unwrap_or(NonZeroU64::MIN)).clamp(Weight::ONE, Weight::MAX)
    }

    /// Both weights at once: their product, rounded up.
    ///
    /// ```
    /// # use apprentice_search::Weight;
    /// let root = Weight::new(1.5)?;
    /// assert_eq!(root.times(root).as_f64(), 2.25);
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    pub fn times(self, other: Weight) -> Weight {
        let product = u128::from(self.steps()) * u128::from(other.steps());
        let rounded = product.div_ceil(1 << Weight::FRACTION_BITS);
        Weight::from_steps(u64::try_from(rounded).unwrap_or(u64::MAX))
    }

    /// How many times `lowest` a cost is, rounded up; at least 1, and [`Weight::MAX`] at most.
    pub(crate) fn ratio(cost: Cost, lowest: Cost) -> Weight {
        let scaled = u128::from(cost.0) << Weight::FRACTION_BITS;
        match scaled.checked_div(u128::from(lowest.0)) {
            None => Weight::MAX,
            Some(_) => {
                let steps = scaled.div_ceil(u128::from(lowest.0));
                Weight::from_steps(u64::try_from(steps).unwrap_or(u64::MAX))
            }
        }
    }

    /// The cost multiplied by this weight, rounded down.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Weight};
    /// assert_eq!(Weight::new(2.5)?.inflate(Cost::from_ticks(3)), Cost::from_ticks(7));
    /// assert_eq!(Weight::ONE.inflate(Cost::INFINITE), Cost::INFINITE);
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    #[inline]
    pub fn inflate(self, cost: Cost) -> Cost {
        if !cost.is_finite() {
            return cost;
        }
        let product = (u128::from(cost.0) * u128::from(self.steps())) >> Weight::FRACTION_BITS;
        Cost(u64::try_from(product).unwrap_or(u64::MAX - 1))
    }

    /// Whether `cost` is at most this weight times `other`, compared without rounding.
    ///
    /// ```
    /// # use apprentice_search::{Cost, Weight};
    /// let w = Weight::new(1.5)?;
    /// assert!(w.allows(Cost::from_ticks(3), Cost::from_ticks(2)));
    /// assert!(!w.allows(Cost::from_ticks(2), Cost::from_ticks(1)));
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    #[inline]
    pub fn allows(self, cost: Cost, other: Cost) -> bool {
        !other.is_finite()
            || cost.is_finite()
                && u128::from(cost.0) << Weight::FRACTION_BITS
                    <= u128::from(other.0) * u128::from(self.steps())
    }
}

impl Default for Weight {
    fn default() -> Weight {
        Weight::ONE
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Three digits say more than anybody needs, and hide the rounding to 1/65536. Upwards, because
        // a bound that looks lower than it is would be none.
        let rounded = (self.as_f64() * 1e3).ceil() / 1e3;
        write!(f, "{rounded}")
    }
}

impl fmt::Debug for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number that cannot be a [`Weight`].
///
/// ```
/// # use apprentice_search::Weight;
/// let error = Weight::new(0.5).unwrap_err();
/// assert_eq!(error.to_string(), "a weight must be at least 1 and less than 4294967296, but this is 0.5; use 1 for optimal results");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadWeight {
    /// The offending number.
    pub weight: f64,
}

impl fmt::Display for BadWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a weight must be at least 1 and less than 4294967296, but this is {:?}; use 1 for optimal results",
            self.weight
        )
    }
}

impl std::error::Error for BadWeight {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_never_looks_smaller_than_it_is() {
        let shown = [
            (1.0, "1"),
            (1.0004, "1.001"),
            (1.2, "1.2"),
            (2.5, "2.5"),
            (2.5004, "2.501"),
        ];
        for (weight, text) in shown {
            assert_eq!(Weight::new(weight).unwrap().to_string(), text);
        }
    }

    #[test]
    fn rounding_brackets_the_number() {
        for seconds in [0.0, 1e-10, 0.1, 1.0, 2f64.sqrt(), 123.456, 1e9] {
            let (down, up) = (Cost::round_down(seconds), Cost::round_up(seconds));
            assert!(
                down <= up && up.ticks() - down.ticks() <= 1,
                "{seconds}: {down} {up}"
            );
        }
        assert_eq!(Cost::round_up(-1.0), Cost::ZERO);
        assert_eq!(Cost::round_down(-1.0), Cost::ZERO);
    }

    #[test]
    fn inflating_a_huge_cost_stays_finite() {
        let huge = Cost::from_ticks(u64::MAX - 2);
        assert!(Weight::MAX.inflate(huge).is_finite());
        assert!(Weight::MAX.allows(huge, huge));
    }

    #[test]
    fn a_weight_never_promises_less_than_asked() {
        for asked in [1.0, 10f64.sqrt(), 1e5, 4_294_967_295.0] {
            let weight = Weight::new(asked).unwrap();
            assert!(weight.as_f64() <= asked && weight.as_f64() > asked - 1e-4);
        }
        for bad in [0.999, -1.0, f64::NAN, f64::INFINITY, 4_294_967_296.0] {
            assert!(Weight::new(bad).is_err(), "{bad}");
        }
    }
}
