//! Plans as they are saved.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use apprentice_game::{Live, Savable};
use apprentice_search::saved::{LoadError, unsound};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Lightening, Plan, Step, Way};

/// A plan as it is saved: what is to be done stands elsewhere, for all who do the same.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedPlan {
    way: u32,
    done: u64,
    begun: bool,
    delay: Duration,
}

/// What several have to do, each thing once.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub(crate) struct SavedWays<L: Savable> {
    #[serde(serialize_with = "write_ways", deserialize_with = "read_ways")]
    ways: Vec<Arc<Way<L>>>,
    #[serde(skip)]
    known: BTreeMap<usize, u32>,
}

fn write_ways<L: Savable, S: Serializer>(
    ways: &[Arc<Way<L>>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ways.iter().map(|way| &**way))
}

fn read_ways<'de, L: Savable, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Arc<Way<L>>>, D::Error> {
    let ways = Vec::<Way<L>>::deserialize(deserializer)?;
    Ok(ways.into_iter().map(Arc::new).collect())
}

impl<L: Savable> Default for SavedWays<L> {
    fn default() -> SavedWays<L> {
        SavedWays {
            ways: Vec::new(),
            known: BTreeMap::new(),
        }
    }
}

impl<L: Savable> SavedWays<L> {
    /// The number of one, which is added if it is not there.
    pub(crate) fn number(&mut self, way: &Arc<Way<L>>) -> u32 {
        let ways = &mut self.ways;
        let number = self
            .known
            .entry(Arc::as_ptr(way).addr())
            .or_insert_with(|| {
                // Whoever still makes it light must have it alone.
                ways.push(match way.is_light() {
                    true => way.clone(),
                    false => Arc::new(way.copied()),
                });
                ways.len() as u32 - 1
            });
        *number
    }

    pub(crate) fn get(&self, number: u32) -> Result<Arc<Way<L>>, LoadError> {
        let way = self.ways.get(number as usize).cloned();
        way.ok_or_else(|| unsound("somebody has a plan that is not there"))
    }

    /// Looks whether all of it can be.
    pub(crate) fn check(&self, level: &L) -> Result<(), LoadError> {
        self.ways.iter().try_for_each(|way| way.check(level))
    }

    pub(crate) fn save(&mut self, plan: &Plan<L>) -> SavedPlan {
        SavedPlan {
            way: self.number(&plan.way),
            done: plan.done as u64,
            begun: plan.begun,
            delay: plan.delay,
        }
    }

    pub(crate) fn load(&self, saved: &SavedPlan) -> Result<Plan<L>, LoadError> {
        let mut plan = Plan::new(self.get(saved.way)?);
        plan.done = saved.done as usize;
        if plan.done > plan.way.steps.len() {
            return Err(unsound("somebody is beyond the end of its plan"));
        }
        check_duration(saved.delay)?;
        (plan.begun, plan.delay) = (saved.begun, saved.delay);
        Ok(plan)
    }
}

impl<L: Live> Way<L> {
    fn copied(&self) -> Way<L> {
        let step = |step: &Step<L>| Step {
            time: step.time,
            order: step.order.clone(),
            events: step.events.clone(),
            at: step.at,
            spot: step.spot,
            world: step.world.clone(),
        };
        Way {
            start: self.start.clone(),
            steps: self.steps.iter().map(step).collect(),
            health: self.health,
            lightening: match &self.lightening {
                Lightening::Under(seen, last) => Lightening::Under(*seen, last.clone()),
                Lightening::Done => Lightening::Done,
            },
        }
    }
}

impl<L: Savable> Way<L> {
    fn check(&self, level: &L) -> Result<(), LoadError> {
        let check = |world: &L::World| level.check(world).map_err(unsound);
        check(&self.start)?;
        for step in &self.steps {
            check_duration(step.at)?;
            step.world.as_deref().map_or(Ok(()), check)?;
        }
        if let Lightening::Under(seen, last) = &self.lightening {
            if *seen > self.steps.len() {
                return Err(unsound("more of a plan was looked at than there is"));
            }
            last.as_ref().map_or(Ok(()), check)?;
        }
        Ok(())
    }
}

/// No game lasts longer: a hundred years.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// A time that can be added to others.
pub(crate) fn check_duration(duration: Duration) -> Result<(), LoadError> {
    match duration <= LONGEST {
        true => Ok(()),
        false => Err(unsound("something lasts for more than a hundred years")),
    }
}
