//! Reads the `.mesh` files of the any-angle search Polyanya.

use super::MapFileError;
use super::navmesh::NavMeshParts;

impl NavMeshParts {
    /// Reads a Polyanya mesh of version 1 or 2: flat convex polygons. Which polygons are neighbours
    /// follows from the edges they share; what the file says about it is not needed.
    ///
    /// ```
    /// use apprentice_world::NavMeshParts;
    ///
    /// let text = "mesh\n2\n4 1\n0 0 1 0\n3 0 1 0\n3 2 1 0\n0 2 1 0\n4 0 1 2 3 -1 -1 -1 -1\n";
    /// let parts = NavMeshParts::from_polyanya(text)?;
    /// assert_eq!(parts.polygons, [[0, 1, 2, 3]]);
    /// # Ok::<(), apprentice_world::MapFileError>(())
    /// ```
    pub fn from_polyanya(text: &str) -> Result<NavMeshParts, MapFileError> {
        let mut words = Words::new(text);
        words.expect("mesh", "a mesh begins with `mesh`")?;
        let version = words.whole("the version")?;
        if !(1..=2).contains(&version) {
            return Err(words.error(format!("version {version} is not known; 1 and 2 are")));
        }
        let vertex_count = words.count("the number of vertices")?;
        let polygon_count = words.count("the number of polygons")?;
        let mut parts = NavMeshParts::default();
        for _ in 0..vertex_count {
            let (x, y) = (words.number("x")?, words.number("y")?);
            parts.vertices.push([x, y, 0.0]);
            let neighbors = words.count("the number of a vertex's neighbours")?;
            words.skip(neighbors, "a neighbour of the vertex")?;
        }
        for _ in 0..polygon_count {
            let corner_count = words.count("the number of a polygon's corners")?;
            let mut corners = Vec::new();
            for _ in 0..corner_count {
                let vertex = words.whole("the corner of a polygon")?;
                let known = u32::try_from(vertex)
                    .ok()
                    .filter(|vertex| (*vertex as usize) < vertex_count);
                corners.push(known.ok_or_else(|| {
                    words.error(format!(
                        "there is no vertex {vertex}; they go from 0 to {}",
                        vertex_count.saturating_sub(1)
                    ))
                })?);
            }
            words.skip(corner_count, "a neighbour of the polygon")?;
            parts.polygons.push(corners);
        }
        match words.next() {
            None => Ok(parts),
            Some(word) => {
                let message =
                    format!("{word:?} follows the last polygon; is a number wrong above?");
                Err(words.error(message))
            }
        }
    }
}

/// The words of a text, and where the last one was.
struct Words<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    rest: &'t str,
    whole_line: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Self {
        Words {
            lines: text.lines().enumerate(),
            rest: "",
            whole_line: "",
            line: 0,
            column: 0,
        }
    }

    fn next(&mut self) -> Option<&'t str> {
        loop {
            let rest = self.rest.trim_start();
            if rest.is_empty() {
                let (line, text) = self.lines.next()?;
                (self.line, self.rest, self.whole_line) = (line, text, text);
                continue;
            }
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let before = self.whole_line.len() - rest.len();
            self.column = self.whole_line[..before].chars().count();
            self.rest = &rest[end..];
            return Some(&rest[..end]);
        }
    }

    fn error(&self, message: String) -> MapFileError {
        MapFileError {
            line: self.line + 1,
            column: self.column + 1,
            message,
        }
    }

    fn word(&mut self, what: &str) -> Result<&'t str, MapFileError> {
        self.next()
            .ok_or_else(|| self.error(format!("the file ends where {what} was expected")))
    }

    fn expect(&mut self, word: &str, message: &str) -> Result<(), MapFileError> {
        if self.word(word)? == word {
            Ok(())
        } else {
            Err(self.error(message.to_owned()))
        }
    }

    fn number(&mut self, what: &str) -> Result<f64, MapFileError> {
        let word = self.word(what)?;
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| self.error(format!("{word:?} is no number; {what} was expected")))
    }

    fn whole(&mut self, what: &str) -> Result<i64, MapFileError> {
        let word = self.word(what)?;
        word.parse()
            .map_err(|_| self.error(format!("{word:?} is no whole number; {what} was expected")))
    }

    /// A count of things that follow. Each takes a word at least, so a count beyond any file is a
    /// mistake, and no memory is set aside for it.
    fn count(&mut self, what: &str) -> Result<usize, MapFileError> {
        let number = self.whole(what)?;
        usize::try_from(number)
            .ok()
            .filter(|count| *count <= 1 << 22)
            .ok_or_else(|| self.error(format!("{number} makes no sense as {what}")))
    }

    fn skip(&mut self, count: usize, what: &str) -> Result<(), MapFileError> {
        (0..count).try_for_each(|_| self.whole(what).map(drop))
    }
}
