//! Plans say which demonstration they follow, and name the cause where they leave it; and no cause
//! that is none.

use crate::quests::{auto, drawn, shipped, tgraph, wastar};
use apprentice_behavior::{Explained, Explanation, Settings, WhyIgnored};
use apprentice_experience::{Demonstration, Place};
use apprentice_report::phrases::{self, Ids};
use apprentice_search::Budget;
use apprentice_world::{AnyQuest, LivedPlan, Order, Quest, Scenario, verify};

/// A hall of 40 by 20 cells, with whatever else is there.
fn hall(more: &str, change: impl Fn(&mut [Vec<char>])) -> Scenario {
    let mut rows = vec![vec!['.'; 40]; 20];
    change(&mut rows);
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let rows = rows.join("\", \"");
    let text = format!(
        "format = 1\nstart = [2, 10]\ngoal = {{ within = {{ at = [37, 10], radius = 0.0 }} }}\nmap = {{ rows = [\"{rows}\"] }}\n{more}"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn line(points: &[(f64, f64)]) -> Demonstration {
    let places = points.iter().map(|(x, y)| Place::flat(*x, *y));
    Demonstration::drawn("shown", places, 1.4)
}

fn explained<Q: Quest + 'static>(
    quest: &Q,
    shown: &[Demonstration],
    settings: &Settings,
) -> Explanation {
    let checked = settings.check(quest.scenario(), shown).expect("it fits");
    let planner = checked.planner;
    let mut search = planner.search(quest).expect("a search").search;
    search.run(quest, &mut Budget::unlimited());
    let path = search.path().expect("there is a plan");
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.expect("plans are valid");
    let relevances = planner.relevances(quest);
    Explained {
        story: LivedPlan {
            scenario: quest.scenario(),
            start: quest.start_world(),
            steps: &lived.steps,
        },
        demonstrations: shown,
        relevances: relevances.as_deref(),
    }
    .explain()
}

fn explain(scenario: &Scenario, shown: &[Demonstration], settings: &Settings) -> Explanation {
    match &scenario.quest() {
        AnyQuest::Still(quest) => explained(quest, shown, settings),
        AnyQuest::Moving(quest) => explained(quest, shown, settings),
    }
}

/// All reasons there are, in words.
fn reasons(explanation: &Explanation) -> Vec<String> {
    let stretches = explanation.stretches.iter();
    let reasons = stretches.flat_map(|stretch| &stretch.reasons);
    reasons
        .map(|reason| phrases::reason(reason, Ids::Quoted))
        .collect()
}

/// The demonstration goes straight through the hall. Since then a wall was built, one cell thick.
#[test]
fn a_wall_in_the_way_of_a_demonstration_is_named() {
    let wall = |rows: &mut [Vec<char>]| {
        for row in &mut rows[4..16] {
            row[20] = '#';
        }
    };
    let scenario = hall("", wall);
    let shown = [line(&[(2.0, 10.0), (37.0, 10.0)])];
    for settings in [auto(10.0), tgraph(2.0, 5.0)] {
        let explanation = explain(&scenario, &shown, &settings);
        let reasons = reasons(&explanation);
        let wall = "a wall stands at (20, 10), where the demonstration leads";
        assert!(reasons.iter().any(|reason| reason == wall), "{reasons:?}");
    }
    // Without the wall nothing is said of one.
    let explanation = explain(&hall("", |_| {}), &shown, &auto(10.0));
    assert_eq!(reasons(&explanation), Vec::<String>::new());
}

/// Beside the wall stands a guard who does not notice the character, so that it is no reason.
#[test]
fn whoever_does_not_notice_is_no_reason() {
    let wall = |rows: &mut [Vec<char>]| {
        for row in &mut rows[4..16] {
            row[20] = '#';
        }
    };
    let shown = [line(&[(2.0, 10.0), (37.0, 10.0)])];
    let named = |hidden: &str| {
        let guard = "enemy = [{ id = \"sentry\", kind = \"guard\", at = [22, 10] }]";
        let scenario = hall(&format!("{guard}\n{hidden}"), wall);
        let reasons = reasons(&explain(&scenario, &shown, &auto(10.0)));
        assert!(
            reasons
                .iter()
                .any(|reason| reason.contains("a wall stands"))
        );
        reasons.iter().any(|reason| reason.contains("sentry"))
    };
    assert!(named(""));
    assert!(!named("undetectable_by = [\"guard\"]"));
}

#[test]
fn a_demonstration_that_leaves_the_map_is_said_to() {
    let scenario = hall("", |_| {});
    let shown = [line(&[
        (2.0, 10.0),
        (8.0, 10.0),
        (14.0, -8.0),
        (28.0, -8.0),
        (34.0, 10.0),
        (37.0, 10.0),
    ])];
    let explanation = explain(&scenario, &shown, &auto(10.0));
    let reasons = reasons(&explanation);
    let leads_off =
        |reason: &String| reason.starts_with("the demonstration leads off the map at (");
    assert!(reasons.iter().any(leads_off), "{reasons:?}");
}

/// The demonstrator fetched a key at (12, 10); now it lies to the north of there.
#[test]
fn a_key_that_was_moved_is_named_with_where_it_is_now() {
    let with_key = |y: i32| {
        let more = format!(
            "key = [{{ id = \"red\", at = [12, {y}], opens = [\"gate\"] }}]\ndoor = [{{ id = \"gate\", at = [[30, 10]] }}]"
        );
        hall(&more, |rows| {
            for (y, row) in rows.iter_mut().enumerate() {
                row[30] = if y == 10 { '.' } else { '#' };
            }
        })
    };
    let shown = [line(&[(2.0, 10.0), (37.0, 10.0)])];
    let explanation = explain(&with_key(4), &shown, &auto(10.0));
    let reasons_now = reasons(&explanation);
    let moved = "fetch key `red`, 6.0 north of the demonstration (door `gate` needs it)";
    assert!(
        reasons_now.iter().any(|reason| reason == moved),
        "{reasons_now:?}"
    );
    // Where it always lay it is fetched on the way, and nothing is off.
    let reasons_then = reasons(&explain(&with_key(10), &shown, &auto(10.0)));
    assert!(
        reasons_then
            .iter()
            .all(|reason| !reason.contains("of the demonstration")),
        "{reasons_then:?}"
    );
}

#[test]
fn whoever_sneaks_says_because_of_whom() {
    let scenario = shipped("multi_demo");
    let explanation = explain(&scenario, &drawn(&scenario), &tgraph(2.0, 10.0));
    let sneaking = explanation
        .sneaking
        .first()
        .expect("it sneaks past the bear");
    let listener = sneaking.because_of.as_ref().expect("because of the bear");
    assert!(listener.distance <= listener.walking && listener.distance > listener.sneaking);
}

#[test]
fn what_was_ignored_is_listed_with_the_reason() {
    let scenario = shipped("far_demo");
    let shown = drawn(&scenario);
    let why = |settings: &Settings| {
        let ignored = explain(&scenario, &shown, settings).ignored;
        ignored.first().map(|ignored| ignored.why.clone())
    };
    match why(&tgraph(2.0, 5.0)) {
        Some(WhyIgnored::TooLong { detour, epsilon }) => {
            assert!((6.0..6.5).contains(&detour) && epsilon == 5.0);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(why(&tgraph(2.0, 10.0)), None);
    // What is too long for `auto` follows from how faithful it shall be.
    let faithful = |faithful: f64| Settings {
        faithful: Some(faithful),
        ..Settings::default()
    };
    let too_long = why(&faithful(0.5)).expect("it is ignored");
    let too_long = phrases::why_ignored(&too_long, Ids::Quoted);
    assert_eq!(
        too_long,
        "the way along it takes 6.2 times the direct way, and at most 3.2 times is followed; a greater bound or epsilon follows more"
    );
    assert_eq!(why(&faithful(0.75)), None);
    assert_eq!(why(&faithful(1.0)), None);
    assert_eq!(why(&wastar(2.0)), Some(WhyIgnored::NotAsked));
}

/// A demonstration that is not too long makes no other one worth following that is: not even if a
/// door is shut on the way along it.
#[test]
fn what_is_too_long_is_ignored_whatever_else_is_shown() {
    let mut rows = vec![vec!['.'; 50]; 52];
    for row in &mut rows[..=22] {
        row[25] = '#';
    }
    rows[3][25] = '.';
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let rows = rows.join("\", \"");
    let text = format!(
        "format = 1\nstart = [15, 24]\ngoal = {{ within = {{ at = [35, 24], radius = 0.0 }} }}\nmap = {{ rows = [\"{rows}\"] }}\nkey = [{{ id = \"red\", at = [49, 0], opens = [\"gate\"] }}]\ndoor = [{{ id = \"gate\", at = [[25, 3]] }}]"
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let by = |y: f64| line(&[(15.0, 24.0), (15.0, y), (35.0, y), (35.0, 24.0)]);
    let (shut, too_long) = (by(3.0), by(49.0));
    let explanation = explain(&scenario, &[shut, too_long], &auto(10.0));
    let why: Vec<&WhyIgnored> = explanation.ignored.iter().map(|one| &one.why).collect();
    match why[..] {
        [_, WhyIgnored::TooLong { detour, epsilon }] => {
            assert!((3.4..3.6).contains(detour) && (3.1..3.2).contains(epsilon));
        }
        _ => panic!("{why:?}"),
    }
}

/// Most of `k1d1_far`'s demonstration leads south, to where the key once was; it lies in the north
/// now, nearest to where the demonstration begins. No plan, however faithful, follows that part, and
/// the explanation says so. Where the key lies beside the demonstration nothing is left out.
#[test]
fn a_part_that_leads_elsewhere_is_said_to_be_left_out() {
    let left_out = |name: &str, settings: &Settings| {
        let scenario = shipped(name);
        let reasons = reasons(&explain(&scenario, &drawn(&scenario), settings));
        let left_out = |reason: &&String| reason.contains("which are left out");
        reasons.iter().find(left_out).cloned()
    };
    for bound in [3.0, 10.0, 100.0] {
        let reason = "`drawn 1` comes no nearer to it in its 0.0 to 51.9 s, which are left out";
        let found = left_out("k1d1_far", &auto(bound));
        assert_eq!(found.as_deref(), Some(reason), "{bound}");
        for name in ["k1d1_exact", "k1d1_close", "quest_key"] {
            assert_eq!(left_out(name, &auto(bound)), None, "{name}");
        }
    }
}
