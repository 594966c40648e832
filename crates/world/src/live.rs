//! Our world as those see it who carry plans out.

use std::borrow::Cow;
use std::time::Duration;

use apprentice_experience::{Demonstration, Place};
use apprentice_game::{
    Condition, Ground, Landmark, LandmarkId, Live, PlannedStep, Quests, Rehearsing, Severity,
    StepIn, Visit,
};
use apprentice_search::{Budget, Cost};

use crate::on_floors::{are_on_floors, on_floors};
use crate::quest_problem::duration_of;
use crate::{
    Abilities, AgentId, AnyQuest, Event, Gait, Goal, Invalid, Margins, Order, Point, Quest,
    Rehearsal, Role, Scenario, Stance, Thing, Verification, VerifiedStep, Why, World,
};

/// A step of a plan in our world.
pub type WorldStep = PlannedStep<Order, World, Event>;

/// How much more than its margin says enemies are taken to hurt by somebody who is careful: what
/// was one blow is two, so that a plan that gets away by a moment is no plan.
const CAREFUL: f64 = 2.0;

/// Nobody takes longer for a step, in moments.
const LONGEST_STEP: u32 = 600;

/// Who a character is, and what it can do with every step.
///
/// ```
/// use apprentice_world::{Abilities, AgentId, Performer, Role, Scenario};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\nactor = [{ id = 'anna', at = [1, 0] }]").unwrap();
/// // Whoever says nothing else means whom the scenario plans for.
/// let somebody = Performer::from(Abilities::default());
/// assert_eq!(somebody.role_in(&scenario).agent, AgentId::NPC);
/// let anna = scenario.actor("anna").unwrap();
/// let annas = scenario.for_agent(anna).unwrap();
/// assert_eq!(somebody.role_in(&annas).agent, anna);
/// let second = Performer::from(Role::of(anna));
/// assert_eq!(second.role_in(&scenario).agent, anna);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Performer {
    /// Who it is, and how everybody else behaves meanwhile; whom the scenario
    /// [plans for](Scenario::agent) while all others follow their routes, if nobody says.
    pub role: Option<Role>,
    /// What its plans decide with every step.
    pub abilities: Abilities,
}

impl From<Abilities> for Performer {
    fn from(abilities: Abilities) -> Performer {
        Performer {
            role: None,
            abilities,
        }
    }
}

impl From<Role> for Performer {
    fn from(role: Role) -> Performer {
        Performer {
            role: Some(role),
            abilities: Abilities::default(),
        }
    }
}

impl Performer {
    /// Who it is in a scenario, and how everybody else behaves meanwhile.
    pub fn role_in(&self, scenario: &Scenario) -> Cow<'_, Role> {
        match &self.role {
            Some(role) => Cow::Borrowed(role),
            None => Cow::Owned(scenario.role()),
        }
    }
}

impl Quests for AnyQuest {
    type Order = Order;

    fn visit<V: Visit<Order>>(&self, visit: V) -> V::Answer {
        match self {
            AnyQuest::Still(quest) => visit.visit(quest),
            AnyQuest::Moving(quest) => visit.visit(quest),
        }
    }
}

impl AnyQuest {
    /// The scenario the plan is made in, and what is to be achieved.
    fn terms(&self) -> (&Scenario, &Goal) {
        match self {
            AnyQuest::Still(quest) => (quest.scenario(), quest.goal()),
            AnyQuest::Moving(quest) => (quest.scenario(), quest.goal()),
        }
    }

    /// The world the plan begins in.
    fn beginning(&self) -> &World {
        match self {
            AnyQuest::Still(quest) => quest.start_world(),
            AnyQuest::Moving(quest) => quest.start_world(),
        }
    }
}

impl Scenario {
    pub(crate) fn thing_of(&self, landmark: LandmarkId) -> Option<Thing> {
        let things = &self.shared_landmarks().things;
        things.get(landmark.index()).copied()
    }

    fn agent_of(&self, landmark: LandmarkId) -> Option<AgentId> {
        match self.thing_of(landmark)? {
            Thing::Agent(agent) => Some(agent),
            _ => None,
        }
    }

    /// Who somebody is.
    fn who_is(&self, who: &Performer) -> AgentId {
        who.role.as_ref().map_or(self.agent, |role| role.agent)
    }

    fn seen(&self, at: Point) -> Place {
        Place::flat(at.x, at.y)
    }
}

