//! A game that is saved at any moment, while somebody thinks or walks, and loaded, also in another
//! process, goes on to the same orders, for the same units, to the end; and what is no save of it is
//! refused with a reason.

use std::process::Command;
use std::time::Duration;

use crate::dungeon::{self, Dice, Inhabitants};
use crate::quests::{drawn, shipped};
use apprentice_behavior::{
    Cast, Character, Crew, Doing, MemberId, Membership, Planner, PlannerName, Prepared, SaveError,
    SavedCharacter, SavedCharacters, SavedCrew, Settings,
};
use apprentice_search::saved::LoadError;
use apprentice_search::{Budget, Weight};
use apprentice_world::{
    Abilities, AgentId, DoorId, Goal, ItemId, LeverId, Observation, Order, Orders, Performer,
    Point, Role, SavedWorld, Scenario, World,
};
use proptest::prelude::*;

const TICK: Duration = Duration::from_millis(50);

/// A level, who acts in it, and by which planner.
struct Play {
    scenario: Scenario,
    planner: Planner,
    who: Performer,
}

impl Play {
    fn new(scenario: Scenario, name: PlannerName) -> Play {
        let settings = Settings {
            planner: name,
            ..Settings::default()
        };
        let checked = settings.check(&scenario, drawn(&scenario));
        Play {
            planner: checked.expect("the settings fit").planner,
            scenario,
            who: Performer::from(Abilities::default()),
        }
    }

    fn character(&self) -> Character<Scenario> {
        Character::new(self.planner.clone(), self.who.clone()).with_tick(TICK)
    }

    fn cast(&self) -> Cast<'_, Scenario> {
        Cast {
            planners: std::slice::from_ref(&self.planner),
            who: std::slice::from_ref(&self.who),
        }
    }

    /// A game as it is written down.
    fn written(&self, world: &World, character: &Character<Scenario>) -> String {
        let saved = character.save(&self.scenario).expect("it can be saved");
        let both = (world.save(&self.scenario), saved);
        serde_json::to_string(&both).expect("it can be written")
    }

    fn read(&self, text: &str) -> (World, Character<Scenario>) {
        let (world, saved): (SavedWorld, SavedCharacter<Scenario>) =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let world = world.load(&self.scenario).expect("it is sound");
        let (units, mut budget) = (saved.units(), Budget::unlimited());
        let character = saved.load(&self.scenario, &self.cast(), &mut budget);
        let character = character.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(budget.taken(), units, "loading takes what was said");
        (world, character)
    }

    /// One frame: what was ordered, what it took, and what the character is at.
    fn frame(
        &self,
        world: &mut World,
        character: &mut Character<Scenario>,
        units: u64,
    ) -> (Order, u64, Doing) {
        let mut budget = Budget::units(units);
        let order = character.decide(&self.scenario, world, &mut budget);
        world.advance(&self.scenario, &Orders::new(order), TICK, &mut ());
        (order, budget.taken(), character.doing())
    }
}

/// What nobody planned for, at random.
fn mischief(dice: &mut Dice, scenario: &Scenario) -> Observation {
    let which = dice.below(3) as u8;
    match dice.below(7) {
        0 => Observation::Open(DoorId::new(which)),
        1 => Observation::Shut(DoorId::new(which)),
        2 => Observation::Remove(ItemId::new(which)),
        3 => Observation::Return(ItemId::new(which)),
        4 => Observation::Pulled(LeverId::new(which), dice.once_in(2)),
        5 => Observation::Health(AgentId::NPC, 40.0 + dice.below(60) as f64),
        _ => {
            let place = dice.below(scenario.map().places());
            Observation::Move(AgentId::NPC, scenario.map().point_of(place), None)
        }
    }
}

const UNITS: [u64; 5] = [1, 7, 40, 300, 5_000];

