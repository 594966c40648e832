//! How a character is set up: in which ticks it is asked, how long it looks for a plan, and how often it
//! makes another although its plan holds.

use std::time::Duration;

use apprentice_game::Live;

use super::{Character, LEAST_TICK};
use crate::Patience;
use crate::plan::GRACE;

/// Plans that are made anew at intervals.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Anew {
    /// How long after the last.
    pub(super) every: Duration,
    /// When the last was begun, by the world's own time.
    pub(super) last: Duration,
}

impl Anew {
    /// Whether it is time for another.
    pub(super) fn is_due(self, now: Duration) -> bool {
        now.saturating_sub(self.last) >= self.every
    }
}

impl<L: Live> Character<L> {
    /// Says beforehand in which ticks it will be asked, so that its first plan is rehearsed in them,
    /// too. Later ones are rehearsed in the time that lay between the last two decisions; without
    /// this, the first is in ticks of 16 milliseconds. Ticks shorter than a millisecond or longer
    /// than a quarter of a second are taken for those.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Character, Settings};
    /// use apprentice_world::{Abilities, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let thirty_a_second = Duration::from_nanos(1_000_000_000 / 30);
    /// let character = Character::new(planner, Abilities::default()).with_tick(thirty_a_second);
    /// # let _: Character<Scenario> = character;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tick(mut self, tick: Duration) -> Character<L> {
        self.tick = tick.clamp(LEAST_TICK, GRACE);
        self
    }

    /// Says how long it looks for a plan before it waits and looks again later: a first search takes no
    /// more than this, whatever the budgets are, and so does its memory.
    ///
    /// ```
    /// use apprentice_behavior::{Character, Patience, Settings};
    /// use apprentice_world::{Abilities, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let hasty = Patience { expansions: 2_000, ..Patience::default() };
    /// let character = Character::new(planner, Abilities::default()).with_patience(hasty);
    /// # let _: Character<Scenario> = character;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Character<L> {
        self.patience = patience;
        self
    }

    /// Makes another plan at intervals although the one it follows holds: for worlds in which what was
    /// planned may hold and no longer be good, because nobody tells the character what else has changed.
    /// While it thinks it goes on as planned for a second or two, and then waits; what is found takes the
    /// place of what it had, within the same bound, and if nothing is found that stands its rehearsal it
    /// keeps to that. Without this, plans are made again only when the world goes another way.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Character, Settings};
    /// use apprentice_world::{Abilities, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let character = Character::new(planner, Abilities::default());
    /// let character = character.planning_anew_every(Duration::from_secs(5));
    /// # let _: Character<Scenario> = character;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn planning_anew_every(mut self, interval: Duration) -> Character<L> {
        self.anew = Some(Anew {
            every: interval.max(LEAST_TICK),
            last: Duration::ZERO,
        });
        self
    }
}
