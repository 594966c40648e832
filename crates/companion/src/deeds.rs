//! What a player does, in names of events: the language in which styles are learned and believed.

use std::time::Duration;

use apprentice_experience::Demonstration;
use apprentice_game::DistanceField;
use apprentice_playstyle::{Activity, PotentialEvent};
use apprentice_search::{Budget, Cost};
use apprentice_world::{
    AgentId, Event, Gait, Manner, Order, Orders, PlayerModel, PlayerModelError, Point, Rules,
    Scenario, Thing, World,
};

/// Names what the player does, from what happens in the world and from where the player is.
///
/// | event | when |
/// |---|---|
/// | `initiate_combat` | an enemy comes after the player |
/// | `strike` | the player hurts an enemy that lived unhurt by the player before |
/// | `defeat` | an enemy dies that the player has struck |
/// | `sneak_past` | the player was near enough to an enemy to be heard walking, and is no longer, unheard |
/// | `pick_up`, `pull` | the player takes something, pulls a lever |
///
/// ```
/// use std::time::Duration;
/// use apprentice_companion::Deeds;
/// use apprentice_world::{Direction, Event, Gait, Order, Orders, Scenario, Stance, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { all = [] }
///     map = { rows = [".........................."] }
///     player = { at = [1, 0] }
///     enemy = [{ id = "grey", kind = "wolf", at = [14, 0] }]
/// "#)?;
/// let (mut world, mut deeds) = (World::new(&scenario), Deeds::new(&scenario));
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// let mut done = Vec::new();
/// for _ in 0..100 {
///     let mut events = Vec::new();
///     world.advance(&scenario, &Orders::new(Order::WAIT).with_player(east), Duration::from_millis(100), &mut events);
///     done.extend(deeds.seen(&scenario, &world, &events));
/// }
/// assert_eq!(done[0], "initiate_combat");
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deeds {
    /// How far it is to each enemy's home, for those that can be heard by one.
    fields: Vec<DistanceField>,
    /// What is between the player and each enemy.
    with: Vec<Encounter>,
    /// How far it was to each enemy a moment ago, and when that was.
    before: Option<(Duration, Vec<f64>)>,
    latest: Vec<f64>,
}

/// What is between the player and an enemy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Encounter {
    /// Whether the player is near enough to be heard walking, and has not been heard since.
    is_near: bool,
    is_hunted: bool,
    was_struck: bool,
}

/// Motion is told from so long ago.
const A_MOMENT_AGO: Duration = Duration::from_secs(1);

/// The names of deeds.
const COMBAT: &str = "initiate_combat";
const SNEAK: &str = "sneak_past";

impl Deeds {
    /// Nothing was done yet. Sweeps the map once for every enemy.
    pub fn new(scenario: &Scenario) -> Deeds {
        let map = scenario.map();
        let speed = scenario.rules().speed(Gait::Walk);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        let fields = enemies.map(|enemy| {
            let home = scenario.place_of(Thing::Agent(enemy));
            let mut field = DistanceField::to(map, [home], speed);
            field.sweep(map, &mut Budget::unlimited());
            field
        });
        let fields: Vec<DistanceField> = fields.collect();
        Deeds {
            with: vec![Encounter::default(); fields.len()],
            before: None,
            latest: vec![f64::INFINITY; fields.len()],
            fields,
        }
    }

