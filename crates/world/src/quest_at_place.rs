//! A quest as it looks from any place, to ask estimates about places nobody has reached.

use apprentice_search::{Cost, Problem, Successors};

use crate::game::{Facts, game_of_quest};
use crate::{
    AgentId, DoorId, Goal, ItemId, LeverId, Order, Peril, Point, Quest, Scenario, Situation, Thing,
    View, World,
};

/// A quest whose states are only places: everything else is as it is in one world.
pub struct QuestAtPlace<'a> {
    pub(crate) scenario: &'a Scenario,
    world: &'a World,
    goal: &'a Goal,
    agent: AgentId,
    pub(crate) facts: Facts,
}

/// A situation with the planned agent in another place.
pub struct ViewAtPlace<S> {
    view: S,
    at: Point,
    height: f64,
}

impl<'a> QuestAtPlace<'a> {
    /// A goal in a scenario, as plans take it to be, with everything else as in a world.
    pub fn new(scenario: &'a Scenario, world: &'a World, goal: &'a Goal) -> QuestAtPlace<'a> {
        QuestAtPlace::of(scenario.agent, scenario, world, goal)
    }

    /// The same for anybody who takes orders, whomever the scenario plans for.
    pub fn of(
        agent: AgentId,
        scenario: &'a Scenario,
        world: &'a World,
        goal: &'a Goal,
    ) -> QuestAtPlace<'a> {
        QuestAtPlace {
            facts: Facts::new(scenario, goal, agent),
            scenario,
            world,
            goal,
            agent,
        }
    }

    pub(crate) fn place_in(&self, place: &usize) -> usize {
        *place
    }
}

impl<S> ViewAtPlace<S> {
    pub(crate) fn new(view: S, at: Point, height: f64) -> ViewAtPlace<S> {
        ViewAtPlace { view, at, height }
    }
}

impl Problem for QuestAtPlace<'_> {
    type State = usize;
    type Key = usize;
    type Action = Order;

    fn start(&self) -> usize {
        self.world.place(self.agent, self.scenario)
    }

    fn key(&self, place: &usize) -> usize {
        *place
    }

    fn is_goal(&self, place: &usize) -> bool {
        self.goal.is_met(&self.view(place))
    }

    /// Estimates look at states and never at steps.
    fn successors(&self, _: &usize, _: &mut Successors<usize, Order>) {}

    fn revision(&self) -> u64 {
        self.world.digest()
    }
}

impl Quest for QuestAtPlace<'_> {
    type View<'v>
        = ViewAtPlace<View<'v>>
    where
        Self: 'v;

    fn view<'v>(&'v self, place: &'v usize) -> ViewAtPlace<View<'v>> {
        ViewAtPlace {
            view: self.world.seen_by(self.agent, self.scenario),
            at: self.scenario.map().point_of(*place),
            height: self.scenario.map().height_of(*place),
        }
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

    fn agent(&self) -> AgentId {
        self.agent
    }
}

impl<S: Situation> Situation for ViewAtPlace<S> {
    fn agent(&self) -> AgentId {
        self.view.agent()
    }

    fn has(&self, thing: Thing) -> bool {
        self.view.has(thing)
    }

    fn position(&self, agent: AgentId) -> Point {
        if agent == self.view.agent() {
            self.at
        } else {
            self.view.position(agent)
        }
    }

    fn height(&self, agent: AgentId) -> f64 {
        if agent == self.view.agent() {
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

    fn parts_met(&self) -> usize {
        self.view.parts_met()
    }

    fn peril(&self) -> Peril {
        self.view.peril()
    }
}

game_of_quest!(QuestAtPlace<'_>);
