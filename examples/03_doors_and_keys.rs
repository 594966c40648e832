//! Plans a quest in a world: a locked vault, and the key that lies somewhere else.

use apprentice::search::{BestFirst, Budget, Search, Status};
use apprentice::world::{AnyQuest, Event, Quest, Scenario, StraightLine, verify};

const VAULT: &str = r##"
format = 1
name   = "The vault"
start  = [1, 3]
goal   = { within = { at = [10, 1], radius = 0.0 } }

[map]
rows = [
    "............",
    "........#...",
    "........#...",
    "........####",
    "............",
]

[[key]]
id = "red"
at = [10, 4]
opens = ["vault"]

[[door]]
id = "vault"
at = [[8, 0]]
"##;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = Scenario::parse(VAULT)?;
    // Nothing moves here but the agent; a quest with a bear in it would be `AnyQuest::Moving`.
    match &scenario.quest() {
        AnyQuest::Still(quest) => plan(quest),
        AnyQuest::Moving(quest) => plan(quest),
    }
}

fn plan(quest: &impl Quest) -> Result<(), Box<dyn std::error::Error>> {
    let mut search = BestFirst::astar(StraightLine);
    while search.run(quest, &mut Budget::units(100)) == Status::Paused {
        println!("{} expansions so far", search.statistics().expanded);
    }
    let path = search.path().ok_or("the vault cannot be reached")?;

    // Living through the plan, without any search code, tells what happens on the way.
    let orders: Vec<_> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal())?;
    for step in &lived.steps {
        let time = step.time.as_seconds();
        for event in &step.events {
            match event {
                Event::PickedUp { .. } => println!("{time:5.1} s  the key, at {}", step.at),
                Event::DoorOpened { .. } => println!("{time:5.1} s  the door, at {}", step.at),
                other => println!("{time:5.1} s  {other:?}"),
            }
        }
    }
    println!(
        "{:5.1} s  the vault: {}",
        lived.cost.as_seconds(),
        search.guarantee()
    );
    Ok(())
}
