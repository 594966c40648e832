//! A player, modelled: goes the way somebody went who played so, and meets enemies as they did.

use std::fmt;

use apprentice_experience::{Demonstration, Sample};
use apprentice_game::DistanceField;
use apprentice_search::Budget;

use crate::digest::Digest;
use crate::{
    AgentId, Direction, Gait, Leap, Map, NavMesh, Order, Point, Scenario, Script, Stance, World,
};

/// A script that goes the way of a demonstration, step by step: from the nearest of its places on, at
/// the gaits that were shown there. Who fights stands up to whoever comes after it, and helps those
/// beside it; who doesn't goes on as if nobody were there.
///
/// It is what a companion expects of a player whose style it knows ([`Style`](crate::Style)). It always
/// decides alike: what it must remember is how far along the way it is.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_experience::{Demonstration, Place};
/// use apprentice_world::{AgentId, Gait, Order, Orders, PlayerModel, Scenario, Stance, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { all = [] }
///     map = { rows = [".....", ".###.", "....."] }
///     player = { at = [0, 2] }
/// "#)?;
/// let line = [Place::flat(0.0, 1.0), Place::flat(0.0, 0.0), Place::flat(4.0, 0.0)];
/// let shown = Demonstration::drawn("round the top", line, 1.0);
/// let model = PlayerModel::new(&scenario, &shown, Stance::new(Gait::Sneak))?;
/// let mut world = World::new(&scenario);
/// let orders = Orders::new(Order::WAIT).with_script(&model);
/// world.advance(&scenario, &orders, std::time::Duration::from_secs(20), &mut ());
/// assert_eq!(world.position(AgentId::PLAYER, &scenario).to_string(), "(4, 0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlayerModel {
    /// From place to place, each a step from the one before.
    way: Vec<Footprint>,
    /// Where the way passes a place: places in the order of their numbers, each time with the position
    /// along the way.
    passes: Vec<(u32, u32)>,
    /// How one comes back to the way.
    back: DistanceField,
    /// How long a walk it is from each of its footprints to the end, in seconds.
    left: Vec<f32>,
    digest: u64,
}

#[derive(Clone, Copy, Debug)]
struct Footprint {
    place: u32,
    /// How the step is made that leaves it.
    stance: Stance,
}

/// Who fights joins fights that are no farther away, in cells or metres: as far as a wolf hears.
const TO_A_FIGHT: f64 = 8.0;

/// Positions along a way that can be remembered; the other half of the memory says whose way it is.
const MOST_FOOTPRINTS: usize = 1 << 16;

impl PlayerModel {
    /// One that goes as was shown. Where a sample says nothing about how one goes, `stance` does; and
    /// it says whether one fights.
    ///
    /// # Errors
    ///
    /// If nothing of it is anywhere one can stand, or no way leads from one sample to the next.
    pub fn new(
        scenario: &Scenario,
        shown: &Demonstration,
        stance: Stance,
    ) -> Result<PlayerModel, PlayerModelError> {
        let map = scenario.map();
        let mut way: Vec<Footprint> = Vec::new();
        let speed = scenario.rules().speed(Gait::Walk);
        for sample in &shown.samples {
            let spot = map.spot_at(sample.place);
            let height = spot.height.filter(|_| !map.is_flat());
            let Some(place) = map.place_on_floor(spot.point(), height) else {
                continue;
            };
            let stance = shown_stance(sample, stance);
            let Some(last) = way.last_mut() else {
                let place = place as u32;
                way.push(Footprint { place, stance });
                continue;
            };
            let mut here = last.place as usize;
            if here == place {
                last.stance = stance;
                continue;
            }
            let mut to = DistanceField::to(map, [place], speed);
            to.sweep(map, &mut Budget::unlimited());
            while here != place {
                let Some(next) = to.next(map, here) else {
                    let (from, to) = (map.point_of(here), map.point_of(place));
                    return Err(PlayerModelError::NoWay { from, to });
                };
                here = next;
                let place = here as u32;
                way.push(Footprint { place, stance });
            }
        }
        if way.is_empty() {
            let name = shown.name.clone();
            return Err(PlayerModelError::Nowhere { name });
        }
        if way.len() > MOST_FOOTPRINTS {
            let steps = way.len();
            return Err(PlayerModelError::TooLong { steps });
        }
        let numbered = way.iter().zip(0..);
        let mut passes: Vec<(u32, u32)> = numbered.map(|(it, at)| (it.place, at)).collect();
        passes.sort_unstable();
        let places = way.iter().map(|footprint| footprint.place as usize);
        let mut back = DistanceField::to(map, places, speed);
        back.sweep(map, &mut Budget::unlimited());
        let mut left = vec![0.0; way.len()];
        for at in (1..way.len()).rev() {
            let [here, next] = [at - 1, at].map(|at| map.point_of(way[at].place as usize));
            left[at - 1] = left[at] + (here.distance_to(next) / speed) as f32;
        }
        let mut digest = Digest::new();
        for footprint in &way {
            digest.number(u64::from(footprint.place));
            digest.number(u64::from(footprint.stance.bits()));
        }
        Ok(PlayerModel {
            way,
            passes,
            back,
            left,
            digest: digest.value(),
        })
    }

