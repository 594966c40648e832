//! Who stands in the way where there is no plan: the enemies without whom there would be one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use apprentice::behavior::Planner;
use apprentice::experience::Demonstration;
use apprentice::search::{Budget, Status};
use apprentice::world::{Abilities, AnyQuest, Quest, Scenario};

use crate::clock::Clock;
use crate::folder::Folder;
use crate::level::{self, ReadLevel};
use crate::protocol::{Edit, PlannerSettings};
use crate::{planning, scenario_text};

/// More are not tried: it takes a plan for each.
const MOST_TRIED: usize = 8;
/// A plan without one of them may take so long.
const PATIENCE: Duration = Duration::from_millis(400);
/// States take some memory meanwhile.
const MEMORY: u64 = 256 << 20;

/// The ids of the enemies without each of whom there would be a plan. Stops when the flag is raised.
pub(crate) fn of(
    (folder, clock): (&Folder, Clock),
    level: &ReadLevel,
    (settings, shown): (&PlannerSettings, &[Demonstration]),
    stop: &AtomicBool,
) -> Vec<String> {
    let enemies = level.scenario.enemies().iter().take(MOST_TRIED);
    let blocks = enemies.filter(|enemy| {
        let thing = enemy.id.clone();
        let without = scenario_text::edited(&level.text, &[Edit::Remove { thing }]);
        let without = without.ok().and_then(|edited| {
            // One who is asked for by the goal cannot be taken out.
            level::parse(folder, &level.path, &edited.text).ok()
        });
        without.is_some_and(|scenario| {
            let checked = planning::planner(&scenario, settings, shown);
            checked.is_ok_and(|checked| has_plan(&scenario, &checked.planner, (clock, stop)))
        })
    });
    blocks.map(|enemy| enemy.id.clone()).collect()
}

fn has_plan(scenario: &Scenario, planner: &Planner, until: (Clock, &AtomicBool)) -> bool {
    match &scenario.quest_with(Abilities::default()) {
        AnyQuest::Still(quest) => is_solved(quest, planner, until),
        AnyQuest::Moving(quest) => is_solved(quest, planner, until),
    }
}

fn is_solved<Q: Quest + 'static>(
    quest: &Q,
    planner: &Planner,
    (clock, stop): (Clock, &AtomicBool),
) -> bool {
    let Ok(mut named) = planner.search(quest) else {
        return false;
    };
    let mut budget = Budget::unlimited()
        .within_memory(MEMORY)
        .until_by(&clock, clock() + PATIENCE)
        .unless(stop);
    matches!(
        named.search.run(quest, &mut budget),
        Status::Improved | Status::Finished
    )
}
