//! What still has to happen, added up: the way by all events that remain, and then to the goal.
//!
//! An estimate that knows one event lets a search that must take five keys see only the next; these
//! see all of them. They rely on somebody knowing which events are needed, so they advise a search
//! and never bound it.

/// How the way by several places is measured.
///
/// ```
/// use apprentice_experience::ChainForm;
///
/// assert_eq!(ChainForm::default(), ChainForm::Shortest);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainForm {
    /// The shortest order that is allowed. Prepared for up to [`EventChain::MOST_ORDERED`] events;
    /// with more of them, the nearest first.
    #[default]
    Shortest,
    /// Always to the nearest event that is allowed, and to the goal last.
    NearestFirst,
    /// In the order the events were given.
    InOrder,
    /// The least that connects all of them, the goal and oneself; in any order.
    SpanningTree,
}

/// Events that have to happen, and the ways between them.
///
/// ```
/// use apprentice_experience::{ChainForm, EventChain};
///
/// // On a line: a key at 2, its door at 8, another key at 4, the goal at 10.
/// let at = [2.0f64, 8.0, 4.0];
/// let mut chain = EventChain::new(3, |from, to| (at[from] - at[to]).abs(), |from| 10.0 - at[from]);
/// chain.require(0, 1);
/// let here = 5.0;
/// let all = 0b111;
/// let way = |form| chain.seconds(form, all, |event| (at[event] - here).abs(), 5.0);
/// assert_eq!(way(ChainForm::Shortest), 1.0 + 2.0 + 6.0 + 2.0);
/// assert_eq!(way(ChainForm::InOrder), 3.0 + 6.0 + 4.0 + 6.0);
/// ```
#[derive(Clone, Debug)]
pub struct EventChain {
    count: usize,
    /// Seconds from each event to each.
    between: Vec<f64>,
    /// Seconds from each event to the goal.
    to_goal: Vec<f64>,
    /// The events that must have happened before each, as bits.
    before: Vec<u32>,
    /// For each set of events and each first one of it: seconds from there by all others to the
    /// goal. Empty with too many events.
    onward: Vec<f64>,
}

impl EventChain {
    /// With more events than this the shortest order is not worked out, because that takes memory
    /// that doubles with each.
    pub const MOST_ORDERED: usize = 13;

    /// A chain of `count` events, 32 at most, with the seconds from each to each and to the goal.
    /// What is no number counts as infinite.
    ///
    /// # Panics
    ///
    /// If there are more than 32 events.
    pub fn new(
        count: usize,
        mut between: impl FnMut(usize, usize) -> f64,
        mut to_goal: impl FnMut(usize) -> f64,
    ) -> EventChain {
        assert!(count <= 32, "at most 32 events, but there are {count}");
        let mut all = Vec::with_capacity(count * count);
        for from in 0..count {
            for to in 0..count {
                all.push(number(if from == to { 0.0 } else { between(from, to) }));
            }
        }
        let mut chain = EventChain {
            count,
            between: all,
            to_goal: (0..count).map(|event| number(to_goal(event))).collect(),
            before: vec![0; count],
            onward: Vec::new(),
        };
        chain.work_out();
        chain
    }

