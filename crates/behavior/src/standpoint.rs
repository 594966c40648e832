//! A quest as it looks from any place, to ask estimates about places nobody has reached.

use apprentice_search::{Cost, Problem, Successors};
use apprentice_world::{
    AgentId, DoorId, Goal, ItemId, LeverId, Order, Peril, Point, Quest, Scenario, Situation, Thing,
    View, World,
};

/// A quest whose states are only places: everything else is as it is in one world.
pub struct Standpoint<'a> {
    /// The scenario, as plans take it to be.
    pub scenario: &'a Scenario,
    /// Everything else.
    pub world: &'a World,
    /// What is to be achieved.
    pub goal: &'a Goal,
}

/// The world with the planned agent in another place.
pub struct Elsewhere<'a> {
    view: View<'a>,
    at: Point,
    height: f64,
}

impl Problem for Standpoint<'_> {
    type State = usize;
    type Key = usize;
    type Action = Order;

    fn start(&self) -> usize {
        self.world.place(AgentId::NPC, self.scenario)
    }

    fn key(&self, place: &usize) -> usize {
        *place
    }

    fn is_goal(&self, place: &usize) -> bool {
        self.goal.is_met(&self.view(place))
    }

    /// Estimates look at states and never at steps.
    fn successors(&self, _: &usize, _: &mut Successors<usize, Order>) {}
}

impl Quest for Standpoint<'_> {
    type View<'v>
        = Elsewhere<'v>
    where
        Self: 'v;

    fn view<'v>(&'v self, place: &'v usize) -> Elsewhere<'v> {
        Elsewhere {
            view: self.world.seen_in(self.scenario),
            at: self.scenario.map().point_of(*place),
            height: self.scenario.map().height_of(*place),
        }
    }

    fn place(&self, place: &usize) -> usize {
        *place
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
    fn has(&self, thing: Thing) -> bool {
        self.view.has(thing)
    }

    fn position(&self, agent: AgentId) -> Point {
        if agent == AgentId::NPC {
            self.at
        } else {
            self.view.position(agent)
        }
    }

    fn height(&self, agent: AgentId) -> f64 {
        if agent == AgentId::NPC {
            self.height
        } else {
            self.view.height(agent)
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

    fn peril(&self) -> Peril {
        self.view.peril()
    }
}
