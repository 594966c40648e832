//! What to do when somebody comes after them and no plan holds: whatever works out best in a few
//! imagined seconds.

use std::time::Duration;

use apprentice_behavior::Intent;
use apprentice_game::DistanceField;
use apprentice_search::Budget;
use apprentice_world::{
    AgentId, Direction, Gait, Manner, Map, Order, Orders, PlayerModel, Point, Scenario, Stance,
    World,
};

/// Ways of meeting danger, and which of them was chosen last.
///
/// Plans take a moment to be found, and whoever is hunted has none. So each way of meeting the danger is
/// lived through in a copy of the world, once beside a player who goes on as players of their style do
/// and once beside one who stands their ground; the one after which both are best off is taken. It is
/// looked at again twice a second. A look that the budget of a frame is too small for goes on in the next.
pub(crate) struct Reflexes {
    /// The ways out of where each enemy hunts, of those that were after somebody.
    out_of: Vec<Option<DistanceField>>,
    /// The ways to where the companion wants to be.
    onward: DistanceField,
    /// The last choice, when it was made, and of which of the companion's plans it knew.
    chosen: Option<(Reflex, Duration, u32)>,
    /// The look that is not over yet.
    look: Option<Look>,
}

/// A look at all ways of meeting danger, as far as the budget has lasted.
struct Look {
    /// Where all of them begin, however many frames it takes: only so they can be compared.
    from: World,
    /// Which of the companion's plans it knows of, and whether that can be kept to.
    plan: (u32, bool),
    /// How many ways it is done with.
    done: usize,
    /// The best of those, and what it is worth.
    best: Option<(f64, Reflex)>,
    /// The next one, if it has begun.
    imagined: Option<Imagined>,
}

impl Look {
    fn new(world: &World, plan: (u32, bool)) -> Look {
        Look {
            from: world.clone(),
            plan,
            done: 0,
            best: None,
            imagined: None,
        }
    }
}

/// A way of meeting danger, lived through as far as the budget has lasted.
struct Imagined {
    world: World,
    until: Duration,
    steps: u32,
    intent: Option<Intent<Scenario>>,
    /// What a player does who stands their ground.
    stands: Order,
    /// How well off both are beside a player who stands their ground, once that is known.
    standing: Option<f64>,
}

impl Imagined {
    fn new(from: &World, intent: Option<&Intent<Scenario>>, standing: Option<f64>) -> Imagined {
        let stands = from.stance(AgentId::PLAYER);
        Imagined {
            world: from.clone(),
            until: from.time() + AHEAD,
            steps: 0,
            intent: intent.cloned(),
            stands: Order::Wait(stands.unwrap_or(Stance::new(Gait::Walk))),
            standing,
        }
    }
}

/// What somebody in danger could go on with: its plan, and which of its plans that is.
pub(crate) struct Planned {
    pub(crate) intent: Option<Intent<Scenario>>,
    pub(crate) number: u32,
}

/// A way of meeting danger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reflex {
    /// Goes on as planned.
    KeepsToPlan,
    /// Fights whoever is after one of the two.
    Fights,
    /// Goes to the player's side, and strikes what comes near.
    Sides,
    /// Takes the blows, while the player strikes.
    Shields,
    /// Fights as long as it is well, and then takes blows behind its guard.
    FightsThenShields,
    /// Leaves the ground that the hunter hunts on, at this gait.
    Leaves(Gait),
    /// Goes on to where it wants to be, at this gait.
    Hurries(Gait),
    /// Keeps still.
    Hides,
}

impl Reflex {
    /// What it does, for a sentence that begins with why.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Reflex::KeepsToPlan => "go on as planned",
            Reflex::Fights | Reflex::FightsThenShields => "fight",
            Reflex::Sides => "fight at your side",
            Reflex::Shields => "take the blows",
            Reflex::Leaves(Gait::Sneak) => "steal away",
            Reflex::Leaves(_) => "draw away",
            Reflex::Hurries(_) => "hurry on",
            Reflex::Hides => "keep still",
        }
    }

    /// Whether there is anything to keep to, or anybody to fight beside.
    fn is_possible(self, scenario: &Scenario, world: &World, planned: &Planned) -> bool {
        match self {
            Reflex::KeepsToPlan => planned.intent.is_some(),
            Reflex::Sides | Reflex::Shields | Reflex::FightsThenShields => {
                !world.is_dead(AgentId::PLAYER, scenario)
            }
            _ => true,
        }
    }
}

