//! While a plan is being rehearsed, a decision that gets no further than paying for the next step
//! allocates nothing: what is rehearsed was gathered once.

use apprentice_behavior::{Character, Doing, PlannerName, Settings};
use apprentice_search::Budget;
use apprentice_world::{Abilities, Scenario, World};

/// A long way, with a wolf asleep far from it, so that there is something to rehearse.
fn long_way() -> Scenario {
    let mut rows = vec![
        format!("'{}'", ".".repeat(200)),
        format!("'{}'", "#".repeat(200)),
    ];
    rows.extend(vec![format!("'{}'", ".".repeat(200)); 2]);
    let text = format!(
        "format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [199, 0], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        enemy = [{{ id = 'grey', kind = 'wolf', at = [100, 3] }}]",
        rows.join(", ")
    );
    Scenario::parse(&text).expect("the scenario is sound")
}

#[test]
fn between_two_steps() {
    let scenario = long_way();
    let settings = Settings {
        planner: PlannerName::Wastar,
        ..Settings::default()
    };
    let planner = settings
        .check(&scenario, [])
        .expect("the settings fit")
        .planner;
    let world = World::new(&scenario);
    let mut character = Character::new(planner, Abilities::default());
    let (mut slices, mut idle) = (0, 0);
    while character.doing() == Doing::Thinking {
        let taken = allocation_counter::measure(|| {
            character.decide(&scenario, &world, &mut Budget::units(1));
        });
        slices += 1;
        idle += u32::from(taken.count_total == 0);
    }
    // A step of the way is eight units of the rehearsal: in the last of them it is lived through and
    // noted.
    assert_eq!(character.steps_ahead(), 199);
    assert!(idle >= 199 * 7, "{idle} of {slices}");
}
