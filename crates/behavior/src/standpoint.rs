//! A quest as it looks from any cell, to ask estimates about cells nobody has reached.

use apprentice_search::{Cost, Problem, Successors};
use apprentice_world::{
    AgentId, Cell, DoorId, Goal, ItemId, LeverId, Order, Point, Quest, Scenario, Situation, View,
    World,
};

/// A quest whose states are only cells: everything else is as it is in one world.
pub struct Standpoint<'a> {
    /// The scenario, as plans take it to be.
    pub scenario: &'a Scenario,
    /// Everything else.
    pub world: &'a World,
    /// What is to be achieved.
    pub goal: &'a Goal,
}

/// The world with the planned agent in another cell.
pub struct Elsewhere<'a> {
    view: View<'a>,
    cell: Cell,
}

impl Problem for Standpoint<'_> {
    type State = Cell;
    type Key = Cell;
    type Action = Order;

    fn start(&self) -> Cell {
        self.world.cell(AgentId::NPC, self.scenario)
    }

    fn key(&self, cell: &Cell) -> Cell {
        *cell
    }

    fn is_goal(&self, cell: &Cell) -> bool {
        self.goal.is_met(&self.view(cell))
    }

    /// Estimates look at states and never at steps.
    fn successors(&self, _: &Cell, _: &mut Successors<Cell, Order>) {}
}

impl Quest for Standpoint<'_> {
    type View<'v>
        = Elsewhere<'v>
    where
        Self: 'v;

    fn view<'v>(&'v self, cell: &'v Cell) -> Elsewhere<'v> {
        Elsewhere {
            view: self.world.seen_in(self.scenario),
            cell: *cell,
        }
    }

    fn cell(&self, cell: &Cell) -> Cell {
        *cell
    }

    fn scenario(&self) -> &Scenario {
        self.scenario
    }

    fn start_world(&self) -> &World {
        self.world
    }

    fn goal(&self) -> &Goal {
        self.goal
    }
}

impl Situation for Elsewhere<'_> {
    fn position(&self, agent: AgentId) -> Point {
        if agent == AgentId::NPC {
            self.cell.center()
        } else {
            self.view.position(agent)
        }
    }

    fn is_dead(&self, agent: AgentId) -> bool {
        self.view.is_dead(agent)
    }

    fn holds(&self, item: ItemId) -> bool {
        self.view.holds(item)
    }

    fn is_on(&self, lever: LeverId) -> bool {
        self.view.is_on(lever)
    }

    fn is_open(&self, door: DoorId) -> bool {
        self.view.is_open(door)
    }

    fn fight_left(&self, enemy: AgentId) -> (Cost, Cost) {
        self.view.fight_left(enemy)
    }
}
