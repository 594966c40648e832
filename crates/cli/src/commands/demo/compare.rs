//! `apprentice demo compare`: says how much a way is like what was shown.

use std::path::PathBuf;

use apprentice::experience::{Demonstration, Fidelity};
use serde_json::json;

use crate::commands::plan::Format;
use crate::demonstrations::{name_of, read_log};
use crate::exit::{Exit, Failure, print, print_exactly};
use apprentice::report::numbers::{finite, short};

/// Say how much a way is like what was shown.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The way that somebody went, as a log (.jsonl)
    way: PathBuf,

    /// What was shown (.jsonl); of several, the one that the way is most like counts
    #[arg(required = true)]
    shown: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let way = read_log(&arguments.way)?.log.demonstration("");
    let mut shown: Vec<Demonstration> = Vec::new();
    for path in &arguments.shown {
        shown.push(read_log(path)?.log.demonstration(name_of(path)));
    }
    let places: Vec<_> = way.places().collect();
    let Some(fidelity) = Fidelity::of(&shown, &places) else {
        return Err(Failure::input(format!(
            "`{}` and what was shown have no places to compare; name logs that have samples",
            arguments.way.display()
        )));
    };
    let name = &shown[fidelity.demonstration].name;
    match arguments.format {
        Format::Text => print(&format!(
            "most like {name}: fidelity {} ({}); {} apart on the average, {} at most (Fréchet); comes by {} % of it\n",
            short(fidelity.score, 3),
            if fidelity.is_followed() {
                "followed"
            } else {
                "not followed"
            },
            short(fidelity.mean_distance, 2),
            short(fidelity.frechet, 2),
            short(fidelity.coverage * 100.0, 0),
        ))?,
        Format::Json => {
            let document = json!({
                "way": arguments.way.display().to_string(),
                "demonstration": name,
                "fidelity": finite(fidelity.score),
                "followed": fidelity.is_followed(),
                "warping": finite(fidelity.warping),
                "mean_distance": finite(fidelity.mean_distance),
                "frechet": finite(fidelity.frechet),
                "coverage": finite(fidelity.coverage),
            });
            let text = serde_json::to_string_pretty(&document);
            print_exactly(&(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n"))?;
        }
    }
    Ok(Exit::Done)
}