/// Those that are tried, in this order; among equals the first counts.
const ALL: [Reflex; 10] = [
    Reflex::KeepsToPlan,
    Reflex::Fights,
    Reflex::Sides,
    Reflex::Shields,
    Reflex::FightsThenShields,
    Reflex::Leaves(Gait::Walk),
    Reflex::Leaves(Gait::Sneak),
    Reflex::Hurries(Gait::Walk),
    Reflex::Hurries(Gait::Sneak),
    Reflex::Hides,
];

/// So long is imagined, unless it is over sooner: longer than any fight takes that can be won.
const AHEAD: Duration = Duration::from_secs(20);
/// In steps of so much; orders are followed until then.
const STEP: Duration = Duration::from_millis(200);
/// Steps that are imagined for a unit of budget.
const STEPS_FOR_A_UNIT: u32 = 2;
/// What was chosen is looked at again after so long.
const AGAIN: Duration = Duration::from_millis(500);
/// What else works out better is taken only if it is so much better: whoever dithers does neither.
const BETTER: f64 = 5.0;

/// With less health, whoever can no longer win alone takes cover.
const IS_WEAK: f64 = 50.0;

/// What a life is worth, beside a point of health.
const A_LIFE: f64 = 400.0;
/// What it costs that somebody is still hunted in the end, in points of health.
const STILL_HUNTED: f64 = 60.0;
/// A plan leads somewhere, and was lived through to its end. It is left only for what saves a life, if
/// only beside one of the two players that are imagined.
const WORTH_OF_A_PLAN: f64 = 0.45 * A_LIFE;
/// What a metre between the two costs in the end, up to so many metres.
const APART: f64 = 0.5;
const MOST_APART: f64 = 20.0;

impl Reflexes {
    /// With the ways to where the companion wants to be.
    pub(crate) fn new(scenario: &Scenario, onward: DistanceField) -> Reflexes {
        Reflexes {
            out_of: vec![None; scenario.enemies().len()],
            onward,
            chosen: None,
            look: None,
        }
    }

    /// Whether anybody is after one of the two.
    pub(crate) fn are_called_for(scenario: &Scenario, world: &World) -> bool {
        hunters(scenario, world).next().is_some()
    }

    /// How to meet the danger, and the order for it; none for whoever keeps to a plan.
    pub(crate) fn meet(
        &mut self,
        scenario: &Scenario,
        world: &World,
        planned: &Planned,
        model: Option<&PlayerModel>,
        budget: &mut Budget<'_>,
    ) -> (Reflex, Option<Order>) {
        let now = world.time();
        let is_fresh = |since: Duration| now.saturating_sub(since) < AGAIN;
        let last = self.chosen.filter(|(reflex, since, number)| {
            let can_be_kept = *reflex != Reflex::KeepsToPlan || planned.intent.is_some();
            is_fresh(*since) && *number == planned.number && can_be_kept
        });
        let reflex = match last {
            Some((reflex, ..)) => reflex,
            None => {
                self.look_for_ways_out(scenario, world, budget);
                match self.choose(scenario, world, planned, model, budget) {
                    Some(reflex) => {
                        self.chosen = Some((reflex, now, planned.number));
                        reflex
                    }
                    None => self.meanwhile(scenario, world, planned),
                }
            }
        };
        (reflex, self.order(reflex, scenario, world))
    }

    /// The danger is over.
    pub(crate) fn rest(&mut self) {
        self.chosen = None;
        self.look = None;
    }

