//! What depends only on level, goal and settings is made once for all who share it, and nobody does
//! anything else for sharing it.

use std::time::Duration;

use crate::quests::{drawn, shipped};
use apprentice_behavior::{
    Character, Crew, Doing, MemberId, Membership, PlannerName, Prepared, Settings,
};
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, DoorId, Goal, Observation, Order, Orders, Point, Role, Scenario, World,
};
use proptest::prelude::*;

/// A world in which somebody begins elsewhere.
fn begun_at(scenario: &Scenario, place: usize) -> World {
    let mut world = World::new(scenario);
    let at = scenario.map().point_of(place);
    world.observe(scenario, Observation::Move(AgentId::NPC, at, None));
    world
}

/// What characters take for their first plans, who begin in these places of `quest_compound` and share
/// everything.
fn units(places: &[usize]) -> u64 {
    let scenario = shipped("quest_compound");
    let checked = Settings::default().check(&scenario, drawn(&scenario));
    let planner = checked.expect("the settings fit").planner;
    let prepared = Prepared::default();
    let mut units = 0;
    for place in places {
        let mut budget = Budget::unlimited();
        let character = Character::new(planner.clone(), Abilities::default());
        let mut character = character.sharing(&prepared);
        character.decide(&scenario, &begun_at(&scenario, *place), &mut budget);
        assert_eq!(character.doing(), Doing::Following, "from {place}");
        units += budget.taken();
    }
    units
}

/// The thousand places nearest to where the quest begins, among those on its side of the wall.
fn thousand_nearest(scenario: &Scenario) -> Vec<usize> {
    let map = scenario.map();
    let start = World::new(scenario).position(AgentId::NPC, scenario);
    let at = |place: usize| map.point_of(place);
    let is_west = |place: &usize| at(*place).x < 24.0;
    let places = (0..map.places()).filter(|place| map.is_walkable(*place));
    let mut places: Vec<usize> = places.filter(is_west).collect();
    places.sort_by(|one, other| {
        let far = |place: &usize| at(*place).distance_to(start);
        far(one).total_cmp(&far(other))
    });
    places.truncate(1_000);
    assert_eq!(places.len(), 1_000);
    places
}

/// Right in front of the gap what was shown is so much longer than the shortest way that it counts
/// less, in steps: one more trail serves all who begin there.
#[test]
fn a_thousand_from_different_places() {
    let scenario = shipped("quest_compound");
    let units = units(&thousand_nearest(&scenario));
    assert!(units <= 200_000, "{units}");
}

#[test]
fn a_thousand_from_one_and_the_same() {
    let scenario = shipped("quest_compound");
    let start = World::new(&scenario).place(AgentId::NPC, &scenario);
    let units = units(&[start; 1_000]);
    assert!(units <= 30_000, "{units}");
}

