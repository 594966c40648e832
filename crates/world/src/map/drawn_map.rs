//! A map as a level editor has it: its walls, and whatever else was drawn onto it, so that a level can
//! be made of both.

use super::{ldtk_file, tiled_file};
use crate::{Cell, GridMap, MapFileError, Point};

/// A map of Tiled or LDtk with the objects on it.
///
/// ```
/// use apprentice_world::{Cell, DrawnMap};
///
/// let text = r#"<map width="3" height="1" tilewidth="16" tileheight="16">
///   <layer name="walls"><data encoding="csv">0,0,7</data></layer>
///   <objectgroup name="things"><object name="red" class="key" x="16" y="0" width="16" height="16"/></objectgroup>
/// </map>"#;
/// let map = DrawnMap::from_tmx(text, |_| Err("no other files".to_owned()))?;
/// let [key] = &map.objects[..] else { panic!("there is one") };
/// assert_eq!((&*key.kind, &*key.name, key.cell()), ("key", "red", Some(Cell::new(1, 0))));
/// assert!(!map.grid.is_free(Cell::new(2, 0)));
/// # Ok::<(), apprentice_world::MapFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DrawnMap {
    /// Where one can stand.
    pub grid: GridMap,
    /// What else was drawn, in the order of the file.
    pub objects: Vec<DrawnObject>,
    /// The names of the levels of the same file that were not read: a project of LDtk has several.
    pub other_levels: Vec<String>,
}

/// Something that was drawn onto a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnObject {
    /// What it is called; empty if it has no name.
    pub name: String,
    /// What it is: the class, type or identifier that the editor has; empty if there is none.
    pub kind: String,
    /// The layer it is on.
    pub layer: String,
    /// The cells it covers, row by row; one for a point.
    pub cells: Vec<Cell>,
    /// The corners of a line, in cells; none if it is no line.
    pub line: Vec<Point>,
    /// Whatever else is said about it: names and values.
    pub properties: Vec<(String, String)>,
}

impl DrawnObject {
    /// The cell it is at: the first one it covers.
    pub fn cell(&self) -> Option<Cell> {
        self.cells.first().copied()
    }

    /// What is said about it under a name.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut properties = self.properties.iter();
        let found = properties.find(|(is, _)| is.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

impl DrawnMap {
    /// Reads an XML map of Tiled. Tilesets of their own are asked of `files`.
    pub fn from_tmx(
        text: &str,
        files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<DrawnMap, MapFileError> {
        let grid = GridMap::from_tmx(text, files)?;
        let objects = tiled_file::in_xml::objects(text, &grid)?;
        Ok(DrawnMap::alone(grid, objects))
    }

    /// Reads a JSON map of Tiled. Tilesets of their own are asked of `files`.
    pub fn from_tmj(
        text: &str,
        files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<DrawnMap, MapFileError> {
        let grid = GridMap::from_tmj(text, files)?;
        let objects = tiled_file::in_json::objects(text, &grid)?;
        Ok(DrawnMap::alone(grid, objects))
    }

    /// Reads a project of LDtk: the level of this name, or its first.
    ///
    /// Walls are the cells of an IntGrid layer whose value is called `wall`; where no value is, all of
    /// a layer called `walls` or `collisions`, or of the only one there is, that have a value.
    pub fn from_ldtk(text: &str, level: Option<&str>) -> Result<DrawnMap, MapFileError> {
        ldtk_file::read(text, level)
    }

    /// A map from a file that holds no other.
    fn alone(grid: GridMap, objects: Vec<DrawnObject>) -> DrawnMap {
        let other_levels = Vec::new();
        DrawnMap {
            grid,
            objects,
            other_levels,
        }
    }
}

/// An object in the units of an editor, and how many of them a cell is wide and high.
pub(super) struct Measured {
    pub(super) at: [f64; 2],
    pub(super) size: [f64; 2],
    pub(super) cell: [f64; 2],
}

impl Measured {
    /// The cells it covers that are on a map; the one it is in if it has no size.
    pub(super) fn cells(&self, grid: &GridMap) -> Vec<Cell> {
        let side = |axis: usize, most: u16| {
            // What ends at the edge of a cell does not reach into the next.
            let first = (self.at[axis] / self.cell[axis] + 1e-6).floor();
            let end = (self.at[axis] + self.size[axis]) / self.cell[axis] - 1e-6;
            let last = end.ceil() - 1.0;
            let inside = |at: f64| (at.is_finite() && at >= 0.0).then_some(at as u64);
            let first = inside(first)?;
            let last = inside(last).unwrap_or(first).max(first);
            let last = last.min(u64::from(most) - 1);
            (first <= last).then_some((first as u16, last as u16))
        };
        let (Some((left, right)), Some((top, bottom))) =
            (side(0, grid.width()), side(1, grid.height()))
        else {
            return Vec::new();
        };
        let rows = top..=bottom;
        rows.flat_map(|y| (left..=right).map(move |x| Cell::new(x, y)))
            .collect()
    }

    /// A point in cells: the middle of the first is (0, 0).
    pub(super) fn point(&self, of: [f64; 2]) -> Point {
        let along = |axis: usize| (self.at[axis] + of[axis]) / self.cell[axis] - 0.5;
        Point::new(along(0), along(1))
    }
}