    /// Gets the ways ready that lead out of where the hunters hunt: a unit for each place that is looked
    /// at.
    fn look_for_ways_out(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) {
        let map = scenario.map();
        for hunter in hunters(scenario, world) {
            let AgentId::Enemy(number) = hunter else {
                continue;
            };
            let enemy = &scenario.enemies()[usize::from(number)];
            let Manner::Beast(beast) = &enemy.kind.manner else {
                continue;
            };
            let ways = self.out_of[usize::from(number)].get_or_insert_with(|| {
                let is_out = |place: &usize| {
                    let away = map.point_of(*place).distance_to(enemy.home);
                    map.is_walkable(*place) && away > beast.leash
                };
                let outside = (0..map.places()).filter(is_out);
                DistanceField::to(map, outside, scenario.rules().speed(Gait::Walk))
            });
            ways.sweep(map, budget);
        }
    }

    /// The one that works out best; none as long as there was no budget to try them all.
    fn choose(
        &mut self,
        scenario: &Scenario,
        world: &World,
        planned: &Planned,
        model: Option<&PlayerModel>,
        budget: &mut Budget<'_>,
    ) -> Option<Reflex> {
        let plan = (planned.number, planned.intent.is_some());
        let begun = self.look.take().filter(|look| look.plan == plan);
        let mut look = begun.unwrap_or_else(|| Look::new(world, plan));
        let before = self.chosen.map(|(reflex, ..)| reflex);
        while let Some(reflex) = ALL.get(look.done).copied() {
            if reflex.is_possible(scenario, world, planned) {
                let worth = self.worth(&mut look, reflex, scenario, planned, model, budget);
                let Some(worth) = worth else {
                    self.look = Some(look);
                    return None;
                };
                let worth = match reflex {
                    Reflex::KeepsToPlan => worth + WORTH_OF_A_PLAN,
                    _ if before == Some(reflex) => worth + BETTER,
                    _ => worth,
                };
                if look.best.is_none_or(|(most, _)| worth > most) {
                    look.best = Some((worth, reflex));
                }
            }
            look.imagined = None;
            look.done += 1;
        }
        let best = look.best.map(|(_, reflex)| reflex);
        best.filter(|reflex| reflex.is_possible(scenario, world, planned))
    }

    /// What to do until it is known what works out best: what was found out earlier, and nothing that
    /// cannot be taken back in the next frame otherwise. A step takes longer than that.
    fn meanwhile(&self, scenario: &Scenario, world: &World, planned: &Planned) -> Reflex {
        if planned.intent.is_some() {
            return Reflex::KeepsToPlan;
        }
        let before = self.chosen.map(|(reflex, ..)| reflex);
        let before = before.filter(|reflex| reflex.is_possible(scenario, world, planned));
        before.unwrap_or(Reflex::Hides)
    }

    /// How well off both are if danger is met so; none if there is no budget left to find out.
    fn worth(
        &self,
        look: &mut Look,
        reflex: Reflex,
        scenario: &Scenario,
        planned: &Planned,
        model: Option<&PlayerModel>,
        budget: &mut Budget<'_>,
    ) -> Option<f64> {
        let intent = planned.intent.as_ref();
        let intent = intent.filter(|_| reflex == Reflex::KeepsToPlan);
        let Look { from, imagined, .. } = look;
        let imagined = imagined.get_or_insert_with(|| Imagined::new(from, intent, None));
        let standing = match imagined.standing {
            Some(standing) => standing,
            None => {
                let standing = self.live_through(imagined, reflex, scenario, None, budget)?;
                *imagined = Imagined::new(from, intent, Some(standing));
                standing
            }
        };
        match model {
            Some(_) => {
                let going_on = self.live_through(imagined, reflex, scenario, model, budget)?;
                Some((standing + going_on) / 2.0)
            }
            None => Some(standing),
        }
    }