impl Live for Scenario {
    type World = World;
    type Order = Order;
    type Goal = Goal;
    type Who = Performer;
    type Quest = AnyQuest;
    type Failure = Invalid;
    type Event = Event;

    fn goal(&self, who: &Performer) -> &Goal {
        self.goal_of(self.who_is(who))
    }

    fn is_met(&self, who: &Performer, goal: &Goal, world: &World) -> bool {
        goal.is_met(&world.seen_by(self.who_is(who), self))
    }

    fn left(&self, who: &Performer, goal: &Goal, world: &World) -> Option<Goal> {
        world.left_of(goal, self.who_is(who), self)
    }

    fn has_order(&self, goal: &Goal) -> bool {
        goal.order().is_some()
    }

    fn time(&self, world: &World) -> Duration {
        world.time()
    }

    fn spot(&self, who: &Performer, world: &World) -> usize {
        world.place(self.who_is(who), self)
    }

    fn point(&self, place: usize) -> Place {
        if place < self.map.places() {
            self.map.at(place)
        } else {
            Place::default()
        }
    }

    fn quest(&self, who: &Performer, from: &World, goal: &Goal, margin_level: usize) -> AnyQuest {
        match margins(self.margins()).get(margin_level) {
            Some(margins) if margin_level > 0 => {
                let scenario = self.with_margins_from(from, *margins);
                AnyQuest::made(&scenario, from, &who.role_in(self), goal, who.abilities)
            }
            _ => AnyQuest::made(self, from, &who.role_in(self), goal, who.abilities),
        }
    }

    fn after(
        &self,
        who: &Performer,
        world: &World,
        order: &Order,
    ) -> Result<(World, Cost), Invalid> {
        let takes = duration_of(self, self.spot(who, world), *order);
        let mut then = World::clone(world);
        then.advance(self, &who.role_in(self).orders(*order), takes, &mut ());
        Ok((then, Cost::from_ticks(takes.as_nanos() as u64)))
    }

    /// Stays where it is, ready for what comes. Whoever sneaked there does not get up within sight.
    fn wait(&self, who: &Performer, last: Option<&Order>) -> Order {
        let last = last.map(|order| order.stance().gait());
        let gait = last.filter(|gait| *gait == Gait::Sneak);
        let stance = Stance::new(gait.unwrap_or(Gait::Walk));
        Order::Wait(if who.abilities.fights {
            stance.fighting()
        } else {
            stance
        })
    }

    fn idle(&self, _who: &Performer) -> Order {
        Order::WAIT
    }

    fn things(&self) -> &[Landmark] {
        self.landmarks()
    }

    fn named(&self, name: &str) -> Option<LandmarkId> {
        let thing = self.thing(name);
        // Nobody is an event of its own quest.
        let thing = thing.filter(|thing| *thing != Thing::Agent(self.agent()));
        thing.and_then(|thing| self.landmark(thing))
    }

    fn events(&self) -> Vec<LandmarkId> {
        let events = Scenario::events(self).iter();
        events.filter_map(|event| self.landmark(*event)).collect()
    }

    fn on_ground(&self, shown: &[Demonstration]) -> Option<Vec<Demonstration>> {
        if are_on_floors(&self.map, shown) {
            return None;
        }
        Some(shown.iter().map(|it| on_floors(&self.map, it)).collect())
    }

    fn condition(&self, who: &Performer, world: &World, landmark: LandmarkId) -> Condition {
        match self.thing_of(landmark) {
            Some(Thing::Item(item)) if world.holds(self.who_is(who), item) => Condition::Held,
            Some(Thing::Item(item)) if world.is_lying(item) => Condition::Lying,
            Some(Thing::Item(_)) => Condition::Gone,
            Some(Thing::Door(door)) if world.is_open(door) => Condition::Open,
            Some(Thing::Door(_)) => Condition::Shut,
            Some(Thing::Lever(lever)) if world.is_on(lever) => Condition::Pulled,
            Some(Thing::Lever(_)) => Condition::NotPulled,
            Some(Thing::Agent(agent)) if world.is_dead(agent, self) => Condition::Dead,
            Some(Thing::Agent(_)) => Condition::Alive,
            None => Condition::Undone,
        }
    }

    /// Doors that go by the clock don't count.
    fn lasts(&self, landmark: LandmarkId) -> bool {
        let Some(Thing::Door(door)) = self.thing_of(landmark) else {
            return true;
        };
        let door = self.doors.get(door.index());
        door.is_none_or(|door| door.cycle.is_none())
    }

