//! What a player may be after, told from where they go.

use std::collections::VecDeque;
use std::time::Duration;

use apprentice_game::DistanceField;
use apprentice_playstyle::Distribution;
use apprentice_recognition::{Costs, Habits, Likelihood, Recognition};
use apprentice_search::{Budget, Cost};
use apprentice_world::{
    AgentId, Gait, Goal, ItemId, LeverId, Manner, Map, PlayerModel, Point, Scenario, Thing, World,
};

use crate::Deeds;

/// What a player may be after: where they want to be, everything that can be fetched or pulled, and
/// everybody who can be killed.
///
/// Whoever wants something goes there on a good way. So the ways they have gone lately are held against
/// the shortest ones ([`Recognition`]): of everything, it is asked how much farther it was by where they
/// went. What was done already is nothing they are after.
#[derive(Clone, Debug)]
pub(crate) struct Aims {
    all: Vec<Aim>,
    /// Where the player was lately, the oldest first.
    been: VecDeque<Footstep>,
    likelihood: Likelihood,
    now: Recognition,
}

#[derive(Clone, Debug)]
struct Aim {
    name: String,
    what: What,
    at: Vec<Point>,
    /// The ways there; of enemies [`Deeds`] has them.
    ways: Option<DistanceField>,
}

#[derive(Clone, Copy, Debug)]
enum What {
    ToBeThere,
    Fetch(ItemId),
    Pull(LeverId),
    Kill(u16),
}

#[derive(Clone, Copy, Debug)]
struct Footstep {
    time: Duration,
    place: usize,
    at: Point,
    /// How long a walk it was from where the player was first seen.
    walked: f64,
}

/// Older steps tell nothing: players change their minds, too.
const LATELY: Duration = Duration::from_secs(20);
/// Whoever was shown as near to something as that was after it, in cells or metres: as far as a bear
/// reaches.
const AT_IT: f64 = 2.0;

impl Aims {
    /// Nothing was seen yet. Sweeps the map once for everything but enemies.
    pub(crate) fn new(scenario: &Scenario) -> Aims {
        let (map, speed) = (scenario.map(), scenario.rules().speed(Gait::Walk));
        let ways_to = |places: Vec<usize>| {
            let mut ways = DistanceField::to(map, places, speed);
            ways.sweep(map, &mut Budget::unlimited());
            Some(ways)
        };
        let thing = |thing: Thing, what: What| {
            let place = scenario.place_of(thing);
            Aim {
                name: scenario.id_of(thing).to_owned(),
                what,
                at: vec![map.point_of(place)],
                ways: match what {
                    What::Kill(_) => None,
                    _ => ways_to(vec![place]),
                },
            }
        };
        let mut all = Vec::new();
        let (mut there, mut at) = (Vec::new(), Vec::new());
        places_of(scenario.goal_of(AgentId::PLAYER), map, &mut there, &mut at);
        all.push(Aim {
            name: "the goal".to_owned(),
            what: What::ToBeThere,
            ways: ways_to(there),
            at,
        });
        let items = (0..scenario.items().len() as u8).map(ItemId::new);
        all.extend(items.map(|item| thing(Thing::Item(item), What::Fetch(item))));
        let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
        all.extend(levers.map(|lever| thing(Thing::Lever(lever), What::Pull(lever))));
        for (number, enemy) in (0..).zip(scenario.enemies()) {
            // Guards cannot be hurt.
            if matches!(enemy.kind.manner, Manner::Beast(_)) {
                let agent = Thing::Agent(AgentId::Enemy(number));
                all.push(thing(agent, What::Kill(number)));
            }
        }
        let likelihood = Likelihood::default();
        let unknown = all.iter().map(|_| UNKNOWN).collect();
        Aims {
            all,
            been: VecDeque::new(),
            now: Recognition::of(unknown, None, &likelihood),
            likelihood,
        }
    }

