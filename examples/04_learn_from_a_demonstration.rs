//! Shows a character a way once, moves the key, and looks how it adapts.

use apprentice::behavior::{Explained, NamedSearch, Settings};
use apprentice::experience::{Demonstration, Place, coverage};
use apprentice::report::phrases::{self, Ids};
use apprentice::search::{Budget, Status};
use apprentice::world::{AnyQuest, LivedPlan, Order, Quest, Scenario, verify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Somebody drew a line on the map: over the key, and through the door.
    let line = [(1.0, 5.0), (7.0, 1.0), (14.0, 5.0), (18.0, 5.0)];
    let places = line.map(|(x, y)| Place::flat(x, y));
    let shown = Demonstration::drawn("over the key", places, 1.0);

    for key in ["[7, 1]", "[9, 0]", "[5, 9]"] {
        println!("the key is at {key}");
        let scenario = Scenario::parse(&vault(key))?;
        match &scenario.quest() {
            AnyQuest::Still(quest) => follow(quest, &shown)?,
            AnyQuest::Moving(quest) => follow(quest, &shown)?,
        }
    }
    Ok(())
}

fn follow<Q: Quest + 'static>(
    quest: &Q,
    shown: &Demonstration,
) -> Result<(), Box<dyn std::error::Error>> {
    let demonstrations = vec![shown.clone()];
    let planner = Settings::default()
        .check(quest.scenario(), demonstrations)?
        .planner;
    let NamedSearch { mut search, .. } = planner.search(quest)?;
    while search.run(quest, &mut Budget::units(50)) == Status::Paused {
        // draw a frame, then go on planning
    }
    let path = search.path().ok_or("the vault cannot be reached")?;

    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal())?;
    let way: Vec<Place> = lived
        .steps
        .iter()
        .map(|step| Place::flat(step.at.x, step.at.y))
        .collect();
    println!(
        "  {:.1} s, {} expansions, {:.0} % of the demonstration followed; {}",
        lived.cost.as_seconds(),
        search.statistics().expanded,
        100.0 * coverage([shown], &way),
        search.guarantee(),
    );
    let explained = Explained {
        story: LivedPlan {
            scenario: quest.scenario(),
            start: quest.start_world(),
            steps: &lived.steps,
        },
        demonstrations: planner.demonstrations(),
        relevances: None,
    };
    for stretch in explained.explain().stretches {
        for reason in &stretch.reasons {
            let reason = phrases::reason(reason, Ids::Quoted);
            println!("  from {:4.1} s: {reason}", stretch.time.0);
        }
    }
    Ok(())
}

fn vault(key: &str) -> String {
    let mut rows = ["...............#...."; 11];
    rows[5] = "....................";
    let rows = rows.join("\", \"");
    format!(
        "format = 1
         start = [1, 5]
         goal = {{ within = {{ at = [18, 5], radius = 0.0 }} }}
         map = {{ rows = [\"{rows}\"] }}
         key = [{{ id = \"red\", at = {key}, opens = [\"vault\"] }}]
         door = [{{ id = \"vault\", at = [[15, 5]] }}]"
    )
}