/// Plays a random dungeon with mischief, saves at some moments, and lets all who were loaded go on
/// beside the one who was never saved.
fn check(seed: u64, inhabitants: Inhabitants, name: PlannerName) -> (usize, usize) {
    let (text, scenario) = dungeon::random(seed, inhabitants);
    let play = Play::new(scenario, name);
    let mut dice = Dice::new(seed ^ 0x5A7E);
    let units = UNITS[dice.below(UNITS.len())];
    let saved_at = [(); 3].map(|()| dice.below(250));
    let mut character = play.character();
    if seed.is_multiple_of(3) {
        character = character.planning_anew_every(Duration::from_secs(3));
    }
    let mut games = vec![(World::new(&play.scenario), character)];
    let (mut thinking, mut walking) = (0, 0);
    // What was saved is kept, as games do: that must not matter to whoever goes on.
    let mut kept = Vec::new();
    for tick in 0..400 {
        if saved_at.contains(&tick) {
            let (world, character) = &games[0];
            match character.doing() {
                Doing::Thinking => thinking += 1,
                Doing::Following => walking += 1,
                _ => {}
            }
            let text = play.written(world, character);
            let (world, character) = play.read(&text);
            // Saved again, it is the same to the last letter.
            assert_eq!(play.written(&world, &character), text);
            games.push((world, character));
            kept.push(games[0].1.save(&play.scenario));
        }
        if dice.once_in(40) {
            let happens = mischief(&mut dice, &play.scenario);
            for (world, _) in &mut games {
                world.observe(&play.scenario, happens);
            }
        }
        if dice.once_in(120) {
            let place = dice.below(play.scenario.map().places());
            let goal = Goal::Within {
                at: play.scenario.map().point_of(place),
                height: None,
                radius: 1.0,
            };
            for (_, character) in &mut games {
                character.pursue(goal.clone());
            }
        }
        let frames: Vec<_> = games
            .iter_mut()
            .map(|(world, character)| play.frame(world, character, units))
            .collect();
        let worlds = games.iter().all(|(world, _)| *world == games[0].0);
        let is_same = frames.iter().all(|frame| *frame == frames[0]) && worlds;
        assert!(is_same, "seed {seed}, tick {tick}: {frames:?}\n{text}");
    }
    let plans = games[0].1.plans();
    assert!(games.iter().all(|(_, it)| it.plans() == plans));
    (thinking, walking)
}

#[test]
fn in_random_dungeons_whatever_happens() {
    let (mut thinking, mut walking) = (0, 0);
    let all = [
        Inhabitants::Still,
        Inhabitants::Moving,
        Inhabitants::Scattered,
        Inhabitants::Crowded,
    ];
    for seed in 0..96 {
        let names = PlannerName::ALL;
        let name = match seed % 2 {
            0 => PlannerName::Auto,
            _ => names[seed as usize / 2 % names.len()],
        };
        let counts = check(seed, all[seed as usize % 4], name);
        thinking += counts.0;
        walking += counts.1;
    }
    // Both were met often.
    assert!(thinking > 40 && walking > 40, "{thinking} and {walking}");
}

/// A yard with a key, two doors, a lever and a wolf.
const HOUSE: &str = "format = 1
    start = [0, 3]
    goal = { within = { at = [15, 3], radius = 0.0 } }
    key = [{ id = 'red', at = [2, 0], opens = ['north'] }]
    lever = [{ id = 'crank', at = [1, 6], opens = ['south'] }]
    door = [{ id = 'north', at = [[8, 1]] }, { id = 'south', at = [[8, 5]] }]
    demonstration = [{ points = [[0, 3], [2, 0], [6, 1], [12, 1], [14, 2]] }]
    enemy = [{ id = 'grey', kind = 'wolf', at = [15, 6] }]
    [map]
    rows = [
        '........#.......',
        '................',
        '...##...#..##...',
        '........#.......',
        '...##...#..##...',
        '................',
        '........#.......',
    ]";

fn house() -> Play {
    let scenario = Scenario::parse(HOUSE).unwrap_or_else(|error| panic!("{error}"));
    Play::new(scenario, PlannerName::Auto)
}

/// The rest of a game, a line for each frame.
fn rest(play: &Play, world: &mut World, character: &mut Character<Scenario>) -> String {
    let mut lines = String::new();
    for tick in 0..600 {
        if tick == 30 {
            world.observe(&play.scenario, Observation::Shut(DoorId::new(0)));
        }
        let (order, units, doing) = play.frame(world, character, 60);
        lines += &format!("{order} {units} {doing:?} {:016x}\n", world.digest());
        if doing == Doing::Done {
            break;
        }
    }
    lines
}