    /// What the player did in a tick, by what happened in it and how the world is after it.
    pub fn seen(
        &mut self,
        scenario: &Scenario,
        world: &World,
        events: &[Event],
    ) -> Vec<&'static str> {
        let mut done = Vec::new();
        for event in events {
            match *event {
                Event::PickedUp {
                    agent: AgentId::PLAYER,
                    ..
                } => done.push("pick_up"),
                Event::LeverPulled {
                    agent: AgentId::PLAYER,
                    ..
                } => done.push("pull"),
                Event::Hurt {
                    agent: AgentId::Enemy(enemy),
                    by: AgentId::PLAYER,
                    ..
                } => {
                    if let Some(with) = self.with.get_mut(usize::from(enemy))
                        && !with.was_struck
                    {
                        with.was_struck = true;
                        done.push("strike");
                    }
                }
                // What others have killed says nothing of the player.
                Event::Died {
                    agent: AgentId::Enemy(enemy),
                } if (self.with.get(usize::from(enemy))).is_some_and(|with| with.was_struck) => {
                    done.push("defeat");
                }
                _ => {}
            }
        }
        let here = world.position(AgentId::PLAYER, scenario);
        for (with, enemy) in self.with.iter_mut().zip(0..) {
            let id = AgentId::Enemy(enemy);
            let hunted = world.target(id, scenario) == Some(AgentId::PLAYER);
            if hunted && !with.is_hunted {
                done.push(COMBAT);
            }
            with.is_hunted = hunted;
            let near = is_within_hearing(scenario, world, id, here);
            if hunted || world.is_dead(id, scenario) {
                with.is_near = false;
            } else if near {
                with.is_near = true;
            } else if with.is_near {
                with.is_near = false;
                done.push(SNEAK);
            }
        }
        done
    }

    /// How long a walk it is to the home of an enemy.
    pub(crate) fn walk_to(&self, enemy: u16, from: usize) -> Cost {
        let field = self.fields.get(usize::from(enemy));
        field.map_or(Cost::INFINITE, |field| field.at(from))
    }

    /// What the player might do next, and how far away that is: each enemy that sleeps is sneaked past
    /// or fought, as the player goes. To be asked at every look.
    pub fn ahead(&mut self, scenario: &Scenario, world: &World) -> Vec<PotentialEvent> {
        let place = world.place(AgentId::PLAYER, scenario);
        let speed = scenario.rules().speed(Gait::Walk);
        for (distance, field) in self.latest.iter_mut().zip(&self.fields) {
            *distance = field.at(place).as_seconds() * speed;
        }
        let now = world.time();
        let before = self
            .before
            .get_or_insert_with(|| (now, self.latest.clone()));
        let sneaks = world
            .stance(AgentId::PLAYER)
            .is_some_and(|stance| stance.gait() == Gait::Sneak);
        let name = if sneaks { SNEAK } else { COMBAT };
        let pairs = self.latest.iter().zip(&before.1).zip(0..);
        let awake = |enemy: u16| {
            let id = AgentId::Enemy(enemy);
            let mode = world.mode(id, scenario);
            world.is_dead(id, scenario) || mode.is_some_and(|mode| mode.is_hostile())
        };
        let potential =
            pairs.filter(|((distance, _), enemy)| distance.is_finite() && !awake(*enemy));
        let potential = potential
            .map(|((distance, before), _)| PotentialEvent {
                name: name.to_owned(),
                distance: *distance,
                distance_before: *before,
            })
            .collect();
        if now.saturating_sub(before.0) >= A_MOMENT_AGO {
            before.0 = now;
            before.1.clone_from(&self.latest);
        }
        potential
    }
}

/// Whether an enemy would hear the player there, if they walked.
fn is_within_hearing(scenario: &Scenario, world: &World, enemy: AgentId, here: Point) -> bool {
    let AgentId::Enemy(number) = enemy else {
        return false;
    };
    let it = &scenario.enemies()[usize::from(number)];
    let radius = match &it.kind.manner {
        Manner::Guard(guard) => guard.radius,
        Manner::Beast(beast) => beast.radius * Rules::noise(Gait::Walk),
    };
    !it.ignores(AgentId::PLAYER) && here.distance_to(world.position(enemy, scenario)) <= radius
}

/// A play of each style of a level, as its exemplar goes alone while everybody else waits: enough to
/// tell styles apart before anybody has played. Twice each, since a class is made of several.
///
/// # Errors
///
/// If nobody can go as was shown.
pub fn plays_of(
    scenario: &Scenario,
    exemplars: &[Demonstration],
) -> Result<Vec<Activity>, PlayerModelError> {
    let mut plays = Vec::new();
    for (style, shown) in scenario.styles().iter().zip(exemplars) {
        let model = PlayerModel::new(scenario, shown, style.stance)?;
        let (mut world, mut deeds) = (World::new(scenario), Deeds::new(scenario));
        let mut done = Activity::new(format!("{} as shown", style.id)).labelled(&*style.id);
        for _ in 0..LONGEST_PLAY {
            let mut events = Vec::new();
            let orders = Orders::new(Order::WAIT).with_script(&model);
            world.advance(scenario, &orders, TICK, &mut events);
            for deed in deeds.seen(scenario, &world, &events) {
                done.push(world.time().as_secs_f64(), deed);
            }
            let is_there = world.position(AgentId::PLAYER, scenario) == model.end(scenario);
            if is_there || world.is_dead(AgentId::PLAYER, scenario) {
                break;
            }
        }
        let mut again = done.clone();
        again.id = format!("{} as shown, again", style.id);
        plays.extend([done, again]);
    }
    Ok(plays)
}

const TICK: Duration = Duration::from_millis(100);
/// Ten minutes, in ticks: nobody shows a level for longer.
const LONGEST_PLAY: usize = 6_000;