    /// Where the way ends.
    pub fn end(&self, scenario: &Scenario) -> Point {
        let last = self.way[self.way.len() - 1];
        scenario.map().point_of(last.place as usize)
    }

    /// The points of the way, for those who show it: from where somebody is who remembers this, on.
    pub fn ahead(&self, scenario: &Scenario, world: &World, agent: AgentId) -> Vec<Point> {
        let memory = world.memory(agent);
        let from = self.position(world.place(agent, scenario), memory);
        let ahead = self.way[from..].iter();
        let places = ahead.map(|footprint| footprint.place as usize);
        places.map(|place| scenario.map().point_of(place)).collect()
    }

    /// How far along the way somebody is who stands in a place and was as far as `last` along it before,
    /// counted in steps; and how long a walk is left from there, in seconds: back to the way first, and
    /// along it to its end. Infinite if no way leads back.
    ///
    /// ```
    /// use apprentice_experience::{Demonstration, Place};
    /// use apprentice_world::{Gait, PlayerModel, Point, Scenario, Stance};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.....', '.....'] }")?;
    /// let line = [Place::flat(0.0, 0.0), Place::flat(4.0, 0.0)];
    /// let shown = Demonstration::drawn("east", line, 1.0);
    /// let model = PlayerModel::new(&scenario, &shown, Stance::new(Gait::Walk))?;
    /// let beside = scenario.map().place_at(Point::new(1.0, 1.0)).unwrap();
    /// assert_eq!(model.left_from(&scenario, beside, 0), (1, 1.0 + 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn left_from(&self, scenario: &Scenario, place: usize, last: usize) -> (usize, f64) {
        let back = self.back.at(place);
        if !back.is_finite() {
            return (last, f64::INFINITY);
        }
        let mut on_way = place;
        while let Some(next) = self.back.next(scenario.map(), on_way) {
            on_way = next;
        }
        let memory = self.mark() << 16 | last.min(self.way.len() - 1) as u32;
        let at = self.position(on_way, memory);
        (at, back.as_seconds() + f64::from(self.left[at]))
    }

    /// How a step is made from a footprint of the way, counted from its beginning.
    pub fn stance_at(&self, step: usize) -> Stance {
        self.way[step.min(self.way.len() - 1)].stance
    }

    /// How far along the way somebody is who stands here. Who remembers another way begins with the
    /// first time this one comes by.
    fn position(&self, here: usize, memory: u32) -> usize {
        let is_own = memory >> 16 == self.mark();
        let last = if is_own { memory as usize & 0xFFFF } else { 0 };
        let last = last.min(self.way.len() - 1);
        let here = here as u32;
        let first = self.passes.partition_point(|pass| *pass < (here, 0));
        let times = self.passes[first..].iter();
        let mut times = times.take_while(|pass| pass.0 == here).map(|pass| pass.1);
        let (earliest, ahead) = (times.clone().next(), times.find(|at| *at as usize >= last));
        ahead.or(earliest).map_or(last, |at| at as usize)
    }

    /// What tells its memory from that of others.
    fn mark(&self) -> u32 {
        // Nobody who remembers nothing, or a short route, remembers this way.
        (self.digest >> 48) as u32 | 0x8000
    }

    /// What is done about enemies who are after somebody.
    fn fight(
        &self,
        scenario: &Scenario,
        world: &World,
        agent: AgentId,
        stance: Stance,
    ) -> Option<Order> {
        let own = scenario.actor_of(agent).filter(|_| stance.fights())?;
        let here = world.position(agent, scenario);
        let mut nearest: Option<(f64, AgentId, AgentId)> = None;
        for number in 0..scenario.enemies().len() as u16 {
            let enemy = AgentId::Enemy(number);
            let Some(target) = world.target(enemy, scenario) else {
                continue;
            };
            let distance = here.distance_to(world.position(enemy, scenario));
            let is_nearer = nearest.is_none_or(|(least, ..)| distance < least);
            if distance <= TO_A_FIGHT && is_nearer {
                nearest = Some((distance, enemy, target));
            }
        }
        let (distance, enemy, target) = nearest?;
        let upright = stance.at(Gait::Walk);
        // Whoever is after it comes by itself.
        if distance <= own.reach || target == agent {
            return Some(Order::Wait(upright));
        }
        let to = world.position(enemy, scenario);
        let map = scenario.map();
        let steps = map.level_steps(world.place(agent, scenario));
        let nearer = steps.map(|(direction, place)| {
            let left = map.point_of(place).distance_to(to);
            (left, direction)
        });
        let nearer = nearer.filter(|(left, _)| *left < distance);
        let best = nearer.min_by(|one, other| one.0.total_cmp(&other.0));
        Some(match best {
            Some((_, direction)) => Order::Step(direction, upright),
            None => Order::Wait(upright),
        })
    }
}

