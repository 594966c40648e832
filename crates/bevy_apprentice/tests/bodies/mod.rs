//! A game without a window: bodies that walk as they are told, in ticks of a given length.

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_apprentice::{
    ApprenticePlugin, ApprenticeSystems, Apprentices, Arrived, Character, NoPlan, Observed, Order,
    PlanBroke, PlanChanged, Refused, Reloaded, TaskBegun, TaskDone,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

pub(crate) const TICK: Duration = Duration::from_millis(50);

/// A hall with a gate in the north and a gap in the south.
pub(crate) const HALL: &str = "
format = 1
start = [0, 1]
goal = { within = { at = [10, 1], radius = 0.0 } }
map = { rows = ['.....#.....', '...........', '.....#.....', '...........'] }
door = [{ id = 'gate', at = [[5, 1]], open = true }]
item = [{ id = 'crown', at = [9, 3] }]
";

/// Everything that was told, in the order of frames.
#[derive(Resource, Debug, Default, PartialEq)]
pub(crate) struct Log(pub(crate) Vec<(Entity, String)>);

impl Log {
    /// What was told of somebody, or of nobody.
    pub(crate) fn of(&self, entity: Entity) -> Vec<&str> {
        let lines = self.0.iter().filter(|(who, _)| *who == entity);
        lines.map(|(_, line)| &**line).collect()
    }
}

pub(crate) fn game(apprentices: Apprentices) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ApprenticePlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
        .insert_resource(apprentices)
        .init_resource::<Log>()
        .add_systems(Update, (walk, note).after(ApprenticeSystems::Report));
    app
}

pub(crate) fn hall() -> Apprentices {
    Apprentices::read("hall", HALL).unwrap_or_else(|error| panic!("{error}"))
}

/// A character with a body.
pub(crate) fn body(at: Vec2) -> impl Bundle {
    let body = Transform::from_translation(at.extend(0.0));
    (Character::default(), Observed::at(at), body)
}

/// Bodies are the game's: it moves them as they are told, and says where they are.
fn walk(time: Res<Time>, mut bodies: Query<(&Order, &mut Transform, &mut Observed)>) {
    for (order, mut body, mut observed) in &mut bodies {
        if let Some(to) = order.to {
            let way = order.speed * time.delta_secs();
            let to = to.extend(body.translation.z);
            body.translation = body.translation.move_towards(to, way);
        }
        observed.at = Some(body.translation.truncate());
    }
}

#[allow(clippy::too_many_arguments)]
fn note(
    mut log: ResMut<Log>,
    mut broke: MessageReader<PlanBroke>,
    mut changed: MessageReader<PlanChanged>,
    mut no_plan: MessageReader<NoPlan>,
    mut arrived: MessageReader<Arrived>,
    mut begun: MessageReader<TaskBegun>,
    mut done: MessageReader<TaskDone>,
    mut refused: MessageReader<Refused>,
    mut reloaded: MessageReader<Reloaded>,
) {
    let mut note = |who: Entity, line: String| log.0.push((who, line));
    for it in reloaded.read() {
        note(Entity::PLACEHOLDER, format!("{:?} reloaded", it.part));
    }
    for it in refused.read() {
        let who = it.entity.unwrap_or(Entity::PLACEHOLDER);
        note(who, format!("{:?} refused: {}", it.part, it.why));
    }
    for it in begun.read() {
        note(it.entity, format!("begins {}", it.task));
    }
    for it in broke.read() {
        note(it.entity, format!("broke: {}", it.why));
    }
    for it in changed.read() {
        note(it.entity, format!("plan {}", it.plans));
    }
    for it in no_plan.read() {
        note(it.entity, format!("stuck: {}", it.why));
    }
    for it in arrived.read() {
        note(it.entity, "arrived".to_owned());
    }
    for it in done.read() {
        note(it.entity, "task done".to_owned());
    }
}

/// Lets so many frames pass; the budget is kept in each.
pub(crate) fn frames(app: &mut App, count: usize) {
    for _ in 0..count {
        app.update();
        let apprentices = app.world().resource::<Apprentices>();
        let spent = apprentices.spent();
        assert!(spent.units <= apprentices.units, "{spent:?}");
    }
}

pub(crate) fn position(app: &App, entity: Entity) -> Vec2 {
    let body = app.world().get::<Transform>(entity);
    body.expect("it has a body").translation.truncate()
}

/// What was told of somebody.
pub(crate) fn told(app: &App, entity: Entity) -> Vec<&str> {
    app.world().resource::<Log>().of(entity)
}

/// What was told of nobody.
pub(crate) fn told_of_nobody(app: &App) -> Vec<&str> {
    told(app, Entity::PLACEHOLDER)
}
