//! A character that is asked for something its level does not have finds no way, whichever planner it
//! has: it does not panic, and it is not done at once.

use std::time::Duration;

use apprentice_behavior::{Character, Doing, PlannerName, Settings};
use apprentice_experience::{Demonstration, Place};
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, DoorId, Goal, ItemId, LeverId, Orders, Point, Scenario, World,
};

fn level(enemies: &str) -> Scenario {
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [5, 0], radius = 0.0 }} }}
         map = {{ rows = ['......', '......'] }}
         key = [{{ id = 'red', at = [1, 1], opens = ['gate'] }}]
         door = [{{ id = 'gate', at = [[3, 0]] }}]\n{enemies}"
    );
    Scenario::parse(&text).expect("the scenario is sound")
}

fn goals() -> [Goal; 6] {
    let at = Point::new(0.0, 0.0);
    let player = Goal::AgentWithin {
        agent: AgentId::PLAYER,
        at,
        height: None,
        radius: 50.0,
    };
    [
        player,
        Goal::Holds(ItemId::new(7)),
        Goal::LeverOn(LeverId::new(0)),
        Goal::Not(Box::new(Goal::DoorOpen(DoorId::new(40)))),
        Goal::All(vec![Goal::Dead(AgentId::Enemy(3))]),
        Goal::Dead(AgentId::Actor(9)),
    ]
}

#[test]
fn no_planner_finds_a_way_to_what_is_not_there() {
    let shown = [0.0, 5.0].map(|x| Place::flat(x, 0.0));
    for enemies in ["", "enemy = [{ id = 'grey', kind = 'wolf', at = [5, 1] }]"] {
        let scenario = level(enemies);
        for planner in PlannerName::ALL {
            let settings = Settings {
                planner,
                ..Settings::default()
            };
            for goal in goals() {
                let shown = Demonstration::drawn("line", shown, 1.0);
                let checked = settings.check(&scenario, [shown]);
                let checked = checked.expect("every planner takes a line");
                let mut world = World::new(&scenario);
                let mut character = Character::new(checked.planner, Abilities::default());
                character.pursue(goal.clone());
                for _ in 0..8 {
                    let order = character.decide(&scenario, &world, &mut Budget::units(20_000));
                    let tick = Duration::from_millis(100);
                    world.advance(&scenario, &Orders::new(order), tick, &mut ());
                    assert_ne!(character.doing(), Doing::Done, "{planner:?} {goal:?}");
                }
                assert_eq!(character.doing(), Doing::Stuck, "{planner:?} {goal:?}");
            }
        }
    }
}
