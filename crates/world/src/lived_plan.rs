//! A plan that was lived through in our world, as explanations ask about it.

use apprentice_experience::{Demonstration, Place};
use apprentice_game::{
    Because, Deed, Ears, Ground, Landmark, LandmarkId, Live, Obstacle, Story, Verb,
};

use crate::level_ground::is_free;
use crate::{
    AgentId, DoorId, Event, Gait, ItemId, Manner, Order, Point, Rules, Scenario, Thing,
    VerifiedStep, World,
};

/// A plan as it was lived through: the world it begins in, and what each order led to.
///
/// ```
/// use apprentice_game::Story;
/// use apprentice_world::{Direction, Gait, LivedPlan, Order, Scenario, Stance, World, verify};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
/// let start = World::new(&scenario);
/// let orders = [Order::Step(Direction::East, Stance::new(Gait::Walk)); 2];
/// let steps = verify(&scenario, &start, &orders, scenario.goal())?.steps;
/// let plan = LivedPlan { scenario: &scenario, start: &start, steps: &steps };
/// assert_eq!((plan.steps(), plan.at(2).x, plan.time(2)), (2, 2.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct LivedPlan<'a> {
    /// The scenario, as the plan takes it to be.
    pub scenario: &'a Scenario,
    /// The world the plan begins in.
    pub start: &'a World,
    /// The plan, as it was lived through.
    pub steps: &'a [VerifiedStep],
}

impl Story for LivedPlan<'_> {
    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn at(&self, steps: usize) -> Place {
        match steps.checked_sub(1) {
            Some(last) => self.seen(self.steps[last].at, self.steps[last].place),
            None => self.position(self.start, self.scenario.agent()),
        }
    }

    fn time(&self, steps: usize) -> f64 {
        match steps.checked_sub(1) {
            Some(last) => self.steps[last].time.as_seconds(),
            None => 0.0,
        }
    }

    fn landmarks(&self) -> &[Landmark] {
        self.scenario.landmarks()
    }

    fn deeds(&self, step: usize) -> Vec<Deed> {
        let events = self.steps[step].events.iter();
        events.filter_map(|event| self.deed(*event, step)).collect()
    }

    fn on_ground(&self, shown: &[Demonstration]) -> Option<Vec<Demonstration>> {
        self.scenario.on_ground(shown)
    }

    fn obstacle(&self, at: Place) -> Option<Obstacle> {
        let (map, point) = (self.scenario.map(), Point::new(at.x, at.y));
        if is_free(map, point) {
            return None;
        }
        // A mesh ends at its walls.
        let is_wall = map.grid().is_none() || map.is_on(point);
        Some(if is_wall {
            Obstacle::Wall
        } else {
            Obstacle::OffMap
        })
    }

    fn listeners(&self) -> Vec<Ears> {
        let enemies = (0..).zip(self.scenario.enemies());
        let listen = enemies.filter(|(_, enemy)| !enemy.ignores(self.scenario.agent()));
        let ears = listen.filter_map(|(number, enemy)| {
            let thing = Thing::Agent(AgentId::Enemy(number));
            let (walking, sneaking) = hearing(&enemy.kind.manner);
            Some(Ears {
                landmark: self.scenario.landmark(thing)?,
                home: self.scenario.map().at(self.scenario.place_of(thing)),
                walking,
                sneaking,
            })
        });
        ears.collect()
    }

    fn whereabouts(&self, steps: usize, listener: LandmarkId) -> Place {
        match self.scenario.thing_of(listener) {
            Some(Thing::Agent(agent)) => self.position(self.world(steps), agent),
            _ => Place::default(),
        }
    }

    fn is_sneaked(&self, step: usize) -> bool {
        match self.steps[step].order {
            Order::Wait(_) => false,
            order => order.stance().gait() == Gait::Sneak,
        }
    }

    fn is_run(&self, step: usize) -> bool {
        match self.steps[step].order {
            Order::Wait(_) => false,
            order => order.stance().gait() == Gait::Run,
        }
    }
}

