//! A companion of rules: the baseline that knows nothing of styles.

use std::sync::Arc;

use apprentice_game::DistanceField;
use apprentice_search::Budget;
use apprentice_world::{AgentId, Direction, Gait, Map, Order, Scenario, Stance, World};

/// Follows the player at a few paces, sneaks when they sneak, and fights whoever is after one of the
/// two: what companions in games usually do. It plans nothing.
///
/// ```
/// use std::time::Duration;
/// use apprentice_companion::Follower;
/// use apprentice_world::{AgentId, Direction, Gait, Order, Orders, Scenario, Stance, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { all = [] }
///     map = { rows = [".........."] }
///     player = { at = [1, 0] }
/// "#)?;
/// let (mut world, mut follower) = (World::new(&scenario), Follower::default());
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// for _ in 0..80 {
///     let orders = Orders::new(follower.decide(&scenario, &world)).with_player(east);
///     world.advance(&scenario, &orders, Duration::from_millis(100), &mut ());
/// }
/// assert!(world.position(AgentId::NPC, &scenario).x >= 5.0);
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    /// The ways to where the player was when they were last looked for.
    ways: Option<(usize, Arc<DistanceField>)>,
}

/// Nearer it does not come, in cells or metres.
const BEHIND: f64 = 2.0;
/// It looks for the player again when they are so far from where they were.
const MOVED: f64 = 1.5;

impl Follower {
    /// What to do now.
    pub fn decide(&mut self, scenario: &Scenario, world: &World) -> Order {
        let sneaks = world
            .stance(AgentId::PLAYER)
            .is_some_and(|stance| stance.gait() == Gait::Sneak);
        let gait = if sneaks { Gait::Sneak } else { Gait::Walk };
        let stance = Stance::new(gait).fighting();
        let here = world.position(AgentId::NPC, scenario);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        let hunters = enemies.filter(|enemy| world.target(*enemy, scenario).is_some());
        let nearest = hunters
            .map(|enemy| world.position(enemy, scenario))
            .min_by(|one, other| here.distance_to(*one).total_cmp(&here.distance_to(*other)));
        if let Some(at) = nearest {
            let place = scenario.map().place_at(at);
            let own = &scenario.actors()[0];
            if here.distance_to(at) <= own.reach {
                return Order::Wait(stance);
            }
            return self.towards(scenario, world, place, stance);
        }
        let player = world.position(AgentId::PLAYER, scenario);
        if here.distance_to(player) <= BEHIND {
            return Order::Wait(stance);
        }
        let place = world.place(AgentId::PLAYER, scenario);
        self.towards(scenario, world, Some(place), stance)
    }

    fn towards(
        &mut self,
        scenario: &Scenario,
        world: &World,
        place: Option<usize>,
        stance: Stance,
    ) -> Order {
        let Some(place) = place else {
            return Order::Wait(stance);
        };
        let map = scenario.map();
        let is_near = |(to, _): &(usize, Arc<DistanceField>)| {
            map.point_of(*to).distance_to(map.point_of(place)) <= MOVED
        };
        let kept = self.ways.take().filter(is_near);
        let (to, ways) = kept.unwrap_or_else(|| {
            let mut ways = DistanceField::to(map, [place], scenario.rules().speed(Gait::Walk));
            ways.sweep(map, &mut Budget::unlimited());
            (place, Arc::new(ways))
        });
        let here = world.place(AgentId::NPC, scenario);
        let next = ways.next(map, here);
        self.ways = Some((to, ways));
        let direction = next.and_then(|next| direction_to(map, here, next));
        direction.map_or(Order::Wait(stance), |direction| {
            Order::Step(direction, stance)
        })
    }
}

fn direction_to(map: &Map, from: usize, to: usize) -> Option<Direction> {
    let mut steps = map.level_steps(from);
    steps.find(|(_, place)| *place == to).map(|(it, _)| it)
}
