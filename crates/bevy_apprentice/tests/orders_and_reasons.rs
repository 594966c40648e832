//! Observations in, orders out: what breaks is told with its reason, and what makes no sense is refused.

use bevy_app::{App, FixedUpdate, PostUpdate};
use bevy_apprentice::{
    ApprenticePlugin, Apprentices, AskedGoal, Character, Doing, Importance, Observation, Observed,
    Order, PlanState, Pursues, Seen, Task,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

use crate::bodies::{TICK, body, frames, game, hall, position, told, told_of_nobody};

fn state(app: &App, entity: Entity) -> PlanState {
    app.world()
        .get::<PlanState>(entity)
        .expect("it is a character")
        .clone()
}

#[test]
fn a_body_arrives_by_its_orders() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 400);
    assert_eq!(told(&app, guest), ["plan 1", "arrived"]);
    assert!(position(&app, guest).distance(Vec2::new(10.0, 1.0)) < 0.05);
    assert_eq!(state(&app, guest).doing, Doing::Done);
}

#[test]
fn a_door_that_is_shut_breaks_plans_with_a_reason() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    app.world_mut().write_message(Seen::door("gate", false));
    frames(&mut app, 400);
    let expected = ["plan 1", "broke: `gate` is shut", "plan 2", "arrived"];
    assert_eq!(told(&app, guest), expected);
}

#[test]
fn nobody_can_pass_and_says_so() {
    let closed = crate::bodies::HALL.replace("'...........'] }", "'.....#.....'] }");
    let apprentices = Apprentices::read("hall", &closed);
    let mut app = game(apprentices.unwrap_or_else(|error| panic!("{error}")));
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    app.world_mut().write_message(Seen::door("gate", false));
    frames(&mut app, 60);
    let expected = ["plan 1", "broke: `gate` is shut", "stuck: there is no plan"];
    assert_eq!(told(&app, guest), expected);
    // It takes heart as soon as it can.
    app.world_mut().write_message(Seen::door("gate", true));
    frames(&mut app, 400);
    assert_eq!(told(&app, guest)[3..], ["plan 2", "arrived"]);
}

#[test]
fn whoever_comes_later_knows_what_was_said() {
    let mut app = game(hall());
    app.world_mut().write_message(Seen::door("gate", false));
    frames(&mut app, 3);
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 400);
    assert_eq!(told(&app, guest), ["plan 1", "arrived"]);
}

#[test]
fn whoever_is_put_elsewhere_makes_another_plan() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    let mut guests = app.world_mut().entity_mut(guest);
    guests.get_mut::<Transform>().expect("a body").translation.y = 3.0;
    frames(&mut app, 400);
    let told = told(&app, guest);
    assert!(
        told[1].ends_with("away from where it should be"),
        "{told:?}"
    );
    assert_eq!(told[2..], ["plan 2", "arrived"]);
}

/// What a body does not do counts, whatever was ordered.
#[test]
fn whoever_is_held_does_not_arrive() {
    let mut app = game(hall());
    let held = app
        .world_mut()
        .spawn((Character::default(), Observed::at(Vec2::new(0.0, 1.0))))
        .id();
    frames(&mut app, 300);
    assert!(!told(&app, held).contains(&"arrived"));
    let apprentices = app.world().resource::<Apprentices>();
    let number = apprentices.number(held).expect("it joined");
    let at = apprentices.cast().place(number).expect("it is somewhere");
    assert!(at.x <= 0.75, "{at:?}");
}

#[test]
fn transforms_are_never_touched() {
    #[derive(Resource, Default)]
    struct Touched(usize);
    fn count(bodies: Query<Entity, Changed<Transform>>, mut touched: ResMut<Touched>) {
        touched.0 += bodies.iter().count();
    }
    let mut app = game(hall());
    app.init_resource::<Touched>()
        .add_systems(PostUpdate, count);
    let body = (Character::default(), Transform::default());
    let ghost = app.world_mut().spawn(body).id();
    frames(&mut app, 300);
    // It was taken to go as it was ordered, and its body stayed.
    assert_eq!(told(&app, ghost), ["plan 1", "arrived"]);
    assert_eq!(
        app.world().resource::<Touched>().0,
        1,
        "once, when it was spawned"
    );
}

#[test]
fn whoever_is_removed_leaves_the_crew() {
    let mut app = game(hall());
    let guests: Vec<Entity> = (0..6)
        .map(|x| {
            app.world_mut()
                .spawn(body(Vec2::new(x as f32 % 3.0, 1.0)))
                .id()
        })
        .collect();
    frames(&mut app, 5);
    app.world_mut().despawn(guests[1]);
    app.world_mut().entity_mut(guests[4]).remove::<Character>();
    frames(&mut app, 1);
    let apprentices = app.world().resource::<Apprentices>();
    assert_eq!(apprentices.len(), 4);
    for guest in [guests[1], guests[4]] {
        assert_eq!(apprentices.number(guest), None);
        assert_eq!(apprentices.cast().find(&guest.to_string()), None);
    }
    frames(&mut app, 400);
    for guest in [guests[0], guests[2], guests[3], guests[5]] {
        assert_eq!(told(&app, guest), ["plan 1", "arrived"]);
    }
    for guest in &guests {
        app.world_mut().despawn(*guest);
    }
    frames(&mut app, 2);
    let apprentices = app.world().resource::<Apprentices>();
    assert!(apprentices.is_empty());
    assert_eq!(apprentices.spent().units, 0);
}

