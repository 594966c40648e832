//! The plugin: three sets of systems, in which the game is heard, everybody thinks, and is told.

use bevy_app::{App, Plugin, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_time::Time;

use crate::apprentices::Said;
use crate::messages::Tell;
use crate::{
    Apprentices, Arrived, Character, Importance, NoPlan, Observed, Order, PlanBroke, PlanChanged,
    PlanState, Pursues, Refused, Reload, Reloaded, Seen, Task, TaskBegun, TaskDone,
};

/// Lets characters think in every frame, or in every run of another schedule. It needs a [`Time`] and
/// [`Apprentices`]; as long as one of them is missing, nothing happens.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_apprentice::ApprenticePlugin;
///
/// App::new().add_plugins(ApprenticePlugin::in_schedule(FixedUpdate));
/// ```
pub struct ApprenticePlugin {
    schedule: InternedScheduleLabel,
}

impl Default for ApprenticePlugin {
    /// In every frame.
    fn default() -> ApprenticePlugin {
        ApprenticePlugin::in_schedule(Update)
    }
}

impl ApprenticePlugin {
    /// In every run of a schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> ApprenticePlugin {
        let schedule = schedule.intern();
        ApprenticePlugin { schedule }
    }
}

/// What the plugin does in a frame, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApprenticeSystems {
    /// Everybody joins, leaves and is told what is so. Whatever writes [`Observed`] or [`Seen`] comes
    /// before, or counts in the next frame.
    Observe,
    /// Everybody thinks who has to, within one budget.
    Think,
    /// Everybody has an [`Order`] and a [`PlanState`]. Whatever moves bodies comes after.
    Report,
}

impl Plugin for ApprenticePlugin {
    fn build(&self, app: &mut App) {
        use ApprenticeSystems::{Observe, Report, Think};
        app.add_message::<Seen>()
            .add_message::<Reload>()
            .add_message::<PlanChanged>()
            .add_message::<PlanBroke>()
            .add_message::<NoPlan>()
            .add_message::<Arrived>()
            .add_message::<TaskBegun>()
            .add_message::<TaskDone>()
            .add_message::<Refused>()
            .add_message::<Reloaded>();
        let is_ready = resource_exists::<Apprentices>.and_then(resource_exists::<Time>);
        app.configure_sets(
            self.schedule,
            (Observe, Think, Report).chain().run_if(is_ready),
        );
        app.add_systems(
            self.schedule,
            (
                observe.in_set(Observe),
                think.in_set(Think),
                report.in_set(Report),
            ),
        );
    }
}

/// What the game says of a character.
type Heard<'w> = (
    Entity,
    &'w Character,
    Option<&'w Pursues>,
    Option<Ref<'w, Task>>,
    Option<&'w Importance>,
    Option<&'w Observed>,
);

fn observe(
    time: Res<Time>,
    mut apprentices: ResMut<Apprentices>,
    characters: Query<Heard<'_>>,
    mut reloads: MessageReader<Reload>,
    mut seen: MessageReader<Seen>,
    mut tell: Tell<'_>,
) {
    let apprentices = &mut *apprentices;
    for reload in reloads.read() {
        apprentices.reload(reload, &mut tell);
    }
    apprentices.let_go(|entity| characters.contains(entity));
    apprentices.pass(time.delta());
    // Bevy goes by how entities are stored; who comes first is to depend on nothing but who they are.
    let mut heard: Vec<_> = characters.iter().collect();
    heard.sort_by_key(|(entity, ..)| *entity);
    for (entity, character, goal, task, importance, observed) in &heard {
        let said = Said {
            character,
            goal: goal.map(|goal| &goal.0),
            task: task.as_deref(),
            importance: importance.copied(),
            observed: *observed,
            has_new_task: task.as_ref().is_some_and(|task| task.is_changed()),
        };
        apprentices.hear(*entity, &said, &mut tell);
    }
    for seen in seen.read() {
        apprentices.see(seen.by, &seen.what, &mut tell);
    }
    for (entity, .., observed) in &heard {
        if let Some(observed) = observed {
            apprentices.observe(*entity, observed, &mut tell);
        }
    }
}

fn think(mut apprentices: ResMut<Apprentices>, mut tell: Tell<'_>) {
    apprentices.think(&mut tell);
}

fn report(
    mut apprentices: ResMut<Apprentices>,
    mut characters: Query<(&mut Order, &mut PlanState)>,
    mut tell: Tell<'_>,
) {
    let entities: Vec<Entity> = apprentices.roster.keys().copied().collect();
    for entity in entities {
        let (order, state) = apprentices.report(entity, &mut tell);
        if let Ok((mut told_order, mut told_state)) = characters.get_mut(entity) {
            told_order.set_if_neq(order);
            told_state.set_if_neq(state);
        }
    }
}
