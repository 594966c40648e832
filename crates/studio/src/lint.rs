//! What may be wrong with demonstrations, and where.

use apprentice::experience::{Finding, Flaw, Lint};
use apprentice::report::phrases::{self, Ids};
use apprentice::world::LevelGround;

use crate::demonstrations;
use crate::kept::Kept;
use crate::level::{self, ReadLevel};
use crate::protocol::{Line, LintFinding};

/// Looks demonstrations over.
pub(crate) fn findings(
    kept: &Kept,
    level: &ReadLevel,
    lines: &[Line],
) -> Result<Vec<LintFinding>, String> {
    let shown = demonstrations::read(kept, &level.scenario, lines)?;
    let ground = LevelGround::new(level::short_name(&level.path), &level.scenario);
    let lint = Lint::default();
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
                .map(|finding| shown_finding(number, &lines[number], finding)),
        );
    }
    Ok(all)
}

fn shown_finding(demonstration: usize, line: &Line, finding: &Finding) -> LintFinding {
    // Who draws a line knows of no samples: they are what files have.
    let is_drawn = line.log.is_none();
    let message = match &finding.flaw {
        Flaw::InAWall { .. } if is_drawn => "it leads through a wall".to_owned(),
        Flaw::OffTheMap { .. } if is_drawn => "it leads off the map".to_owned(),
        flaw => phrases::flaw(flaw, Ids::Spoken),
    };
    LintFinding {
        demonstration,
        severity: finding.flaw.severity().to_string(),
        message,
        at: finding.at.map(|(_, _, place)| [place.x, place.y]),
    }
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
        let told = |flaw, log| shown_finding(0, &line(log), &finding(flaw)).message;
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
