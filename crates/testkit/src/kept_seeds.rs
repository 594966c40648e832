//! Seeds of games in which a law was broken once: they are played again and again.

use std::path::Path;

use crate::simulation::Extent;

/// Where they are kept.
pub const FILE: &str = "testdata/simulation/kept_seeds.txt";

/// A seed that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSeed {
    /// The seed.
    pub seed: u64,
    /// How much of its game is played.
    pub extent: Extent,
    /// Whether it is known to be broken still.
    pub is_open: bool,
    /// What went wrong.
    pub what: String,
}

/// All of them.
///
/// # Errors
///
/// If the file is not there, or a line of it cannot be understood.
pub fn read() -> Result<Vec<KeptSeed>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(FILE));
    parse(&text.map_err(|error| format!("{FILE}: {error}"))?)
}

/// The seeds in a text, one to a line: `tiny`, `short` or `full`, the seed, `open` if it is broken still, and
/// what went wrong.
///
/// ```
/// use apprentice_testkit::kept_seeds::parse;
///
/// let kept = parse("# a remark\nshort 17 open stuck falsely\nfull 3 paced\n")?;
/// assert_eq!((kept[0].seed, kept[0].is_open), (17, true));
/// assert_eq!((kept[1].what.as_str(), kept[1].is_open), ("paced", false));
/// assert!(parse("long 3 paced").is_err());
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// If a line cannot be understood.
pub fn parse(text: &str) -> Result<Vec<KeptSeed>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    lines
        .map(|(number, line)| {
            let wrong = || {
                format!("{FILE}:{number}: write `tiny`, `short` or `full`, a seed, perhaps `open`, and what went wrong")
            };
            let mut words = line.split_whitespace().peekable();
            let extent = words.next().and_then(Extent::named).ok_or_else(wrong)?;
            let seed = words.next().and_then(|seed| seed.parse().ok());
            let is_open = words.next_if_eq(&"open").is_some();
            Ok(KeptSeed {
                seed: seed.ok_or_else(wrong)?,
                extent,
                is_open,
                what: words.collect::<Vec<_>>().join(" "),
            })
        })
        .collect()
}
