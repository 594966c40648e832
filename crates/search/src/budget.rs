//! How much work is allowed before control goes back to the caller.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Work allowed before handing control back: a number of expansions and, if asked for, a deadline,
/// a flag somebody else may raise, and a limit on memory.
///
/// Expansions are the deterministic measure: the same budget gives the same result on every
/// machine. The other limits are for the edges of a program, where time and memory are real.
///
/// ```
/// use apprentice_search::{Budget, Spent};
///
/// let mut budget = Budget::units(2);
/// assert!(budget.take() && budget.take());
/// assert!(!budget.take());
/// assert_eq!(budget.spent_by(), Some(Spent::Expansions));
/// ```
#[derive(Debug)]
pub struct Budget<'a> {
    /// Expansions allowed before the limits below are looked at again.
    until_check: u64,
    /// Expansions allowed after that.
    reserve: u64,
    taken: u64,
    overtime: u64,
    deadline: Option<Deadline<'a>>,
    cancel: Option<&'a AtomicBool>,
    memory: u64,
    spent: Option<Spent>,
}

/// What a budget ran out of.
///
/// ```
/// # use apprentice_search::{Budget, Spent};
/// let mut none = Budget::units(0);
/// none.take();
/// assert_eq!(none.spent_by(), Some(Spent::Expansions));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spent {
    /// The number of expansions.
    Expansions,
    /// The time.
    Deadline,
    /// Somebody raised the flag.
    Cancelled,
    /// The memory.
    Memory,
}

/// How long to work between two looks at the clock. With a look costing some 25 ns this is a
/// thousandth of the work, and the deadline is overshot by little more.
const BETWEEN_LOOKS: Duration = Duration::from_micros(20);

/// At most this many expansions between two looks, however cheap the last ones were: the next may be
/// dear. At 32, looking costs less than a nanosecond an expansion.
const MOST_BETWEEN_LOOKS: u64 = 32;

/// A raised flag is noticed within this many expansions, also when there is no deadline.
const BETWEEN_FLAGS: u64 = 64;

/// Times are what the clock shows.
#[derive(Debug)]
struct Deadline<'a> {
    clock: Clock<'a>,
    at: Duration,
    /// What it showed when it was last looked at.
    now: Duration,
    /// What it showed when expansions were last allowed.
    last_look: Duration,
    /// Expansions until the next look, adapted to how long they take.
    stride: u64,
}

#[derive(Clone, Copy)]
enum Clock<'a> {
    /// The computer's, which shows the time since then.
    Since(Instant),
    Own(&'a (dyn Fn() -> Duration + Sync)),
}

impl Clock<'_> {
    fn now(&self) -> Duration {
        match self {
            Clock::Since(then) => then.elapsed(),
            Clock::Own(clock) => clock(),
        }
    }
}

impl std::fmt::Debug for Clock<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Clock::Since(_) => "Since",
            Clock::Own(_) => "Own",
        })
    }
}

impl Budget<'static> {
    /// That many units: one for each expansion, and for other work that takes as long.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// assert!(Budget::units(1).take());
    /// assert!(!Budget::units(0).take());
    /// ```
    pub const fn units(units: u64) -> Self {
        Budget {
            until_check: units,
            reserve: 0,
            taken: 0,
            overtime: 0,
            deadline: None,
            cancel: None,
            memory: u64::MAX,
            spent: None,
        }
    }

    /// As much as it takes.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// assert!(Budget::unlimited().take());
    /// ```
    pub const fn unlimited() -> Self {
        Budget::units(u64::MAX)
    }
}

