//! What agents are asked to do, and what happens.

use std::fmt;

use crate::map::Move;
use crate::scenario_file::nearest;
use crate::{AgentId, Conduct, Direction, DoorId, ItemId, LeverId, Script, TrapId};

/// How an agent moves. Slower is quieter.
///
/// ```
/// use apprentice_world::Gait;
///
/// assert_eq!(Gait::Sneak.to_string(), "sneak");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gait {
    /// The usual one.
    Walk,
    /// Slow, and heard from nearby only.
    Sneak,
    /// Fast and loud, while stamina lasts. On grids only where the scenario gives it a speed.
    Run,
}

impl Gait {
    /// All three.
    pub const ALL: [Gait; 3] = [Gait::Walk, Gait::Sneak, Gait::Run];

    /// The gait of this name.
    ///
    /// ```
    /// # use apprentice_world::Gait;
    /// assert_eq!(Gait::from_name("walk"), Some(Gait::Walk));
    /// ```
    pub fn from_name(name: &str) -> Option<Gait> {
        Gait::ALL.into_iter().find(|gait| gait.name() == name)
    }

    /// Its name.
    ///
    /// ```
    /// # use apprentice_world::Gait;
    /// assert_eq!(Gait::Sneak.name(), "sneak");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Gait::Walk => "walk",
            Gait::Sneak => "sneak",
            Gait::Run => "run",
        }
    }
}

impl fmt::Display for Gait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an agent carries itself: its gait, where it looks, whether it is willing to fight and
/// whether it blocks. One byte, because every search state has one.
///
/// ```
/// use apprentice_world::{Gait, Stance};
///
/// let stance = Stance::new(Gait::Sneak).fighting();
/// assert_eq!(stance.gait(), Gait::Sneak);
/// assert!(stance.fights() && !stance.blocks());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "u8", try_from = "u8"))]
pub struct Stance(u8);

impl Stance {
    // Sneaking is the lowest bit and running the highest, so that the stances planners choose from
    // are the numbers below 2, and below 32 with all modes.
    const SNEAK: u8 = 1;
    const HEADING_SHIFT: u8 = 1;
    const HEADING: u8 = 3 << Self::HEADING_SHIFT;
    const FIGHT: u8 = 8;
    const BLOCK: u8 = 16;
    const RUN: u8 = 32;

    /// Moves at this gait, looks east, neither fights nor blocks.
    pub const fn new(gait: Gait) -> Stance {
        Stance(match gait {
            Gait::Walk => 0,
            Gait::Sneak => Self::SNEAK,
            Gait::Run => Self::RUN,
        })
    }

    /// The same, willing to fight whatever comes within reach.
    #[must_use]
    pub const fn fighting(self) -> Stance {
        Stance(self.0 | Self::FIGHT)
    }

    /// The same, blocking: half the damage, no attack.
    #[must_use]
    pub const fn blocking(self) -> Stance {
        Stance(self.0 | Self::BLOCK)
    }

    /// The same, looking east (0), north (1), west (2) or south (3). No rule depends on it; it is
    /// one more thing a plan decides.
    #[must_use]
    pub const fn heading_to(self, quarter: u8) -> Stance {
        Stance(self.0 & !Self::HEADING | (quarter & 3) << Self::HEADING_SHIFT)
    }

    /// The same at another gait.
    #[must_use]
    pub const fn at(self, gait: Gait) -> Stance {
        Stance(self.0 & !(Self::SNEAK | Self::RUN) | Stance::new(gait).0)
    }

    /// How it moves.
    #[inline]
    pub const fn gait(self) -> Gait {
        if self.0 & Self::RUN != 0 {
            Gait::Run
        } else if self.0 & Self::SNEAK != 0 {
            Gait::Sneak
        } else {
            Gait::Walk
        }
    }

    /// Where it looks: east (0), north (1), west (2) or south (3).
    pub const fn heading(self) -> u8 {
        (self.0 & Self::HEADING) >> Self::HEADING_SHIFT
    }

