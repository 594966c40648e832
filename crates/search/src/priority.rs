//! How soon a state is expanded: `g + w·h` without rounding, and what breaks ties.

use std::cmp::Ordering;

use crate::{Cost, Weight};

/// What entries are ordered by: smaller priority first; among equals the smaller estimate, hence
/// the larger cost so far. Entries with equal priorities go by the state that was met first.
///
/// A priority is `g + w·h` without rounding: `whole` is its integer part, and `rest` holds the
/// fraction in its upper 16 bits and the estimate in its lower 48. Estimates beyond three days
/// (2⁴⁸ ns) count as equal there, which affects ties only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Priority {
    pub(crate) whole: u64,
    pub(crate) rest: u64,
}

const ESTIMATE_BITS: u32 = 48;
const ESTIMATE_MASK: u64 = (1 << ESTIMATE_BITS) - 1;
/// The largest integer part: one less than any bucket limit can be.
pub(crate) const LAST: u64 = u64::MAX - 1;

impl Priority {
    /// `cost + weight · estimate`. An infinite estimate comes after every finite one.
    #[inline]
    pub(crate) fn weighted(cost: Cost, weight: Weight, estimate: Cost) -> Priority {
        let (inflated, fraction) = if weight == Weight::ONE {
            (estimate.ticks(), 0)
        } else {
            inflate(estimate, weight)
        };
        let whole = inflated.saturating_add(cost.ticks()).min(LAST);
        let rest = if whole < LAST {
            fraction | estimate.ticks().min(ESTIMATE_MASK)
        } else {
            ESTIMATE_MASK
        };
        Priority { whole, rest }
    }

    /// The integer part of `cost + weight · estimate` alone, which is nearly always enough.
    #[inline]
    pub(crate) fn weighted_whole(cost: Cost, weight: Weight, estimate: Cost) -> u128 {
        let inflated = u128::from(estimate.ticks()) * u128::from(weight.steps());
        (inflated >> Weight::FRACTION_BITS) + u128::from(cost.ticks())
    }

    /// The weighted priority that has this integer part. The weight is at least 1, so different
    /// estimates have different integer parts, and the estimate can be worked out from it.
    #[inline]
    pub(crate) fn weighted_again(cost: Cost, weight: Weight, whole: u64) -> Priority {
        let inflated = whole.saturating_sub(cost.ticks());
        if whole == LAST {
            Priority::weighted(cost, weight, Cost::INFINITE)
        } else if weight == Weight::ONE {
            let rest = inflated.min(ESTIMATE_MASK);
            Priority { whole, rest }
        } else {
            let steps = u128::from(inflated) << Weight::FRACTION_BITS;
            let estimate = Cost::from_ticks(steps.div_ceil(u128::from(weight.steps())) as u64);
            Priority::weighted(cost, weight, estimate)
        }
    }

    /// The estimate alone; among equals the larger cost so far.
    #[inline]
    pub(crate) fn deepest(cost: Cost, estimate: Cost) -> Priority {
        Priority {
            whole: estimate.ticks().min(LAST),
            rest: !cost.ticks(),
        }
    }

    /// The estimate first, then the *smaller* cost so far.
    #[inline]
    pub(crate) fn nearest(cost: Cost, estimate: Cost) -> Priority {
        Priority {
            whole: estimate.ticks().min(LAST),
            rest: cost.ticks(),
        }
    }

    /// Two costs, compared one after the other.
    #[inline]
    pub(crate) fn pair(first: Cost, second: Cost) -> Priority {
        Priority {
            whole: first.ticks().min(LAST),
            rest: second.ticks(),
        }
    }

    /// Not before any other.
    pub(crate) const HIGHEST: Priority = Priority {
        whole: u64::MAX,
        rest: u64::MAX,
    };

    /// The last of the weighted priorities that are at most `exact` in steps of 1/65536.
    #[inline]
    pub(crate) fn last_of(exact: u128) -> Priority {
        match u64::try_from(exact >> Weight::FRACTION_BITS) {
            Ok(whole) if whole < LAST => Priority {
                whole,
                rest: (exact as u64) << ESTIMATE_BITS | ESTIMATE_MASK,
            },
            _ => Priority {
                whole: LAST,
                rest: u64::MAX,
            },
        }
    }

    /// The integer part, for comparing with costs.
    #[inline]
    pub(crate) fn whole(self) -> Cost {
        Cost::from_ticks(self.whole)
    }

    /// The estimate a weighted priority was made from.
    #[inline]
    pub(crate) fn estimate(self) -> Cost {
        Cost::from_ticks(self.rest & ESTIMATE_MASK)
    }

    /// A weighted priority in steps of 1/65536, without the estimate.
    #[inline]
    pub(crate) fn exact(self) -> u128 {
        u128::from(self.whole) << Weight::FRACTION_BITS | u128::from(self.rest >> ESTIMATE_BITS)
    }

    #[inline]
    pub(crate) fn as_u128(self) -> u128 {
        u128::from(self.whole) << 64 | u128::from(self.rest)
    }
}

/// The integer part of `weight · estimate`, and its fraction where a priority has it.
#[inline]
fn inflate(estimate: Cost, weight: Weight) -> (u64, u64) {
    let inflated = u128::from(estimate.ticks()) * u128::from(weight.steps());
    let whole = u64::try_from(inflated >> Weight::FRACTION_BITS).unwrap_or(LAST);
    // The bits before the fraction are shifted out.
    (whole, (inflated as u64) << ESTIMATE_BITS)
}

impl Ord for Priority {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_u128().cmp(&other.as_u128())
    }
}

impl PartialOrd for Priority {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_priority_is_known_from_its_upper_half(
            cost in any::<u64>(),
            estimate in any::<u64>(),
            weight in 1.0f64..1e6,
            shift in 0u32..64,
        ) {
            let (cost, estimate) = (Cost::from_ticks(cost >> shift), Cost::from_ticks(estimate >> shift));
            for weight in [Weight::ONE, Weight::new(weight).unwrap(), Weight::MAX] {
                let priority = Priority::weighted(cost, weight, estimate);
                prop_assert_eq!(Priority::weighted_again(cost, weight, priority.whole), priority);
            }
        }
    }
}
