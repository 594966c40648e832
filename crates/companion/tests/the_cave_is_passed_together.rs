//! What plans say and what play does agree: alone past the superwolves, with a fighter through the
//! bear, with a sneak unheard.

use std::time::Duration;

use apprentice_behavior::{PlannerName, Settings};
use apprentice_experience::Demonstration;
use apprentice_search::{Budget, Search, Status};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Event, Order, Quest, Scenario, Verified, World, rehearse, verify,
};

use crate::coop_cave::{coop_cave, together};

const BEAR: AgentId = AgentId::Enemy(0);

/// A plan, as it goes when it is lived through, and what finding it took.
struct Planned {
    orders: Vec<Order>,
    lived: Verified,
    expanded: u64,
}

fn plan(scenario: &Scenario, shown: &[Demonstration], settings: &Settings) -> Planned {
    let planner = settings.check(scenario, shown.to_vec());
    let planner = planner.expect("the settings fit").planner;
    let abilities = Abilities {
        waits: scenario.player_model().is_some(),
        ..Abilities::default()
    };
    let AnyQuest::Moving(quest) = scenario.quest_with(abilities) else {
        panic!("enemies move")
    };
    let mut named = planner.search(&quest).expect("the numbers make a search");
    let status = named.search.run(&quest, &mut Budget::units(3_000_000));
    let statistics = named.search.statistics();
    println!("{status:?}: {} expanded", statistics.expanded);
    assert_eq!(status, Status::Finished, "{:?}", scenario.player_model());
    let path = named.search.path().expect("it is finished");
    let orders: Vec<Order> = path.actions().copied().collect();
    let (planned_in, start) = (quest.scenario(), quest.start_world());
    let lived = verify(planned_in, start, &orders, planned_in.goal());
    Planned {
        lived: lived.unwrap_or_else(|why| panic!("{why}")),
        orders,
        expanded: statistics.expanded,
    }
}

/// Lives through a plan in ticks, without the margins it was made with: both are alive in the end.
#[track_caller]
fn play(scenario: &Scenario, planned: &Planned) -> Vec<Verified> {
    let played = [16, 33].map(|tick| {
        let start = World::new(scenario);
        let tick = Duration::from_millis(tick);
        let played = rehearse(scenario, &start, &planned.orders, scenario.goal(), tick);
        let played = played.unwrap_or_else(|why| panic!("in ticks of {tick:?}: {why}"));
        let end = &played.steps[played.steps.len() - 1].world;
        for agent in [AgentId::NPC, AgentId::PLAYER] {
            assert!(!end.is_dead(agent, scenario), "{agent:?} in {tick:?}");
        }
        played
    });
    played.into()
}

fn events(lived: &Verified) -> impl Iterator<Item = &Event> {
    lived.steps.iter().flat_map(|step| &step.events)
}

fn is_noticed(lived: &Verified) -> bool {
    events(lived).any(|event| matches!(event, Event::NoticedBy { .. }))
}

/// The farthest south the character comes.
fn southernmost(scenario: &Scenario, lived: &Verified) -> f64 {
    let worlds = lived.steps.iter().map(|step| &step.world);
    let y = worlds.map(|world| world.position(AgentId::NPC, scenario).y);
    y.fold(0.0, f64::max)
}

/// A38: who plans for itself alone goes past the superwolves.
#[test]
fn alone_one_goes_past_the_superwolves() {
    let cave = coop_cave();
    let planned = plan(&cave.scenario, &cave.demonstrations, &Settings::default());
    assert!(southernmost(&cave.scenario, &planned.lived) > 28.0);
    for played in play(&cave.scenario, &planned) {
        assert!(southernmost(&cave.scenario, &played) > 28.0);
    }
    // Whoever is shown the hall, and nothing else, does not get through it either.
    let hall = &cave.demonstrations[..1];
    let planned = plan(&cave.scenario, hall, &Settings::default());
    assert!(southernmost(&cave.scenario, &planned.lived) > 28.0);
}

/// A33, the first half.
#[test]
fn with_a_fighter_the_bear_is_fought_and_both_live() {
    let (scenario, shown) = together(&coop_cave(), "combat");
    let planned = plan(&scenario, &shown, &Settings::default());
    let dies = |event: &Event| *event == Event::Died { agent: BEAR };
    assert!(events(&planned.lived).any(dies));
    for played in play(&scenario, &planned) {
        assert!(events(&played).any(dies));
        let both = [AgentId::NPC, AgentId::PLAYER];
        let strikes = |who: &AgentId| {
            let is_blow =
                |event: &Event| matches!(event, Event::Hurt { agent: BEAR, by, .. } if by == who);
            events(&played).any(is_blow)
        };
        assert!(both.iter().all(strikes), "both strike it");
    }
}

/// A33, the second half.
#[test]
fn with_a_sneak_nobody_is_heard() {
    let (scenario, shown) = together(&coop_cave(), "sneak");
    let planned = plan(&scenario, &shown, &Settings::default());
    assert!(!is_noticed(&planned.lived));
    let reach = 2.0;
    for played in play(&scenario, &planned) {
        assert!(!is_noticed(&played));
        assert!(southernmost(&scenario, &played) > 28.0);
        for step in &played.steps {
            let at = step.world.position(AgentId::NPC, &scenario);
            assert!(at.distance_to(step.world.position(BEAR, &scenario)) > reach);
        }
    }
}

/// A32: to plan for both takes more than to plan for oneself, with one and the same search.
#[test]
fn a_model_of_the_player_takes_more_to_plan_with() {
    let cave = coop_cave();
    let settings = Settings {
        planner: PlannerName::Tgraph,
        ..Settings::default()
    };
    let alone = plan(&cave.scenario, &cave.demonstrations[1..], &settings);
    let (scenario, shown) = together(&cave, "sneak");
    let together = plan(&scenario, &shown, &settings);
    println!("{} alone, {} together", alone.expanded, together.expanded);
    assert!(together.expanded > alone.expanded);
}