    /// Whether it is willing to fight.
    #[inline]
    pub const fn fights(self) -> bool {
        self.0 & Self::FIGHT != 0
    }

    /// Whether it blocks.
    #[inline]
    pub const fn blocks(self) -> bool {
        self.0 & Self::BLOCK != 0
    }

    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// From what [`bits`](Stance::bits) returned.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Stance {
        Stance(bits)
    }
}

impl fmt::Display for Stance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.gait())?;
        if self.heading() != 0 {
            write!(
                f,
                " facing {}",
                ["east", "north", "west", "south"][self.heading() as usize]
            )?;
        }
        if self.fights() {
            f.write_str(" fighting")?;
        }
        if self.blocks() {
            f.write_str(" blocking")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Stance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stance({self})")
    }
}

/// What an agent is asked to do. A standing order: it is followed until there is another one.
///
/// A step is never broken off. An agent that is asked for a step it cannot make stays where it is.
///
/// ```
/// use apprentice_world::{Direction, Gait, Order, Stance};
///
/// let order = Order::Step(Direction::NorthEast, Stance::new(Gait::Sneak));
/// assert_eq!(order.to_string(), "sneak north-east");
/// assert_eq!("sneak north-east".parse(), Ok(order));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Order {
    /// Stay.
    Wait(Stance),
    /// Go to the neighbouring place, and from there to the next.
    Step(Direction, Stance),
    /// Follow a link of a navmesh that begins here.
    Leap(Leap),
    /// Pull the levers within reach, which takes a second. On grids they are pulled in passing.
    Use(Stance),
}

/// Which of the links that begin at a place to follow, and how. One byte, like a stance.
///
/// ```
/// use apprentice_world::{Gait, Leap, Stance};
///
/// let leap = Leap::new(2, Stance::new(Gait::Sneak));
/// assert_eq!((leap.number(), leap.stance().gait()), (2, Gait::Sneak));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "u8", try_from = "u8"))]
pub struct Leap(u8);

impl Leap {
    /// A stance takes the six bits below.
    const NUMBER_SHIFT: u8 = 6;

    /// The link of this number among those that begin at a place, counted from 0; only the first
    /// four can be told apart.
    pub const fn new(number: u8, stance: Stance) -> Leap {
        Leap(number << Self::NUMBER_SHIFT | stance.0)
    }

    /// Which link.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 >> Self::NUMBER_SHIFT
    }

    /// How.
    #[inline]
    pub const fn stance(self) -> Stance {
        Stance(self.0 & ((1 << Self::NUMBER_SHIFT) - 1))
    }
}

impl Order {
    /// Stay, doing nothing.
    pub const WAIT: Order = Order::Wait(Stance::new(Gait::Walk));

    /// The stance it asks for.
    #[inline]
    pub const fn stance(self) -> Stance {
        match self {
            Order::Wait(stance) | Order::Step(_, stance) | Order::Use(stance) => stance,
            Order::Leap(leap) => leap.stance(),
        }
    }

    /// The order to do this, or to wait.
    pub(crate) const fn of(action: Option<Move>, stance: Stance) -> Order {
        match action {
            None => Order::Wait(stance),
            Some(Move::Step(direction)) => Order::Step(direction, stance),
            Some(Move::Leap(number)) => Order::Leap(Leap::new(number, stance)),
            Some(Move::Use) => Order::Use(stance),
        }
    }

