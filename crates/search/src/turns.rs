//! Whose turn it is: in which order the advisers of a search get to expand.

/// How turns are shared among the advisers of a multi-heuristic search. An adviser's turn is one
/// expansion. In [`ImprovedMhaStar`](crate::ImprovedMhaStar) every round ends with a turn of the
/// anchor; in the others the anchor expands a state when an adviser has none that it may.
///
/// ```
/// use apprentice_search::{Blind, Budget, MhaStar, MhaWeights, Search, Status, Turns};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
///
/// let fair = Turns::each_once();
/// let insistent = Turns::with_repeats([1, 1, 11]); // the third adviser goes eleven times a round
/// let learning = Turns::adaptive(42); // those who make progress go more often
/// for turns in [fair, insistent, learning] {
///     let mut search = MhaStar::new(Blind, vec![Box::new(Blind)], MhaWeights::default())?
///         .with_turns(turns);
///     assert_eq!(search.run(&Line, &mut Budget::unlimited()), Status::Finished);
/// }
/// # Ok::<(), apprentice_search::WeakAnchor>(())
/// ```
#[derive(Clone, Debug)]
pub struct Turns {
    rule: Rule,
    /// So many of the first advisers keep their turn while they make progress.
    leaders: usize,
    /// Turns that each adviser has besides in the first round; half as many in each round after that.
    patience: Vec<u32>,
    /// How many rounds each adviser lets pass before its first turn.
    reserve: Vec<u32>,
    rounds: u32,
    advisers: usize,
    /// The adviser whose turn it is; past the last one, it is the anchor's.
    now: usize,
    /// How often it has had its turn in this round, or how many turns this round has had.
    had: u32,
}

#[derive(Clone, Debug)]
enum Rule {
    Repeats(Vec<u32>),
    Adaptive {
        seed: u64,
        random: Random,
        arms: Vec<Arm>,
    },
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The adviser with this number, counting from 0.
    Adviser(usize),
    /// The anchor, at the end of a round.
    Anchor,
}

