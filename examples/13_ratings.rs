//! How strong is each planner and how hard each level? Matches without a common opponent, rated.

use apprentice::ratings::{Evaluation, LimitRule, Procedure, SystemKind, Trial, Trials};

/// What each planner took on each level, in expansions.
const TOOK: [(&str, [(&str, f64); 3]); 3] = [
    (
        "wastar",
        [("hall", 40.0), ("cave", 900.0), ("vault", 5200.0)],
    ),
    (
        "tgraph",
        [("hall", 55.0), ("cave", 120.0), ("vault", 4100.0)],
    ),
    ("auto", [("hall", 42.0), ("cave", 110.0), ("vault", 160.0)]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut trials = Trials::default();
    for (planner, levels) in TOOK {
        for (scenario, took) in levels {
            trials.trials.push(Trial {
                planner: planner.to_owned(),
                scenario: scenario.to_owned(),
                circumstances: String::new(),
                took: Some(took),
            });
        }
    }
    // Each planner plays against a level and a limit, and wins if it is done within the limit.
    let limits = trials.limits(&LimitRule::Given(vec![50.0, 200.0, 1000.0, 5000.0]))?;
    let matches = trials.matches(&limits)?;
    let evaluation = Evaluation::of(&matches, SystemKind::default(), &Procedure::default());
    for row in &evaluation.standings {
        let interval = row.rating.interval.expect("this system knows it");
        println!(
            "{:<11} {:5.1}  [{:5.1}, {:5.1}]  won {} of {}",
            row.name, row.rating.value, interval.low, interval.high, row.wins, row.matches
        );
    }
    let strongest = trials.planners().into_iter().max_by(|one, other| {
        let rating = |name: &str| {
            let row = evaluation.standings.iter().find(|row| row.name == name);
            row.map_or(0.0, |row| row.rating.value)
        };
        rating(one).total_cmp(&rating(other))
    });
    assert_eq!(strongest, Some("auto"));

    // Levels and limits that were never put together can be, too.
    let prediction = evaluation.predict(&["auto"], &["vault", "limit 200"])?;
    let wins = prediction.probability.expect("this system predicts");
    println!("auto on the vault within 200: {:.0} of 100", wins * 100.0);
    Ok(())
}
