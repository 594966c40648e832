//! Positions only: walking from one place to another.

use apprentice_search::{Cost, Problem, Successors};

use crate::digest::Digest;
use crate::goal::Situation;
use crate::{
    AgentId, Cell, Direction, DoorId, Gait, Goal, ItemId, LeverId, Order, Point, Quest, Scenario,
    Stance, World,
};

/// Walking from one cell to a place, as if all doors were open and nobody were about.
///
/// ```
/// use apprentice_search::astar;
/// use apprentice_world::{Cell, Point, Scenario, StraightLine, WalkProblem};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...', '.#.', '...'] }").unwrap();
/// let walk = WalkProblem::new(&scenario, Cell::new(0, 1), Point::new(2.0, 1.0), 0.0);
/// let path = astar(&walk, StraightLine).expect("there is a way round");
/// assert_eq!(path.steps.len(), 4);
/// ```
pub struct WalkProblem {
    scenario: Scenario,
    start: Cell,
    start_world: World,
    goal: Goal,
    costs: [Cost; 2],
    revision: u64,
}

const WALKING: Stance = Stance::new(Gait::Walk);

impl WalkProblem {
    /// From a cell to within `radius` of a point. From a wall no way leads anywhere.
    pub fn new(scenario: &Scenario, start: Cell, at: Point, radius: f64) -> WalkProblem {
        let cost = |direction| Cost::from_ticks(scenario.rules.step_time(direction, WALKING));
        let mut start_world = World::new(scenario);
        start_world.actors[0].cell = start;
        let mut digest = Digest::new();
        digest.number(scenario.digest());
        digest.text(&format!("{start} {at} {radius}"));
        WalkProblem {
            scenario: scenario.clone(),
            start,
            start_world,
            goal: Goal::Within { at, radius },
            costs: [cost(Direction::East), cost(Direction::NorthEast)],
            revision: digest.value(),
        }
    }
}

impl Problem for WalkProblem {
    type State = Cell;
    type Key = Cell;
    type Action = Order;

    fn start(&self) -> Cell {
        self.start
    }

    #[inline]
    fn key(&self, cell: &Cell) -> Cell {
        *cell
    }

    #[inline]
    fn is_goal(&self, cell: &Cell) -> bool {
        self.goal.is_met(&WalkView(*cell))
    }

    #[inline]
    fn successors(&self, cell: &Cell, out: &mut Successors<Cell, Order>) {
        let grid = self.scenario.grid();
        if !grid.contains(*cell) {
            return;
        }
        for direction in Direction::ALL {
            if !grid.has_exit(*cell, direction) {
                continue;
            }
            if let Some(next) = cell.neighbor(direction) {
                let cost = self.costs[usize::from(direction.is_diagonal())];
                out.push(Order::Step(direction, WALKING), next, cost);
            }
        }
    }

    #[inline]
    fn index(&self, cell: &Cell) -> Option<u32> {
        Some(self.scenario.grid().index(*cell) as u32)
    }

    fn revision(&self) -> u64 {
        self.revision
    }
}

impl Quest for WalkProblem {
    type View<'a> = WalkView;

    #[inline]
    fn view<'a>(&'a self, cell: &'a Cell) -> WalkView {
        WalkView(*cell)
    }

    #[inline]
    fn cell(&self, cell: &Cell) -> Cell {
        *cell
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
}

/// A position as goals see it: nobody is dead, nothing is held, pulled or open.
#[derive(Clone, Copy, Debug)]
pub struct WalkView(Cell);

impl Situation for WalkView {
    #[inline]
    fn position(&self, _: AgentId) -> Point {
        self.0.center()
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
}