impl LivedPlan<'_> {
    /// The world after so many steps.
    fn world(&self, steps: usize) -> &World {
        match steps.checked_sub(1) {
            Some(last) => &self.steps[last].world,
            None => self.start,
        }
    }

    /// A point as demonstrations see it, on the floor of the place it is in.
    fn seen(&self, at: Point, place: usize) -> Place {
        let map = self.scenario.map();
        let height = Some(map.height_of(place)).filter(|_| !map.is_flat());
        Place::new(at.x, at.y, height.unwrap_or(0.0))
    }

    /// Where an agent is in a world.
    fn position(&self, world: &World, agent: AgentId) -> Place {
        let place = world.place(agent, self.scenario);
        self.seen(world.position(agent, self.scenario), place)
    }

    fn deed(&self, event: Event, step: usize) -> Option<Deed> {
        let (verb, sort, thing, because) = self.done(event, step)?;
        Some(Deed {
            verb,
            sort,
            landmark: self.scenario.landmark(thing)?,
            because,
        })
    }

    /// What is done to which thing, and what for.
    fn done(
        &self,
        event: Event,
        step: usize,
    ) -> Option<(Verb, Option<&'static str>, Thing, Option<Because>)> {
        let scenario = self.scenario;
        let id = |thing| scenario.landmark(thing);
        Some(match event {
            Event::PickedUp { agent, item } if agent == scenario.agent() => {
                let mut doors = (0..scenario.doors().len() as u8).map(DoorId::new);
                let opens = doors.find(|door| self.key_used(*door) == Some(item));
                let door = opens.and_then(|door| id(Thing::Door(door)));
                let because = door.map(|door| Because::NeededBy(door, Some("door")));
                let sort = scenario.items()[item.index()].kind.name();
                (Verb::Fetch, Some(sort), Thing::Item(item), because)
            }
            Event::LeverPulled { agent, lever } if agent == scenario.agent() => {
                let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
                let opens = doors
                    .filter(|door| scenario.levers_of(*door).any(|other| other == lever))
                    .filter_map(|door| id(Thing::Door(door)));
                let opens: Vec<LandmarkId> = opens.collect();
                let because = (!opens.is_empty()).then_some(Because::Opens(opens));
                (Verb::Pull, Some("lever"), Thing::Lever(lever), because)
            }
            Event::DoorOpened { door } if scenario.doors()[door.index()].cycle.is_none() => {
                // Doors that levers open are elsewhere, and told with the lever.
                let key = self.key_used_in(door, step)?;
                let because = id(Thing::Item(key)).map(Because::With);
                (Verb::Open, Some("door"), Thing::Door(door), because)
            }
            Event::Died {
                agent: agent @ AgentId::Enemy(_),
            } => (Verb::Defeat, None, Thing::Agent(agent), None),
            _ => return None,
        })
    }

    /// The key that opens a door somewhere in the plan.
    fn key_used(&self, door: DoorId) -> Option<ItemId> {
        let mut steps = 0..self.steps.len();
        steps.find_map(|number| self.key_used_in(door, number))
    }

    /// The key that opens a door in this step: one that was held before, by whoever then stands in
    /// the door.
    fn key_used_in(&self, door: DoorId, number: usize) -> Option<ItemId> {
        let step = &self.steps[number];
        let opens = step.events.contains(&Event::DoorOpened { door });
        let stands_there = self.scenario.doors()[door.index()]
            .places
            .contains(&step.place);
        if !opens || !stands_there {
            return None;
        }
        let before = self.world(number);
        let mut keys = self.scenario.keys_of(door);
        keys.find(|key| before.holds(self.scenario.agent(), *key))
    }
}

/// From how far somebody is noticed, walking and sneaking.
fn hearing(manner: &Manner) -> (f64, f64) {
    match manner {
        Manner::Guard(guard) => (guard.radius, guard.sneak_radius),
        Manner::Beast(beast) => (
            beast.radius,
            (beast.radius * Rules::noise(Gait::Sneak)).max(beast.reach),
        ),
    }
}