const SAVE: &str = "APPRENTICE_TEST_SAVE";

/// Another process: this program itself, which runs only the test below and finds a save there.
#[test]
fn in_another_process() {
    let play = house();
    if let Ok(path) = std::env::var(SAVE) {
        let text = std::fs::read_to_string(&path).expect("it was written");
        let (mut world, mut character) = play.read(&text);
        let lines = rest(&play, &mut world, &mut character);
        std::fs::write(format!("{path}.rest"), lines).expect("it can be written");
        return;
    }
    for (number, frames) in [0, 2, 9, 60, 200].into_iter().enumerate() {
        let mut world = World::new(&play.scenario);
        let mut character = play.character();
        for _ in 0..frames {
            play.frame(&mut world, &mut character, 60);
        }
        let folder = env!("CARGO_TARGET_TMPDIR");
        let path = format!("{folder}/save {number} {}.json", std::process::id());
        std::fs::write(&path, play.written(&world, &character)).expect("it can be written");
        let this = std::env::current_exe().expect("this is a program");
        let name = "saves_go_on_to_the_same::in_another_process";
        let output = Command::new(this)
            .args(["--exact", name])
            .env(SAVE, &path)
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{output:?}");
        let there = std::fs::read_to_string(format!("{path}.rest")).expect("it was played");
        for path in [path.clone(), format!("{path}.rest")] {
            std::fs::remove_file(path).expect("it is there");
        }
        let here = rest(&play, &mut world, &mut character);
        assert_eq!(there, here, "saved after {frames} frames");
        assert!(here.ends_with(&format!("Done {:016x}\n", world.digest())));
    }
}

#[test]
fn by_a_binary_format() {
    let play = house();
    let mut world = World::new(&play.scenario);
    let mut character = play.character();
    for frame in 0..300 {
        if frame % 7 == 0 {
            let saved = character.save(&play.scenario).expect("it can be saved");
            let both = (world.save(&play.scenario), saved);
            let bytes = postcard::to_stdvec(&both).expect("it can be written");
            let (read_world, read): (SavedWorld, SavedCharacter<Scenario>) =
                postcard::from_bytes(&bytes).expect("it can be read");
            let read_world = read_world.load(&play.scenario).expect("it is sound");
            assert_eq!(read_world, world);
            let loaded = read.load(&play.scenario, &play.cast(), &mut Budget::unlimited());
            // From now on it is the one that was loaded, again and again.
            character = loaded.expect("it is sound");
        }
        play.frame(&mut world, &mut character, 60);
    }
    let mut never_saved = (World::new(&play.scenario), play.character());
    for _ in 0..300 {
        play.frame(&mut never_saved.0, &mut never_saved.1, 60);
    }
    assert_eq!(never_saved.0, world);
    assert_eq!(never_saved.1.plans(), character.plans());
}

/// A world in which somebody begins elsewhere.
fn begun_at(scenario: &Scenario, place: usize) -> World {
    let mut world = World::new(scenario);
    let at = scenario.map().point_of(place);
    world.observe(scenario, Observation::Move(AgentId::NPC, at, None));
    world
}

fn goal(x: f64, y: f64) -> Goal {
    Goal::Within {
        at: Point::new(x, y),
        height: None,
        radius: 1.0,
    }
}