    /// Says that `first` must happen before `then`, as a key is taken before its door is opened.
    /// Ignored if `then` must already happen before `first`. Returns whether it is heeded.
    ///
    /// # Panics
    ///
    /// If there is no such event.
    pub fn require(&mut self, first: usize, then: usize) -> bool {
        assert!(first < self.count && then < self.count, "no such event");
        // All that must have happened before `first`.
        let mut earlier = 1u32 << first;
        loop {
            let more = bits(earlier).fold(earlier, |all, event| all | self.before[event]);
            if more == earlier {
                break;
            }
            earlier = more;
        }
        if earlier & (1 << then) != 0 {
            return false;
        }
        self.before[then] |= 1 << first;
        self.work_out();
        true
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Seconds by all events in `remaining` (one bit each) to the goal, from where it takes
    /// `to_event` to each of them and `to_goal` to the goal. Never NaN.
    pub fn seconds(
        &self,
        form: ChainForm,
        remaining: u32,
        mut to_event: impl FnMut(usize) -> f64,
        to_goal: f64,
    ) -> f64 {
        let known = if self.count == 32 {
            u32::MAX
        } else {
            (1 << self.count) - 1
        };
        let remaining = remaining & known;
        if remaining == 0 {
            return number(to_goal);
        }
        match form {
            ChainForm::Shortest if self.onward.is_empty() => {
                self.nearest_first(remaining, &mut to_event)
            }
            ChainForm::Shortest => {
                let firsts = bits(remaining).filter(|first| self.may_be_first(*first, remaining));
                let onward = |first: usize| self.onward[self.index(remaining, first)];
                let ways = firsts.map(|first| number(to_event(first)) + onward(first));
                ways.fold(f64::INFINITY, f64::min)
            }
            ChainForm::NearestFirst => self.nearest_first(remaining, &mut to_event),
            ChainForm::InOrder => {
                let mut events = bits(remaining);
                let Some(mut here) = events.next() else {
                    return number(to_goal);
                };
                let mut seconds = number(to_event(here));
                for event in events {
                    seconds += self.between(here, event);
                    here = event;
                }
                seconds + self.to_goal[here]
            }
            ChainForm::SpanningTree => {
                self.spanning_tree(remaining, &mut to_event, number(to_goal))
            }
        }
    }

    fn nearest_first(&self, remaining: u32, to_event: &mut impl FnMut(usize) -> f64) -> f64 {
        let nearest = |left: u32, way: &mut dyn FnMut(usize) -> f64| {
            let allowed = bits(left).filter(|event| self.may_be_first(*event, left));
            let ways = allowed.map(|event| (number(way(event)), event));
            ways.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        };
        let Some((mut seconds, mut here)) = nearest(remaining, to_event) else {
            return f64::INFINITY;
        };
        let mut left = remaining & !(1 << here);
        while let Some((step, next)) = nearest(left, &mut |event| self.between(here, event)) {
            seconds += step;
            here = next;
            left &= !(1 << next);
        }
        seconds + self.to_goal[here]
    }

    /// Prim's algorithm, from oneself.
    fn spanning_tree(
        &self,
        remaining: u32,
        to_event: &mut impl FnMut(usize) -> f64,
        to_goal: f64,
    ) -> f64 {
        let mut nearest = [f64::INFINITY; 32];
        for event in bits(remaining) {
            nearest[event] = number(to_event(event));
        }
        let mut goal = Some(to_goal);
        let (mut left, mut seconds) = (remaining, 0.0);
        loop {
            let next = bits(left).map(|event| (nearest[event], event));
            let next = next.min_by(|a, b| a.0.total_cmp(&b.0));
            match (next, goal) {
                (None, None) => return seconds,
                (Some((way, event)), goal_way) if goal_way.is_none_or(|goal| way <= goal) => {
                    seconds += way;
                    left &= !(1 << event);
                    for other in bits(left) {
                        let apart = self.between(event, other).min(self.between(other, event));
                        nearest[other] = nearest[other].min(apart);
                    }
                    goal = goal.map(|goal| goal.min(self.to_goal[event]));
                }
                (_, goal_way) => {
                    seconds += goal_way.unwrap_or(0.0);
                    goal = None;
                    for other in bits(left) {
                        nearest[other] = nearest[other].min(self.to_goal[other]);
                    }
                }
            }
        }
    }

    /// Works out the shortest orders, from the smallest sets to the largest (Held and Karp).
    fn work_out(&mut self) {
        if self.count > EventChain::MOST_ORDERED || self.count == 0 {
            return;
        }
        let mut onward = vec![f64::INFINITY; self.count << self.count];
        for set in 1u32..1 << self.count {
            for first in bits(set).filter(|first| self.may_be_first(*first, set)) {
                let rest = set & !(1 << first);
                let nexts = bits(rest).filter(|next| self.may_be_first(*next, rest));
                let ways =
                    nexts.map(|next| self.between(first, next) + onward[self.index(rest, next)]);
                let least = ways.fold(f64::INFINITY, f64::min);
                let here = self.index(set, first);
                onward[here] = if rest == 0 {
                    self.to_goal[first]
                } else {
                    least
                };
            }
        }
        self.onward = onward;
    }

    fn may_be_first(&self, event: usize, remaining: u32) -> bool {
        self.before[event] & remaining == 0
    }

    fn between(&self, from: usize, to: usize) -> f64 {
        self.between[from * self.count + to]
    }

    fn index(&self, set: u32, first: usize) -> usize {
        set as usize * self.count + first
    }
}

/// The numbers of the bits that are set, lowest first.
fn bits(mut set: u32) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < 32).then_some(lowest as usize)
    })
}