    /// How well off both are in the end, beside a player who goes on as a model does, or stands their
    /// ground; none if there is no budget left to get there.
    fn live_through(
        &self,
        imagined: &mut Imagined,
        reflex: Reflex,
        scenario: &Scenario,
        model: Option<&PlayerModel>,
        budget: &mut Budget<'_>,
    ) -> Option<f64> {
        let Imagined {
            world,
            until,
            steps,
            intent,
            stands,
            ..
        } = imagined;
        let are_dead = |world: &World| {
            let mut both = [AgentId::NPC, AgentId::PLAYER].into_iter();
            both.all(|agent| world.is_dead(agent, scenario))
        };
        while world.time() < *until && hunters(scenario, world).next().is_some() {
            if *steps % STEPS_FOR_A_UNIT == 0 && !budget.take() {
                return None;
            }
            *steps += 1;
            let planned = intent.as_mut();
            let planned = planned.and_then(|intent| intent.order(scenario, world).copied());
            let own = planned.or_else(|| self.order(reflex, scenario, world));
            let orders = Orders::new(own.unwrap_or(Order::WAIT));
            let orders = match model {
                Some(model) => orders.with_script(model),
                None => orders.with_player(*stands),
            };
            world.advance(scenario, &orders, STEP, &mut ());
            if are_dead(world) {
                break;
            }
        }
        Some(well_being(scenario, world))
    }

    /// What is done now by whoever meets danger so; none if a plan says it.
    fn order(&self, reflex: Reflex, scenario: &Scenario, world: &World) -> Option<Order> {
        let upright = Stance::new(Gait::Walk).fighting();
        let here = world.position(AgentId::NPC, scenario);
        let hunter = hunters(scenario, world).min_by(|one, other| {
            let distance = |enemy: AgentId| here.distance_to(world.position(enemy, scenario));
            distance(*one).total_cmp(&distance(*other))
        });
        Some(match reflex {
            Reflex::KeepsToPlan => return None,
            Reflex::FightsThenShields if world.health(AgentId::NPC, scenario) < IS_WEAK => {
                return self.order(Reflex::Shields, scenario, world);
            }
            Reflex::Fights | Reflex::FightsThenShields => match hunter {
                Some(hunter) => {
                    close_in(scenario, world, world.position(hunter, scenario), upright)
                }
                None => Order::Wait(upright),
            },
            Reflex::Sides => {
                let player = world.position(AgentId::PLAYER, scenario);
                close_in(scenario, world, player, upright)
            }
            Reflex::Shields => Order::Wait(Stance::new(Gait::Walk).blocking()),
            Reflex::Leaves(gait) => {
                let out = hunter.and_then(|hunter| match hunter {
                    AgentId::Enemy(number) => self.out_of[usize::from(number)].as_ref(),
                    AgentId::Actor(_) => None,
                });
                along(scenario, world, out, Stance::new(gait).fighting())
            }
            Reflex::Hurries(gait) => {
                let stance = Stance::new(gait).fighting();
                along(scenario, world, Some(&self.onward), stance)
            }
            Reflex::Hides => Order::Wait(Stance::new(Gait::Sneak)),
        })
    }
}

/// Those who are after one of the two. Whom others are hunted by is their own affair.
fn hunters<'a>(scenario: &'a Scenario, world: &'a World) -> impl Iterator<Item = AgentId> + 'a {
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    enemies.filter(|enemy| {
        let target = world.target(*enemy, scenario);
        matches!(target, Some(AgentId::NPC | AgentId::PLAYER))
    })
}

/// How well off both are.
fn well_being(scenario: &Scenario, world: &World) -> f64 {
    let both = [AgentId::NPC, AgentId::PLAYER];
    let own = both.map(|agent| match world.is_dead(agent, scenario) {
        true => 0.0,
        false => A_LIFE + world.health(agent, scenario),
    });
    let is_hunted = |agent: &AgentId| {
        hunters(scenario, world).any(|enemy| world.target(enemy, scenario) == Some(*agent))
    };
    let hunted = both.iter().filter(|agent| is_hunted(agent)).count() as f64 * STILL_HUNTED;
    let [here, there] = both.map(|agent| world.position(agent, scenario));
    let apart = here.distance_to(there).min(MOST_APART) * APART;
    own[0] + own[1] - hunted - apart
}

/// A step to where somebody is, as long as they are out of reach.
fn close_in(scenario: &Scenario, world: &World, to: Point, stance: Stance) -> Order {
    let own = &scenario.actors()[0];
    let here = world.position(AgentId::NPC, scenario);
    let distance = here.distance_to(to);
    if distance <= own.reach {
        return Order::Wait(stance);
    }
    let map = scenario.map();
    let steps = map.level_steps(world.place(AgentId::NPC, scenario));
    let nearer = steps.map(|(direction, place)| (map.point_of(place).distance_to(to), direction));
    let nearer = nearer.filter(|(left, _)| *left < distance);
    let best = nearer.min_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or(Order::Wait(stance), |(_, direction)| {
        Order::Step(direction, stance)
    })
}