/// A crew, the worlds of its members, and what became of a frame.
fn crew_frame(
    play: &Play,
    crew: &mut Crew<Scenario>,
    worlds: &mut [World],
    units: u64,
) -> (Vec<Order>, Vec<u64>) {
    let world = |id: MemberId| &worlds[id.index()];
    let mut taken = Vec::new();
    for (lane, units) in crew.shares(units) {
        let frame = lane.think(&play.scenario, world, &mut Budget::units(units));
        taken.push(frame.units);
    }
    let mut orders = Vec::new();
    for id in crew.ids() {
        let world = &mut worlds[id.index()];
        let order = crew.order(id, &play.scenario, world).expect("a member");
        world.advance(&play.scenario, &Orders::new(order), TICK, &mut ());
        orders.push(order);
    }
    (orders, taken)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn crews_of_several(
        members in prop::collection::vec((0..7 * 16usize, 0..16u8, 0..7u8), 1..10),
        lanes in 1..4usize,
        units in prop_oneof![Just(3u64), Just(40), Just(600)],
        saved_at in 0..150usize,
        mischief in prop::collection::vec((0..200usize, 0..10usize, 0..2u8, any::<bool>()), 0..8),
        forgets_at in prop::option::of(0..100usize),
        leaves in prop::collection::vec((0..200usize, 0..10usize), 0..4),
    ) {
        let play = house();
        let mut crew: Crew<Scenario> = Crew::with_lanes(lanes);
        let mut worlds = Vec::new();
        for (number, (place, x, y)) in members.iter().enumerate() {
            let mut character = play.character();
            character.pursue(goal(f64::from(*x), f64::from(*y)));
            let id = crew.add_to(number % lanes, character);
            crew.set(id, Membership { importance: 1 + number as u32 % 3, ..Membership::default() });
            let place = if play.scenario.map().is_walkable(*place) { *place } else { 0 };
            worlds.push(begun_at(&play.scenario, place));
        }
        let mut games = vec![(crew, worlds)];
        for frame in 0..260 {
            if frame == saved_at {
                let saved = games[0].0.save(&play.scenario).expect("it can be saved");
                let text = serde_json::to_string(&saved).expect("it can be written");
                let read: SavedCrew<Scenario> = serde_json::from_str(&text).expect("it is read");
                let (units, mut budget) = (read.units(), Budget::unlimited());
                let loaded = read.load(&play.scenario, &play.cast(), &mut budget);
                let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
                prop_assert_eq!(budget.taken(), units);
                let again = loaded.save(&play.scenario).expect("it can be saved");
                prop_assert_eq!(serde_json::to_string(&again).expect("it can be written"), text);
                let worlds = games[0].1.clone();
                games.push((loaded, worlds));
            }
            for (when, whom, door, opens) in &mischief {
                if *when == frame {
                    let door = DoorId::new(*door);
                    let what = if *opens { Observation::Open(door) } else { Observation::Shut(door) };
                    for (_, worlds) in &mut games {
                        worlds[whom % members.len()].observe(&play.scenario, what);
                    }
                }
            }
            if forgets_at == Some(frame) {
                games.iter_mut().for_each(|(crew, _)| crew.forget());
            }
            for (_, whom) in leaves.iter().filter(|(when, _)| *when == frame) {
                let id = MemberId::from_index(*whom);
                for (crew, _) in &mut games {
                    let was_there = crew.ids().any(|it| it == id);
                    prop_assert_eq!(crew.remove(id), was_there);
                    prop_assert!(crew.member(id).is_none());
                }
            }
            let frames: Vec<_> = games
                .iter_mut()
                .map(|(crew, worlds)| crew_frame(&play, crew, worlds, units))
                .collect();
            prop_assert!(frames.iter().all(|it| *it == frames[0]), "frame {}: {:?}", frame, frames);
        }
        prop_assert!(games.iter().all(|(_, worlds)| *worlds == games[0].1));
    }

    /// Those who share what is prepared are saved together.
    #[test]
    fn several_who_share(
        starts in prop::collection::vec((0..7 * 16usize, 0..16u8, 0..7u8), 2..5),
        units in prop_oneof![Just(5u64), Just(90)],
        saved_at in 0..60usize,
    ) {
        let play = house();
        let prepared = Prepared::default();
        let mut worlds = Vec::new();
        let mut characters = Vec::new();
        for (place, x, y) in &starts {
            let mut character = play.character().sharing(&prepared);
            character.pursue(goal(f64::from(*x), f64::from(*y)));
            characters.push(character);
            let place = if play.scenario.map().is_walkable(*place) { *place } else { 0 };
            worlds.push(begun_at(&play.scenario, place));
        }
        let mut games = vec![(worlds, characters)];
        for frame in 0..120 {
            if frame == saved_at {
                let saved = SavedCharacters::save(&games[0].1, &play.scenario).expect("together");
                let bytes = postcard::to_stdvec(&saved).expect("it can be written");
                let read: SavedCharacters<Scenario> = postcard::from_bytes(&bytes).expect("read");
                let loaded = read.load(&play.scenario, &play.cast(), &mut Budget::unlimited());
                let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
                let worlds = games[0].0.clone();
                games.push((worlds, loaded));
                let alone = games[0].1[0].save(&play.scenario).err();
                let others = starts.len() as u32 - 1;
                prop_assert_eq!(alone, Some(SaveError::Shares { others }));
            }
            let frames: Vec<Vec<_>> = games
                .iter_mut()
                .map(|(worlds, characters)| {
                    let all = worlds.iter_mut().zip(characters);
                    all.map(|(world, it)| play.frame(world, it, units)).collect()
                })
                .collect();
            prop_assert!(frames.iter().all(|it| *it == frames[0]), "frame {}: {:?}", frame, frames);
        }
    }
}

