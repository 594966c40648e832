//! Plans in rooms do what they say, within their bound, and explorers find what they have not seen.

use apprentice_rooms::{
    Action, Asked, DoorState, Explorer, Facing, Moves, News, Objective, RoomDemonstration,
    RoomDoor, RoomLevel, RoomPlan, RoomThing, Rooms, RoomsError, Sighting, Status, Wanted, plan,
};
use apprentice_search::{Blind, Problem, astar};
use proptest::prelude::*;

/// Draws a level: `k` and `K` are a red key and the door it opens, `d` is a shut door, `b` a ball, `x` a
/// box, `e` and `s` where somebody begins who looks east or south.
fn level(drawn: &[&str], goal: Vec<Vec<Objective>>) -> RoomLevel {
    let mut level = RoomLevel {
        goal,
        ..RoomLevel::default()
    };
    for (y, row) in drawn.iter().enumerate() {
        let mut cells = String::new();
        for (x, drawn) in row.chars().enumerate() {
            let at = [x as u32, y as u32];
            let id = format!("{drawn}{x}{y}");
            let mut thing = |kind: &str, colour: &str| {
                level.things.push(RoomThing {
                    id: id.clone(),
                    kind: kind.to_owned(),
                    colour: colour.to_owned(),
                    at: Some(at),
                    ..RoomThing::default()
                });
            };
            match drawn {
                'k' => thing("key", "red"),
                'b' => thing("ball", "blue"),
                'x' => thing("box", "green"),
                'K' | 'd' => level.doors.push(RoomDoor {
                    id,
                    colour: "red".to_owned(),
                    at,
                    is: if drawn == 'K' {
                        DoorState::Locked
                    } else {
                        DoorState::Shut
                    },
                }),
                'e' | 's' => {
                    level.start = at;
                    level.facing = if drawn == 'e' {
                        Facing::East
                    } else {
                        Facing::South
                    };
                }
                _ => {}
            }
            cells.push(match drawn {
                '#' | '~' | '?' => drawn,
                _ => '.',
            });
        }
        level.rows.push(cells);
    }
    level
}

fn kind(kind: &str) -> Wanted {
    Wanted {
        kind: Some(kind.to_owned()),
        ..Wanted::default()
    }
}

/// Plans, and lives through the plan by the rules.
fn check(level: &RoomLevel) -> RoomPlan {
    let rooms = Rooms::new(level).expect("the level is sound");
    let plan = plan(&rooms, &Asked::default());
    let mut state = rooms.start();
    for step in &plan.steps {
        let next = rooms.after(&state, step.action, step.facing);
        state = next.expect("what is planned can be done");
        assert_eq!(
            (rooms.at(&state), rooms.facing(&state)),
            (step.at, step.facing)
        );
    }
    if plan.status == Status::Found && !plan.explores {
        let parts: usize = level.goal.iter().map(Vec::len).sum();
        assert_eq!(rooms.done(&state).count_ones() as usize, parts);
    }
    plan
}

fn count(plan: &RoomPlan, action: Action) -> usize {
    plan.steps
        .iter()
        .filter(|step| step.action == action)
        .count()
}

#[test]
fn what_stands_in_a_doorway_is_moved_aside_by_the_one_hand_there_is() {
    let drawn = ["#######", "#e..#.#", "#k.bK.#", "#...#x#", "#######"];
    let plan = check(&level(&drawn, vec![vec![Objective::Take(kind("box"))]]));
    assert_eq!(plan.status, Status::Found);
    // The ball and the key come first, and hands are empty for the box.
    assert_eq!(
        (count(&plan, Action::Take), count(&plan, Action::Put)),
        (3, 2)
    );
    assert!(plan.bound.is_some_and(|bound| bound < 12.0), "{plan:?}");
}

#[test]
fn a_key_is_taken_out_of_its_box() {
    let mut level = level(
        &["#####", "#ex.#", "##K##", "#...#", "#####"],
        vec![vec![Objective::Reach(vec![[1, 3]])]],
    );
    level.things[0].inside = apprentice_rooms::Contents::Thing("key".to_owned());
    level.things.push(RoomThing {
        id: "key".to_owned(),
        kind: "key".to_owned(),
        colour: "red".to_owned(),
        ..RoomThing::default()
    });
    let plan = check(&level);
    assert_eq!(plan.status, Status::Found);
    assert_eq!(
        (count(&plan, Action::Open), count(&plan, Action::Take)),
        (2, 1)
    );
}

#[test]
fn a_thing_is_laid_down_beside_another() {
    let goal = Objective::Put {
        what: kind("ball"),
        beside: kind("box"),
        corners: false,
    };
    let plan = check(&level(
        &["######", "#e.b.#", "#....#", "#x...#", "######"],
        vec![vec![goal]],
    ));
    assert_eq!((plan.status, count(&plan, Action::Put)), (Status::Found, 1));
}

