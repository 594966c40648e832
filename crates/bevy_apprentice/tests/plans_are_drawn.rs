//! What characters mean to do, as lines.

use bevy_apprentice::{ApprenticeDrawingPlugin, Apprentices, Drawing, Line, LineOf, Seen};
use bevy_math::{Vec2, Vec3};

use crate::bodies::{HALL, body, frames, game};

fn lines(drawing: &Drawing, of: LineOf) -> Vec<Line> {
    let lines = drawing.lines.iter().filter(|line| line.of == of);
    lines.copied().collect()
}

#[test]
fn ways_lead_to_the_goal_and_become_shorter() {
    let text = format!("{HALL}demonstration = [{{ points = [[0, 1], [5, 1], [10, 1]] }}]");
    let apprentices = Apprentices::read("hall", &text);
    let mut app = game(apprentices.unwrap_or_else(|error| panic!("{error}")));
    app.add_plugins(ApprenticeDrawingPlugin);
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    let mut left = usize::MAX;
    for _ in 0..100 {
        frames(&mut app, 1);
        let drawing = app.world().resource::<Drawing>();
        let shown = lines(drawing, LineOf::Demonstration);
        assert!(!shown.is_empty() && shown.iter().all(|line| line.entity.is_none()));
        let way = lines(drawing, LineOf::Way);
        let Some(last) = way.last() else {
            continue;
        };
        assert_eq!(last.to, Vec3::new(10.0, 1.0, 0.0));
        assert!(way.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert!(way.iter().all(|line| line.entity == Some(guest)));
        assert!(way.len() <= left);
        left = way.len();
    }
    assert!(left < 10, "it is on its way");
    frames(&mut app, 300);
    assert_eq!(lines(app.world().resource::<Drawing>(), LineOf::Way), []);
}

#[test]
fn whoever_is_stuck_is_crossed_out() {
    let closed = HALL.replace("'...........'] }", "'.....#.....'] }");
    let apprentices = Apprentices::read("hall", &closed);
    let mut app = game(apprentices.unwrap_or_else(|error| panic!("{error}")));
    app.add_plugins(ApprenticeDrawingPlugin);
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    app.world_mut().write_message(Seen::door("gate", false));
    frames(&mut app, 20);
    let drawing = app.world().resource::<Drawing>();
    assert_eq!(lines(drawing, LineOf::Stuck).len(), 2);
    assert_eq!(drawing.lines.len(), 2);
    app.world_mut().despawn(guest);
    frames(&mut app, 1);
    assert!(app.world().resource::<Drawing>().lines.is_empty());
    // And without a level there is nothing to see.
    app.world_mut().remove_resource::<Apprentices>();
    app.update();
    assert!(app.world().resource::<Drawing>().lines.is_empty());
}