impl Turns {
    /// One turn for each adviser in every round.
    ///
    /// ```
    /// # use apprentice_search::{Blind, BoxedHeuristic, Budget, ImprovedMhaStar, MhaForm, Search, Turns, Weight};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 6 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let advisers: Vec<BoxedHeuristic<Line>> = vec![Box::new(Blind), Box::new(Blind)];
    /// let mut search = ImprovedMhaStar::new(MhaForm::Unconstrained, Blind, advisers, Weight::ONE)?
    ///     .with_turns(Turns::each_once());
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded_by, [2, 2, 2]); // the anchor first
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn each_once() -> Turns {
        Turns::with_repeats([])
    }

    /// So many turns in every round for the first adviser, the second, and so on. Advisers beyond
    /// the list have one turn; an adviser with 0 turns is never asked.
    ///
    /// Repeats share one open list: the same as giving the adviser several times, without the
    /// memory.
    ///
    /// ```
    /// # use apprentice_search::{Blind, BoxedHeuristic, Budget, ImprovedMhaStar, MhaForm, Search, Turns, Weight};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 6 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let advisers: Vec<BoxedHeuristic<Line>> = vec![Box::new(Blind), Box::new(Blind)];
    /// let mut search = ImprovedMhaStar::new(MhaForm::Unconstrained, Blind, advisers, Weight::ONE)?
    ///     .with_turns(Turns::with_repeats([1, 4]));
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded_by, [1, 1, 4]); // the anchor first
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn with_repeats(repeats: impl Into<Vec<u32>>) -> Turns {
        Turns {
            rule: Rule::Repeats(repeats.into()),
            leaders: 0,
            patience: Vec::new(),
            reserve: Vec::new(),
            rounds: 0,
            advisers: 0,
            now: 0,
            had: 0,
        }
    }

    /// The first so many advisers go on for as long as they make progress, and their turns count
    /// from where they make none: nobody leads a search aside that is on its way. An adviser has
    /// made progress when it expands a state it thinks nearer the goal than any before.
    ///
    /// Only where turns are counted; adaptive ones follow progress anyway.
    ///
    /// ```
    /// # use apprentice_search::{Blind, BoxedHeuristic, Budget, Cost, Estimate, ImprovedMhaStar, MhaForm};
    /// # use apprentice_search::{Promise, Search, Turns, Weight};
    /// # use apprentice_search::{Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 6 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let knows_the_way = Estimate::new(Promise::None, |cell: &u32| {
    ///     Cost::from_seconds(f64::from(6 - cell))
    /// });
    /// let advisers: Vec<BoxedHeuristic<Line>> = vec![Box::new(knows_the_way), Box::new(Blind)];
    /// let mut search = ImprovedMhaStar::new(MhaForm::Unconstrained, Blind, advisers, Weight::ONE)?
    ///     .with_turns(Turns::with_repeats([4, 1]).led_by(1));
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded_by, [0, 6, 0]); // the anchor first
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    #[must_use]
    pub fn led_by(mut self, leaders: usize) -> Turns {
        self.leaders = leaders;
        self
    }

    /// With so many more turns for each adviser in the first round, and half as many in each round after
    /// that: for those worth waiting for, but not for ever. Where turns are repeated; whoever learns
    /// makes up its own mind.
    ///
    /// ```
    /// use apprentice_search::Turns;
    ///
    /// let patient = Turns::with_repeats([1, 4]).with_patience([1000]); // the first may try for long
    /// ```
    #[must_use]
    pub fn with_patience(mut self, more: impl Into<Vec<u32>>) -> Turns {
        self.patience = more.into();
        self
    }

    /// Each adviser lets so many rounds pass before its first turn: for those who are only needed where
    /// others find nothing. Until then it costs nothing. Where turns are repeated.
    ///
    /// ```
    /// use apprentice_search::Turns;
    ///
    /// let reserved = Turns::with_repeats([4, 4]).with_reserve([0, 16]); // the second waits for 16 rounds
    /// ```
    #[must_use]
    pub fn with_reserve(mut self, rounds: impl Into<Vec<u32>>) -> Turns {
        self.reserve = rounds.into();
        self
    }

    /// Each turn goes to the adviser that is most likely to make progress, judged by how it fared
    /// lately: dynamic Thompson sampling, as Phillips et al. (2015) use it for MHA*. An adviser has
    /// made progress when it expands a state it thinks nearer the goal than any before.
    ///
    /// The seed makes the choice repeatable.
    ///
    /// ```
    /// # use apprentice_search::{Blind, BoxedHeuristic, Budget, ImprovedMhaStar, MhaForm, Search, Turns, Weight};
    /// # use apprentice_search::{Cost, Problem, Successors};
    /// # struct Line;
    /// # impl Problem for Line {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { 0 }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == 6 }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         out.push((), s + 1, Cost::from_seconds(1.0));
    /// #     }
    /// # }
    /// let advisers: Vec<BoxedHeuristic<Line>> = vec![Box::new(Blind), Box::new(Blind)];
    /// let mut search = ImprovedMhaStar::new(MhaForm::Unconstrained, Blind, advisers, Weight::ONE)?
    ///     .with_turns(Turns::adaptive(7));
    /// search.run(&Line, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().steps.len(), 6);
    /// # Ok::<(), apprentice_search::WeakAnchor>(())
    /// ```
    pub fn adaptive(seed: u64) -> Turns {
        let rule = Rule::Adaptive {
            seed,
            random: Random(seed),
            arms: Vec::new(),
        };
        Turns {
            rule,
            leaders: 0,
            patience: Vec::new(),
            reserve: Vec::new(),
            rounds: 0,
            advisers: 0,
            now: 0,
            had: 0,
        }
    }

    /// Begins the first round among that many advisers.
    pub(crate) fn begin(&mut self, advisers: usize) {
        self.advisers = advisers;
        if let Rule::Adaptive { seed, random, arms } = &mut self.rule {
            *random = Random(*seed);
            arms.clear();
            arms.resize(advisers, Arm::UNTRIED);
        }
        self.begin_round();
        self.rounds = 0;
        self.skip_unasked();
    }

    /// Whose turn it is. Asking changes nothing.
    #[inline]
    pub(crate) fn whose(&self) -> Turn {
        if self.now < self.advisers {
            Turn::Adviser(self.now)
        } else {
            Turn::Anchor
        }
    }

    /// The turn was taken; `progress` says whether it helped.
    #[inline]
    pub(crate) fn taken(&mut self, progress: bool) {
        let now = self.now;
        if now >= self.advisers {
            self.begin_round();
            return;
        }
        let patience = self.patience_with(now);
        self.had += 1;
        match &mut self.rule {
            Rule::Repeats(_) if progress && now < self.leaders => self.had = 0,
            Rule::Repeats(repeats) => {
                if self.had >= repeated(repeats, now).saturating_add(patience) {
                    (self.now, self.had) = (now + 1, 0);
                    self.skip_unasked();
                }
            }
            Rule::Adaptive { random, arms, .. } => {
                arms[now].learn(progress);
                let over = self.had as usize >= self.advisers;
                self.now = if over {
                    self.advisers
                } else {
                    most_promising(arms, random)
                };
            }
        }
    }

    /// Whose turn it is has nothing to do with it, and will not have before the next round.
    pub(crate) fn pass(&mut self) {
        if let Rule::Repeats(repeats) = &self.rule {
            // All its turns of this round at once.
            let turns = repeated(repeats, self.now).saturating_add(self.patience_with(self.now));
            self.had = turns.max(1) - 1;
        }
        self.taken(false);
    }

    /// How many turns an adviser has besides in this round.
    fn patience_with(&self, adviser: usize) -> u32 {
        let more = self.patience.get(adviser).copied().unwrap_or(0);
        more.checked_shr(self.rounds).unwrap_or(0)
    }

    fn begin_round(&mut self) {
        self.rounds = self.rounds.saturating_add(1);
        (self.now, self.had) = (0, 0);
        match &mut self.rule {
            Rule::Repeats(_) => self.skip_unasked(),
            Rule::Adaptive { random, arms, .. } => self.now = most_promising(arms, random),
        }
    }

    fn skip_unasked(&mut self) {
        if let Rule::Repeats(repeats) = &self.rule {
            let waits = |now| {
                self.reserve
                    .get(now)
                    .is_some_and(|rounds| self.rounds < *rounds)
            };
            while self.now < self.advisers && (repeats.get(self.now) == Some(&0) || waits(self.now))
            {
                self.now += 1;
            }
        }
    }
}

