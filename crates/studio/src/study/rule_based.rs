//! The character without a plan: every two seconds it goes to another place near the player, by chance.

use std::collections::VecDeque;

use apprentice::world::{AgentId, Direction, DoorId, Gait, Order, Point, Scenario, Stance, World};

/// How near the player it stays, in cells.
const RADIUS: f64 = 3.0;
/// How often it changes its mind, in tenths of seconds as people count them.
const TICKS: u32 = 20;

/// Somebody who wanders about near the player.
pub(crate) struct Wanderer {
    /// The state of a generator of chance (SplitMix64; Steele, Lea and Flood, 2014).
    chance: u64,
    until: u32,
    /// The places to go through, the next one first.
    way: VecDeque<usize>,
}

impl Wanderer {
    pub(crate) fn new(seed: u64) -> Wanderer {
        Wanderer {
            chance: seed,
            until: 0,
            way: VecDeque::new(),
        }
    }

    /// A tenth of a second has begun: whether it is time for another place.
    pub(crate) fn tick(&mut self, scenario: &Scenario, world: &World) {
        if self.until == 0 {
            self.until = TICKS;
            self.choose(scenario, world);
        }
        self.until -= 1;
    }

    /// Chooses among the places near the player that it can go to.
    fn choose(&mut self, scenario: &Scenario, world: &World) {
        let player = world.position(AgentId::PLAYER, scenario);
        let ways = Ways::of_keyholder(scenario, world, AgentId::NPC);
        let near = scenario.map().places_within(player, RADIUS);
        let near: Vec<usize> = near
            .into_iter()
            .filter(|place| ways.leads_to(*place))
            .collect();
        // Far from the player it goes as near as it can come.
        let to = match near.is_empty() {
            false => near[self.any(near.len())],
            true => ways.nearest_to(scenario, player),
        };
        self.way = ways.to(to);
    }

    fn any(&mut self, below: usize) -> usize {
        self.chance = self.chance.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.chance;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }

    /// What to do now.
    pub(crate) fn order(&mut self, scenario: &Scenario, world: &World) -> Order {
        let here = world.place(AgentId::NPC, scenario);
        while self.way.front() == Some(&here) {
            self.way.pop_front();
        }
        let next = self.way.front();
        let mut steps = scenario.map().level_steps(here);
        let step = next.and_then(|next| steps.find(|(_, to)| to == next));
        step.map_or(Order::WAIT, |(direction, _)| {
            Order::Step(direction, Stance::new(Gait::Walk))
        })
    }
}

/// The shortest ways from a place, in steps.
pub(crate) struct Ways {
    from: usize,
    /// From where each place is come to.
    before: Vec<Option<usize>>,
}

impl Ways {
    /// Those of somebody who uses every key they hold.
    pub(crate) fn of_keyholder(scenario: &Scenario, world: &World, who: AgentId) -> Ways {
        let mut shut = shut(scenario, world);
        for (number, door) in (0..).zip(scenario.doors()) {
            let mut keys = scenario.keys_of(DoorId::new(number));
            if keys.any(|key| world.holds(who, key)) {
                shut.retain(|place| !door.places.contains(place));
            }
        }
        Ways::past(scenario, &shut, world.place(who, scenario))
    }

    fn past(scenario: &Scenario, shut: &[usize], from: usize) -> Ways {
        let map = scenario.map();
        let mut before = vec![None; map.places()];
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            for (direction, to) in map.level_steps(place) {
                let is_free = !shut.contains(&to) && !cuts_corner(scenario, shut, place, direction);
                if to != from && is_free && before[to].is_none() {
                    before[to] = Some(place);
                    queue.push_back(to);
                }
            }
        }
        Ways { from, before }
    }

    pub(crate) fn leads_to(&self, place: usize) -> bool {
        place == self.from || self.before[place].is_some()
    }

    pub(crate) fn nearest_to(&self, scenario: &Scenario, point: Point) -> usize {
        let distance = |place: usize| scenario.map().point_of(place).distance_to(point);
        let reached = (0..self.before.len()).filter(|place| self.leads_to(*place));
        let nearest = reached.min_by(|one, other| distance(*one).total_cmp(&distance(*other)));
        nearest.unwrap_or(self.from)
    }

    pub(crate) fn to(&self, place: usize) -> VecDeque<usize> {
        let mut way = VecDeque::from([place]);
        let mut at = place;
        while let Some(before) = self.before[at] {
            way.push_front(before);
            at = before;
        }
        way
    }
}

/// The places of doors that are shut.
fn shut(scenario: &Scenario, world: &World) -> Vec<usize> {
    let doors = (0..).zip(scenario.doors());
    let shut = doors.filter(|(number, _)| !world.is_open(DoorId::new(*number)));
    shut.flat_map(|(_, door)| door.places.iter().copied())
        .collect()
}

fn cuts_corner(scenario: &Scenario, shut: &[usize], from: usize, direction: Direction) -> bool {
    let (x, y) = direction.offset();
    if x == 0 || y == 0 {
        return false;
    }
    let at = scenario.map().point_of(from);
    let corners = [(f64::from(x), 0.0), (0.0, f64::from(y))];
    corners.into_iter().any(|(x, y)| {
        let corner = scenario.map().place_at(Point::new(at.x + x, at.y + y));
        corner.is_some_and(|corner| shut.contains(&corner))
    })
}
