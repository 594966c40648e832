//! What a plan decides with every step: how to go, whether to run, to fight, to block and to wait.

use std::time::Duration;

use crate::{Direction, Gait, Leap, Order, Scenario, Stance};

/// What a plan decides with every step.
///
/// ```
/// use apprentice_world::{Abilities, Branching};
///
/// assert_eq!(Abilities::default().branching, Branching::Sixteen);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Abilities {
    /// How many successors a state has in the open.
    pub branching: Branching,
    /// Whether the agent fights what comes within reach, unless the plan decides.
    pub fights: bool,
    /// Whether a plan may wait for a second instead of moving. Two more successors, or 4, or 32.
    pub waits: bool,
    /// Whether a plan may run, as long as stamina lasts, where the level has a speed for it: half as
    /// many successors again.
    pub runs: bool,
}

impl Default for Abilities {
    fn default() -> Abilities {
        Abilities {
            branching: Branching::Sixteen,
            fights: true,
            waits: false,
            runs: false,
        }
    }
}

/// How many successors a state has in the open.
// The numbers are part of digests, which must not change because one came later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branching {
    /// Eight moves, each walking or sneaking.
    Sixteen = 0,
    /// The same, each willing to fight or not.
    ThirtyTwo = 2,
    /// The same with four headings, willing to fight or not, blocking or not.
    TwoHundredFiftySix = 1,
}

impl Branching {
    /// All there are, the smallest first.
    pub const ALL: [Branching; 3] = [
        Branching::Sixteen,
        Branching::ThirtyTwo,
        Branching::TwoHundredFiftySix,
    ];

    /// The number of successors in the open.
    ///
    /// ```
    /// use apprentice_world::Branching;
    ///
    /// assert_eq!(Branching::of(32), Some(Branching::ThirtyTwo));
    /// assert_eq!(Branching::of(7), None);
    /// assert!(Branching::ALL.iter().all(|it| Branching::of(it.number()) == Some(*it)));
    /// ```
    pub const fn number(self) -> u32 {
        match self {
            Branching::Sixteen => 16,
            Branching::ThirtyTwo => 32,
            Branching::TwoHundredFiftySix => 256,
        }
    }

    /// The one with so many successors in the open.
    pub fn of(number: u32) -> Option<Branching> {
        Branching::ALL.into_iter().find(|it| it.number() == number)
    }

    /// Whether a plan decides with every step whether to fight.
    pub(crate) const fn decides_to_fight(self) -> bool {
        !matches!(self, Branching::Sixteen)
    }

    /// Whether a plan decides with every step whether to block.
    pub(crate) const fn decides_to_block(self) -> bool {
        matches!(self, Branching::TwoHundredFiftySix)
    }
}

impl Abilities {
    /// The stances a step can be made in, in the order in which successors are listed.
    pub(crate) fn stances(self) -> Vec<Stance> {
        let gaits = self.gaits().iter().copied();
        match self.branching {
            Branching::Sixteen => gaits.map(|gait| self.simplest(gait)).collect(),
            Branching::ThirtyTwo => {
                let either = gaits.map(Stance::new).map(|it| [it, it.fighting()]);
                either.flatten().collect()
            }
            Branching::TwoHundredFiftySix => {
                let mut stances = Vec::new();
                for gait in gaits {
                    for heading in 0..4 {
                        let plain = Stance::new(gait).heading_to(heading);
                        let fighting = plain.fighting();
                        stances.extend([plain, plain.blocking(), fighting, fighting.blocking()]);
                    }
                }
                stances
            }
        }
    }

    /// At which gaits a step can be made, in the order in which successors are listed.
    pub(crate) const fn gaits(self) -> &'static [Gait] {
        match self.runs {
            true => &[Gait::Walk, Gait::Sneak, Gait::Run],
            false => &[Gait::Walk, Gait::Sneak],
        }
    }

    /// What is decided in a level: it may say itself that one runs there, and nobody runs where that
    /// is no faster than walking.
    pub(crate) fn in_level(self, scenario: &Scenario) -> Abilities {
        let rules = scenario.rules();
        let is_faster = rules.speed(Gait::Run) > rules.speed(Gait::Walk);
        Abilities {
            runs: (self.runs || scenario.planning().runs) && is_faster,
            ..self
        }
    }

    fn simplest(self, gait: Gait) -> Stance {
        if self.fights {
            Stance::new(gait).fighting()
        } else {
            Stance::new(gait)
        }
    }

    /// The stance a search starts in: whatever the plan does not decide is settled.
    pub(crate) fn start_stance(self, stance: Stance) -> Stance {
        match self.branching {
            Branching::Sixteen => self.simplest(stance.at(calm(stance.gait())).gait()),
            Branching::ThirtyTwo => {
                let calm = Stance::new(calm(stance.gait()));
                if stance.fights() {
                    calm.fighting()
                } else {
                    calm
                }
            }
            Branching::TwoHundredFiftySix => stance.at(calm(stance.gait())),
        }
    }
}

/// Nobody begins at a run: before the first step one stands, and where plans don't run there is no such
/// gait.
fn calm(gait: Gait) -> Gait {
    if gait == Gait::Sneak {
        Gait::Sneak
    } else {
        Gait::Walk
    }
}

/// What can be asked of the agent, in any stance.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    Step(Direction),
    Leap(u8),
    Use,
    Wait,
}

impl Asked {
    pub(crate) fn in_stance(self, stance: Stance) -> Order {
        match self {
            Asked::Step(direction) => Order::Step(direction, stance),
            Asked::Leap(number) => Order::Leap(Leap::new(number, stance)),
            Asked::Use => Order::Use(stance),
            Asked::Wait => Order::Wait(stance),
        }
    }
}

/// How long a plan waits when it waits.
pub(crate) const WAIT: Duration = Duration::from_secs(1);