    /// What it does to where the agent is; `None` if it waits.
    #[inline]
    pub(crate) const fn action(self) -> Option<Move> {
        match self {
            Order::Wait(_) => None,
            Order::Step(direction, _) => Some(Move::Step(direction)),
            Order::Leap(leap) => Some(Move::Leap(leap.number())),
            Order::Use(_) => Some(Move::Use),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stance = self.stance();
        let gait = stance.gait();
        match self {
            Order::Step(direction, _) => write!(f, "{gait} {direction}")?,
            Order::Leap(leap) if leap.number() == 0 => write!(f, "{gait} leap")?,
            Order::Leap(leap) => write!(f, "{gait} leap-{}", leap.number() + 1)?,
            Order::Wait(_) | Order::Use(_) => {
                let is_wait = matches!(self, Order::Wait(_));
                f.write_str(if is_wait { "wait" } else { "use" })?;
                if gait != Gait::Walk {
                    write!(f, " {gait}")?;
                }
            }
        }
        let modes = stance.to_string();
        f.write_str(&modes[gait.to_string().len()..])
    }
}

/// A text that is no order.
///
/// ```
/// use apprentice_world::Order;
///
/// let error = "hop north".parse::<Order>().unwrap_err();
/// assert_eq!(error.to_string(), "`hop` is no part of an order; write for example `sneak north-east fighting` or `wait`");
/// let error = "walk est".parse::<Order>().unwrap_err();
/// assert_eq!(error.to_string(), "`est` is no part of an order; did you mean `east`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOrder {
    /// The word that was not understood; empty if one is missing at the end.
    pub word: String,
    /// The word that was probably meant.
    pub meant: Option<String>,
}

impl fmt::Display for BadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word.as_str() {
            "" => f.write_str("the order ends too early")?,
            word => write!(f, "`{word}` is no part of an order")?,
        }
        match &self.meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => f.write_str("; write for example `sneak north-east fighting` or `wait`"),
        }
    }
}

impl std::error::Error for BadOrder {}

impl std::str::FromStr for Order {
    type Err = BadOrder;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Order, BadOrder> {
        let mut words = text.split_whitespace().peekable();
        let bad = |word: &str, known: &[&str]| BadOrder {
            word: word.to_owned(),
            meant: nearest(word, known),
        };
        let first = words.next().unwrap_or("");
        let mut stance = Stance::new(Gait::Walk);
        let action;
        if first == "wait" || first == "use" {
            action = (first == "use").then_some(Move::Use);
            if let Some(gait) = words.peek().and_then(|word| Gait::from_name(word)) {
                stance = Stance::new(gait);
                words.next();
            }
        } else {
            let known = ["walk", "sneak", "run", "wait", "use"];
            stance = Stance::new(Gait::from_name(first).ok_or_else(|| bad(first, &known))?);
            let name = words.next().unwrap_or("");
            let leap = ["leap", "leap-2", "leap-3", "leap-4"];
            let leap = leap.iter().position(|leap| *leap == name);
            let leap = leap.map(|number| Move::Leap(number as u8));
            let step = Direction::from_name(name).map(Move::Step);
            action = Some(leap.or(step).ok_or_else(|| {
                let known = Direction::ALL.map(Direction::name);
                bad(name, &[&known[..], &["leap"]].concat())
            })?);
        }
        while let Some(word) = words.next() {
            stance = match word {
                "fighting" => stance.fighting(),
                "blocking" => stance.blocking(),
                "facing" => {
                    let toward = words.next().unwrap_or("");
                    let names = ["east", "north", "west", "south"];
                    let quarter = names.iter().position(|name| *name == toward);
                    stance.heading_to(quarter.ok_or_else(|| bad(toward, &names))? as u8)
                }
                _ => return Err(bad(word, &["fighting", "blocking", "facing"])),
            };
        }
        Ok(Order::of(action, stance))
    }
}

/// The orders of all who take orders: somebody's own, and what everybody else is asked for, or who
/// decides for them. Those about whom nothing is said follow the routes of the scenario.
///
/// ```
/// use apprentice_world::{Direction, Gait, Order, Orders, Stance};
///
/// let orders = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
/// # let _ = orders;
/// ```
#[derive(Clone, Copy)]
pub struct Orders<'a> {
    /// Whose order comes first; mostly who is planned for.
    agent: u16,
    order: Order,
    /// One of the others.
    one: Option<(u16, Decider<'a>)>,
    given: &'a [(AgentId, Order)],
    conduct: Option<&'a Conduct>,
}