#[test]
fn what_is_carried_from_the_start_is_laid_down_beside_another() {
    let put = Objective::Put {
        what: kind("ball"),
        beside: kind("box"),
        corners: false,
    };
    // Laying it down and lifting it again must never look like more than one move of progress.
    for drawn in [
        &["#########", "#e.b...x#", "#.......#", "#########"][..],
        &["#####", "#ebx#", "#...#", "#...#", "#####"],
    ] {
        let mut level = level(drawn, vec![vec![put.clone()]]);
        let Some(ball) = level.things.iter_mut().find(|it| it.kind == "ball") else {
            unreachable!("a ball is drawn");
        };
        ball.at = None;
        level.carries = Some(ball.id.clone());
        let plan = check(&level);
        assert_eq!(plan.status, Status::Found, "{plan:?}");
    }
}

#[test]
fn what_comes_first_is_done_first() {
    let (ball, boxed) = (Objective::Face(kind("ball")), Objective::Face(kind("box")));
    let drawn = ["#######", "#x.e.b#", "#######"];
    for (goal, first) in [
        (vec![vec![ball.clone()], vec![boxed.clone()]], [4, 1]),
        (vec![vec![boxed], vec![ball]], [2, 1]),
    ] {
        let plan = check(&level(&drawn, goal));
        let done = plan
            .steps
            .iter()
            .find(|step| step.done == 1)
            .expect("one is first");
        assert_eq!(done.at, first);
    }
}

#[test]
fn deadly_ground_is_gone_around() {
    let drawn = ["######", "#e~~.#", "#.~~.#", "#....#", "######"];
    let plan = check(&level(&drawn, vec![vec![Objective::Reach(vec![[4, 1]])]]));
    assert_eq!(count(&plan, Action::Forward), 7);
}

#[test]
fn what_cannot_be_done_is_told_from_what_is_not_known() {
    let goal = vec![vec![Objective::Reach(vec![[4, 1]])]];
    let plan = check(&level(&["######", "#e.K.#", "######"], goal.clone()));
    assert_eq!((plan.status, plan.explores), (Status::Impossible, false));
    // Where the key may be is looked at first.
    let plan = check(&level(&["######", "#e.K.#", "##?###"], goal));
    assert_eq!((plan.status, plan.explores), (Status::Found, true));
}

#[test]
fn a_demonstration_in_other_rooms_says_what_to_do_first() {
    let rooms = level(&["#####", "#e..#", "#k.b#", "#####"], Vec::new());
    let mut text = serde_json::to_string(&rooms).expect("it can be written");
    for action in ["turn_right", "take", "turn_left", "forward", "put"] {
        text += &format!("\n{{\"action\": \"{action}\"}}");
    }
    let shown = RoomDemonstration::read(&text).expect("all of it can be done");
    assert_eq!(shown.len(), 2);
    let goal = vec![vec![Objective::Face(kind("box"))]];
    let level = level(
        &["########", "#...k...#", "#e.....x#", "########"].map(|row| &row[..8]),
        goal,
    );
    let rooms = Rooms::new(&level).expect("the level is sound");
    let taught = plan(&rooms.clone().following(&shown, 0), &Asked::default());
    let untaught = plan(&rooms, &Asked::default());
    assert_eq!(untaught.followed, None);
    assert_eq!(count(&untaught, Action::Take), 0);
    assert!(
        taught.followed.is_some() && taught.bound.is_some(),
        "{taught:?}"
    );
}

#[test]
fn a_recording_that_cannot_be_lived_through_names_its_line() {
    let rooms = level(&["#####", "#e..#", "#####"], Vec::new());
    let text = serde_json::to_string(&rooms).expect("it can be written");
    for (more, line) in [("\n{\"action\": \"take\"}", 2), ("\n\nhello", 3)] {
        let wrong = RoomDemonstration::read(&(text.clone() + more)).expect_err("no recording");
        assert!(
            wrong.to_string().starts_with(&format!("line {line} of")),
            "{wrong}"
        );
    }
    assert!(RoomDemonstration::read("").is_err());
}

#[test]
fn levels_that_make_no_sense_are_refused_with_what_to_try() {
    let sound = level(&["####", "#ek#", "####"], Vec::new());
    let mut cases: Vec<(RoomLevel, &str)> = Vec::new();
    let mut with = |change: &dyn Fn(&mut RoomLevel), words| {
        let mut level = sound.clone();
        change(&mut level);
        cases.push((level, words));
    };
    with(&|it| it.rows.clear(), "there is no map");
    with(
        &|it| it.rows[1].push('#'),
        "row 1 has 5 cells and should have 4",
    );
    with(
        &|it| it.rows[1] = "#e.#".to_owned(),
        "`e` in column 1 of row 1 stands for nothing",
    );
    with(&|it| it.start = [9, 9], "the map ends before");
    with(&|it| it.start = [0, 0], "a wall is there");
    with(&|it| it.start = [2, 1], "a thing is in the way there");
    with(
        &|it| it.carries = Some("k21".to_owned()),
        "`k21` must be in one place",
    );
    with(
        &|it| it.carries = Some("spoon".to_owned()),
        "nothing has the id `spoon`",
    );
    with(
        &|it| it.things.push(it.things[0].clone()),
        "`k21` is there twice",
    );
    with(
        &|it| it.goal = vec![vec![Objective::Face(kind("key")); 17]],
        "too many parts of the goal",
    );
    for (level, words) in cases {
        let wrong: RoomsError = Rooms::new(&level).expect_err("it makes no sense");
        assert!(wrong.to_string().contains(words), "{wrong}");
    }
}