    fn at(&self, who: &Performer, world: &World) -> Place {
        self.seen(world.position(self.who_is(who), self))
    }

    fn is_between_steps(&self, who: &Performer, world: &World) -> bool {
        !world.is_under_way(self.who_is(who))
    }

    /// Lets the world go on until the character stands, for at most a minute.
    fn end_of_step(&self, who: &Performer, world: &World, wait: &Order) -> World {
        let moment = Duration::from_millis(100);
        let from = self.spot(who, world);
        let mut ahead = World::clone(world);
        for _ in 0..LONGEST_STEP {
            ahead.advance(self, &who.role_in(self).orders(*wait), moment, &mut ());
            if self.spot(who, &ahead) != from || self.is_between_steps(who, &ahead) {
                break;
            }
        }
        ahead
    }

    fn came_to_nothing(
        &self,
        who: &Performer,
        order: &Order,
        before: &World,
        world: &World,
    ) -> bool {
        let is_still =
            before.position(self.who_is(who), self) == world.position(self.who_is(who), self);
        let stood = self.is_between_steps(who, before) && before.time() < world.time();
        matches!(order, Order::Step(..)) && is_still && stood
    }

    fn refuses(&self, who: &Performer) -> Option<String> {
        let refused = who.role_in(self).check(self).err();
        refused.map(|error| error.to_string())
    }

    /// Whoever is not in this level at all takes no orders either.
    fn is_dead(&self, who: &Performer, world: &World) -> bool {
        world.is_dead(self.who_is(who), self)
    }

    fn health(&self, who: &Performer, world: &World) -> f64 {
        world.health(self.who_is(who), self)
    }

    fn enemies(&self, world: &World) -> impl Iterator<Item = LandmarkId> {
        let enemies = (0..self.enemies.len() as u16).map(AgentId::Enemy);
        let living = enemies.filter(|enemy| !world.is_dead(*enemy, self));
        living.filter_map(|enemy| self.landmark(Thing::Agent(enemy)))
    }

    fn whereabouts(&self, world: &World, agent: LandmarkId) -> Place {
        let at = self.agent_of(agent).map(|it| world.position(it, self));
        at.map_or(Place::default(), |at| self.seen(at))
    }

    fn health_of(&self, world: &World, agent: LandmarkId) -> f64 {
        let agent = self.agent_of(agent);
        agent.map_or(0.0, |agent| world.health(agent, self))
    }

    fn is_after(&self, who: &Performer, world: &World, enemy: LandmarkId) -> bool {
        let enemy = self.agent_of(enemy);
        enemy.is_some_and(|enemy| world.target(enemy, self) == Some(self.who_is(who)))
    }

    /// Whether something opens, shuts or moves by itself, or anybody else is elsewhere, or up to
    /// something else.
    fn stirs(&self, who: &Performer, then: &World, now: &World) -> bool {
        if !self.obstacles.is_empty() || self.doors.iter().any(|door| door.cycle.is_some()) {
            return true;
        }
        let actors = (0..self.actors.len() as u16).map(AgentId::Actor);
        let actors = actors.filter(|actor| *actor != self.who_is(who));
        let enemies = (0..self.enemies.len() as u16).map(AgentId::Enemy);
        let living = enemies.filter(|enemy| !now.is_dead(*enemy, self));
        actors.chain(living).any(|agent| {
            now.position(agent, self) != then.position(agent, self)
                || now.mode(agent, self) != then.mode(agent, self)
        })
    }

    fn others_move(&self, quest: &AnyQuest) -> bool {
        matches!(quest, AnyQuest::Moving(_))
    }

    fn margin_levels(&self) -> usize {
        margins(self.margins()).len()
    }

    fn is_as_careful(&self, level: usize, other: usize) -> bool {
        let levels = margins(self.margins());
        let (Some(this), Some(other)) = (levels.get(level), levels.get(other)) else {
            return true;
        };
        this.damage >= other.damage && this.radius >= other.radius
    }

    fn expectation(
        &self,
        who: &Performer,
        quest: &AnyQuest,
        _from: &World,
        orders: Vec<Order>,
    ) -> Box<dyn Rehearsing<Scenario>> {
        let (scenario, goal) = quest.terms();
        Box::new(Verifying {
            scenario: scenario.clone(),
            goal: goal.clone(),
            verification: Verification::new(quest.beginning(), orders)
                .in_role(who.role_in(self).into_owned()),
            lived: Vec::new(),
        })
    }