/// A house with a key, a lever, two doors, a shield and a guard, or a wolf.
fn house(enemy: &str) -> Scenario {
    let text = format!(
        "format = 1
        start = [0, 3]
        goal = {{ within = {{ at = [15, 3], radius = 0.0 }} }}
        key = [{{ id = 'red', at = [2, 0], opens = ['north'] }}]
        lever = [{{ id = 'crank', at = [1, 6], opens = ['south'] }}]
        door = [{{ id = 'north', at = [[8, 1]] }}, {{ id = 'south', at = [[8, 5]] }}]
        demonstration = [
            {{ points = [[0, 3], [2, 0], [6, 1], [12, 1], [14, 2]] }},
            {{ points = [[3, 5], [8, 5], [13, 6]] }},
        ]
        {enemy}
        [map]
        rows = [
            '........#.......',
            '................',
            '...##...#..##...',
            '........#.......',
            '...##...#..##...',
            '................',
            '........#.......',
        ]"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

const WOLF: &str = "enemy = [{ id = 'grey', kind = 'wolf', at = [15, 6] }]";

fn goals() -> impl Strategy<Value = Goal> {
    (0..16u8, 0..7u8).prop_map(|(x, y)| Goal::Within {
        at: Point::new(f64::from(x), f64::from(y)),
        height: None,
        radius: 1.0,
    })
}

/// What somebody does to the doors, and to which of the characters.
fn happenings() -> impl Strategy<Value = (usize, Observation)> {
    let door = 0..2u8;
    (0..4usize, door, any::<bool>()).prop_map(|(whom, door, opens)| {
        let door = DoorId::new(door);
        let happens = if opens {
            Observation::Open(door)
        } else {
            Observation::Shut(door)
        };
        (whom, happens)
    })
}

const TICK: Duration = Duration::from_millis(100);

/// Four characters, each in a world of its own, and every order they are given.
fn play(
    scenario: &Scenario,
    planner: PlannerName,
    (starts, goals): (&[usize; 4], &[Goal; 4]),
    happenings: &[(usize, Observation)],
    prepared: Option<&Prepared>,
) -> Vec<Order> {
    let settings = Settings {
        planner,
        ..Settings::default()
    };
    let checked = settings.check(scenario, drawn(scenario));
    let planner = checked.expect("the settings fit").planner;
    let mut worlds = starts.map(|place| begun_at(scenario, place));
    let mut characters: Vec<Character<Scenario>> = goals
        .iter()
        .map(|goal| {
            let mut character = Character::new(planner.clone(), Abilities::default());
            character.pursue(goal.clone());
            match prepared {
                Some(prepared) => character.sharing(prepared),
                None => character,
            }
        })
        .collect();
    let mut orders = Vec::new();
    for happens in happenings.iter().map(Some).chain([None]) {
        for _ in 0..12 {
            for (character, world) in characters.iter_mut().zip(&mut worlds) {
                // So that nobody is late who has more to get ready.
                let order = character.decide(scenario, world, &mut Budget::unlimited());
                world.advance(scenario, &Orders::new(order), TICK, &mut ());
                orders.push(order);
            }
        }
        if let Some((whom, happens)) = happens {
            worlds[*whom].observe(scenario, *happens);
        }
    }
    orders
}

/// A crew in lanes, and every order its members are given, frame by frame.
fn march(
    scenario: &Scenario,
    members: &[(usize, Goal)],
    happenings: &[(usize, Observation)],
    units: u64,
    threads: bool,
) -> Vec<Order> {
    const LANES: usize = 3;
    let checked = Settings::default().check(scenario, drawn(scenario));
    let planner = checked.expect("the settings fit").planner;
    let mut crew: Crew<Scenario> = Crew::with_lanes(LANES);
    let mut worlds = Vec::new();
    for (number, (place, goal)) in members.iter().enumerate() {
        let mut character = Character::new(planner.clone(), Abilities::default());
        character.pursue(goal.clone());
        crew.add_to(number % LANES, character);
        worlds.push(begun_at(scenario, *place));
    }
    let mut orders = Vec::new();
    for happens in happenings.iter().map(Some).chain([None]) {
        for _ in 0..20 {
            let world = |id: MemberId| &worlds[id.index()];
            if threads {
                std::thread::scope(|scope| {
                    for (lane, units) in crew.shares(units) {
                        scope.spawn(move || lane.think(scenario, world, &mut Budget::units(units)));
                    }
                });
            } else {
                for (lane, units) in crew.shares(units) {
                    let mut budget = Budget::units(units);
                    let frame = lane.think(scenario, world, &mut budget);
                    assert_eq!(frame.units, budget.taken());
                    assert!(budget.taken() <= units);
                }
            }
            for id in crew.ids() {
                let world = &mut worlds[id.index()];
                let order = crew.order(id, scenario, world).expect("a member");
                world.advance(scenario, &Orders::new(order), TICK, &mut ());
                orders.push(order);
            }
        }
        if let Some((whom, happens)) = happens {
            worlds[*whom % members.len()].observe(scenario, *happens);
        }
    }
    orders
}

/// A house in which anna is, too, with a goal of her own.
fn house_of_two(enemy: &str) -> Scenario {
    let anna = "actor = [{ id = 'anna', at = [5, 3], goal = { within = { at = [14, 5], radius = 1.0 } } }]";
    house(&format!("{anna}\n{enemy}"))
}

/// Two agents in one world, with what is prepared shared or not, and every order they are given. Each is
/// made with a role, or with the scenario that plans for it.
fn play_two(
    scenario: &Scenario,
    happenings: &[(usize, Observation)],
    prepared: Option<&Prepared>,
    by_role: bool,
) -> Vec<[Order; 2]> {
    let anna = scenario.actor("anna").expect("she is there");
    let agents = [AgentId::NPC, anna];
    let scenarios = agents.map(|agent| match by_role {
        true => scenario.clone(),
        false => scenario.for_agent(agent).expect("it takes orders"),
    });
    let mut characters = [0, 1].map(|number: usize| {
        let level: &Scenario = &scenarios[number];
        let checked = Settings::default().check(level, drawn(level));
        let planner = checked.expect("the settings fit").planner;
        let character: Character<Scenario> = match by_role {
            true => Character::new(planner, Role::of(agents[number])),
            false => Character::new(planner, Abilities::default()),
        };
        match prepared {
            Some(prepared) => character.sharing(prepared),
            None => character,
        }
    });
    let mut world = World::new(scenario);
    let mut all = Vec::new();
    for happens in happenings.iter().map(Some).chain([None]) {
        for _ in 0..25 {
            let mut orders = [Order::WAIT; 2];
            for (number, character) in characters.iter_mut().enumerate() {
                let level = &scenarios[number];
                orders[number] = character.decide(level, &world, &mut Budget::unlimited());
            }
            let others = [(anna, orders[1])];
            let given = Orders::of(AgentId::NPC, orders[0]).with_orders(&others);
            world.advance(scenario, &given, TICK, &mut ());
            all.push(orders);
        }
        if let Some((_, happens)) = happens {
            world.observe(scenario, *happens);
        }
    }
    all
}

/// Whoever is made with abilities only is whom the scenario plans for.
#[test]
fn whom_the_scenario_plans_for_is_meant() {
    let scenario = house_of_two("");
    let orders = play_two(&scenario, &[], None, false);
    assert_eq!(orders, play_two(&scenario, &[], None, true));
    let walks = |who: usize| {
        orders
            .iter()
            .any(|orders| matches!(orders[who], Order::Step(..)))
    };
    assert!(walks(0) && walks(1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Two agents who share what is prepared do what they would do alone, whether they are told apart
    /// by their roles or by the scenario.
    #[test]
    fn two_agents_share(
        happenings in prop::collection::vec(happenings(), 0..4),
        has_wolf in any::<bool>(),
        by_role in any::<bool>(),
    ) {
        let scenario = house_of_two(if has_wolf { WOLF } else { "" });
        let with = |prepared: Option<&Prepared>| {
            play_two(&scenario, &happenings, prepared, by_role)
        };
        prop_assert_eq!(with(Some(&Prepared::default())), with(None));
    }

    /// Everybody is given the same orders as if nobody shared anything.
    #[test]
    fn whoever_shares_does_the_same(
        starts in prop::array::uniform4(0..7 * 16usize),
        goals in prop::array::uniform4(goals()),
        happenings in prop::collection::vec(happenings(), 0..6),
        planner in prop::sample::select(PlannerName::ALL.to_vec()),
        has_wolf in any::<bool>(),
    ) {
        let scenario = house(if has_wolf { WOLF } else { "" });
        let starts = starts.map(|place| if scenario.map().is_walkable(place) { place } else { 0 });
        let with = |prepared: Option<&Prepared>| {
            play(&scenario, planner, (&starts, &goals), &happenings, prepared)
        };
        prop_assert_eq!(with(Some(&Prepared::default())), with(None));
    }

    /// A crew does the same whether its lanes think one after the other or at the same time, and never
    /// spends more than it may.
    #[test]
    fn threads_make_no_difference(
        members in prop::collection::vec((0..7 * 16usize, goals()), 1..10),
        happenings in prop::collection::vec(happenings(), 0..5),
        units in 1..2_000u64,
    ) {
        let scenario = house("");
        let is_walkable = |place: &usize| scenario.map().is_walkable(*place);
        let members: Vec<(usize, Goal)> = members
            .into_iter()
            .map(|(place, goal)| (Some(place).filter(is_walkable).unwrap_or(0), goal))
            .collect();
        let with = |threads| march(&scenario, &members, &happenings, units, threads);
        prop_assert_eq!(with(true), with(false));
    }
}

/// However small the budget, everybody arrives, and no frame takes more of it; the important sooner.
#[test]
fn nobody_starves() {
    let scenario = house("");
    let checked = Settings::default().check(&scenario, drawn(&scenario));
    let planner = checked.expect("the settings fit").planner;
    let mut crew: Crew<Scenario> = Crew::default();
    let places: Vec<usize> = (0..7 * 16)
        .filter(|place| scenario.map().is_walkable(*place))
        .collect();
    let mut worlds = Vec::new();
    for place in &places {
        crew.add(Character::new(planner.clone(), Abilities::default()));
        worlds.push(begun_at(&scenario, *place));
    }
    let important = MemberId::from_index(places.len() - 1);
    let membership = Membership {
        importance: 1_000,
        ..Membership::default()
    };
    crew.set(important, membership);
    let mut set_out = vec![None; places.len()];
    let mut frames = 0;
    while crew
        .members()
        .any(|(_, character)| character.doing() != Doing::Done)
    {
        frames += 1;
        assert!(frames < 20_000, "somebody waits for ever");
        let mut budget = Budget::units(60);
        let frame = crew.think(&scenario, |id| &worlds[id.index()], &mut budget);
        assert_eq!(frame.units, budget.taken());
        assert!(budget.taken() <= 60);
        for id in crew.ids() {
            let character = crew.member(id).expect("a member");
            if character.plans() > 0 {
                set_out[id.index()].get_or_insert(frames);
            }
            let order = crew.order(id, &scenario, &worlds[id.index()]);
            let orders = Orders::new(order.expect("a member"));
            worlds[id.index()].advance(&scenario, &orders, TICK, &mut ());
        }
    }
    let is_sooner = |other: &&Option<u32>| **other > set_out[important.index()];
    let later = set_out.iter().filter(is_sooner).count();
    assert!(
        later > places.len() / 2,
        "{later} of {} set out later",
        places.len()
    );
    // Whoever is there, or walks, takes next to nothing: a unit for every four who look up.
    let mut budget = Budget::units(10_000);
    let frame = crew.think(&scenario, |id| &worlds[id.index()], &mut budget);
    assert!(frame.units <= places.len().div_ceil(4) as u64, "{frame:?}");
}

/// Whoever leaves takes nothing any longer, whatever it was at; everybody else arrives, whoever comes has
/// a number that nobody had, and each member is itself.
#[test]
fn whoever_leaves_is_gone() {
    let scenario = house("");
    let checked = Settings::default().check(&scenario, drawn(&scenario));
    let planner = checked.expect("the settings fit").planner;
    let mut crew: Crew<Scenario> = Crew::with_lanes(2);
    let mut worlds = Vec::new();
    let join = |crew: &mut Crew<Scenario>, worlds: &mut Vec<World>| {
        let number = worlds.len();
        let mut character = Character::new(planner.clone(), Abilities::default());
        character.pursue(Goal::Within {
            at: Point::new(9.0 + (number % 7) as f64, 5.0),
            height: None,
            radius: 0.0,
        });
        let id = crew.add_to(number, character);
        worlds.push(begun_at(&scenario, number % 8));
        assert_eq!(id.index(), number, "numbers are given once");
    };
    for _ in 0..30 {
        join(&mut crew, &mut worlds);
    }
    for frame in 0..1_200_usize {
        // So little that some wait and some think whenever somebody leaves.
        let mut budget = Budget::units(30);
        let thought = crew.think(&scenario, |id| &worlds[id.index()], &mut budget);
        assert!(thought.units <= 30);
        assert!(thought.thinking + thought.waiting <= crew.ids().count());
        if frame % 7 == 3 && frame < 140 {
            let somebody = crew.ids().nth(frame * 5 % 30).expect("thirty are there");
            assert!(crew.remove(somebody));
            join(&mut crew, &mut worlds);
        }
        for id in crew.ids() {
            let world = &mut worlds[id.index()];
            let order = crew.order(id, &scenario, world).expect("a member");
            world.advance(&scenario, &Orders::new(order), TICK, &mut ());
        }
    }
    assert!(!crew.remove(MemberId::from_index(worlds.len())));
    for (id, member) in crew.members() {
        assert_eq!(member.doing(), Doing::Done, "{id:?}");
        let at = worlds[id.index()].position(AgentId::NPC, &scenario);
        assert_eq!(at, Point::new(9.0 + (id.index() % 7) as f64, 5.0), "{id:?}");
    }
    for id in crew.ids() {
        assert!(crew.remove(id));
    }
    assert_eq!(crew.members().count(), 0);
    let frame = crew.think(&scenario, |id| &worlds[id.index()], &mut Budget::units(9));
    assert_eq!(frame.units, 0);
}