/// Two agents in one world, who share what is prepared, are saved together.
#[test]
fn two_agents() {
    let text = HOUSE.replace(
        "enemy =",
        "actor = [{ id = 'anna', at = [5, 3], goal = { within = { at = [14, 5], radius = 1.0 } } }]
    enemy =",
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let play = Play::new(scenario, PlannerName::Auto);
    let anna = play.scenario.actor("anna").expect("she is there");
    let who = [play.who.clone(), Performer::from(Role::of(anna))];
    let cast = Cast {
        planners: std::slice::from_ref(&play.planner),
        who: &who,
    };
    for saved_at in [0, 4, 11, 25, 80] {
        let prepared = Prepared::default();
        let both = who.clone().map(|who| {
            let character = Character::new(play.planner.clone(), who).with_tick(TICK);
            character.sharing(&prepared)
        });
        let mut games = vec![(World::new(&play.scenario), Vec::from(both))];
        for frame in 0..300 {
            if frame == saved_at {
                let saved = SavedCharacters::save(&games[0].1, &play.scenario).expect("both");
                let loaded = saved.load(&play.scenario, &cast, &mut Budget::unlimited());
                let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
                let world = games[0].0.clone();
                games.push((world, loaded));
            }
            let frames: Vec<_> = games
                .iter_mut()
                .map(|(world, characters)| {
                    let decided: Vec<(Order, u64)> = characters
                        .iter_mut()
                        .map(|character| {
                            let mut budget = Budget::units(60);
                            let order = character.decide(&play.scenario, world, &mut budget);
                            (order, budget.taken())
                        })
                        .collect();
                    let others = [(anna, decided[1].0)];
                    let orders = Orders::of(AgentId::NPC, decided[0].0).with_orders(&others);
                    world.advance(&play.scenario, &orders, TICK, &mut ());
                    decided
                })
                .collect();
            assert!(
                frames.iter().all(|it| *it == frames[0]),
                "{frame}: {frames:?}"
            );
        }
    }
}

/// A game in the middle of a thought, and one in the middle of a walk.
fn midway() -> [(Play, String); 2] {
    [3, 40].map(|frames| {
        let play = house();
        let mut world = World::new(&play.scenario);
        let mut character = play.character();
        for _ in 0..frames {
            play.frame(&mut world, &mut character, 60);
        }
        let text = play.written(&world, &character);
        (play, text)
    })
}

/// What becomes of a save that may be none.
fn take_up(play: &Play, text: &str) -> Result<(World, Character<Scenario>), String> {
    let (world, saved): (SavedWorld, SavedCharacter<Scenario>) =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let said = |error: LoadError| error.to_string();
    let world = world.load(&play.scenario).map_err(said)?;
    // Nobody waits for a save that says it takes years.
    let mut budget = Budget::units(50_000);
    let character = saved.load(&play.scenario, &play.cast(), &mut budget);
    Ok((world, character.map_err(said)?))
}

const OTHER_VERSION: &str = "this save is of version 7, and this program reads version 1";

/// The same save with each of its versions changed, one at a time.
fn of_other_versions(text: &str) -> Vec<String> {
    let version = "\"version\":1";
    let others = text.match_indices(version).map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + version.len()..]);
        format!("{before}\"version\":7{after}")
    });
    others.collect()
}