/// A step along the ways of a field.
fn along(
    scenario: &Scenario,
    world: &World,
    ways: Option<&DistanceField>,
    stance: Stance,
) -> Order {
    let map = scenario.map();
    let here = world.place(AgentId::NPC, scenario);
    let next = ways.and_then(|ways| ways.next(map, here));
    let direction = next.and_then(|next| direction_to(map, here, next));
    direction.map_or(Order::Wait(stance), |direction| {
        Order::Step(direction, stance)
    })
}

fn direction_to(map: &Map, from: usize, to: usize) -> Option<Direction> {
    let mut steps = map.level_steps(from);
    steps.find(|(_, place)| *place == to).map(|(it, _)| it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aims::Aims;

    const NO_PLAN: Planned = Planned {
        intent: None,
        number: 0,
    };

    /// A wolf comes after the player, and the companion is near.
    fn hunted() -> (Scenario, World) {
        let floor = ".".repeat(30);
        let text = format!(
            r#"
format = 1
start = [2, 1]
goal = {{ within = {{ at = [28, 1], radius = 1.0 }} }}
map = {{ rows = ["{floor}", "{floor}", "{floor}"] }}
player = {{ at = [8, 1] }}
enemy = [{{ id = "grey", kind = "superwolf", at = [14, 1] }}]
"#
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut world = World::new(&scenario);
        let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
        let orders = Orders::new(Order::WAIT).with_player(east);
        for _ in 0..100 {
            if Reflexes::are_called_for(&scenario, &world) {
                return (scenario, world);
            }
            world.advance(&scenario, &orders, Duration::from_millis(100), &mut ());
        }
        panic!("nobody was noticed");
    }

    #[test]
    fn who_is_after_somebody_else_is_no_danger() {
        let floor = ".".repeat(30);
        let text = format!(
            r#"
format = 1
start = [2, 0]
goal = {{ all = [] }}
map = {{ rows = ["{floor}"] }}
player = {{ at = [3, 0] }}
actor = [{{ id = "anna", at = [28, 0] }}]
enemy = [{{ id = "grey", kind = "wolf", at = [27, 0] }}]
"#
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut world = World::new(&scenario);
        let orders = Orders::new(Order::WAIT);
        world.advance(&scenario, &orders, Duration::from_millis(500), &mut ());
        let anna = scenario.actor("anna").expect("she is there");
        assert_eq!(world.target(AgentId::Enemy(0), &scenario), Some(anna));
        assert!(!Reflexes::are_called_for(&scenario, &world));
    }

    /// What is answered frame by frame with so many units for each, up to the first real choice.
    fn answers(scenario: &Scenario, world: &World, units: u64) -> Vec<Reflex> {
        let onward = Aims::ways_to(scenario.goal(), scenario);
        let mut reflexes = Reflexes::new(scenario, onward);
        let mut all = Vec::new();
        while reflexes.chosen.is_none() {
            let mut budget = Budget::units(units);
            let (reflex, _) = reflexes.meet(scenario, world, &NO_PLAN, None, &mut budget);
            assert!(budget.taken() <= units);
            all.push(reflex);
            assert!(all.len() < 10_000, "it never chooses");
        }
        all
    }

    #[test]
    fn a_look_that_takes_many_frames_ends_as_one_that_takes_one() {
        let (scenario, world) = hunted();
        let at_once = answers(&scenario, &world, u64::MAX);
        assert_eq!(at_once.len(), 1);
        for units in [1, 7, 60] {
            let slowly = answers(&scenario, &world, units);
            let (last, first) = slowly.split_last().expect("there is an answer");
            assert_eq!(*last, at_once[0], "with {units} units");
            // Until then it does nothing it would have to regret.
            assert!(!first.is_empty());
            assert!(first.iter().all(|reflex| *reflex == Reflex::Hides));
        }
    }
}
