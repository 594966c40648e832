//! Grid maps as problems, for tests and benchmarks: eight neighbours, octile costs, no corner
//! cutting, as the MovingAI benchmarks have it.

use std::path::{Path, PathBuf};

use apprentice_search::{Cost, Heuristic, Problem, Promise, Successors};

/// A cell; x to the east, y to the south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub x: u16,
    pub y: u16,
}

/// Where one can stand.
#[derive(Clone, Debug)]
pub struct Grid {
    pub width: u16,
    pub height: u16,
    free: Vec<bool>,
    /// For each cell, which of the eight moves are possible, a bit each.
    moves: Vec<u8>,
}

/// East, north-east, north, … south-east.
pub const MOVES: [(i32, i32); 8] =
    [(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)];

impl Grid {
    pub fn new(width: u16, height: u16, free: Vec<bool>) -> Grid {
        let mut grid = Grid { width, height, moves: vec![0; free.len()], free };
        for y in 0..height {
            for x in 0..width {
                grid.update_moves(Cell { x, y });
            }
        }
        grid
    }

    /// Reads a MovingAI map.
    pub fn parse(text: &str) -> Grid {
        let (header, rows) = text.split_once("map\n").expect("a line `map` before the rows");
        let number = |name: &str| -> u16 {
            let line = header.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.trim().parse().ok()).expect("a number in the header")
        };
        let (width, height) = (number("width "), number("height "));
        let free = rows.lines().flat_map(|row| row.bytes().map(|b| matches!(b, b'.' | b'G'))).collect();
        Grid::new(width, height, free)
    }

    pub fn number(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    pub fn is_free(&self, x: i32, y: i32) -> bool {
        x >= 0
            && y >= 0
            && x < i32::from(self.width)
            && y < i32::from(self.height)
            && self.free[self.number(Cell { x: x as u16, y: y as u16 })]
    }

    pub fn toggle(&mut self, cell: Cell) {
        let number = self.number(cell);
        self.free[number] = !self.free[number];
        for near in self.around(cell) {
            self.update_moves(near);
        }
    }

    /// The cell and its neighbours, as far as they are on the map.
    pub fn around(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let xs = cell.x.saturating_sub(1)..=(cell.x + 1).min(self.width - 1);
        let ys = cell.y.saturating_sub(1)..=(cell.y + 1).min(self.height - 1);
        ys.flat_map(move |y| xs.clone().map(move |x| Cell { x, y }))
    }

    fn update_moves(&mut self, cell: Cell) {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let mut moves = 0;
        for (bit, (dx, dy)) in MOVES.iter().enumerate() {
            let open = self.is_free(x, y)
                && self.is_free(x + dx, y + dy)
                && self.is_free(x + dx, y)
                && self.is_free(x, y + dy);
            moves |= u8::from(open) << bit;
        }
        let number = self.number(cell);
        self.moves[number] = moves;
    }

    /// Every move that leaves `cell`: its number, where it leads, and its cost.
    #[inline]
    pub fn for_each_move(&self, cell: Cell, mut visit: impl FnMut(u8, Cell, u64)) {
        let mut moves = self.moves[self.number(cell)];
        while moves != 0 {
            let bit = moves.trailing_zeros();
            moves &= moves - 1;
            let (dx, dy) = MOVES[bit as usize];
            let to = Cell {
                x: cell.x.wrapping_add_signed(dx as i16),
                y: cell.y.wrapping_add_signed(dy as i16),
            };
            visit(bit as u8, to, if bit & 1 == 0 { STRAIGHT } else { DIAGONAL });
        }
    }
}

/// A straight move in ticks: a second at one cell a second.
pub const STRAIGHT: u64 = 1_000_000_000;
/// A diagonal move, rounded up as steps are.
pub const DIAGONAL: u64 = 1_414_213_563;

/// The octile distance in ticks.
#[inline]
pub fn octile(from: Cell, to: Cell) -> u64 {
    let dx = u64::from(from.x.abs_diff(to.x));
    let dy = u64::from(from.y.abs_diff(to.y));
    dx.max(dy) * STRAIGHT + dx.min(dy) * (DIAGONAL - STRAIGHT)
}

/// Walking from one cell to another.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub grid: &'a Grid,
    pub from: Cell,
    pub to: Cell,
    pub revision: u64,
}

impl<'a> Walk<'a> {
    pub fn new(grid: &'a Grid, from: Cell, to: Cell) -> Walk<'a> {
        Walk { grid, from, to, revision: 0 }
    }
}

impl Problem for Walk<'_> {
    type State = Cell;
    type Key = Cell;
    type Action = u8;

    fn start(&self) -> Cell {
        self.from
    }
    #[inline]
    fn key(&self, cell: &Cell) -> Cell {
        *cell
    }
    #[inline]
    fn is_goal(&self, cell: &Cell) -> bool {
        *cell == self.to
    }
    #[inline]
    fn successors(&self, cell: &Cell, out: &mut Successors<Cell, u8>) {
        self.grid.for_each_move(*cell, |action, to, cost| out.push(action, to, Cost::from_ticks(cost)));
    }
    #[inline]
    fn index(&self, cell: &Cell) -> Option<u32> {
        Some(self.grid.number(*cell) as u32)
    }
    fn revision(&self) -> u64 {
        self.revision
    }
}

/// The octile distance to the goal.
#[derive(Clone, Copy, Debug)]
pub struct Octile;

impl<'a> Heuristic<Walk<'a>> for Octile {
    #[inline]
    fn estimate(&mut self, walk: &Walk<'a>, cell: &Cell) -> Cost {
        Cost::from_ticks(octile(*cell, walk.to))
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

/// One line of a `.scen` file.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub from: Cell,
    pub to: Cell,
    /// The published length of the cheapest way.
    pub length: f64,
}

/// A published map with its problems.
pub struct Published {
    pub name: String,
    pub grid: Grid,
    pub lines: Vec<Line>,
}

/// The folder of published maps beside the project, if it is there.
pub fn maps_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/maps");
    folder.is_dir().then_some(folder)
}

/// All published maps, by name. `None`, loudly, where they are not to be had.
pub fn published() -> Option<Vec<Published>> {
    let Some(folder) = maps_folder() else {
        eprintln!("SKIPPED: no published maps in ../shared/data/maps beside the project");
        return None;
    };
    let read = |path: &Path| std::fs::read_to_string(path).expect("a readable file");
    let mut maps = Vec::new();
    for file in std::fs::read_dir(folder).expect("a readable folder") {
        let path = file.expect("a readable entry").path();
        if path.extension().is_some_and(|ending| ending == "map") {
            let lines = read(&path.with_extension("map.scen"));
            let lines = lines.lines().skip(1).filter(|line| !line.trim().is_empty()).map(line).collect();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            maps.push(Published { name, grid: Grid::parse(&read(&path)), lines });
        }
    }
    maps.sort_by(|a, b| a.name.cmp(&b.name));
    Some(maps)
}

fn line(text: &str) -> Line {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let cell = |x: &str, y: &str| Cell { x: x.parse().expect("x"), y: y.parse().expect("y") };
    Line {
        from: cell(fields[4], fields[5]),
        to: cell(fields[6], fields[7]),
        length: fields[8].parse().expect("a length"),
    }
}
