//! Areas that plans would rather go through, or around: a second there counts as more or as less.

use std::sync::Arc;

use apprentice_search::Cost;

use crate::{AgentId, Scenario};

/// An area in which a second of a plan counts as so many: more than one where one would rather not be,
/// less where one likes to be.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(
///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.....'] }\n\
///      area = [{ id = 'swamp', from = [1, 0], to = [3, 0], counts = 4.0 }]",
/// )?;
/// assert_eq!(scenario.areas()[0].places, [1, 2, 3]);
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// What the scenario file calls it.
    pub id: String,
    /// Its places, in ascending order.
    pub places: Vec<usize>,
    /// How many seconds a second there counts.
    pub counts: f64,
    /// Those who mind, of all who take orders; all of them, if there are none.
    pub who: Vec<AgentId>,
}

/// How much a second in each place counts, for one of those who take orders; nothing is said where it is
/// a second everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    of_places: Arc<[f64]>,
    least: f64,
}

impl Area {
    /// The least that a second may count as.
    pub const LEAST: f64 = 0.01;
    /// The most that a second may count as.
    pub const MOST: f64 = 1000.0;
}

impl Counts {
    /// What areas say of a map for somebody; `None` if they say nothing.
    pub(crate) fn new(areas: &[Area], agent: AgentId, places: usize) -> Option<Counts> {
        let minds = |area: &&Area| area.who.is_empty() || area.who.contains(&agent);
        let mut of_places = vec![1.0; places];
        let mut least = 1.0_f64;
        for area in areas.iter().filter(minds) {
            for place in &area.places {
                of_places[*place] *= area.counts;
            }
        }
        // Areas on top of each other multiply, but never to what nobody would write for one.
        for counts in &mut of_places {
            *counts = counts.clamp(Area::LEAST, Area::MOST);
        }
        let says_something = of_places.iter().any(|counts| *counts != 1.0);
        least = of_places.iter().copied().fold(least, f64::min);
        says_something.then(|| Counts {
            of_places: of_places.into(),
            least,
        })
    }

    /// What so much time counts that is spent on the way to a place, or in it.
    #[inline]
    pub(crate) fn cost(&self, place: usize, time: Cost) -> Cost {
        let counts = self.of_places[place];
        if counts == 1.0 {
            return time;
        }
        Cost::round_up(time.as_seconds() * counts)
    }
}

/// Rounding must not make a bound higher than what it bounds.
const ROUNDING: f64 = 1.0 + 1e-6;

impl Scenario {
    /// The areas that plans would rather go through, or around.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// How much a second counts where, for one of those who take orders.
    #[inline]
    pub(crate) fn counts_for(&self, actor: usize) -> Option<&Counts> {
        self.tables.counts.get(actor)?.as_ref()
    }

    /// What so much time counts for somebody who ends a step in a place.
    #[inline]
    pub(crate) fn cost_of_time(&self, actor: usize, place: usize, time: Cost) -> Cost {
        match self.counts_for(actor) {
            Some(counts) => counts.cost(place, time),
            None => time,
        }
    }

    /// How little a second may count at least for somebody: 1 where nothing counts less. Bounds are that
    /// much lower.
    #[inline]
    pub(crate) fn least_counted(&self, agent: AgentId) -> f64 {
        let AgentId::Actor(actor) = agent else {
            return 1.0;
        };
        match self.counts_for(usize::from(actor)) {
            Some(counts) if counts.least < 1.0 => counts.least / ROUNDING,
            _ => 1.0,
        }
    }
}
