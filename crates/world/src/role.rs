//! Who is planned for, and how everybody else behaves meanwhile.

use std::fmt;
use std::sync::Arc;

use crate::digest::Digest;
use crate::scenario_file::nearest;
use crate::{AgentId, Orders, Scenario, Script, World};

/// Who is planned for, and how everybody else behaves meanwhile. Plans, [`verify_as`](crate::verify_as)
/// and [`rehearse_as`](crate::rehearse_as) all take the same one, so that what was planned is what is
/// checked.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_world::{AgentId, Role, Scenario, Standing};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { all = [] }
///     map = { rows = ["....."] }
///     actor = [{ id = "anna", at = [4, 0] }]
/// "#)?;
/// let role = Role::of(scenario.actor("anna")?).with(AgentId::NPC, Arc::new(Standing::STILL));
/// assert!(role.check(&scenario).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// Who is planned for.
    pub agent: AgentId,
    /// How the others behave.
    pub others: Conduct,
}

impl Default for Role {
    /// [`AgentId::NPC`]; all others follow their routes.
    fn default() -> Role {
        Role::of(AgentId::NPC)
    }
}

impl Role {
    /// Somebody is planned for; all others follow their routes.
    pub const fn of(agent: AgentId) -> Role {
        Role {
            agent,
            others: Conduct::ROUTES,
        }
    }

    /// The same, with a script that decides for one of the others.
    #[must_use]
    pub fn with(mut self, agent: AgentId, script: Arc<dyn Script + Send + Sync>) -> Role {
        self.others = self.others.with(agent, script);
        self
    }

    /// Whether a level has everybody this is about, and they take orders.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Role, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }").unwrap();
    /// let error = Role::of(AgentId::Actor(3)).check(&scenario).unwrap_err();
    /// assert_eq!(error.to_string(), "nobody of number 3 takes orders here; those who do have the numbers 0 to 0");
    /// ```
    pub fn check(&self, scenario: &Scenario) -> Result<(), RoleError> {
        let scripted = self.others.scripts.iter().map(|(agent, _)| *agent);
        for agent in std::iter::once(self.agent).chain(scripted) {
            let AgentId::Actor(number) = agent else {
                return Err(RoleError::Enemy { agent });
            };
            let count = scenario.actors().len();
            if usize::from(number) >= count {
                return Err(RoleError::Missing { number, count });
            }
        }
        Ok(())
    }

    /// The number of the actor that is planned for. The caller has checked that there is one.
    pub(crate) fn actor(&self) -> usize {
        match self.agent {
            AgentId::Actor(actor) => usize::from(actor),
            AgentId::Enemy(_) => usize::MAX,
        }
    }

    /// Whom the planned agent accompanies: the first of the others for whom a script decides.
    pub(crate) fn accompanied(&self) -> Option<usize> {
        let mut scripted = self.others.scripts.iter().map(|(agent, _)| *agent);
        let other = scripted.find(|agent| *agent != self.agent)?;
        match other {
            AgentId::Actor(actor) => Some(usize::from(actor)),
            AgentId::Enemy(_) => None,
        }
    }

    /// An order for who is planned for, and everybody else as they behave.
    pub(crate) fn orders(&self, order: crate::Order) -> Orders<'_> {
        let orders = Orders::of(self.agent, order);
        match self.others.scripts.is_empty() {
            true => orders,
            false => orders.with_conduct(&self.others),
        }
    }

    /// Somebody who must survive and does not, in this world.
    pub(crate) fn lost(&self, scenario: &Scenario, world: &World) -> Option<AgentId> {
        if !scenario.tables.some_must_survive {
            return None;
        }
        let mut actors = scenario.actors.iter().enumerate();
        let lost = actors.find(|(number, actor)| {
            actor.must_survive && *number != self.actor() && !world.actor_is_alive(*number)
        });
        lost.map(|(number, _)| AgentId::Actor(number as u16))
    }

    /// Adds what tells this from the usual role.
    pub(crate) fn tell(&self, digest: &mut Digest) {
        if *self == Role::default() {
            return;
        }
        digest.number(self.actor() as u64);
        digest.number(self.others.digest());
    }
}

/// How those behave for whom nobody plans: each follows its route, or a script decides for it.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_world::{AgentId, Conduct, Standing};
///
/// let conduct = Conduct::ROUTES.with(AgentId::PLAYER, Arc::new(Standing::STILL));
/// assert_ne!(conduct, Conduct::ROUTES);
/// ```
#[derive(Clone, Default)]
pub struct Conduct {
    /// In the order of the agents.
    scripts: Vec<(AgentId, Arc<dyn Script + Send + Sync>)>,
}