    /// The player is somewhere, now. To be called at every look.
    pub(crate) fn look(&mut self, scenario: &Scenario, world: &World, deeds: &Deeds) {
        let now = Footstep {
            time: world.time(),
            place: world.place(AgentId::PLAYER, scenario),
            at: world.position(AgentId::PLAYER, scenario),
            walked: 0.0,
        };
        let speed = scenario.rules().speed(Gait::Walk);
        let walked = self.been.back().map_or(0.0, |last| {
            last.walked + last.at.distance_to(now.at) / speed
        });
        self.been.push_back(Footstep { walked, ..now });
        while (self.been.front()).is_some_and(|first| now.time.saturating_sub(first.time) > LATELY)
        {
            self.been.pop_front();
        }
        let Some(first) = self.been.front() else {
            return;
        };
        let costs = self.all.iter().map(|aim| {
            let to = |place| aim.walk(deeds, place);
            let rest = match aim.is_left(scenario, world) {
                true => to(now.place),
                false => Cost::INFINITE,
            };
            Costs {
                at_best: to(first.place),
                explaining: Cost::from_seconds(walked - first.walked) + rest,
                settled: true,
            }
        });
        self.now = Recognition::of(costs.collect(), None, &self.likelihood);
    }

    /// The ways to where a goal asks somebody to be.
    pub(crate) fn ways_to(goal: &Goal, scenario: &Scenario) -> DistanceField {
        let map = scenario.map();
        let (mut places, mut at) = (Vec::new(), Vec::new());
        places_of(goal, map, &mut places, &mut at);
        let mut ways = DistanceField::to(map, places, scenario.rules().speed(Gait::Walk));
        ways.sweep(map, &mut Budget::unlimited());
        ways
    }

    /// How likely each is by the ways alone.
    pub(crate) fn recognised(&self) -> &Recognition {
        &self.now
    }

    /// What each of them is called, with how likely it is by a belief about them.
    pub(crate) fn named(&self, belief: &Distribution) -> Vec<(&str, f64)> {
        let likely = belief.probabilities().iter().copied();
        self.all.iter().map(|aim| &*aim.name).zip(likely).collect()
    }

    /// What players of each class are after, as models of them are: a class, and how it goes.
    pub(crate) fn habits<'m>(
        &self,
        scenario: &Scenario,
        classes: usize,
        models: impl IntoIterator<Item = (usize, &'m PlayerModel)>,
    ) -> Habits {
        let start = World::new(scenario);
        let mut counts = vec![vec![0; self.all.len()]; classes];
        for (class, model) in models {
            let way = model.ahead(scenario, &start, AgentId::PLAYER);
            for (count, aim) in counts[class].iter_mut().zip(&self.all) {
                let comes_to =
                    |point: &Point| aim.at.iter().any(|at| at.distance_to(*point) <= AT_IT);
                *count += u32::from(way.iter().any(comes_to));
            }
        }
        Habits::counted(&counts)
    }
}

/// Before anybody was seen, everything is as likely as anything else.
const UNKNOWN: Costs = Costs {
    at_best: Cost::ZERO,
    explaining: Cost::ZERO,
    settled: true,
};

impl Aim {
    fn walk(&self, deeds: &Deeds, from: usize) -> Cost {
        match (&self.ways, self.what) {
            (Some(ways), _) => ways.at(from),
            (None, What::Kill(enemy)) => deeds.walk_to(enemy, from),
            (None, _) => Cost::INFINITE,
        }
    }

    /// Whether it was not done yet.
    fn is_left(&self, scenario: &Scenario, world: &World) -> bool {
        match self.what {
            What::ToBeThere => true,
            What::Fetch(item) => world.is_lying(item),
            What::Pull(lever) => !world.is_on(lever),
            What::Kill(enemy) => !world.is_dead(AgentId::Enemy(enemy), scenario),
        }
    }
}

/// Where a goal asks a player to be.
fn places_of(goal: &Goal, map: &Map, places: &mut Vec<usize>, at_all: &mut Vec<Point>) {
    match goal {
        Goal::Within { at, height, radius }
        | Goal::AgentWithin {
            agent: AgentId::PLAYER,
            at,
            height,
            radius,
        } => {
            places.extend(map.places_on_floor(*at, *height, *radius));
            at_all.push(*at);
        }
        Goal::All(goals) | Goal::Any(goals) => {
            for goal in goals {
                places_of(goal, map, places, at_all);
            }
        }
        _ => {}
    }
}
