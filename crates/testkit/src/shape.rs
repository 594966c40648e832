//! What the ground of a level looks like before anything is put into it.

mod cave;
mod floors;
mod house;
mod maze;
mod rooms;
mod yard;

use std::fmt;

use apprentice_world::{GridMap, Map};

use crate::dice::Dice;

/// What the ground of a level looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Rooms, and passages between them.
    Rooms,
    /// Rooms wall to wall, with gaps for doors.
    House,
    /// What water leaves of rock.
    Cave,
    /// Open ground with things in the way.
    Yard,
    /// Passages that branch, with a few loops.
    Maze,
    /// Floors above each other.
    Floors,
}

impl Shape {
    /// Those that are grids.
    pub const GRIDS: [Shape; 5] = [
        Shape::Rooms,
        Shape::House,
        Shape::Cave,
        Shape::Yard,
        Shape::Maze,
    ];
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Shape::Rooms => "rooms",
            Shape::House => "house",
            Shape::Cave => "cave",
            Shape::Yard => "yard",
            Shape::Maze => "maze",
            Shape::Floors => "floors",
        })
    }
}

/// The ground of a level: a map, how a scenario file tells it, and the files that takes.
#[derive(Clone, Debug)]
pub struct Terrain {
    /// What it is called in tables.
    pub name: String,
    /// The map itself.
    pub map: Map,
    /// The table `[map]` of a scenario file.
    pub table: String,
    /// Files beside the scenario: their names and texts.
    pub files: Vec<(String, String)>,
}

impl Terrain {
    /// Ground of this shape. Floors are as large as they like.
    ///
    /// # Panics
    ///
    /// If the generator made no map, which is a mistake in it.
    pub fn shaped(shape: Shape, width: usize, height: usize, dice: &mut Dice) -> Terrain {
        let mut canvas = Canvas::filled(width, height);
        match shape {
            Shape::Rooms => rooms::carve(&mut canvas, dice),
            Shape::House => house::carve(&mut canvas, dice),
            Shape::Cave => cave::carve(&mut canvas, dice),
            Shape::Yard => yard::carve(&mut canvas, dice),
            Shape::Maze => maze::carve(&mut canvas, dice),
            Shape::Floors => return floors::build(dice),
        }
        let (table, files) = canvas.written(dice);
        Terrain {
            name: shape.to_string(),
            map: Map::Grid(canvas.grid()),
            table,
            files,
        }
    }
}

/// Cells that are carved out of rock. The outermost stay rock.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    free: Vec<bool>,
}

impl Canvas {
    fn filled(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            height,
            free: vec![false; width * height],
        }
    }

    /// Makes a cell free or not. At the rim nothing changes.
    fn set(&mut self, x: usize, y: usize, free: bool) {
        if (1..self.width - 1).contains(&x) && (1..self.height - 1).contains(&y) {
            self.free[y * self.width + x] = free;
        }
    }

    /// The same for all cells of a rectangle.
    fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], free: bool) {
        for row in y..y + height {
            for column in x..x + width {
                self.set(column, row, free);
            }
        }
    }

    fn is_free(&self, x: usize, y: usize) -> bool {
        self.free[y * self.width + x]
    }

    fn grid(&self) -> GridMap {
        GridMap::from_rows(&self.rows()).expect("rows of the same length")
    }

    /// How a scenario file tells it: mostly as rows, or as a file of another program.
    fn written(&self, dice: &mut Dice) -> (String, Vec<(String, String)>) {
        let (width, height) = (self.width, self.height);
        let rows = self.rows();
        let (kind, text) = match dice.below(10) {
            0 => {
                let tiles = self.free.iter().map(|free| if *free { "0" } else { "1" });
                let tiles = tiles.collect::<Vec<_>>().join(",");
                let layer =
                    format!("{{\"type\":\"tilelayer\",\"name\":\"walls\",\"data\":[{tiles}]}}");
                let map = format!(
                    "{{\"width\":{width},\"height\":{height},\"orientation\":\"orthogonal\",\"layers\":[{layer}]}}\n"
                );
                ("tmj", map)
            }
            1 => {
                let rows = rows.join("\n").replace('#', "@");
                let head = format!("type octile\nheight {height}\nwidth {width}\nmap");
                ("map", format!("{head}\n{rows}\n"))
            }
            _ => {
                let rows = rows.join("\",\n    \"");
                return (format!("[map]\nrows = [\n    \"{rows}\",\n]\n"), Vec::new());
            }
        };
        let name = format!("ground-{:08x}.{kind}", dice.bits() >> 32);
        (format!("[map]\nfile = \"{name}\"\n"), vec![(name, text)])
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.free.chunks(self.width);
        rows.map(|row| {
            let cells = row.iter();
            cells.map(|free| if *free { '.' } else { '#' }).collect()
        })
        .collect()
    }
}
