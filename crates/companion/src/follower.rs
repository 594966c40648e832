//! A companion of rules: the baseline that knows nothing of styles.

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
    ways: Option<(usize, DistanceField)>,
}

/// Nearer it does not come, in cells or metres.
const BEHIND: f64 = 2.0;
/// It looks for the player again when they are so far from where they were.
const MOVED: f64 = 1.5;

/// Places that are looked at in one go while it looks for the player.
const AT_ONCE: u64 = 64;

impl Follower {
    /// What to do now.
    pub fn decide(&mut self, scenario: &Scenario, world: &World) -> Order {
        self.decide_within(scenario, world, &mut Budget::unlimited())
    }

    /// The same within a budget: one unit for each place that is looked at to find the player. Whoever
    /// has not found them yet waits.
    pub fn decide_within(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> Order {
        let sneaks = world
            .stance(AgentId::PLAYER)
            .is_some_and(|stance| stance.gait() == Gait::Sneak);
        let gait = if sneaks { Gait::Sneak } else { Gait::Walk };
        let here = world.position(AgentId::NPC, scenario);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        let mut sleepers = enemies.clone();
        let hunters = enemies.filter(|enemy| world.target(*enemy, scenario).is_some());
        let nearest = hunters
            .map(|enemy| world.position(enemy, scenario))
            .min_by(|one, other| here.distance_to(*one).total_cmp(&here.distance_to(*other)));
        if let Some(at) = nearest {
            // Whoever is after them has heard them already, but others may be asleep.
            let stands = world.place(AgentId::NPC, scenario);
            let wakes = sleepers.any(|enemy| {
                world.target(enemy, scenario).is_none()
                    && world.would_notice(scenario, enemy, AgentId::NPC, stands, Gait::Walk)
            });
            let gait = if wakes { Gait::Sneak } else { Gait::Walk };
            let stance = Stance::new(gait).fighting();
            let place = scenario.map().place_at(at);
            let own = &scenario.actors()[0];
            if here.distance_to(at) <= own.reach {
                return Order::Wait(stance);
            }
            return self.towards(scenario, world, place, stance, budget);
        }
        let stance = Stance::new(gait).fighting();
        let player = world.position(AgentId::PLAYER, scenario);
        if here.distance_to(player) <= BEHIND {
            return Order::Wait(stance);
        }
        let place = world.place(AgentId::PLAYER, scenario);
        self.towards(scenario, world, Some(place), stance, budget)
    }

    fn towards(
        &mut self,
        scenario: &Scenario,
        world: &World,
        place: Option<usize>,
        stance: Stance,
        budget: &mut Budget<'_>,
    ) -> Order {
        let Some(place) = place else {
            return Order::Wait(stance);
        };
        let map = scenario.map();
        let here = world.place(AgentId::NPC, scenario);
        let is_near = |(to, _): &(usize, DistanceField)| {
            map.point_of(*to).distance_to(map.point_of(place)) <= MOVED
        };
        let kept = self.ways.take().filter(is_near);
        let (to, mut ways) = kept.unwrap_or_else(|| {
            let ways = DistanceField::to(map, [place], scenario.rules().speed(Gait::Walk));
            (place, ways)
        });
        // Mostly they are near, and the rest of the map need not be looked at.
        let mut is_known = ways.at(here).is_finite();
        while !is_known {
            let mut some = Budget::units(AT_ONCE);
            let is_over = ways.sweep(map, &mut some);
            let is_paid = (0..some.taken()).all(|_| budget.take());
            is_known = is_over || ways.at(here).is_finite();
            if !is_paid {
                break;
            }
        }
        let next = ways.next(map, here).filter(|_| is_known);
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