/// How many turns an adviser has in every round.
fn repeated(repeats: &[u32], adviser: usize) -> u32 {
    repeats.get(adviser).copied().unwrap_or(1)
}

impl Default for Turns {
    fn default() -> Self {
        Turns::each_once()
    }
}

fn most_promising(arms: &[Arm], random: &mut Random) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (number, arm) in arms.iter().enumerate() {
        let sample = arm.sample(random);
        if sample > best.1 {
            best = (number, sample);
        }
    }
    best.0
}

/// How an adviser has fared: successes and failures, of which old ones fade.
#[derive(Clone, Copy, Debug)]
struct Arm {
    successes: f64,
    failures: f64,
}

impl Arm {
    /// Nothing is known: any rate of success is as likely as any other.
    const UNTRIED: Arm = Arm {
        successes: 1.0,
        failures: 1.0,
    };
    /// How many turns are remembered. Ten follow a change of fortune within a few rounds.
    const MEMORY: f64 = 10.0;
    /// Neither luck nor misfortune is ever quite forgotten. Otherwise those who have not helped for
    /// long would all be sure never to, and the first of them would have every turn.
    const DOUBT: f64 = 0.1;

    fn learn(&mut self, progress: bool) {
        if progress {
            self.successes += 1.0;
        } else {
            self.failures += 1.0;
        }
        let turns = self.successes + self.failures;
        if turns > Self::MEMORY {
            let fading = Self::MEMORY / turns;
            self.successes = (self.successes * fading).max(Self::DOUBT);
            self.failures = (self.failures * fading).max(Self::DOUBT);
        }
    }

