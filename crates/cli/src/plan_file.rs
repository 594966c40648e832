//! Plans in files: what `plan` writes, and `verify` and `demo record` read.

use std::path::Path;

use apprentice::report::document::ClaimedPlan;
use serde_json::Value;

use crate::exit::Failure;
use crate::input_file::{Kind, text_of, unreadable};

/// Reads the document in a file.
pub(crate) fn load(path: &Path) -> Result<ClaimedPlan, Failure> {
    let shown = path.display();
    let text = text_of(path, Kind::Plan)?;
    serde_json::from_str(&text).map_err(|error| {
        if is_of_tasks(&text) {
            let wrong = format!(
                "`{shown}` is a plan of tasks, and a plan of orders is needed here; of tasks, `apprentice htn verify DOMAIN PROBLEM PLAN` checks those that `apprentice htn plan DOMAIN PROBLEM --format ipc` writes"
            );
            return unreadable(path, Kind::Plan, &wrong);
        }
        // It ends with its place, which is said already.
        let (line, column) = (error.line(), error.column());
        let why = error.to_string();
        let place = format!(" at line {line} column {column}");
        let why = why.strip_suffix(&place).unwrap_or(&why);
        let (line, column) = (line.max(1), column.max(1));
        let wrong = format!(
            "{shown}:{line}:{column}: this is no plan: {why}; `apprentice plan --format json` writes one"
        );
        unreadable(path, Kind::Plan, &wrong)
    })
}

/// Whether this is what `apprentice htn plan --format json` writes.
fn is_of_tasks(text: &str) -> bool {
    let document: Option<Value> = serde_json::from_str(text).ok();
    document.is_some_and(|document| document["plan"].is_array() && document.get("steps").is_none())
}