fn number(seconds: f64) -> f64 {
    if seconds.is_nan() {
        f64::INFINITY
    } else {
        seconds.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every order.
    fn shortest_by_trying(
        places: &[(f64, f64)],
        before: &[(usize, usize)],
        left: &[usize],
        here: (f64, f64),
        goal: (f64, f64),
    ) -> f64 {
        if left.is_empty() {
            return apart(here, goal);
        }
        let mut least = f64::INFINITY;
        for next in left {
            if before
                .iter()
                .any(|(first, then)| then == next && left.contains(first))
            {
                continue;
            }
            let rest: Vec<usize> = left.iter().copied().filter(|event| event != next).collect();
            let on = shortest_by_trying(places, before, &rest, places[*next], goal);
            least = least.min(apart(here, places[*next]) + on);
        }
        least
    }

    fn apart(a: (f64, f64), b: (f64, f64)) -> f64 {
        ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt()
    }

    proptest! {
        #[test]
        fn the_shortest_order_is_shortest_and_the_others_are_in_line(
            places in prop::collection::vec((0.0..9.0f64, 0.0..9.0f64), 1..6),
            pairs in prop::collection::vec((any::<usize>(), any::<usize>()), 0..4),
            here in (0.0..9.0f64, 0.0..9.0f64), goal in (0.0..9.0f64, 0.0..9.0f64),
            remaining: u32,
        ) {
            let count = places.len();
            let mut chain = EventChain::new(
                count, |a, b| apart(places[a], places[b]), |a| apart(places[a], goal),
            );
            let pairs = pairs.into_iter().map(|(a, b)| (a % count, b % count));
            let heeded: Vec<(usize, usize)> =
                pairs.filter(|(first, then)| chain.require(*first, *then)).collect();
            let left: Vec<usize> = (0..count).filter(|event| remaining & 1 << event != 0).collect();
            let way = |form| {
                chain.seconds(form, remaining, |event| apart(here, places[event]), apart(here, goal))
            };
            let least = shortest_by_trying(&places, &heeded, &left, here, goal);
            prop_assert!((way(ChainForm::Shortest) - least).abs() < 1e-9);
            prop_assert!(way(ChainForm::NearestFirst) >= least - 1e-9);
            prop_assert!(way(ChainForm::NearestFirst).is_finite());
            prop_assert!(way(ChainForm::SpanningTree) <= least + 1e-9);
            if heeded.is_empty() {
                prop_assert!(way(ChainForm::InOrder) >= least - 1e-9);
            }
        }
    }

    #[test]
    fn events_cannot_wait_for_each_other() {
        let mut chain = EventChain::new(3, |_, _| 1.0, |_| 1.0);
        assert!(chain.require(0, 1) && chain.require(1, 2));
        assert!(!chain.require(2, 0) && !chain.require(1, 1));
        assert_eq!(chain.seconds(ChainForm::Shortest, 0b111, |_| 1.0, 0.0), 4.0);
    }

    #[test]
    fn many_events_are_taken_nearest_first() {
        let at = |event: usize| event as f64;
        let chain = EventChain::new(32, |a, b| (at(a) - at(b)).abs(), |a| 32.0 - at(a));
        for form in [
            ChainForm::Shortest,
            ChainForm::NearestFirst,
            ChainForm::InOrder,
            ChainForm::SpanningTree,
        ] {
            assert_eq!(chain.seconds(form, u32::MAX, at, 32.0), 32.0, "{form:?}");
        }
        let nothing = EventChain::new(0, |_, _| 0.0, |_| 0.0);
        assert_eq!(
            nothing.seconds(ChainForm::Shortest, u32::MAX, |_| 0.0, 3.0),
            3.0
        );
        let odd = EventChain::new(2, |_, _| f64::NAN, |_| -1.0);
        assert_eq!(odd.seconds(ChainForm::Shortest, 0b01, |_| 2.0, 3.0), 2.0);
        assert_eq!(
            odd.seconds(ChainForm::Shortest, 0b11, |_| 2.0, 3.0),
            f64::INFINITY
        );
    }
}