#[test]
fn crews_of_another_version() {
    let play = house();
    let mut crew: Crew<Scenario> = Crew::with_lanes(2);
    for _ in 0..3 {
        crew.add(play.character());
    }
    let saved = crew.save(&play.scenario).expect("it can be saved");
    let text = serde_json::to_string(&saved).expect("it can be written");
    assert!(serde_json::from_str::<SavedCrew<Scenario>>(&text).is_ok());
    let others = of_other_versions(&text);
    assert_eq!(others.len(), 1, "of the crew, with all who are in it");
    let read = serde_json::from_str::<SavedCrew<Scenario>>(&others[0]);
    let refused = read.err().expect("it is another version").to_string();
    assert!(refused.contains(OTHER_VERSION), "{refused}");
}

#[test]
fn of_another_level_or_version_or_with_other_settings() {
    let [(play, text), _] = midway();
    assert!(take_up(&play, &text).is_ok());
    let refused = |play: &Play, text: &str| take_up(play, text).err().expect("it is none");
    let others = of_other_versions(&text);
    assert_eq!(others.len(), 2, "of the world, and of the character");
    for another in others {
        let another = refused(&play, &another);
        assert!(another.contains(OTHER_VERSION), "{another}");
    }

    let level = HOUSE.replace("[15, 6]", "[14, 6]");
    let scenario = Scenario::parse(&level).expect("it is sound");
    let elsewhere = Play::new(scenario, PlannerName::Auto);
    assert!(refused(&elsewhere, &text).contains("saved in another level"));

    let other = Play::new(house().scenario, PlannerName::Mha);
    let missing = refused(&other, &text);
    assert!(missing.starts_with("a planner of number "), "{missing}");
    let mut somebody = house();
    somebody.who.abilities.waits = true;
    let missing = refused(&somebody, &text);
    assert!(missing.starts_with("a character of number "), "{missing}");

    let (_, saved): (SavedWorld, SavedCharacter<Scenario>) =
        serde_json::from_str(&text).expect("it is one");
    let units = saved.units();
    assert!(units > 100, "{units}");
    let spent = saved.load(&play.scenario, &play.cast(), &mut Budget::units(units - 1));
    assert_eq!(spent.err(), Some(LoadError::Spent { units }));
}

/// What was prepared for a level that is no more is left behind, and whoever was told that the level
/// has changed is saved before it has looked.
#[test]
fn when_the_level_has_changed() {
    let play = house();
    let mut world = World::new(&play.scenario);
    let mut character = play.character();
    for _ in 0..5 {
        play.frame(&mut world, &mut character, 60);
    }
    assert_eq!(character.doing(), Doing::Thinking);
    let wider = HOUSE.replace(
        "'...##...#..##...',\n        '........#",
        "'...##......##...',\n        '........#",
    );
    let scenario = Scenario::parse(&wider).expect("it is sound");
    let changed = Play::new(scenario, PlannerName::Auto);
    assert_eq!(
        character.save(&changed.scenario).err(),
        Some(SaveError::LevelChanged)
    );
    character.level_changed();
    let mut games = vec![(world, character)];
    let text = changed.written(&games[0].0, &games[0].1);
    // The planner is the one it had.
    let cast_of_before = Play {
        scenario: changed.scenario,
        ..play
    };
    games.push(cast_of_before.read(&text));
    for frame in 0..400 {
        let frames: Vec<_> = games
            .iter_mut()
            .map(|(world, character)| cast_of_before.frame(world, character, 60))
            .collect();
        assert_eq!(frames[0], frames[1], "frame {frame}");
    }
    assert_eq!(games[0].1.doing(), Doing::Done);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// Bytes that were changed, left out or cut off are refused, or make a game that can be played:
    /// nothing panics.
    #[test]
    fn damaged(
        walks in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 1..4),
    ) {
        let [thinking, walking] = midway();
        let (play, text) = if walks { walking } else { thinking };
        let mut bytes = text.into_bytes();
        for (at, how, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                // Digits become other digits, which is what reads best and means worst.
                0 | 1 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + byte % 10,
                0 | 1 => bytes[at] = byte,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok((mut world, mut character)) = take_up(&play, &text) {
            for _ in 0..20 {
                play.frame(&mut world, &mut character, 60);
            }
        }
    }
}

