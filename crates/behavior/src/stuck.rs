//! Why a character waits, and when it looks again.

use std::fmt;
use std::time::Duration;

use apprentice_game::Live;

use crate::BadSetting;
use crate::eyes::Eyes;

/// Why a character waits.
///
/// ```
/// use apprentice_behavior::WhyStuck;
///
/// let why: WhyStuck<&str> = WhyStuck::NoPlan;
/// assert_eq!(why.to_string(), "there is no plan");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WhyStuck<F> {
    /// It was proven that there is no plan. [`NoWay`](crate::NoWay) says what stands in the way.
    NoPlan,
    /// Every plan there is comes to grief when it is rehearsed; the best of them like this.
    Doubtful(F),
    /// There may be a plan, but looking for it took more than the character has
    /// [patience](crate::Character::with_patience) for.
    GaveUp {
        /// So many states were looked at.
        expanded: u64,
    },
    /// It went to and fro and came no nearer to its goal.
    Pacing,
    /// The game contradicts itself: what it says of the level, or of where the character is, makes no
    /// sense.
    Unsound(BadSetting),
}

impl<F: fmt::Display> fmt::Display for WhyStuck<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyStuck::NoPlan => f.write_str("there is no plan"),
            WhyStuck::Doubtful(why) => write!(f, "the best plan comes to grief: {why}"),
            WhyStuck::GaveUp { expanded } => {
                write!(f, "no plan was found among {expanded} states")
            }
            WhyStuck::Pacing => f.write_str("it went to and fro and came no nearer"),
            WhyStuck::Unsound(why) => write!(f, "the game makes no sense: {why}"),
        }
    }
}

/// A character that waits for the world to change.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
pub(crate) struct Stuck<L: Live> {
    pub(crate) why: WhyStuck<L::Failure>,
    /// The world that was thought about.
    pub(crate) world: L::World,
    /// When small changes are worth another look.
    again_at: Duration,
    /// Whether enemies moved while it thought, again and again: where they are is a small change then.
    pub(crate) enemies_move: bool,
}

/// How the world has changed since a character got stuck.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Not at all, or not yet long enough.
    None,
    /// In something that is never the same again by itself.
    Small,
    /// In something that plans depend on.
    Great,
}

/// After the first time somebody looks again for small changes after this, then after twice as long,
/// and so on.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(16);

impl<L: Live> Stuck<L> {
    /// Somebody who is stuck for the `times`th time without anything great having changed.
    pub(crate) fn new(
        why: WhyStuck<L::Failure>,
        thought_about: L::World,
        now: Duration,
        times: u32,
    ) -> Stuck<L> {
        let pause = FIRST_PAUSE.saturating_mul(1 << times.min(10));
        Stuck {
            why,
            world: thought_about,
            again_at: now + pause.min(LONGEST_PAUSE),
            enemies_move: false,
        }
    }

    /// The same, to be saved.
    #[cfg(feature = "serde")]
    pub(crate) fn copied(&self) -> Stuck<L> {
        Stuck {
            why: self.why.clone(),
            world: self.world.clone(),
            again_at: self.again_at,
            enemies_move: self.enemies_move,
        }
    }

    /// Whether it can be, after it was saved.
    #[cfg(feature = "serde")]
    pub(crate) fn check(&self) -> Result<(), apprentice_search::saved::LoadError> {
        crate::plan::saved::check_duration(self.again_at)
    }

    /// How the world has changed.
    pub(crate) fn change(&self, eyes: Eyes<'_, L>, world: &L::World) -> Change {
        let (then, level) = (&self.world, eyes.level);
        let is_elsewhere = eyes.is_standing(world) && eyes.spot(world) != eyes.spot(then);
        let weaker = |enemy| level.health_of(world, enemy) < level.health_of(then, enemy);
        if is_elsewhere
            || eyes.change(world, &[then]).is_some()
            || eyes.health(world) != eyes.health(then)
            || level.enemies(world).any(weaker)
            || !self.enemies_move && eyes.is_any_enemy_elsewhere(world, then)
        {
            return Change::Great;
        }
        if eyes.time(world) < self.again_at {
            return Change::None;
        }
        // Whoever goes to and fro stops for a while; then it may well be over.
        let was_pacing = matches!(self.why, WhyStuck::Pacing);
        if was_pacing || level.stirs(eyes.who, then, world) {
            Change::Small
        } else {
            Change::None
        }
    }
}