#[test]
fn no_characters_and_no_level_are_no_trouble() {
    let mut app = game(hall());
    frames(&mut app, 10);
    assert_eq!(app.world().resource::<Apprentices>().spent().units, 0);
    app.world_mut().spawn(body(Vec2::ZERO));
    app.world_mut().remove_resource::<Apprentices>();
    app.update();
    // Another level, which everybody joins.
    app.insert_resource(hall());
    frames(&mut app, 1);
    assert_eq!(app.world().resource::<Apprentices>().len(), 1);
}

#[test]
fn goals_that_are_none_are_refused_with_a_reason() {
    let mut app = game(hall());
    let amulet = Pursues(AskedGoal::Holds("amulet".to_owned()));
    let at = Vec2::new(0.0, 1.0);
    let thief = app.world_mut().spawn((body(at), amulet.clone())).id();
    let guest = app.world_mut().spawn(body(at)).id();
    frames(&mut app, 20);
    let why = "there is no item `amulet`; there is `crown`";
    assert_eq!(told(&app, thief), [format!("Character refused: {why}")]);
    assert_eq!(state(&app, thief).doing, Doing::Stuck);
    assert_eq!(state(&app, thief).why.as_deref(), Some(why));
    assert_eq!(app.world().get::<Order>(thief), Some(&Order::default()));
    // Somebody who has a goal keeps it.
    app.world_mut().entity_mut(guest).insert(amulet);
    let crown = Pursues(AskedGoal::Holds("crown".to_owned()));
    app.world_mut().entity_mut(thief).insert(crown);
    frames(&mut app, 400);
    assert_eq!(told(&app, thief)[1..], ["plan 1", "arrived"]);
    let expected = ["plan 1", &*format!("Goal refused: {why}"), "arrived"];
    assert_eq!(told(&app, guest), expected);
}

#[test]
fn goals_may_be_changed_on_the_way() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    app.world_mut()
        .entity_mut(guest)
        .insert(Pursues::within(Vec2::new(0.0, 3.0), 0.0));
    frames(&mut app, 200);
    let turned = [
        "plan 1",
        "broke: there is something else to do",
        "plan 2",
        "arrived",
    ];
    assert_eq!(told(&app, guest), turned);
    assert!(position(&app, guest).distance(Vec2::new(0.0, 3.0)) < 0.05);
    // Without a goal of its own it is after that of the level.
    app.world_mut().entity_mut(guest).remove::<Pursues>();
    frames(&mut app, 400);
    assert_eq!(told(&app, guest)[4..], ["plan 3", "arrived"]);
}

#[test]
fn what_makes_no_sense_is_refused_once() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    let nobody = app.world_mut().spawn_empty().id();
    let nameless = Character {
        agent: Some("anna".to_owned()),
        ..Character::default()
    };
    let nameless = app.world_mut().spawn(nameless).id();
    let lost = app.world_mut().spawn(body(Vec2::new(f32::NAN, 1.0))).id();
    frames(&mut app, 5);
    app.world_mut().write_message(Seen::door("gat", false));
    let seen = Observation::Door {
        id: "gate".to_owned(),
        open: true,
    };
    app.world_mut().write_message(Seen {
        by: Some(nobody),
        what: seen,
    });
    app.world_mut()
        .entity_mut(guest)
        .insert(Task::new("ordered(Nap())"));
    frames(&mut app, 30);
    let said = told_of_nobody(&app);
    assert_eq!(
        said,
        ["Observation refused: there is no door `gat`; did you mean `gate`?"]
    );
    for (who, part) in [
        (nobody, "Observation"),
        (nameless, "Character"),
        (lost, "Character"),
    ] {
        let told = told(&app, who);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with(&format!("{part} refused: ")),
            "{told:?}"
        );
    }
    let of_guest = told(&app, guest);
    assert!(
        of_guest
            .iter()
            .any(|it| it.starts_with("Task refused: there is no domain"))
    );
    // Whoever finds its way back joins.
    let mut body = app.world_mut().entity_mut(lost);
    body.get_mut::<Transform>().expect("a body").translation.x = 0.0;
    frames(&mut app, 400);
    assert_eq!(told(&app, lost)[1..], ["plan 1", "arrived"]);
}

#[test]
fn budgets_of_nothing_and_importance() {
    let mut apprentices = hall();
    apprentices.units = 0;
    let mut app = game(apprentices);
    let guest = app
        .world_mut()
        .spawn((body(Vec2::new(0.0, 1.0)), Importance(8)))
        .id();
    frames(&mut app, 50);
    assert_eq!(told(&app, guest), [""; 0]);
    app.world_mut().resource_mut::<Apprentices>().units = 3;
    app.world_mut().entity_mut(guest).insert(Importance(0));
    frames(&mut app, 500);
    app.world_mut().entity_mut(guest).remove::<Importance>();
    frames(&mut app, 200);
    assert_eq!(told(&app, guest).last(), Some(&"arrived"));
}

/// Time is that of the schedule.
#[test]
fn the_schedule_may_be_another() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ApprenticePlugin::in_schedule(FixedUpdate)))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK / 2))
        .insert_resource(hall());
    let ghost = app.world_mut().spawn(Character::default()).id();
    let mut frames = 0;
    while state(&app, ghost).doing != Doing::Done {
        app.update();
        frames += 1;
        assert!(frames < 2_000);
    }
    let apprentices = app.world().resource::<Apprentices>();
    let number = apprentices.number(ghost).expect("it joined");
    let seconds = apprentices.cast().time(number).expect("it is there");
    let passed = f64::from(frames) * TICK.as_secs_f64() / 2.0;
    assert!(
        (seconds - passed).abs() <= 2.0 * TICK.as_secs_f64(),
        "{seconds} of {passed}"
    );
}