/// Numbers that mean the worst.
#[test]
fn made_up() {
    let numbers = [
        "0",
        "4294967295",
        "18446744073709551615",
        "9223372036854775807",
        "null",
        "-1",
    ];
    let (mut taken, mut refused) = (0, 0);
    for (play, text) in midway() {
        let mut at = 0;
        let mut spots = Vec::new();
        while let Some(begin) = text[at..].find(|letter: char| letter.is_ascii_digit()) {
            let begin = at + begin;
            let end = text[begin..].find(|letter: char| !letter.is_ascii_digit());
            let end = begin + end.unwrap_or(text.len() - begin);
            spots.push((begin, end));
            at = end;
        }
        // The first and the last of them, and every so many between: steps of plans are all alike.
        let count = spots.len();
        let is_looked_at =
            |number: usize| number < 300 || number + 300 > count || number.is_multiple_of(17);
        for (_, (begin, end)) in spots
            .into_iter()
            .enumerate()
            .filter(|(it, _)| is_looked_at(*it))
        {
            for number in numbers {
                let text = format!("{}{number}{}", &text[..begin], &text[end..]);
                match take_up(&play, &text) {
                    Ok((mut world, mut character)) => {
                        taken += 1;
                        for _ in 0..20 {
                            play.frame(&mut world, &mut character, 60);
                        }
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    println!("{taken} were taken, {refused} refused");
    assert!(refused > taken);
}

/// Settings that were written and read make the same planner.
#[test]
fn settings() {
    let scenario = Scenario::parse(HOUSE).expect("it is sound");
    let mut dice = Dice::new(5);
    let mut digests = Vec::new();
    for number in 0..100 {
        let names = PlannerName::ALL;
        let weight = Weight::new(1.0 + dice.below(1 << 20) as f64 / 65_537.0);
        let weight = weight.expect("it is at least 1");
        let settings = Settings {
            planner: names[number % names.len()],
            bound: dice.once_in(2).then_some(weight),
            faithful: dice.once_in(3).then(|| dice.below(1_000) as f64 / 999.0),
            epsilon: dice.once_in(3).then_some(weight),
            extra_turns: dice.once_in(2).then(|| dice.below(9) as u32),
            events: dice.once_in(2).then(|| vec!["crank".to_owned()]),
            improve: dice.once_in(2),
            ..Settings::default()
        };
        let digest = |settings: &Settings| {
            let checked = settings.check(&scenario, drawn(&scenario));
            checked.expect("they fit").planner.digest()
        };
        let text = serde_json::to_string(&settings).expect("it can be written");
        let read: Settings = serde_json::from_str(&text).expect("it can be read");
        let bytes = postcard::to_stdvec(&settings).expect("it can be written");
        let unpacked: Settings = postcard::from_bytes(&bytes).expect("it can be read");
        digests.push(digest(&settings));
        assert_eq!(
            [digest(&read), digest(&unpacked)],
            [digest(&settings); 2],
            "{text}"
        );
    }
    digests.sort_unstable();
    digests.dedup();
    assert!(digests.len() > 60, "{}", digests.len());
}

/// How large saves are, and what it takes to load them: what the book says.
#[test]
fn sizes() {
    let play = Play::new(shipped("quest_compound"), PlannerName::Auto);
    let mut world = World::new(&play.scenario);
    let mut character = play.character();
    let mut sizes = Vec::new();
    for frame in 0..600 {
        play.frame(&mut world, &mut character, 500);
        if [0, 10, 60, 599].contains(&frame) {
            let saved = character.save(&play.scenario).expect("it can be saved");
            let units = saved.units();
            let json = serde_json::to_string(&saved)
                .expect("it can be written")
                .len();
            let binary = postcard::to_stdvec(&saved)
                .expect("it can be written")
                .len();
            let ahead = character.steps_ahead();
            println!(
                "frame {frame}, {:?}, {ahead} steps ahead: {json} bytes of JSON, {binary} binary, {units} units",
                character.doing(),
            );
            sizes.push((character.doing(), binary));
        }
    }
    let world = postcard::to_stdvec(&world.save(&play.scenario)).expect("it can be written");
    println!("the world: {} bytes", world.len());
    assert!(sizes.contains(&(Doing::Thinking, sizes[0].1)), "{sizes:?}");
    assert!(sizes.iter().any(|(doing, _)| *doing == Doing::Following));
    assert!(
        sizes.iter().all(|(_, bytes)| *bytes < 16 << 10),
        "{sizes:?}"
    );
    assert!(world.len() < 1_000);
}
