//! Goals about somebody else: near them, and with them. Estimates stay lower bounds while they walk.

use apprentice_experience::{Demonstration, Place};
use apprentice_search::{BestFirst, Blind, Budget, Heuristic, Search, Status, astar};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Gait, Goal, Order, PlayerModel, Quest, Role, Scenario,
    ShortestPath, Stance, StraightLine, World, verify_as,
};
use proptest::prelude::*;
use std::sync::Arc;

use crate::consistency::{MOST_STATES, check_consistency};

const YARD: &str = r#"
format = 1
start = [0, 0]
goal = { near = { agent = "player", radius = 1.0 } }
map = { rows = [".......", ".#####.", ".......", "......."] }
player = { at = [6, 3] }
"#;

fn yard() -> Scenario {
    Scenario::parse(YARD).unwrap_or_else(|error| panic!("{error}"))
}

fn cost<Q: Quest>(quest: &Q, estimate: impl Heuristic<Q> + 'static) -> Option<f64> {
    astar(quest, estimate).map(|path| path.cost.as_seconds())
}

#[test]
fn somebody_who_stands_is_gone_to() {
    let scenario = yard();
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nobody moves")
    };
    let along = cost(&quest, ShortestPath::default());
    assert_eq!(along, cost(&quest, Blind));
    assert!(along.is_some_and(|seconds| seconds > 6.0));
    let elsewhere = Goal::Near {
        agent: AgentId::Actor(5),
        radius: 1.0,
    };
    assert!(elsewhere.check(&scenario).is_err());
    let less = Goal::Near {
        agent: AgentId::PLAYER,
        radius: -1.0,
    };
    let error = less.check(&scenario).expect_err("no radius");
    let said = "the radius of the goal is -1; give it a number from 0 on";
    assert_eq!(error.to_string(), said);
}

/// A model of a player who walks along some points.
fn model(scenario: &Scenario, points: &[(u8, u8)], gait: Gait) -> PlayerModel {
    let places = points.iter().map(|(x, y)| {
        let y = if *x % 6 == 0 {
            *y
        } else {
            [0, 2, 3][usize::from(*y % 3)]
        };
        Place::flat(f64::from(*x), f64::from(y))
    });
    let shown = Demonstration::drawn("player", places, 1.0);
    PlayerModel::new(scenario, &shown, Stance::new(gait)).unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Estimates keep their promise, A* finds what blind search finds, and the plan is lived through.
    #[test]
    fn somebody_who_walks_is_met(
        points in prop::collection::vec((0..7u8, 0..4u8), 1..5), sneaks: bool, together: bool, radius in 0..3u8,
    ) {
        let scenario = yard();
        let gait = if sneaks { Gait::Sneak } else { Gait::Walk };
        let player = model(&scenario, &points, gait);
        let at = player.end(&scenario);
        let role = Role::default().with(AgentId::PLAYER, Arc::new(player));
        let radius = f64::from(radius);
        let near = Goal::Near { agent: AgentId::PLAYER, radius };
        let there = Goal::AgentWithin { agent: AgentId::PLAYER, at, height: None, radius };
        let goal = if together { Goal::All(vec![near, there]) } else { near };
        let abilities = Abilities { waits: true, ..Abilities::default() };
        let quest = AnyQuest::for_role(&scenario, &World::new(&scenario), &role, &goal, abilities);
        let Ok(AnyQuest::Moving(quest)) = quest else { panic!("the player moves") };
        let text = format!("{points:?} {goal:?}");
        check_consistency(&quest, &mut StraightLine, &text);
        check_consistency(&quest, &mut ShortestPath::default(), &text);
        let mut blind = BestFirst::astar(Blind);
        let status = blind.run(&quest, &mut Budget::units(20 * MOST_STATES));
        if status == Status::Finished {
            let best = blind.path().expect("it is finished");
            let found = astar(&quest, ShortestPath::default()).expect("there is a plan");
            prop_assert_eq!(found.cost, best.cost, "{}", text);
            let orders: Vec<Order> = found.actions().copied().collect();
            let lived = verify_as(&role, quest.scenario(), quest.start_world(), &orders, &goal);
            prop_assert!(lived.is_ok(), "{}: {:?}", text, lived.err());
        }
    }

    /// Wherever a player is pushed, it comes back to its way and arrives at the end.
    #[test]
    fn a_model_arrives_from_anywhere(
        points in prop::collection::vec((0..7u8, 0..4u8), 1..6), pushes in prop::collection::vec(0..8usize, 0..6),
    ) {
        use apprentice_world::{Direction, Orders};
        use std::time::Duration;
        let scenario = yard();
        let player = model(&scenario, &points, Gait::Walk);
        let mut world = World::new(&scenario);
        let second = Duration::from_secs(2);
        for push in pushes {
            let orders = Orders::new(Order::WAIT);
            world.advance(&scenario, &orders.with_script(&player), second, &mut ());
            let push = Order::Step(Direction::ALL[push], Stance::new(Gait::Walk));
            world.advance(&scenario, &orders.with_player(push), second, &mut ());
        }
        let orders = Orders::new(Order::WAIT);
        world.advance(&scenario, &orders.with_script(&player), Duration::from_secs(200), &mut ());
        prop_assert_eq!(world.position(AgentId::PLAYER, &scenario), player.end(&scenario));
    }
}