/// Whoever sees only what is around them, eight cells, in rooms that are drawn.
fn explored(drawn: &[&str], goal: Vec<Vec<Objective>>) -> (bool, usize) {
    let real = level(drawn, goal.clone());
    let rooms = Rooms::new(&real).expect("the level is sound");
    let mut state = rooms.start();
    let mut explorer = Explorer::new(goal, Moves::Turning, Asked::default());
    for moves in 0..400 {
        let [x, y] = rooms.at(&state);
        let sees = (0..9).filter(|it| *it != 4).map(|it| {
            let at = [x as i32 + it % 3 - 1, y as i32 + it / 3 - 1];
            let is = rooms.sight(&real, &state, at);
            Sighting { at, is, id: None }
        });
        explorer.see(&News {
            at: [x as i32, y as i32],
            facing: rooms.facing(&state),
            sees: sees.collect(),
            carries: None,
        });
        let (step, _) = explorer.decide().expect("what is seen makes sense");
        let Some(step) = step else {
            return (rooms.is_goal(&state), moves);
        };
        state = rooms
            .after(&state, step.action, step.facing)
            .expect("what is known is so");
        if rooms.is_goal(&state) {
            return (true, moves + 1);
        }
    }
    (false, 400)
}

#[test]
fn who_sees_only_what_is_near_finds_the_key_the_door_and_the_box() {
    let drawn = [
        "###########",
        "#e....#...#",
        "#.....d...#",
        "#.....#..k#",
        "####d###K##",
        "#.........#",
        "#.x.......#",
        "###########",
    ];
    let (is_done, moves) = explored(&drawn, vec![vec![Objective::Take(kind("box"))]]);
    assert!(is_done && moves < 120, "{is_done} after {moves}");
    // And says so if there is none.
    let drawn = drawn.map(|row| row.replace('x', "."));
    let drawn: Vec<&str> = drawn.iter().map(String::as_str).collect();
    let (is_done, moves) = explored(&drawn, vec![vec![Objective::Take(kind("box"))]]);
    assert!(!is_done && moves < 400, "{is_done} after {moves}");
}

/// Small rooms with everything in them.
fn rooms() -> impl Strategy<Value = RoomLevel> {
    let cell = prop_oneof![6 => Just('.'), 2 => Just('#'), 1 => Just('b'), 1 => Just('k'),
        1 => Just('K'), 1 => Just('d'), 1 => Just('x'), 1 => Just('~')];
    let goals = (0..6_usize, 0..6_usize, any::<bool>());
    (prop::collection::vec(cell, 12), 0..12_usize, goals).prop_map(|(mut cells, start, goals)| {
        cells[start] = 's';
        let rows: Vec<String> = cells.chunks(4).map(|row| row.iter().collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let part = |number| match number {
            0 => Objective::Face(kind("ball")),
            1 => Objective::Take(kind("box")),
            2 => Objective::Open(kind("door")),
            3 => Objective::Take(kind("key")),
            4 => Objective::Face(kind("door")),
            _ => Objective::Put {
                what: kind("ball"),
                beside: kind("box"),
                corners: false,
            },
        };
        let (first, second) = (part(goals.0), part(goals.1));
        let goal = match goals.2 {
            true => vec![vec![first, second]],
            false => vec![vec![first], vec![second]],
        };
        let mut level = level(&rows, goal);
        // Few things, or the slow search takes too long.
        level.things.truncate(2);
        level
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    /// Dijkstra is the judge: no plan is better than the best, none worse than its bound says, and where
    /// there is a way one is found.
    #[test]
    fn plans_are_within_their_bound(level in rooms()) {
        let Ok(rooms) = Rooms::new(&level) else { return Ok(()) };
        let best = astar(&rooms, Blind).map(|path| path.cost.as_seconds());
        let plan = check(&level);
        prop_assert_eq!(plan.status == Status::Found, best.is_some());
        if let (Some(cost), Some(best)) = (plan.cost, best) {
            prop_assert!(cost >= best);
            let bound = plan.bound.expect("every plan has its bound");
            prop_assert!(cost <= best * bound * 1.000_001 || best == 0.0, "{cost} {best} {bound}");
        }
        let again = check(&level);
        prop_assert_eq!(again, plan);
    }
}