    fn rehearsal(
        &self,
        who: &Performer,
        start: &World,
        orders: Vec<Order>,
        tick: Duration,
        as_in: Option<&AnyQuest>,
    ) -> Option<Box<dyn Rehearsing<Scenario>>> {
        Some(Box::new(InTicks {
            scenario: as_in.map(|quest| quest.terms().0.clone()),
            rehearsal: Rehearsal::new(start, orders, tick).in_role(who.role_in(self).into_owned()),
            lived: None,
        }))
    }

    fn severity(&self, failure: &Invalid) -> Severity {
        match failure.why {
            Why::Dies { .. } => Severity::Kills,
            Why::GoalNotMet { .. } => Severity::FallsShort,
            _ => Severity::Stops,
        }
    }
}

/// A plan that was found, lived through in whole steps with all margins.
struct Verifying {
    scenario: Scenario,
    goal: Goal,
    verification: Verification,
    lived: Vec<VerifiedStep>,
}

impl Rehearsing<Scenario> for Verifying {
    fn go_on(
        &mut self,
        _level: &Scenario,
        _goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), Invalid>> {
        let outcome = self
            .verification
            .go_on(&self.scenario, &self.goal, budget)?;
        Some(outcome.map(|lived| self.lived = lived.steps))
    }

    fn into_lived(self: Box<Self>) -> Vec<StepIn<Scenario>> {
        planned(self.lived)
    }
}

/// A plan that is lived through in ticks of a game.
struct InTicks {
    /// With the margins it was made with; as things are, if there are none.
    scenario: Option<Scenario>,
    rehearsal: Rehearsal,
    /// All of it, if it went well.
    lived: Option<Vec<VerifiedStep>>,
}

impl Rehearsing<Scenario> for InTicks {
    fn go_on(
        &mut self,
        level: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), Invalid>> {
        let scenario = self.scenario.as_ref().unwrap_or(level);
        let outcome = self.rehearsal.go_on(scenario, goal, budget)?;
        Some(outcome.map(|lived| self.lived = Some(lived.steps)))
    }

    fn into_lived(self: Box<Self>) -> Vec<StepIn<Scenario>> {
        planned(match self.lived {
            Some(lived) => lived,
            None => self.rehearsal.into_lived(),
        })
    }
}

fn planned(lived: Vec<VerifiedStep>) -> Vec<WorldStep> {
    let steps = lived.into_iter().map(|step| PlannedStep {
        time: step.time,
        order: step.order,
        events: step.events,
        world: step.world,
    });
    steps.collect()
}

impl VerifiedStep {
    /// A step of a plan that an agent follows, as those see it who show plans.
    ///
    /// ```
    /// use apprentice_game::PlannedStep;
    /// use apprentice_search::Cost;
    /// use apprentice_world::{AgentId, Order, Scenario, VerifiedStep, World};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [1, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }")?;
    /// let (world, time) = (World::new(&scenario), Cost::from_seconds(1.0));
    /// let step = PlannedStep { time, order: Order::WAIT, events: Vec::new(), world };
    /// assert_eq!(VerifiedStep::of_plan(&scenario, AgentId::NPC, &step).place, 1);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn of_plan(scenario: &Scenario, agent: AgentId, step: &WorldStep) -> VerifiedStep {
        let world = &step.world;
        VerifiedStep {
            time: step.time,
            order: step.order,
            place: world.place(agent, scenario),
            at: world.position(agent, scenario),
            health: world.health(agent, scenario),
            holding: world.holding(agent).collect(),
            events: step.events.clone(),
            world: World::clone(world),
        }
    }
}

/// How much worse than they are enemies are taken to be, in the order in which it is tried: as the
/// scenario says, then so that nobody gets away by a moment; both again with the radii enemies have,
/// because whoever is to be lured comes only from there, and because a margin may leave no way where
/// there is one; at last as they are.
fn margins(margins: Margins) -> Vec<Margins> {
    let careful = |margins: Margins| Margins {
        damage: margins.damage * CAREFUL,
        ..margins
    };
    let luring = Margins {
        radius: 1.0,
        ..margins
    };
    let mut levels = Vec::with_capacity(5);
    for margins in [
        margins,
        careful(margins),
        luring,
        careful(luring),
        Margins::NONE,
    ] {
        if !levels.contains(&margins) {
            levels.push(margins);
        }
    }
    levels
}
