//! What may be wrong with demonstrations, and where.

use apprentice::experience::{Demonstration, Finding, Flaw, Lint};
use apprentice::report::numbers::short;
use apprentice::report::phrases::{self, Ids};
use apprentice::world::LevelGround;

use crate::kept::Kept;
use crate::level::{self, ReadLevel};
use crate::protocol::{Line, LintFinding, PlannerSettings};
use crate::{demonstrations, planning};

/// Looks demonstrations over.
pub(crate) fn findings(
    kept: &Kept,
    level: &ReadLevel,
    lines: &[Line],
    settings: &PlannerSettings,
) -> Result<Vec<LintFinding>, String> {
    let shown = demonstrations::read(kept, &level.scenario, lines)?;
    let ground = LevelGround::new(level::short_name(&level.path), &level.scenario);
    let planner = planning::planner(&level.scenario, settings, &shown)?.planner;
    let lint = Lint {
        epsilon: planner.epsilon().as_f64(),
        ..Lint::default()
    };
    let mut duplicates = lint.duplicates(&shown);
    let mut all = Vec::new();
    for (number, demonstration) in shown.iter().enumerate() {
        let mut findings = lint.check(demonstration, &ground);
        if let Some(log) = &lines[number].log {
            findings.extend(lint.check_header(&kept.log(log)?.header, &ground));
        }
        findings.extend(duplicates[number].take());
        all.extend(
            findings
                .iter()
                .map(|finding| shown_finding(number, &lines[number], demonstration, finding)),
        );
    }
    Ok(all)
}

fn shown_finding(
    number: usize,
    line: &Line,
    demonstration: &Demonstration,
    finding: &Finding,
) -> LintFinding {
    // Who draws a line knows of no samples: they are what files have.
    let is_drawn = line.log.is_none();
    let mut code = finding.flaw.code();
    let message = match &finding.flaw {
        Flaw::Irrelevant { relevance } if stands_still(demonstration) > 0.5 * relevance.total() => {
            code = PAUSES;
            "too long to follow, mostly pauses".to_owned()
        }
        Flaw::Irrelevant { relevance } if relevance.detour().is_finite() => format!(
            "too long to follow: {} times the direct way",
            short(relevance.detour(), 1)
        ),
        Flaw::Waits { seconds } => {
            code = PAUSES;
            format!("it waits here for {} s", short(*seconds, 1))
        }
        Flaw::InAWall { .. } if is_drawn => "it leads through a wall".to_owned(),
        Flaw::OffTheMap { .. } if is_drawn => "it leads off the map".to_owned(),
        flaw => phrases::flaw(flaw, Ids::Spoken),
    };
    LintFinding {
        demonstration: number,
        code,
        severity: finding.flaw.severity().to_string(),
        message,
        at: finding.at.map(|(_, _, place)| [place.x, place.y]),
    }
}

/// What can be mended by taking pauses out.
const PAUSES: &str = "pauses";
/// Somebody who goes less far than this between two samples stands still.
const STILL: f64 = 0.02;

/// For how many seconds nobody moves.
fn stands_still(demonstration: &Demonstration) -> f64 {
    let pieces = demonstration.samples.windows(2);
    let still = pieces.filter(|pair| pair[0].place.distance_to(pair[1].place) < STILL);
    still.map(|pair| pair[1].time - pair[0].time).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_draws_hears_nothing_of_samples() {
        let finding = |flaw| Finding { flaw, at: None };
        let line = |log: Option<&str>| Line {
            name: "a line".to_owned(),
            points: Vec::new(),
            log: log.map(str::to_owned),
            hidden: false,
        };
        let told = |flaw, log| {
            shown_finding(0, &line(log), &Demonstration::default(), &finding(flaw)).message
        };
        let wall = || Flaw::InAWall { samples: 3 };
        assert_eq!(told(wall(), None), "it leads through a wall");
        assert_eq!(
            told(wall(), Some("{}")),
            "it is inside a wall for 3 samples"
        );
        let off = || Flaw::OffTheMap { samples: 1 };
        assert_eq!(told(off(), None), "it leads off the map");
        assert_eq!(told(off(), Some("{}")), "it is off the map for 1 sample");
    }
}
