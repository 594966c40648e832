//! Levels of strangers are what scenario files are, and whatever happens in them, laws hold.

use std::fmt::Write;
use std::path::Path;

use apprentice_behavior::Settings;
use apprentice_game::{Game, Refuted};
use apprentice_search::{BestFirst, Budget, Search, Status};
use apprentice_testkit::dice::Dice;
use apprentice_testkit::ground::Ground;
use apprentice_testkit::kept_seeds::{self, KeptSeed};
use apprentice_testkit::simulation::{Extent, Played, play};
use apprentice_testkit::stranger::{Company, Shown, Stranger};
use apprentice_world::{AgentId, AnyQuest, DoorId, Goal, Scenario, StraightLine, Thing};

#[test]
fn every_level_can_be_read_and_is_the_same_every_time() {
    let mut dice = Dice::new(0, "test");
    for seed in 0..300 {
        let company = *dice.one_of(&Company::ALL);
        let shown = *dice.one_of(&[Shown::Nothing, Shown::Something]);
        let level = Stranger::new(seed, shown, company);
        let again = Stranger::new(seed, shown, company);
        assert!(
            level.text == again.text && level.files == again.files,
            "seed {seed}"
        );
        let scenario = &level.scenario;
        let start = scenario.place_of(Thing::Agent(AgentId::NPC));
        assert!(scenario.map().is_walkable(start), "seed {seed}");
        assert_eq!(scenario.doors().len(), level.doors, "seed {seed}");
        assert_eq!(scenario.enemies().len(), level.enemies, "seed {seed}");
        assert_eq!(level.demonstrations.is_empty(), shown == Shown::Nothing);
        assert_eq!(scenario.actors().len() > 1, company != Company::Nobody);
    }
}

/// What easier worlds prove holds: where they say that there is no plan, trying everything finds none.
#[test]
fn what_is_refuted_has_no_plan() {
    let mut proven = 0;
    for seed in 0..240 {
        let company = Company::ALL[seed as usize % 3];
        let level = Stranger::tiny(seed, Shown::Nothing, company);
        let AnyQuest::Moving(quest) = level.scenario.quest() else {
            continue;
        };
        let Some(mut refutation) = quest.refutation() else {
            continue;
        };
        match refutation.go_on(&quest, &mut Budget::units(300_000)) {
            Refuted::NotYet | Refuted::No => {}
            Refuted::Proven => {
                proven += 1;
                let mut everything = BestFirst::astar(StraightLine);
                let status = everything.run(&quest, &mut Budget::units(300_000));
                assert_ne!(status, Status::Finished, "seed {seed}, {company}");
            }
        }
    }
    assert!(proven >= 10, "{proven} are too few to say anything");
}

/// Beside a player who walks, hardly two moments are the same. In this maze a search that minds every
/// moment looks at more than 30,000 states and is nowhere near the goal.
#[test]
fn a_dead_end_in_a_maze_is_tried_once() {
    let level = Stranger::new(9_800_010, Shown::Nothing, Company::Walks);
    let AnyQuest::Moving(quest) = level.scenario.quest() else {
        panic!("somebody walks");
    };
    let checked = Settings::default().check(&level.scenario, []);
    let planner = checked.expect("the settings are sound").planner;
    let mut search = planner.search(&quest).expect("auto fits").search;
    let mut budget = Budget::units(1_000_000);
    let status = search.run(&quest, &mut budget);
    let expanded = search.statistics().expanded;
    assert_eq!(status, Status::Finished, "after {expanded} expansions");
    assert!(expanded <= 12_000, "{expanded} expansions");
}

/// A guard leaves a multiple of twenty, so whoever meets it with less than all its health loses more by
/// that. Whoever meets it first does not, and what guards and others cost apart must add up to no more.
#[test]
fn whoever_meets_the_guard_first_may_live() {
    let level = |start: u32, goal: u32| {
        let text = format!(
            r#"
            format = 1
            start = [{start}, 0]
            goal = {{ within = {{ at = [{goal}, 0], radius = 0.0 }} }}
            map = {{ rows = ["......................."] }}
            margins = {{ damage = 1.0, radius = 1.0 }}
            kinds.watch = {{ like = "guard", radius = 0.4, sneak_radius = 0.4, damage = 60 }}
            kinds.slow = {{ like = "wolf", health = 900, damage = 30, period = 60.0, leash = 40 }}
            enemy = [{{ id = "a", kind = "watch", at = [2, 0] }}, {{ id = "b", kind = "slow", at = [15, 0] }}]
            "#
        );
        Scenario::parse(&text).unwrap()
    };
    for (start, goal, lives) in [(0, 22, true), (22, 0, false)] {
        let scenario = level(start, goal);
        let AnyQuest::Moving(quest) = scenario.quest() else {
            panic!("somebody moves");
        };
        let mut everything = BestFirst::astar(StraightLine);
        let status = everything.run(&quest, &mut Budget::units(100_000));
        assert_eq!(
            status == Status::Finished,
            lives,
            "from {start}: {status:?}"
        );
        let mut refutation = quest.refutation().expect("there are easier worlds");
        let answer = refutation.go_on(&quest, &mut Budget::units(100_000));
        assert!(!lives || answer != Refuted::Proven, "from {start}");
    }
}