/// Who decides for somebody.
#[derive(Clone, Copy)]
pub(crate) enum Decider<'a> {
    /// The route of the scenario.
    Route,
    /// The caller.
    Given(Order),
    /// A script, such as a model of the player.
    Script(&'a dyn Script),
}

impl Orders<'static> {
    /// An order for [`AgentId::NPC`]. Everybody else follows the scenario's routes.
    pub const fn new(npc: Order) -> Self {
        Orders::of(AgentId::NPC, npc)
    }

    /// An order for anybody who takes orders; enemies never hear one. Everybody else follows the
    /// scenario's routes.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_world::{Direction, Gait, Order, Orders, Point, Scenario, Stance, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { all = [] }
    ///     map = { rows = ["....."] }
    ///     actor = [{ id = "anna", at = [2, 0] }]
    /// "#)?;
    /// let anna = scenario.actor("anna")?;
    /// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
    /// let mut world = World::new(&scenario);
    /// world.advance(&scenario, &Orders::of(anna, east), Duration::from_secs(2), &mut ());
    /// assert_eq!(world.position(anna, &scenario), Point::new(4.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn of(agent: AgentId, order: Order) -> Self {
        let agent = match agent {
            AgentId::Actor(actor) => actor,
            // There is nobody of this number.
            AgentId::Enemy(_) => u16::MAX,
        };
        Orders {
            agent,
            order,
            one: None,
            given: &[],
            conduct: None,
        }
    }
}

impl<'a> Orders<'a> {
    /// The same, with an order for the player.
    ///
    /// ```
    /// # use apprentice_world::{Order, Orders};
    /// let both_wait = Orders::new(Order::WAIT).with_player(Order::WAIT);
    /// # let _ = both_wait;
    /// ```
    #[must_use]
    pub const fn with_player(self, order: Order) -> Orders<'a> {
        Orders {
            one: Some((1, Decider::Given(order))),
            ..self
        }
    }

    /// The same, with a script that decides for the player whenever a step is over.
    #[must_use]
    pub fn with_script<'b>(self, script: &'b dyn Script) -> Orders<'b>
    where
        'a: 'b,
    {
        Orders {
            one: Some((1, Decider::Script(script))),
            ..self
        }
    }

    /// The same, with orders for some of the others. Those for whom [`with_player`](Orders::with_player)
    /// or [`with_script`](Orders::with_script) decides, and whose orders these are, are not asked twice.
    ///
    /// ```
    /// # use apprentice_world::{AgentId, Order, Orders};
    /// let others = [(AgentId::PLAYER, Order::WAIT), (AgentId::Actor(2), Order::WAIT)];
    /// let all_wait = Orders::new(Order::WAIT).with_orders(&others);
    /// # let _ = all_wait;
    /// ```
    #[must_use]
    pub fn with_orders<'b>(self, orders: &'b [(AgentId, Order)]) -> Orders<'b>
    where
        'a: 'b,
    {
        Orders {
            given: orders,
            ..self
        }
    }

    /// The same, with those who decide for others about whom nothing else is said.
    #[must_use]
    pub fn with_conduct<'b>(self, conduct: &'b Conduct) -> Orders<'b>
    where
        'a: 'b,
    {
        Orders {
            conduct: Some(conduct),
            ..self
        }
    }

    /// Whether these are somebody's own orders.
    #[inline]
    pub(crate) fn are_of(&self, actor: usize) -> bool {
        usize::from(self.agent) == actor
    }

    /// The actor whose orders these are.
    #[inline]
    pub(crate) fn agent(&self) -> usize {
        usize::from(self.agent)
    }

    /// The order of the one whose orders these are.
    #[inline]
    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Who decides for somebody else.
    #[inline]
    pub(crate) fn decider(&self, actor: usize) -> Decider<'a> {
        if let Some((one, decider)) = self.one
            && usize::from(one) == actor
        {
            return decider;
        }
        if self.given.is_empty() && self.conduct.is_none() {
            return Decider::Route;
        }
        let id = AgentId::Actor(actor as u16);
        if let Some((_, order)) = self.given.iter().find(|(agent, _)| *agent == id) {
            return Decider::Given(*order);
        }
        let script = self.conduct.and_then(|conduct| conduct.script_of(id));
        script.map_or(Decider::Route, Decider::Script)
    }
}