    /// A draw from a bell curve with the mean and the spread of Beta(successes, failures). A true
    /// beta variate takes logarithms, which differ between machines and cost ten times as much.
    fn sample(&self, random: &mut Random) -> f64 {
        let turns = self.successes + self.failures;
        let mean = self.successes / turns;
        let spread = (mean * (1.0 - mean) / (turns + 1.0)).sqrt();
        mean + spread * random.bell()
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): one word of state, any seed will do.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Roughly normal with mean 0 and variance 1: the sum of four 16-bit numbers, centred and
    /// scaled.
    fn bell(&mut self) -> f64 {
        let word = self.next();
        let sum: u64 = (0..4).map(|part| word >> (16 * part) & 0xFFFF).sum();
        // A uniform number on 0..=65535 has variance 65536² / 12, four of them a third of 65536².
        (sum as f64 - 2.0 * 65_535.0) * (3f64.sqrt() / 65_536.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(turns: &mut Turns, count: usize) -> Vec<Turn> {
        let take = |turns: &mut Turns| {
            let turn = turns.whose();
            turns.taken(turn == Turn::Adviser(1));
            turn
        };
        (0..count).map(|_| take(turns)).collect()
    }

    #[test]
    fn every_adviser_has_its_turns_and_then_the_anchor() {
        use Turn::{Adviser, Anchor};
        let mut turns = Turns::with_repeats([2, 0]);
        turns.begin(3);
        let expected = [Adviser(0), Adviser(0), Adviser(2), Anchor, Adviser(0)];
        assert_eq!(round(&mut turns, 5), expected);
    }

    #[test]
    fn a_leader_goes_on_while_it_helps_and_then_the_others_have_theirs() {
        use Turn::{Adviser, Anchor};
        let mut turns = Turns::with_repeats([2, 1]).led_by(1);
        turns.begin(2);
        let helps = [true, false, true, true, false, false, true, false, true];
        let had = helps.map(|helps| {
            let turn = turns.whose();
            turns.taken(helps);
            turn
        });
        let leading = [Adviser(0); 6];
        // The other helps too, but does not lead.
        let after = [Adviser(1), Anchor, Adviser(0)];
        assert_eq!(had[..6], leading);
        assert_eq!(had[6..], after);
    }

    #[test]
    fn patience_ends() {
        use Turn::{Adviser, Anchor};
        let mut turns = Turns::with_repeats([1, 0, 1]).with_patience([2, 2]);
        turns.begin(3);
        let first = [Adviser(0), Adviser(0), Adviser(0), Adviser(2), Anchor];
        let second = [Adviser(0), Adviser(0), Adviser(2), Anchor];
        let later = [Adviser(0), Adviser(2), Anchor];
        assert_eq!(
            round(&mut turns, 5),
            first,
            "nobody asks those who are never asked"
        );
        assert_eq!(round(&mut turns, 4), second);
        assert_eq!(round(&mut turns, 3), later);
        assert_eq!(round(&mut turns, 3), later);
        turns.begin(3);
        assert_eq!(round(&mut turns, 5), first);
        turns.begin(3);
        turns.pass();
        assert_eq!(
            turns.whose(),
            Adviser(2),
            "passing is for all turns of a round"
        );
    }

    #[test]
    fn whoever_is_in_reserve_waits_for_its_rounds() {
        use Turn::{Adviser, Anchor};
        let mut turns = Turns::with_repeats([1, 1]).with_reserve([2]);
        for _ in 0..2 {
            turns.begin(2);
            let waits = [Adviser(1), Anchor, Adviser(1), Anchor];
            let then = [Adviser(0), Adviser(1), Anchor, Adviser(0)];
            assert_eq!(round(&mut turns, 8), [waits, then].concat());
        }
    }

    #[test]
    fn without_advisers_it_is_always_the_anchors_turn() {
        for mut turns in [
            Turns::each_once(),
            Turns::with_repeats([3]),
            Turns::adaptive(1),
        ] {
            turns.begin(0);
            assert_eq!(round(&mut turns, 3), [Turn::Anchor; 3]);
        }
    }

    #[test]
    fn the_adviser_that_helps_now_goes_most_often() {
        let mut turns = Turns::adaptive(5);
        turns.begin(4);
        // The second helps for a while, then the fourth does.
        for helper in [1, 3] {
            let mut had = [0; 4];
            for _ in 0..5_000 {
                let turn = turns.whose();
                turns.taken(turn == Turn::Adviser(helper));
                if let Turn::Adviser(number) = turn {
                    had[number] += 1;
                }
            }
            assert!(had[helper] > 3_000, "{helper} helps: {had:?}");
        }
    }

    /// As on a long plateau, where nobody gets nearer for ten thousands of turns.
    #[test]
    fn whoever_helps_after_a_long_time_without_any_progress_goes_most_often() {
        for helps_before in [false, true] {
            let mut turns = Turns::adaptive(7);
            turns.begin(4);
            let mut had = [0; 4];
            for _ in 0..60_000 {
                if let Turn::Adviser(number) = turns.whose() {
                    had[number] += 1;
                }
                turns.taken(helps_before);
            }
            assert!(had.iter().all(|had| *had > 6_000), "all alike: {had:?}");
            let mut had = [0; 4];
            for _ in 0..2_000 {
                let turn = turns.whose();
                turns.taken(turn == Turn::Adviser(3));
                if let Turn::Adviser(number) = turn {
                    had[number] += 1;
                }
            }
            assert!(had[3] > 1_000, "only the last one helps: {had:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_turns() {
        let mut turns = Turns::adaptive(9);
        turns.begin(3);
        let first = round(&mut turns, 200);
        turns.begin(3);
        assert_eq!(round(&mut turns, 200), first);
    }

    #[test]
    fn the_bell_has_mean_zero_and_variance_one() {
        let mut random = Random(3);
        let draws: Vec<f64> = (0..20_000).map(|_| random.bell()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / draws.len() as f64;
        assert!(
            mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05,
            "{mean} {variance}"
        );
    }
}
