//! What may be wrong with demonstrations, and where.

use apprentice::behavior::LevelGround;
use apprentice::experience::{Finding, Lint};

use crate::demonstrations;
use crate::level::{self, ReadLevel};
use crate::protocol::{Line, LintFinding};

/// Looks demonstrations over.
pub(crate) fn findings(level: &ReadLevel, lines: &[Line]) -> Result<Vec<LintFinding>, String> {
    let shown = demonstrations::read(&level.scenario, lines)?;
    let ground = LevelGround::new(level::short_name(&level.path), &level.scenario);
    let lint = Lint::default();
    let mut duplicates = lint.duplicates(&shown);
    let mut all = Vec::new();
    for (number, demonstration) in shown.iter().enumerate() {
        let mut findings = lint.check(demonstration, &ground);
        if let Some(log) = &lines[number].log {
            let header = demonstrations::read_log(log)?.header;
            findings.extend(lint.check_header(&header, &ground));
        }
        findings.extend(duplicates[number].take());
        all.extend(
            findings
                .iter()
                .map(|finding| shown_finding(number, finding)),
        );
    }
    Ok(all)
}

fn shown_finding(demonstration: usize, finding: &Finding) -> LintFinding {
    LintFinding {
        demonstration,
        severity: finding.flaw.severity().to_string(),
        message: finding.flaw.to_string(),
        at: finding.at.map(|(_, _, place)| [place.x, place.y]),
    }
}
