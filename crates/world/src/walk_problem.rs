//! Positions only: walking from one place to another.

use apprentice_search::{Cost, Problem, Successors};

use crate::digest::Digest;
use crate::game::{Facts, game_of_quest};
use crate::goal::Situation;
use crate::map::Move;
use crate::{
    AgentId, Direction, DoorId, FULL_HEALTH, Gait, Goal, ItemId, Leap, LeverId, Map, NavMesh,
    Order, Peril, Point, Quest, Scenario, Stance, Thing, World,
};

/// Walking from one place to another, as if all doors were open and nobody were about.
///
/// ```
/// use apprentice_search::astar;
/// use apprentice_world::{Point, Scenario, StraightLine, WalkProblem};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...', '.#.', '...'] }").unwrap();
/// let walk = WalkProblem::new(&scenario, 3, Point::new(2.0, 1.0), 0.0);
/// let path = astar(&walk, StraightLine).expect("there is a way round");
/// assert_eq!(path.steps.len(), 4);
/// ```
pub struct WalkProblem {
    scenario: Scenario,
    start: u32,
    start_world: World,
    goal: Goal,
    costs: [Cost; 2],
    revision: u64,
    facts: Facts,
}

const WALKING: Stance = Stance::new(Gait::Walk);

impl WalkProblem {
    /// From a place to within `radius` of a point. From a wall no way leads anywhere.
    pub fn new(scenario: &Scenario, start: usize, at: Point, radius: f64) -> WalkProblem {
        let cost = |direction| Cost::from_ticks(scenario.rules.step_time(direction, WALKING));
        let mut start_world = World::new(scenario);
        start_world.actors[0].place = start as u32;
        let mut digest = Digest::new();
        digest.number(scenario.digest());
        digest.text(&format!("{start} {at} {radius}"));
        let goal = Goal::Within {
            at,
            height: None,
            radius,
        };
        WalkProblem {
            facts: Facts::new(scenario, &goal, AgentId::NPC),
            scenario: scenario.clone(),
            start: start as u32,
            start_world,
            goal,
            costs: [cost(Direction::East), cost(Direction::NorthEast)],
            revision: digest.value(),
        }
    }
}

impl WalkProblem {
    #[inline]
    fn place_in(&self, place: &u32) -> usize {
        *place as usize
    }

    fn cost(&self, place: u32, action: Move) -> Cost {
        Cost::from_ticks(self.scenario.time_of(place as usize, action, WALKING))
    }
}

impl Problem for WalkProblem {
    type State = u32;
    type Key = u32;
    type Action = Order;

    fn start(&self) -> u32 {
        self.start
    }

    #[inline]
    fn key(&self, place: &u32) -> u32 {
        *place
    }

    #[inline]
    fn is_goal(&self, place: &u32) -> bool {
        self.goal.is_met(&self.view(place))
    }

    #[inline]
    fn successors(&self, place: &u32, out: &mut Successors<u32, Order>) {
        let map = &*self.scenario.map;
        if !map.is_walkable(*place as usize) {
            return;
        }
        for direction in Direction::ALL {
            let Some(next) = map.step(*place as usize, direction) else {
                continue;
            };
            let cost = match map {
                Map::Grid(_) => self.costs[usize::from(direction.is_diagonal())],
                Map::Mesh(_) => self.cost(*place, Move::Step(direction)),
            };
            out.push(Order::Step(direction, WALKING), next as u32, cost);
        }
        let Map::Mesh(mesh) = map else { return };
        for number in 0..NavMesh::MOST_LEAPS as u8 {
            if let Some(step) = mesh.footholds.leap(*place as usize, number) {
                let cost = self.cost(*place, Move::Leap(number));
                out.push(
                    Order::Leap(Leap::new(number, WALKING)),
                    step.place as u32,
                    cost,
                );
            }
        }
    }

    #[inline]
    fn index(&self, place: &u32) -> Option<u32> {
        Some(*place)
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl Quest for WalkProblem {
    type View<'a> = WalkView;

    #[inline]
    fn view<'a>(&'a self, place: &'a u32) -> WalkView {
        WalkView {
            at: self.scenario.map.point_of(*place as usize),
            height: self.scenario.map.height_of(*place as usize),
        }
    }

    fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    fn start_world(&self) -> &World {
        &self.start_world
    }

    fn goal(&self) -> &Goal {
        &self.goal
    }

    fn agent(&self) -> AgentId {
        AgentId::NPC
    }
}

game_of_quest!(WalkProblem);

/// A position as goals see it: nobody is dead, nothing is held, pulled or open.
#[derive(Clone, Copy, Debug)]
pub struct WalkView {
    at: Point,
    height: f64,
}

impl Situation for WalkView {
    fn has(&self, thing: Thing) -> bool {
        thing == Thing::Agent(AgentId::NPC)
    }
    #[inline]
    fn position(&self, _: AgentId) -> Point {
        self.at
    }
    fn height(&self, _: AgentId) -> f64 {
        self.height
    }
    fn is_dead(&self, _: AgentId) -> bool {
        false
    }
    fn holds(&self, _: ItemId) -> bool {
        false
    }
    fn is_on(&self, _: LeverId) -> bool {
        false
    }
    fn is_open(&self, _: DoorId) -> bool {
        false
    }
    fn fight_left(&self, _: AgentId) -> (Cost, Cost) {
        (Cost::ZERO, Cost::ZERO)
    }
    fn peril(&self) -> Peril {
        Peril::none(FULL_HEALTH)
    }
}