/// A player on its way opens the den of the wolf that is to be killed, and takes what lies there, so that
/// nobody knows who comes first: that is no proof that the den stays shut.
#[test]
fn what_a_player_opens_is_open() {
    let row = ".".repeat(70);
    let text = format!(
        r#"
        format = 1
        start = [0, 0]
        goal = {{ dead = "grey" }}
        player = {{ at = [0, 2], fights = false, route = [[6, 2]] }}
        map = {{ rows = ["{row}", "{row}", "{row}", "{}.{}", "{row}"] }}
        door = [{{ id = "den", at = [[60, 3]] }}]
        lever = [{{ id = "winch", at = [6, 2], opens = ["den"] }}]
        item = [{{ id = "coin", at = [3, 2] }}]
        enemy = [{{ id = "grey", kind = "wolf", at = [60, 4] }}, {{ id = "watch", kind = "guard", at = [30, 4] }}]
        "#,
        "#".repeat(60),
        "#".repeat(9),
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("somebody moves");
    };
    let planner = Settings::default().check(&scenario, []).unwrap().planner;
    let mut search = planner.search(&quest).expect("auto fits").search;
    let status = search.run(&quest, &mut Budget::units(400_000));
    assert_eq!(status, Status::Finished);
    let mut refutation = quest.refutation().expect("there are easier worlds");
    let answer = refutation.go_on(&quest, &mut Budget::units(400_000));
    assert_ne!(answer, Refuted::Proven);
}

/// Nobody means to make a level without a way. A few do.
#[test]
fn walls_doors_keys_and_levers_mostly_admit_a_way() {
    let levels = (0..300).map(|seed| Stranger::new(seed, Shown::Nothing, Company::Nobody));
    let to_a_place = levels.filter(|level| matches!(level.scenario.goal(), Goal::Within { .. }));
    let has_way: Vec<bool> = to_a_place.map(|level| has_way(&level.scenario)).collect();
    let with_way = has_way.iter().filter(|has_way| **has_way).count();
    assert!(
        with_way * 100 > has_way.len() * 90,
        "{with_way} of {}",
        has_way.len()
    );
    assert!(with_way < has_way.len(), "somebody always blunders");
}

/// Opens whatever can be opened until nothing more can be reached.
fn has_way(scenario: &Scenario) -> bool {
    let map = scenario.map();
    let ground = Ground::new(map);
    let start = scenario.place_of(Thing::Agent(AgentId::NPC));
    let Goal::Within { at, radius, .. } = scenario.goal() else {
        panic!("only goals of a place");
    };
    let mut opened = 0u32;
    loop {
        let mut shut = vec![false; map.places()];
        for (number, door) in scenario.doors().iter().enumerate() {
            let is_open = opened >> number & 1 == 1 || door.starts_open || door.cycle.is_some();
            if !is_open {
                door.places.iter().for_each(|place| shut[*place] = true);
            }
        }
        let reached = ground.reach(start, &shut);
        if map
            .places_within(*at, *radius)
            .iter()
            .any(|place| reached[*place])
        {
            return true;
        }
        let before = opened;
        for number in 0..scenario.doors().len() {
            let door = DoorId::new(number as u8);
            let mut keys = scenario.keys_of(door).map(Thing::Item);
            let mut levers = scenario.levers_of(door).map(Thing::Lever);
            let at_hand = |thing| reached[scenario.place_of(thing)];
            let (has_key, has_lever) = (keys.any(at_hand), levers.any(at_hand));
            opened |= u32::from(has_key || has_lever) << number;
        }
        if opened == before {
            return false;
        }
    }
}

/// Seeds of short games that are played at every test.
const SHORT_GAMES: std::ops::Range<u64> = 0..24;

#[test]
fn laws_hold_in_short_games_and_they_are_the_same_every_time() {
    let kept = kept_seeds::read().unwrap_or_else(|error| panic!("{error}"));
    let mut record = String::new();
    for seed in SHORT_GAMES {
        let known = |kept: &&KeptSeed| (kept.seed, kept.extent) == (seed, Extent::Short);
        let is_open = kept.iter().find(known).is_some_and(|kept| kept.is_open);
        let played = check(seed, Extent::Short, is_open);
        let played = played.unwrap_or_else(|broken| panic!("{broken}"));
        if seed % 4 == 0 {
            let again = play(seed, Extent::Short);
            assert_eq!((played.digest, played.units), (again.digest, again.units));
        }
        let Played {
            ending,
            digest,
            units,
            ..
        } = played;
        writeln!(record, "{seed}: {ending}, {units} units, {digest:016x}").expect("it fits");
    }
    compare_with_record(&record);
}

/// Whatever is rebuilt inside, characters do what they did. What changes on purpose is recorded anew
/// with `UPDATE_GOLDEN=1` and told in CHANGELOG.md.
fn compare_with_record(record: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let golden = root.join("testdata/simulation/short_games.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, record).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    let (kept, now): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), record.lines().collect());
    assert_eq!(kept, now, "record it with UPDATE_GOLDEN=1 if that is meant");
}

#[test]
fn laws_that_were_broken_once_hold() {
    let kept = kept_seeds::read().unwrap_or_else(|error| panic!("{error}"));
    let others = kept.iter().filter(|kept| {
        // Those that are open take long, and the ones above are played there.
        let is_above = kept.extent == Extent::Short && SHORT_GAMES.contains(&kept.seed);
        !kept.is_open && !is_above
    });
    let broken: Vec<String> = others
        .filter_map(|kept| check(kept.seed, kept.extent, kept.is_open).err())
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Plays a game. Where something is known to be broken still, at least nothing worse is.
fn check(seed: u64, extent: Extent, is_open: bool) -> Result<Played, String> {
    let played = play(seed, extent);
    let faults = played.faults.iter();
    let faults: Vec<_> = faults
        .filter(|fault| fault.law.is_hard() || !is_open)
        .collect();
    if faults.is_empty() {
        return Ok(played);
    }
    let about = &played.about;
    Err(format!(
        "{extent} game of seed {seed}: {faults:?} ({about})"
    ))
}
