//! Who there is: those who take orders, and enemies of every kind.

use std::sync::Arc;

use crate::hunting_ground::HuntingGround;
use crate::number_set::NumberSet;
use crate::{Goal, Point, Spot, Stance};

/// Somebody: who takes orders by its place in [`Scenario::actors`](crate::Scenario::actors), or an enemy
/// by its place in [`Scenario::enemies`](crate::Scenario::enemies).
///
/// ```
/// use apprentice_world::AgentId;
///
/// assert_eq!(AgentId::NPC, AgentId::Actor(0));
/// assert_ne!(AgentId::PLAYER, AgentId::Enemy(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AgentId {
    /// Who takes orders.
    Actor(u16),
    /// Who doesn't.
    Enemy(u16),
}

impl AgentId {
    /// The character at `start`: whom plans are made for where nobody else is named.
    pub const NPC: AgentId = AgentId::Actor(0);
    /// The player, or a model of one; where there is none, the first of the other characters.
    pub const PLAYER: AgentId = AgentId::Actor(1);
}

/// Somebody who takes orders: the character at `start`, the player, or one of the file's others.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// What goals and files call it: `npc`, `player`, or what the file says.
    pub id: String,
    /// Where it starts.
    pub start: Point,
    pub(crate) place: u32,
    /// How it carries itself at the beginning.
    pub stance: Stance,
    /// Its health at the beginning; 100 is as healthy as one gets.
    pub health: f64,
    /// What its blows cost others.
    pub damage: f64,
    /// Seconds between its blows.
    pub period: f64,
    /// How far it reaches.
    pub reach: f64,
    /// Where it goes if nobody decides for it, point by point and each on its floor.
    pub route: Vec<Spot>,
    /// Whether plans of others are bad in which it dies.
    pub must_survive: bool,
    /// What it is to achieve, if that is not the goal of the level.
    pub goal: Option<Goal>,
}

/// The most health an actor can have.
pub const FULL_HEALTH: f64 = 100.0;

/// Somebody hostile, and where it lives.
#[derive(Clone, Debug)]
pub struct Enemy {
    /// What the scenario file calls it.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Where it starts, and returns to.
    pub home: Point,
    pub(crate) place: u32,
    /// The actors beyond its notice.
    pub(crate) ignores: NumberSet,
    /// Its place among the enemies a world keeps; guards never change and have none.
    pub(crate) slot: Option<u16>,
    /// The ground it hunts on, for those that move.
    pub(crate) ground: Option<Arc<HuntingGround>>,
}

impl Enemy {
    /// Whether it never notices an agent, whatever that does: what `undetectable_by` asks for. A guard
    /// strikes nobody it does not notice.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { all = [] }
    ///     undetectable_by = ["grey"]
    ///     map = { rows = ["....."] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [4, 0] }]
    /// "#)?;
    /// assert!(scenario.enemies()[0].ignores(AgentId::NPC));
    /// assert!(!scenario.enemies()[0].ignores(AgentId::PLAYER));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    #[inline]
    pub fn ignores(&self, agent: AgentId) -> bool {
        match agent {
            AgentId::Actor(actor) => self.ignores.contains(usize::from(actor)),
            AgentId::Enemy(_) => false,
        }
    }
}

/// A kind of enemy.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its name: `guard`, `wolf`, `superwolf`, `bear`, `killer_bear`, or one from the file.
    pub name: String,
    /// How it behaves.
    pub manner: Manner,
}

/// How an enemy behaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Manner {
    /// Stands still, cannot be hurt, and strikes whoever ends a step too near.
    Guard(Guard),
    /// Notices, pursues, attacks, gives up and returns.
    Beast(Beast),
}

/// The numbers of a guard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// How near is too near, walking.
    pub radius: f64,
    /// How near is too near, sneaking.
    pub sneak_radius: f64,
    /// What a step of a second costs.
    pub damage: f64,
}

/// The numbers of an enemy that moves. Metres, seconds, points of health.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beast {
    /// How much damage it survives.
    pub health: f64,
    /// How fast it pursues.
    pub speed: f64,
    /// From how far it notices somebody who walks.
    pub radius: f64,
    /// From how far it attacks.
    pub reach: f64,
    /// What a blow costs.
    pub damage: f64,
    /// Seconds between blows.
    pub period: f64,
    /// How far from its home it follows anybody.
    pub leash: f64,
    /// After how many seconds without notice it gives up.
    pub memory: f64,
    /// How many must attack it together before it can be hurt. While they do, its blows do a fifth.
    pub attackers: u8,
    /// How far from whoever is struck a blow hurts others too.
    pub splash: f64,
}

impl Kind {
    /// The kinds every scenario knows.
    pub const KNOWN: [&'static str; 5] = ["guard", "wolf", "superwolf", "bear", "killer_bear"];

    /// One of the kinds every scenario knows.
    ///
    /// ```
    /// use apprentice_world::{Kind, Manner};
    ///
    /// let wolf = Kind::known("wolf").unwrap();
    /// assert!(matches!(wolf.manner, Manner::Beast(beast) if beast.health == 40.0));
    /// assert!(Kind::known("unicorn").is_none());
    /// ```
    pub fn known(name: &str) -> Option<Kind> {
        // Nothing is said about how long they remember; three seconds let one slip round a corner.
        let wolf = Beast {
            health: 40.0,
            speed: 3.0,
            radius: 8.0,
            reach: 1.5,
            damage: 5.0,
            period: 1.0,
            leash: 20.0,
            memory: 3.0,
            attackers: 1,
            splash: 0.0,
        };
        let bear = Beast {
            health: 120.0,
            speed: 2.5,
            radius: 10.0,
            reach: 2.0,
            damage: 8.0,
            period: 1.5,
            leash: 15.0,
            ..wolf
        };
        let manner = match name {
            "guard" => Manner::Guard(Guard {
                radius: 2.0,
                sneak_radius: 1.5,
                damage: 40.0,
            }),
            "wolf" => Manner::Beast(wolf),
            "superwolf" => Manner::Beast(Beast {
                health: 160.0,
                damage: 20.0,
                ..wolf
            }),
            "bear" => Manner::Beast(bear),
            "killer_bear" => Manner::Beast(Beast {
                health: 150.0,
                speed: 3.5,
                damage: 50.0,
                period: 1.0,
                attackers: 2,
                ..bear
            }),
            _ => return None,
        };
        Some(Kind {
            name: name.to_owned(),
            manner,
        })
    }
}