impl Conduct {
    /// All follow their routes.
    pub const ROUTES: Conduct = Conduct {
        scripts: Vec::new(),
    };

    /// The same, with a script that decides for somebody whenever a step is over, instead of any it
    /// had.
    #[must_use]
    pub fn with(mut self, agent: AgentId, script: Arc<dyn Script + Send + Sync>) -> Conduct {
        match self
            .scripts
            .binary_search_by_key(&agent, |(agent, _)| *agent)
        {
            Ok(rank) => self.scripts[rank].1 = script,
            Err(rank) => self.scripts.insert(rank, (agent, script)),
        }
        self
    }

    /// The script that decides for somebody; `None` if it follows its route.
    pub fn script_of(&self, agent: AgentId) -> Option<&dyn Script> {
        let rank = self
            .scripts
            .binary_search_by_key(&agent, |(agent, _)| *agent);
        let script: &dyn Script = &*self.scripts[rank.ok()?].1;
        Some(script)
    }

    /// Whether all follow their routes.
    pub fn is_routes(&self) -> bool {
        self.scripts.is_empty()
    }

    /// A number that two share only if they decide alike, as far as their [scripts](Script::digest)
    /// know.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        for (agent, script) in &self.scripts {
            digest.text(&format!("{agent:?}"));
            digest.number(script.digest());
        }
        digest.value()
    }
}

impl PartialEq for Conduct {
    fn eq(&self, other: &Conduct) -> bool {
        let numbers = |conduct: &Conduct| -> Vec<(AgentId, u64)> {
            let scripts = conduct.scripts.iter();
            scripts.map(|(agent, it)| (*agent, it.digest())).collect()
        };
        numbers(self) == numbers(other)
    }
}

impl Eq for Conduct {}

impl fmt::Debug for Conduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scripts = self.scripts.iter();
        let numbers = scripts.map(|(agent, script)| (agent, script.digest()));
        f.debug_map().entries(numbers).finish()
    }
}

/// Why nobody can be planned for, or decided for, in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RoleError {
    /// There is no such actor.
    Missing {
        /// Its number.
        number: u16,
        /// How many there are.
        count: usize,
    },
    /// Enemies take no orders.
    Enemy {
        /// Who it is.
        agent: AgentId,
    },
    /// Nobody who takes orders is called so.
    Unknown {
        /// What it was called.
        name: String,
        /// What it was probably to be called.
        suggestion: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
}

impl fmt::Display for RoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoleError::Missing { number, count } => write!(
                f,
                "nobody of number {number} takes orders here; those who do have the numbers 0 to {}",
                count.saturating_sub(1)
            ),
            RoleError::Enemy { agent } => {
                let AgentId::Enemy(number) = agent else {
                    return write!(f, "{agent:?} takes no orders");
                };
                write!(
                    f,
                    "enemy {number} takes no orders; only [player], [[actor]] and the character at `start` do"
                )
            }
            RoleError::Unknown {
                name,
                suggestion,
                known,
            } => {
                write!(f, "nobody called `{name}` takes orders here; ")?;
                match suggestion {
                    Some(suggestion) => write!(f, "did you mean `{suggestion}`?"),
                    None => write!(f, "there is `{}`", known.join("`, `")),
                }
            }
        }
    }
}

impl std::error::Error for RoleError {}

impl Scenario {
    /// Who takes orders by this name: `npc`, `player`, or one from the file.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { all = [] }
    ///     map = { rows = ["....."] }
    ///     actor = [{ id = "anna", at = [4, 0] }]
    /// "#)?;
    /// assert_eq!(scenario.actor("npc"), Ok(AgentId::NPC));
    /// let error = scenario.actor("ana").unwrap_err();
    /// assert_eq!(error.to_string(), "nobody called `ana` takes orders here; did you mean `anna`?");
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn actor(&self, name: &str) -> Result<AgentId, RoleError> {
        if let Some(number) = self.actors.iter().position(|actor| actor.id == name) {
            return Ok(AgentId::Actor(number as u16));
        }
        let known: Vec<&str> = self.actors.iter().map(|actor| actor.id.as_str()).collect();
        Err(RoleError::Unknown {
            name: name.to_owned(),
            suggestion: nearest(name, &known),
            known: known.into_iter().map(str::to_owned).collect(),
        })
    }
}
