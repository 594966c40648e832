//! Reads matches from comma-separated values.

use crate::csv_rows::{CsvError, CsvWrong, Row, Rows, number, rows};
use crate::{Ending, Matches, Played};

/// The columns a file of matches can have; the first two it must have.
pub const MATCH_COLUMNS: [&str; 6] = ["winners", "losers", "score", "weights", "draw", "group"];

const HEADER: &str = "winners,losers[,score][,weights][,draw][,group]";

/// Reads matches: the first line names the columns, in any order, and every other line is a match.
/// Names are joined by `+`, and so are weights: one for each player, the winners first. A `score` is by
/// how much the winners won; `draw` is `yes` where nobody did; matches of one `group` were decided
/// together. Whatever is wrong is said, with its line.
///
/// ```
/// let text = "winners,losers,score\nanna+ben,carl,3\ncarl,ben,\n";
/// let matches = apprentice_ratings::read_matches(text).expect("two matches");
/// assert_eq!((matches.len(), matches.players()), (2, 3));
///
/// let errors = apprentice_ratings::read_matches("winners,losers\nanna,anna\n").unwrap_err();
/// assert_eq!(
///     errors[0].to_string(),
///     "line 2: `anna` plays twice in this match; each player is on one side, once",
/// );
/// ```
pub fn read_matches(text: &str) -> Result<Matches, Vec<CsvError>> {
    let rows = rows(text)?;
    let columns = Columns::of(&rows)?;
    let mut matches = Matches::new();
    let mut errors = Vec::new();
    for row in &rows.rows {
        if let Err(wrong) = add(&mut matches, row, &columns) {
            let line = row.line;
            errors.push(CsvError { line, wrong });
        }
    }
    if errors.is_empty() {
        Ok(matches)
    } else {
        Err(errors)
    }
}

struct Columns {
    winners: Option<usize>,
    losers: Option<usize>,
    score: Option<usize>,
    weights: Option<usize>,
    draw: Option<usize>,
    group: Option<usize>,
}

impl Columns {
    fn of(rows: &Rows) -> Result<Columns, Vec<CsvError>> {
        let mut wrongs = Vec::new();
        for column in &MATCH_COLUMNS[..2] {
            if rows.column(column).is_none() {
                wrongs.push(CsvWrong::MissingColumn {
                    column: (*column).to_owned(),
                    expected: HEADER.to_owned(),
                });
            }
        }
        // Without its first columns it is no file of matches, and whatever else it has is no news.
        if wrongs.is_empty() {
            let unknown = rows.header.iter();
            let unknown = unknown.filter(|column| !MATCH_COLUMNS.contains(&&***column));
            wrongs.extend(unknown.map(|column| CsvWrong::UnknownColumn {
                column: column.clone(),
                known: MATCH_COLUMNS.join(", "),
            }));
        }
        if !wrongs.is_empty() {
            let line = rows.line;
            let errors = wrongs.into_iter().map(|wrong| CsvError { line, wrong });
            return Err(errors.collect());
        }
        let [winners, losers, score, weights, draw, group] =
            MATCH_COLUMNS.map(|column| rows.column(column));
        Ok(Columns {
            winners,
            losers,
            score,
            weights,
            draw,
            group,
        })
    }
}

fn add(matches: &mut Matches, row: &Row, columns: &Columns) -> Result<(), CsvWrong> {
    let names = |column| -> Vec<&str> {
        let text = row.field(column);
        if text.is_empty() {
            return Vec::new();
        }
        text.split('+').map(str::trim).collect()
    };
    let (winners, losers) = (names(columns.winners), names(columns.losers));
    let score = match row.field(columns.score) {
        "" => None,
        text => Some(number("score", text)?),
    };
    let weights = names(columns.weights).into_iter();
    let weights: Result<Vec<f64>, CsvWrong> = weights.map(|text| number("weights", text)).collect();
    let weights = weights?;
    let ending = match row.field(columns.draw) {
        "" | "no" | "false" | "0" => Ending::Won,
        "yes" | "true" | "1" => Ending::Drawn,
        text => {
            return Err(CsvWrong::YesOrNo {
                column: "draw".to_owned(),
                text: text.to_owned(),
            });
        }
    };
    let group = match row.field(columns.group) {
        "" => None,
        name => Some(name),
    };
    let played = Played {
        winners: &winners,
        losers: &losers,
        ending,
        score,
        weights: &weights,
        group,
    };
    matches.add(&played).map_err(CsvWrong::NoMatch)
}
