//! A cast gives the orders that its characters give to whoever asks them without it, in every shipped
//! level; and an engine that moves its own world is followed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use apprentice::Level;
use apprentice::behavior::{Character, Crew, Doing, Settings};
use apprentice::search::Budget;
use apprentice::world::{
    Abilities, AgentId, ItemId, Observation as WorldObservation, Order, Orders, Point, Scenario,
    World,
};
use apprentice_session::{Cast, NamedLevel, Observation, Recruit};

const TICK: f64 = 0.05;
const UNITS: u64 = 2_000;

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let entries = std::fs::read_dir(folder).expect("there are scenarios");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    paths.sort();
    assert!(paths.len() > 10);
    paths
}

#[test]
fn a_cast_gives_the_orders_of_a_crew() {
    for path in shipped() {
        let level = NamedLevel::load(&path).expect("it is sound");
        let mut cast = Cast::new(&level);
        for name in ["anna", "ben"] {
            cast.add(name, &Recruit::default()).expect("they fit");
        }
        let Level {
            scenario,
            demonstrations,
            ..
        } = Level::load(&path).expect("it is sound");
        let planner = Settings::default()
            .check(&scenario, demonstrations)
            .expect("it fits")
            .planner;
        let mut crew: Crew<Scenario> = Crew::default();
        let mut worlds = Vec::new();
        for _ in 0..2 {
            crew.add(Character::new(planner.clone(), Abilities::default()));
            worlds.push((World::new(&scenario), Order::WAIT));
        }
        for tick in 0..600 {
            cast.pass(TICK).expect("time passes");
            for (world, order) in &mut worlds {
                let time = Duration::from_secs_f64(TICK);
                world.advance(&scenario, &Orders::new(*order), time, &mut ());
            }
            let spent = cast.think(UNITS);
            assert!(spent.units <= UNITS);
            let mut budget = Budget::units(UNITS).within_memory(apprentice_session::MEMORY);
            let frame = crew.think(&scenario, |id| &worlds[id.index()].0, &mut budget);
            assert_eq!(spent.units, frame.units, "{} tick {tick}", path.display());
            for id in crew.ids() {
                let (world, order) = &mut worlds[id.index()];
                *order = crew.order(id, &scenario, world).expect("a member");
                assert_eq!(
                    cast.order(id.index()),
                    Some(*order),
                    "{} tick {tick}",
                    path.display()
                );
            }
        }
        let doing = crew.members().map(|(_, it)| it.doing());
        let told: Vec<Doing> = (0..2)
            .filter_map(|number| cast.doing(number))
            .map(|it| it.0)
            .collect();
        assert_eq!(doing.collect::<Vec<_>>(), told);
    }
}

/// An engine with rules of its own: everybody is slower than our world thinks, and walks straight to
/// where it is told to go.
#[test]
fn an_engine_that_moves_its_own_world_is_followed_to_the_goal() {
    let text = r#"
        format = 1
        start = [0, 1]
        goal = { within = { at = [8, 1], radius = 0.0 } }
        map = { rows = ["....#....", ".........", "....#....", "........."] }
        door = [{ id = "gate", at = [[4, 1]], open = true }]
    "#;
    let level = NamedLevel::read("hall", text, |_| Err(String::new())).expect("it is sound");
    for speed in [0.3, 0.7, 1.0, 1.5] {
        let mut cast = Cast::new(&level);
        let anna = cast.add("anna", &Recruit::default()).expect("she fits");
        let mut at = [0.0f64, 1.0];
        let mut most = 0;
        let mut ticks = 0;
        let mut is_shut = false;
        let mut reasons = Vec::new();
        while cast.doing(anna).expect("she is there").0 != Doing::Done {
            cast.pass(0.05).expect("time passes");
            let own = Observation::Agent {
                id: None,
                at: Some(at.to_vec()),
                health: None,
                holding: None,
            };
            cast.observe(Some(anna), &own).expect("she is somewhere");
            if at[0] > 2.0 && !is_shut {
                is_shut = true;
                let gate = Observation::Door {
                    id: "gate".to_owned(),
                    open: false,
                };
                cast.observe(None, &gate).expect("there is a gate");
            }
            most = most.max(cast.think(300).units);
            reasons.extend(cast.why(anna));
            if let Some(to) = cast.destination(anna) {
                let (east, south) = (to.x - at[0], to.y - at[1]);
                let far = east.hypot(south);
                let step = (speed * 0.05f64).min(far);
                if far > 0.0 {
                    at = [at[0] + east / far * step, at[1] + south / far * step];
                }
            }
            ticks += 1;
            assert!(ticks < 5_000, "at {speed} she never arrives: {at:?}");
        }
        assert!(most <= 300);
        let shut = "`gate` is shut".to_owned();
        assert!(reasons.contains(&shut), "at {speed}: {reasons:?}");
        assert!((at[0] - 8.0).hypot(at[1] - 1.0) < 1.0, "at {speed}: {at:?}");
    }
}

#[test]
fn what_is_said_again_changes_nothing() {
    let text = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [4, 0], radius = 0.0 } }
        map = { rows = ["....."] }
        key = [{ id = "red", at = [1, 0], opens = [] }]
        pack = [{ id = "herbs", at = [2, 0], health = 30 }]
    "#;
    let level = NamedLevel::read("hall", text, |_| Err(String::new())).expect("it is sound");
    let mut cast = Cast::new(&level);
    let anna = cast.add("anna", &Recruit::default()).expect("she fits");
    let seen = Observation::Agent {
        id: Some("npc".to_owned()),
        at: Some(vec![3.0, 0.0]),
        health: None,
        holding: Some(vec!["red".to_owned(), "herbs".to_owned()]),
    };
    let hurt = Observation::Agent {
        id: None,
        at: None,
        health: Some(20.0),
        holding: None,
    };
    cast.observe(Some(anna), &hurt).expect("it is so");
    for _ in 0..3 {
        cast.observe(Some(anna), &seen).expect("it is so");
    }
    // The same by hand, once.
    let scenario = &level.level.scenario;
    let mut world = World::new(scenario);
    world.observe(scenario, WorldObservation::Health(AgentId::NPC, 20.0));
    world.observe(
        scenario,
        WorldObservation::Move(AgentId::NPC, Point::new(3.0, 0.0), None),
    );
    for item in 0..2 {
        world.observe(
            scenario,
            WorldObservation::Give(AgentId::NPC, ItemId::new(item)),
        );
    }
    assert_eq!(cast.world(anna).map(World::digest), Some(world.digest()));
}
