//! What somebody is after, from where they were seen: for the command line and the bindings alike.

use apprentice::experience::DemonstrationLog;
use apprentice::game::Game;
use apprentice::recognition::{Costs, Gaps, costs_of};
use apprentice::search::{Budget, Cost};
use apprentice::world::{Abilities, AnyQuest, Goal, Map, Point, Scenario, ShortestPath, World};

/// Where somebody was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sightings {
    /// The places, in order, and no more of them than tell something.
    pub places: Vec<usize>,
    /// How many observations are nowhere on the map.
    pub off_the_map: usize,
}

/// More places than these tell nothing more, and take longer.
const PLACES: usize = 48;

/// How far from a place somebody may be seen who is there.
const NEAR: f64 = 0.75;

impl Sightings {
    /// Those a log tells of.
    pub fn in_log(map: &Map, log: &DemonstrationLog) -> Sightings {
        let mut sightings = Sightings::default();
        for sample in &log.samples {
            let point = Point::new(sample.place.x, sample.place.y);
            // Where floors lie above each other, the height tells which one is meant.
            let near = map.places_on_floor(point, Some(sample.place.z), NEAR);
            let away = |place: &usize| map.point_of(*place).distance_to(point);
            let place = near.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)));
            match place.or_else(|| map.place_at(point)) {
                Some(place) if sightings.places.last() != Some(&place) => {
                    sightings.places.push(place);
                }
                Some(_) => {}
                None => sightings.off_the_map += 1,
            }
        }
        let step = sightings.places.len().div_ceil(PLACES).max(1);
        // From the end, so that the latest is among them.
        let kept = sightings.places.iter().rev().step_by(step);
        sightings.places = kept.copied().collect();
        sightings.places.reverse();
        sightings
    }

    /// What a goal costs whoever begins where the level does, at best and as they were seen; each
    /// sighting that is off the way costs `price`. `None`: the budget is spent first.
    pub fn costs(
        &self,
        scenario: &Scenario,
        goal: &Goal,
        price: Cost,
        budget: &mut Budget<'_>,
    ) -> Option<Costs> {
        let world = World::new(scenario);
        match &AnyQuest::new(scenario, &world, goal, Abilities::default()) {
            AnyQuest::Still(quest) => self.costs_in(quest, price, budget),
            AnyQuest::Moving(quest) => self.costs_in(quest, price, budget),
        }
    }

    fn costs_in<Q: Game>(&self, quest: &Q, price: Cost, budget: &mut Budget<'_>) -> Option<Costs> {
        // Where they begin, everybody is, whatever they are after.
        let began = quest.place(&quest.start());
        let seen = match self.places.split_first() {
            Some((first, rest)) if *first == began => rest,
            _ => &self.places,
        };
        let explains = |number: usize, _: &Q::State, _: &Q::Action, to: &Q::State| {
            quest.place(to) == seen[number]
        };
        let (gaps, estimate) = (Gaps::For(price), ShortestPath::default);
        costs_of(quest, seen.len(), gaps, explains, estimate, budget)
    }
}