/// Something that happened while the world advanced.
///
/// ```
/// use apprentice_world::{AgentId, Event};
///
/// let event = Event::Died { agent: AgentId::NPC };
/// assert_eq!(event, Event::Died { agent: AgentId::NPC });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// An agent took something, or used up a health pack.
    PickedUp {
        /// Who.
        agent: AgentId,
        /// What.
        item: ItemId,
    },
    /// A door opened.
    DoorOpened {
        /// Which.
        door: DoorId,
    },
    /// A door shut.
    DoorClosed {
        /// Which.
        door: DoorId,
    },
    /// An agent came near a lever and pulled it.
    LeverPulled {
        /// Who.
        agent: AgentId,
        /// Which.
        lever: LeverId,
    },
    /// An enemy noticed an agent and goes after it.
    NoticedBy {
        /// Who was noticed.
        agent: AgentId,
        /// By whom.
        enemy: AgentId,
    },
    /// An agent lost health.
    Hurt {
        /// Who.
        agent: AgentId,
        /// To whom.
        by: AgentId,
        /// How much.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        damage: f64,
    },
    /// An agent stepped into a trap and lost health.
    Trapped {
        /// Who.
        agent: AgentId,
        /// Which.
        trap: TrapId,
        /// How much.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        damage: f64,
    },
    /// An agent died.
    Died {
        /// Who.
        agent: AgentId,
    },
    /// A step into a door or past an obstacle that shut meanwhile came to nothing.
    TurnedBack {
        /// Who.
        agent: AgentId,
    },
}

/// Is told what happens. A `Vec` remembers it; `()` costs nothing and doesn't.
///
/// ```
/// use apprentice_world::{AgentId, Event, Witness};
///
/// let mut events = Vec::new();
/// events.saw(Event::Died { agent: AgentId::NPC });
/// assert_eq!(events.len(), 1);
/// ```
pub trait Witness {
    /// This happened.
    fn saw(&mut self, event: Event);
}

impl Witness for () {
    #[inline]
    fn saw(&mut self, _: Event) {}
}

impl Witness for Vec<Event> {
    fn saw(&mut self, event: Event) {
        self.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_can_be_read_back() {
        for bits in 0..64 {
            let stance = Stance::from_bits(bits);
            // Running and sneaking at once is not a stance.
            if stance.gait() == Gait::Run && bits & Stance::SNEAK != 0 {
                continue;
            }
            for order in Direction::ALL.map(|direction| Order::Step(direction, stance)) {
                assert_eq!(order.to_string().parse(), Ok(order));
            }
            let leaps = (0..4).map(|number| Order::Leap(Leap::new(number, stance)));
            for order in leaps.chain([Order::Wait(stance), Order::Use(stance)]) {
                assert_eq!(order.to_string().parse(), Ok(order));
            }
        }
    }

    #[test]
    fn what_is_no_order_is_named() {
        for (text, word) in [
            ("", ""),
            ("walk", ""),
            ("walk up", "up"),
            ("wait facing me", "me"),
        ] {
            let wrong = text.parse::<Order>().expect_err("no order");
            assert_eq!(wrong.word, word);
        }
    }

    #[test]
    fn an_order_takes_two_bytes_also_where_there_may_be_none() {
        assert_eq!(size_of::<Option<Order>>(), 2);
    }
}
