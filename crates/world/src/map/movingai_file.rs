//! Reads the `.map` files of the Moving AI benchmark collection.

use super::MapFileError;
use crate::{GridMap, MapError};

impl GridMap {
    /// Reads a Moving AI map: `.`, `G` and `S` are floor; `@`, `O`, `T` and `W` are not.
    ///
    /// ```
    /// use apprentice_world::{Cell, GridMap};
    ///
    /// let grid = GridMap::from_movingai("type octile\nheight 2\nwidth 3\nmap\n.T.\n.G@\n")?;
    /// assert!(grid.is_free(Cell::new(1, 1)) && !grid.is_free(Cell::new(1, 0)));
    /// # Ok::<(), apprentice_world::MapFileError>(())
    /// ```
    pub fn from_movingai(text: &str) -> Result<GridMap, MapFileError> {
        let error = |line: usize, column: usize, message: String| MapFileError {
            line: line + 1,
            column: column + 1,
            message,
        };
        let mut lines = text.lines().enumerate();
        let mut header = |what: &str| -> Result<(usize, String), MapFileError> {
            let missing = || {
                error(
                    0,
                    0,
                    format!("the line that begins with `{what}` is missing"),
                )
            };
            lines
                .next()
                .map(|(number, line)| (number, line.trim().to_owned()))
                .ok_or_else(missing)
        };
        let number = |(line, text): (usize, String), what: &str| -> Result<u64, MapFileError> {
            let value = text
                .strip_prefix(what)
                .and_then(|rest| rest.trim().parse().ok());
            let message = || format!("{text:?} is not a {what}; write `{what}` and a number");
            value.ok_or_else(|| error(line, 0, message()))
        };
        let (line, kind) = header("type")?;
        if !kind.starts_with("type") {
            return Err(error(
                line,
                0,
                format!("{kind:?} is not a map type; write `type octile`"),
            ));
        }
        let height_line = header("height")?;
        let first_line = height_line.0;
        let height = number(height_line, "height")?;
        let width = number(header("width")?, "width")?;
        let (line, map) = header("map")?;
        if map != "map" {
            return Err(error(
                line,
                0,
                format!("{map:?} found where `map` was expected"),
            ));
        }
        GridMap::check_size(width, height)
            .map_err(|too_large: MapError| error(first_line, 0, too_large.to_string()))?;
        let mut free = Vec::new();
        let mut rows = 0;
        for (line, row) in lines {
            if row.trim().is_empty() {
                continue;
            }
            rows += 1;
            let row = row.trim_end_matches('\r');
            let length = row.chars().count() as u64;
            if length != width || rows > height {
                let message = if rows > height {
                    format!("there are more rows than the height of {height}")
                } else {
                    format!("the row has {length} cells, but the width is {width}")
                };
                return Err(error(line, 0, message));
            }
            for (column, terrain) in row.chars().enumerate() {
                free.push(match terrain {
                    '.' | 'G' | 'S' => true,
                    '@' | 'O' | 'T' | 'W' => false,
                    _ => {
                        let message = format!(
                            "{terrain:?} is no terrain; use '.', 'G' or 'S' for floor and '@', 'O', 'T' or 'W' for walls"
                        );
                        return Err(error(line, column, message));
                    }
                });
            }
        }
        if rows != height {
            let message = format!("the map ends after row {rows}, but the height is {height}");
            return Err(error(first_line, 0, message));
        }
        Ok(GridMap::new(width as u16, height as u16, free))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let error = GridMap::from_movingai(text).expect_err("the map is broken");
        assert!(
            error.to_string().contains(expected),
            "{error} should contain {expected}"
        );
    }

    #[test]
    fn broken_maps_are_errors_with_a_place() {
        check(
            "",
            "line 1, column 1: the line that begins with `type` is missing",
        );
        check(
            "type octile\nheight 2\nwidth 2\nmap\n..\n",
            "line 2, column 1: the map ends after row 1",
        );
        check(
            "type octile\nheight 1\nwidth 2\nmap\n.\n",
            "line 5, column 1: the row has 1 cells",
        );
        check(
            "type octile\nheight 1\nwidth 1\nmap\n.\n.\n",
            "line 6, column 1: there are more rows",
        );
        check(
            "type octile\nheight 1\nwidth 2\nmap\n.x\n",
            "line 5, column 2: 'x' is no terrain",
        );
        check(
            "type octile\nheight 1\nwidth 2\nnap\n..\n",
            "line 4, column 1: \"nap\" found",
        );
        check(
            "kind octile\n",
            "line 1, column 1: \"kind octile\" is not a map type",
        );
    }

    #[test]
    fn a_map_that_claims_a_billion_cells_is_refused() {
        check(
            "type octile\nheight 100000\nwidth 10000\nmap\n",
            "line 2, column 1: a map of 10000 by",
        );
        check(
            "type octile\nheight 18446744073709551615\nwidth 2\nmap\n",
            "too large",
        );
    }
}