impl Script for PlayerModel {
    fn order(&self, scenario: &Scenario, world: &World, agent: AgentId, memory: &mut u32) -> Order {
        let map = scenario.map();
        let here = world.place(agent, scenario);
        let at = self.position(here, *memory);
        *memory = self.mark() << 16 | at as u32;
        let stance = self.way[at].stance;
        if let Some(order) = self.fight(scenario, world, agent, stance) {
            return order;
        }
        let next = if self.way[at].place as usize == here {
            let next = self.way.get(at + 1);
            next.map(|footprint| footprint.place as usize)
        } else {
            self.back.next(map, here)
        };
        let step = next.and_then(|next| step_to(map, here, next, stance));
        step.unwrap_or(Order::Wait(stance))
    }

    fn digest(&self) -> u64 {
        self.digest
    }
}

/// How a sample says that somebody went.
fn shown_stance(sample: &Sample, stance: Stance) -> Stance {
    let gait = sample.stance.gait.as_deref().and_then(Gait::from_name);
    gait.map_or(stance, |gait| stance.at(gait))
}

/// The order that leads from a place to one beside it.
fn step_to(map: &Map, from: usize, to: usize, stance: Stance) -> Option<Order> {
    let mut directions = Direction::ALL.into_iter();
    if let Some(direction) = directions.find(|it| map.step(from, *it) == Some(to)) {
        return Some(Order::Step(direction, stance));
    }
    let footholds = &map.mesh()?.footholds;
    let leaps = 0..NavMesh::MOST_LEAPS as u8;
    let mut leaps = leaps.filter(|number| {
        let leap = footholds.leap(from, *number);
        leap.is_some_and(|step| step.place == to)
    });
    let number = leaps.next()?;
    Some(Order::Leap(Leap::new(number, stance)))
}

/// Why nobody can go as was shown.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlayerModelError {
    /// Nothing of it is anywhere one can stand.
    Nowhere {
        /// What the demonstration is called.
        name: String,
    },
    /// No way leads from one sample to the next.
    NoWay {
        /// From here.
        from: Point,
        /// To here.
        to: Point,
    },
    /// It is too long to be remembered.
    TooLong {
        /// So many steps.
        steps: usize,
    },
}

impl fmt::Display for PlayerModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerModelError::Nowhere { name } => write!(
                f,
                "nothing of the demonstration `{name}` is on this map; show it in this level"
            ),
            PlayerModelError::NoWay { from, to } => write!(
                f,
                "no way leads from {from} to {to}, as was shown; show it in this level"
            ),
            PlayerModelError::TooLong { steps } => write!(
                f,
                "the demonstration has {steps} steps, and at most {MOST_FOOTPRINTS} can be followed; show less of it"
            ),
        }
    }
}

impl std::error::Error for PlayerModelError {}