impl<'a> Budget<'a> {
    /// Also stops at a moment in time, overshot by some 20 µs. The clock is looked at as often as the
    /// last expansions suggest, and at least every 32: if they suddenly take a hundred times longer,
    /// it may be overshot by that many of them. Where a problem lists steps
    /// [in parts](crate::Problem::successors_from) it is looked at before every expansion, and in the
    /// middle of those that take long. Now and then a search also takes some nanoseconds for
    /// each state it knows: to sort roughly what is open, or to get more memory when it meets more
    /// states than ever before. One that runs again has its memory already. And an adviser to whom
    /// very many states are all alike asks about all of them at once.
    ///
    /// ```
    /// # use apprentice_search::{Budget, Spent};
    /// use std::time::Instant;
    ///
    /// let mut late = Budget::unlimited().until(Instant::now());
    /// assert!(!late.take());
    /// assert_eq!(late.spent_by(), Some(Spent::Deadline));
    /// ```
    #[must_use]
    pub fn until(self, deadline: Instant) -> Self {
        let now = Instant::now();
        self.by_clock(Clock::Since(now), deadline.saturating_duration_since(now))
    }

    /// The same by a clock of your own, which shows how much time has passed since some moment: for
    /// platforms on which [`Instant`] is not to be had, such as the browser, for games that count
    /// only the time they run, and for tests that should not depend on the computer's clock.
    ///
    /// ```
    /// # use apprentice_search::{Budget, Spent};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    ///
    /// let microseconds = AtomicU64::new(0);
    /// let clock = || Duration::from_micros(microseconds.load(Ordering::Relaxed));
    /// let mut budget = Budget::unlimited().until_by(&clock, Duration::from_micros(500));
    /// while budget.take() {
    ///     microseconds.fetch_add(10, Ordering::Relaxed); // what an expansion takes
    /// }
    /// assert_eq!(budget.spent_by(), Some(Spent::Deadline));
    /// assert_eq!(budget.taken(), 50);
    /// ```
    #[must_use]
    pub fn until_by<'b>(
        self,
        clock: &'b (dyn Fn() -> Duration + Sync),
        deadline: Duration,
    ) -> Budget<'b>
    where
        'a: 'b,
    {
        let budget: Budget<'b> = self;
        budget.by_clock(Clock::Own(clock), deadline)
    }

    fn by_clock(mut self, clock: Clock<'a>, deadline: Duration) -> Self {
        let now = clock.now();
        self.deadline = Some(Deadline {
            clock,
            at: deadline,
            now,
            last_look: now,
            stride: 1,
        });
        self.check_first()
    }

    /// Also stops when somebody raises `flag`.
    ///
    /// ```
    /// # use apprentice_search::{Budget, Spent};
    /// use std::sync::atomic::AtomicBool;
    ///
    /// let stop = AtomicBool::new(true);
    /// let mut budget = Budget::unlimited().unless(&stop);
    /// assert!(!budget.take());
    /// assert_eq!(budget.spent_by(), Some(Spent::Cancelled));
    /// ```
    #[must_use]
    pub fn unless<'b>(self, flag: &'b AtomicBool) -> Budget<'b>
    where
        'a: 'b,
    {
        let budget: Budget<'b> = self;
        Budget {
            cancel: Some(flag),
            ..budget
        }
        .check_first()
    }

    /// Also stops when a search holds more than `bytes`. That is looked at before every expansion, so
    /// a search may go beyond the limit by what one expansion adds.
    ///
    /// What counts is what the states met need, so that the limit is deterministic; the allocator
    /// may hold up to twice as much while a store grows.
    ///
    /// ```
    /// # use apprentice_search::{BestFirst, Blind, Budget, Search, Spent, Status};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 1_000_000 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let mut budget = Budget::unlimited().within_memory(64 << 10);
    /// assert_eq!(BestFirst::astar(Blind).run(&Line, &mut budget), Status::Paused);
    /// assert_eq!(budget.spent_by(), Some(Spent::Memory));
    /// ```
    #[must_use]
    pub fn within_memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Takes one expansion, or other work that is worth as much. False: the budget is spent.
    ///
    /// Searches and planners call this once for each expansion, before they do it.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// let mut budget = Budget::units(1);
    /// assert!(budget.take());
    /// assert!(!budget.take());
    /// ```
    #[inline]
    pub fn take(&mut self) -> bool {
        if self.until_check == 0 && !self.check() {
            return false;
        }
        self.until_check -= 1;
        self.taken += 1;
        true
    }

    /// Lets `work` take at most that many of the expansions that are left. The other limits hold as
    /// they do without it, and what it does not take is left.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// let mut budget = Budget::units(5);
    /// let taken = budget.at_most(2, |budget| (0..10).take_while(|_| budget.take()).count());
    /// assert_eq!((taken, budget.spent_by()), (2, None));
    /// assert_eq!((0..10).take_while(|_| budget.take()).count(), 3);
    /// ```
    pub fn at_most<T>(&mut self, expansions: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.reserve.saturating_add(self.until_check);
        let withheld = left.saturating_sub(expansions);
        let from_reserve = withheld.min(self.reserve);
        self.reserve -= from_reserve;
        self.until_check -= withheld - from_reserve;
        let done = work(self);
        self.reserve = self.reserve.saturating_add(withheld);
        if withheld > 0 && self.spent == Some(Spent::Expansions) {
            self.spent = None;
        }
        done
    }

    /// Lets `work` hold at most that many bytes, or fewer if fewer are allowed anyway.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// let mut budget = Budget::units(5);
    /// assert!(budget.holding_at_most(1 << 20, |budget| budget.take()));
    /// assert_eq!(budget.spent_by(), None);
    /// ```
    pub fn holding_at_most<T>(&mut self, bytes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let memory = self.memory;
        self.memory = memory.min(bytes);
        let done = work(self);
        if self.memory < memory && self.spent == Some(Spent::Memory) {
            self.spent = None;
        }
        self.memory = memory;
        done
    }

    /// How many expansions were taken so far, with other work that counts as much.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// let mut budget = Budget::units(5);
    /// budget.take();
    /// assert_eq!(budget.taken(), 1);
    /// ```
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// How many of them were taken because an expansion, or other work that has a unit of its own,
    /// took longer than a unit pays for ([`Debt`](crate::Debt)).
    ///
    /// ```
    /// # use apprentice_search::{Budget, Debt};
    /// let (mut budget, mut debt) = (Budget::units(5), Debt::default());
    /// budget.take();
    /// debt.add(2 * Debt::A_UNIT);
    /// assert!(debt.pay(&mut budget));
    /// assert_eq!((budget.taken(), budget.overtime()), (3, 2));
    /// ```
    pub const fn overtime(&self) -> u64 {
        self.overtime
    }

    /// How many bytes a search may hold; `u64::MAX` if nobody has said.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// assert_eq!(Budget::units(5).within_memory(64).memory(), 64);
    /// ```
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// What the budget ran out of, if it did.
    ///
    /// ```
    /// # use apprentice_search::Budget;
    /// assert_eq!(Budget::units(5).spent_by(), None);
    /// ```
    pub const fn spent_by(&self) -> Option<Spent> {
        self.spent
    }

    /// Takes one expansion for a search that holds `bytes`, if that is within all limits. Without
    /// numbers left for new states it isn't: they are a kind of memory.
    #[inline]
    pub(crate) fn take_holding(&mut self, has_numbers: bool, bytes: impl FnOnce() -> u64) -> bool {
        if !has_numbers || self.memory != u64::MAX && bytes() > self.memory {
            self.spent = Some(Spent::Memory);
            return false;
        }
        self.take()
    }

    /// Says that a unit may take much longer from now on than it took before: the clock is looked at
    /// after the next one, instead of after as many as were fast.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use apprentice_search::Budget;
    ///
    /// let mut budget = Budget::unlimited().until(Instant::now() + Duration::from_millis(1));
    /// for _ in 0..100 {
    ///     budget.take(); // something quick
    /// }
    /// budget.change_pace();
    /// while budget.take() {
    ///     // something slow
    /// }
    /// ```
    pub fn change_pace(&mut self) {
        if let Some(deadline) = &mut self.deadline {
            deadline.stride = 1;
            self.reserve = self.reserve.saturating_add(self.until_check);
            self.until_check = 0;
        }
    }

    /// Makes the next `take` look at all limits.
    fn check_first(mut self) -> Self {
        self.reserve = self.reserve.saturating_add(self.until_check);
        self.until_check = 0;
        self
    }

    /// Whether there is time to go on with work that is part of an expansion, or leads up to one: the
    /// flag is down, and the deadline has not passed. For those who can stop in the middle of it.
    #[inline]
    pub(crate) fn has_time(&mut self) -> bool {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.spent = Some(Spent::Cancelled);
            return false;
        }
        if let Some(deadline) = &mut self.deadline {
            deadline.now = deadline.clock.now();
            if deadline.now >= deadline.at {
                self.spent = Some(Spent::Deadline);
                return false;
            }
        }
        true
    }

    /// Whether a unit could be taken now. For those who do the work first and then pay for it.
    pub(crate) fn has_a_unit(&mut self) -> bool {
        if self.until_check == 0 && self.reserve == 0 {
            self.spent = Some(Spent::Expansions);
            return false;
        }
        self.has_time()
    }

    /// Takes a unit for work that took longer than a unit pays for. The clock is looked at each time.
    pub(crate) fn take_overtime(&mut self) -> bool {
        let is_taken = self.has_time() && self.take();
        self.overtime += u64::from(is_taken);
        is_taken
    }

    /// Looks at all limits and allows the next few expansions.
    #[cold]
    fn check(&mut self) -> bool {
        if self.reserve == 0 {
            self.spent = Some(Spent::Expansions);
            return false;
        }
        if !self.has_time() {
            return false;
        }
        let mut stride = if self.cancel.is_some() {
            BETWEEN_FLAGS
        } else {
            u64::MAX
        };
        if let Some(deadline) = &mut self.deadline {
            let now = deadline.now;
            // A clock of somebody's own might go backwards.
            let worked = now.saturating_sub(deadline.last_look);
            deadline.last_look = now;
            // Doubling reaches the right stride within a few looks; quartering leaves it at once
            // when expansions suddenly take longer. Near the deadline strides are short again.
            let allowed = BETWEEN_LOOKS.min(deadline.at - now);
            if worked < allowed / 2 {
                deadline.stride = (deadline.stride * 2).min(MOST_BETWEEN_LOOKS);
            } else if worked > allowed {
                deadline.stride = (deadline.stride / 4).max(1);
            }
            stride = stride.min(deadline.stride);
        }
        self.until_check = stride.min(self.reserve);
        self.reserve -= self.until_check;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    #[test]
    fn limits_combine_and_the_first_one_met_is_named() {
        let (flag, standing_still) = (AtomicBool::new(false), || Duration::ZERO);
        let mut budget = Budget::units(100)
            .until_by(&standing_still, Duration::from_secs(3600))
            .unless(&flag)
            .within_memory(1000);
        for _ in 0..100 {
            assert!(budget.take());
        }
        assert!(!budget.take());
        assert_eq!(
            (budget.taken(), budget.spent_by()),
            (100, Some(Spent::Expansions))
        );
    }

    #[test]
    fn whoever_slows_down_is_looked_at_soon() {
        let clock = AtomicU64::new(0);
        let now = || Duration::from_nanos(clock.load(Ordering::Relaxed));
        let overshoot = |says_so: bool| {
            clock.store(0, Ordering::Relaxed);
            let deadline = Duration::from_micros(500);
            let mut budget = Budget::unlimited().until_by(&now, deadline);
            // A unit takes 100 ns at first, and then a thousand times as long.
            while now() < Duration::from_micros(450) && budget.take() {
                clock.fetch_add(100, Ordering::Relaxed);
            }
            if says_so {
                budget.change_pace();
            }
            while budget.take() {
                clock.fetch_add(100_000, Ordering::Relaxed);
            }
            now().saturating_sub(deadline)
        };
        assert!(
            overshoot(false) > Duration::from_micros(500),
            "{:?}",
            overshoot(false)
        );
        assert!(
            overshoot(true) <= Duration::from_micros(150),
            "{:?}",
            overshoot(true)
        );
    }

    #[test]
    fn what_is_lent_is_within_all_limits_and_the_rest_is_given_back() {
        let (flag, standing_still) = (AtomicBool::new(false), || Duration::ZERO);
        let taken = |budget: &mut Budget<'_>| (0..1_000).take_while(|_| budget.take()).count();
        for before in [0, 7] {
            let mut budget = Budget::units(100)
                .until_by(&standing_still, Duration::from_secs(3600))
                .unless(&flag);
            assert!((0..before).all(|_| budget.take()));
            assert_eq!(budget.at_most(0, taken), 0);
            assert_eq!(budget.at_most(60, taken), 60);
            assert_eq!(budget.spent_by(), None);
            assert_eq!(budget.at_most(60, taken), 40 - before);
            assert_eq!(
                (budget.taken(), budget.spent_by()),
                (100, Some(Spent::Expansions))
            );
        }
        let mut budget = Budget::unlimited().unless(&flag);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.at_most(5, taken), 0);
        assert_eq!(budget.spent_by(), Some(Spent::Cancelled));
        assert_eq!(Budget::unlimited().at_most(5, taken), 5);
    }

    #[test]
    fn a_raised_flag_is_noticed_soon() {
        let flag = AtomicBool::new(false);
        let mut budget = Budget::unlimited().unless(&flag);
        assert!(budget.take());
        flag.store(true, Ordering::Relaxed);
        let more = (0..1_000).take_while(|_| budget.take()).count();
        assert!(more < 64, "{more} expansions after the flag was raised");
        assert_eq!(budget.spent_by(), Some(Spent::Cancelled));
    }

    /// A clock that shows what it is told, and counts how often it is looked at.
    #[derive(Default)]
    struct Watched {
        nanoseconds: AtomicU64,
        looks: AtomicU64,
    }

    impl Watched {
        fn look(&self) -> Duration {
            self.looks.fetch_add(1, Ordering::Relaxed);
            Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
        }

        fn advance(&self, nanoseconds: u64) {
            self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        }
    }

    #[test]
    fn looks_at_the_clock_are_far_apart_when_expansions_are_cheap() {
        let watched = Watched::default();
        let clock = || watched.look();
        let mut budget = Budget::unlimited().until_by(&clock, Duration::from_secs(3600));
        for _ in 0..10_000 {
            assert!(budget.take());
            watched.advance(100);
        }
        let looks = watched.looks.into_inner();
        let fewest = 10_000 / MOST_BETWEEN_LOOKS;
        assert!((fewest..fewest + 10).contains(&looks), "{looks} looks");
    }

    #[test]
    fn a_deadline_is_overshot_by_little_however_long_expansions_take() {
        let deadline = Duration::from_millis(1);
        for nanoseconds in [10, 60, 150, 700, 3_000, 20_000, 400_000] {
            let watched = Watched::default();
            let clock = || watched.look();
            let mut budget = Budget::unlimited().until_by(&clock, deadline);
            while budget.take() {
                watched.advance(nanoseconds);
            }
            assert_eq!(budget.spent_by(), Some(Spent::Deadline));
            let overshot = watched.look() - deadline;
            let most = Duration::from_micros(50).max(Duration::from_nanos(nanoseconds));
            assert!(overshot <= most, "{nanoseconds} ns each: {overshot:?}");
        }
    }

    #[test]
    fn a_clock_that_goes_backwards_stops_nothing() {
        let watched = Watched::default();
        watched.advance(1_000_000);
        let clock = || watched.look();
        let mut budget = Budget::unlimited().until_by(&clock, Duration::from_secs(1));
        for _ in 0..1_000 {
            assert!(budget.take());
            watched.nanoseconds.fetch_sub(1_000, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_memory_limit_stops_and_says_so() {
        let mut budget = Budget::unlimited().within_memory(10);
        assert!(budget.take_holding(true, || 10));
        assert!(!budget.take_holding(true, || 11));
        assert_eq!(budget.spent_by(), Some(Spent::Memory));
    }

    #[test]
    fn without_numbers_for_new_states_there_is_no_memory() {
        let mut budget = Budget::unlimited();
        assert!(!budget.take_holding(false, || 0));
        assert_eq!(
            (budget.spent_by(), budget.taken()),
            (Some(Spent::Memory), 0)
        );
    }
}
