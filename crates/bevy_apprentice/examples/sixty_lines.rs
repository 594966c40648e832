//! Three guests in a hall: a door is shut in their faces, and they say why they turn.

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_apprentice::{ApprenticePlugin, ApprenticeSystems, Apprentices, Arrived};
use bevy_apprentice::{Character, Observed, Order, PlanBroke, Seen};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

const LEVEL: &str = "
format = 1
start = [0, 0]
goal = { within = { at = [10, 1], radius = 1.5 } }
map = { rows = ['.....#.....', '...........', '.....#.....', '...........'] }
door = [{ id = 'gate', at = [[5, 1]], open = true }]
demonstration = [{ points = [[0, 1], [5, 1], [10, 1]] }]";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tick = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    let mut app = App::new();
    app.add_plugins((TimePlugin, ApprenticePlugin::default()))
        .insert_resource(tick)
        .insert_resource(Apprentices::read("hall", LEVEL)?)
        .add_systems(Update, (walk, tell).after(ApprenticeSystems::Report));
    for y in [0.0, 1.0, 2.0] {
        let at = Observed::at(Vec2::new(0.0, y));
        let body = Transform::from_xyz(0.0, y, 0.0);
        app.world_mut().spawn((Character::default(), at, body));
    }
    for frame in 0..1_000 {
        if frame == 150 {
            app.world_mut().write_message(Seen::door("gate", false));
        }
        app.update();
    }
    Ok(())
}

/// Bodies are the game's: it moves them as they are told, and says where they are.
fn walk(time: Res<Time>, mut bodies: Query<(&Order, &mut Transform, &mut Observed)>) {
    for (order, mut body, mut observed) in &mut bodies {
        if let Some(to) = order.to {
            let way = order.speed * time.delta_secs();
            body.translation = body.translation.move_towards(to.extend(0.0), way);
        }
        observed.at = Some(body.translation.truncate());
    }
}

fn tell(mut broke: MessageReader<PlanBroke>, mut arrived: MessageReader<Arrived>) {
    for PlanBroke { entity, why } in broke.read() {
        println!("{entity} turns: {why}");
    }
    for Arrived { entity } in arrived.read() {
        println!("{entity} is there");
    }
}
