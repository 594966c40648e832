//! Grid maps as problems, for tests and benchmarks: eight neighbours, octile costs, no corner
//! cutting, as the MovingAI benchmarks have it.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test uses the part it needs"
)]

#[path = "../published_data/mod.rs"]
pub mod published_data;

use std::path::Path;

use apprentice_search::{Cost, Heuristic, Problem, Promise, Successor, Successors};

/// The number of a cell: rows of a power of two of them, so that its place is two bit operations
/// away. x to the east, y to the south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u32);

/// Where one can stand.
#[derive(Clone, Debug)]
pub struct Grid {
    pub width: u32,
    pub height: u32,
    /// A row is 2^stride cells long.
    stride: u32,
    /// The bits of a cell's number that tell where in its row it is.
    within_row: u32,
    free: Vec<bool>,
    /// For each cell, which of the eight moves are possible, a bit each.
    moves: Vec<u8>,
    /// For each set of possible moves, what they are.
    steps: Vec<Vec<Move>>,
}

/// A move that can be made from some cells.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// Which of [`MOVES`] it is.
    number: u8,
    /// What it adds to the number of a cell.
    offset: u32,
    /// What it costs.
    ticks: u64,
}

/// East, north-east, north, … south-east.
pub const MOVES: [(i32, i32); 8] = [
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl Grid {
    pub fn new(width: u32, height: u32, rows: impl Fn(u32, u32) -> bool) -> Grid {
        let stride = width.next_power_of_two().trailing_zeros();
        let cells = (height as usize) << stride;
        let step = |number: usize| {
            let (dx, dy) = MOVES[number];
            let ticks = if dx == 0 || dy == 0 {
                STRAIGHT
            } else {
                DIAGONAL
            };
            let (number, offset) = (number as u8, (dx + (dy << stride)) as u32);
            Move {
                number,
                offset,
                ticks,
            }
        };
        let possible = |moves: u32| (0..MOVES.len()).filter(move |bit| moves >> bit & 1 == 1);
        let steps = (0..1 << MOVES.len()).map(|moves| possible(moves).map(step).collect());
        let mut grid = Grid {
            width,
            height,
            stride,
            within_row: (1 << stride) - 1,
            free: vec![false; cells],
            moves: vec![0; cells],
            steps: steps.collect(),
        };
        let all = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        for (x, y) in all() {
            let cell = grid.cell(x, y);
            grid.free[cell.0 as usize] = rows(x, y);
        }
        for (x, y) in all() {
            grid.update_moves(grid.cell(x, y));
        }
        grid
    }

    /// Reads a MovingAI map.
    pub fn parse(text: &str) -> Grid {
        let (header, rows) = text
            .split_once("map\n")
            .expect("a line `map` before the rows");
        let number = |name: &str| -> u32 {
            let line = header.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.trim().parse().ok())
                .expect("a number in the header")
        };
        let rows: Vec<&[u8]> = rows.lines().map(str::as_bytes).collect();
        Grid::new(number("width "), number("height "), |x, y| {
            matches!(rows[y as usize][x as usize], b'.' | b'G')
        })
    }

    pub fn cell(&self, x: u32, y: u32) -> Cell {
        Cell((y << self.stride) + x)
    }

    #[inline]
    pub fn place(&self, cell: Cell) -> (u32, u32) {
        (cell.0 & self.within_row, cell.0 >> self.stride)
    }

    pub fn is_free(&self, x: i32, y: i32) -> bool {
        x >= 0
            && y >= 0
            && (x as u32) < self.width
            && (y as u32) < self.height
            && self.free[self.cell(x as u32, y as u32).0 as usize]
    }

    /// Turns floor to wall, or wall to floor.
    pub fn toggle(&mut self, cell: Cell) {
        self.free[cell.0 as usize] = !self.free[cell.0 as usize];
        for near in self.around(cell) {
            self.update_moves(near);
        }
    }

    /// The cell and its neighbours, as far as they are on the map.
    pub fn around(&self, cell: Cell) -> Vec<Cell> {
        let (x, y) = self.place(cell);
        let xs = x.saturating_sub(1)..=(x + 1).min(self.width - 1);
        let ys = y.saturating_sub(1)..=(y + 1).min(self.height - 1);
        ys.flat_map(|y| xs.clone().map(move |x| self.cell(x, y)))
            .collect()
    }

    fn update_moves(&mut self, cell: Cell) {
        let (x, y) = self.place(cell);
        let (x, y) = (x as i32, y as i32);
        let mut moves = 0;
        for (bit, (dx, dy)) in MOVES.iter().enumerate() {
            let open = self.is_free(x, y)
                && self.is_free(x + dx, y + dy)
                && self.is_free(x + dx, y)
                && self.is_free(x, y + dy);
            moves |= u8::from(open) << bit;
        }
        self.moves[cell.0 as usize] = moves;
    }

    /// Every move that leaves `cell`: its number, where it leads, and its cost. How many there are is
    /// known beforehand.
    #[inline]
    pub fn moves(&self, cell: Cell) -> impl Iterator<Item = (u8, Cell, u64)> {
        let moves = &self.steps[usize::from(self.moves[cell.0 as usize])];
        let to = move |offset: u32| Cell(cell.0.wrapping_add(offset));
        moves
            .iter()
            .map(move |it| (it.number, to(it.offset), it.ticks))
    }

    /// The octile distance in ticks.
    #[inline]
    pub fn octile(&self, from: Cell, to: Cell) -> u64 {
        self.octile_to(from, self.place(to))
    }

    /// The octile distance to a place, in ticks.
    #[inline]
    pub fn octile_to(&self, from: Cell, (to_x, to_y): (u32, u32)) -> u64 {
        let (x, y) = self.place(from);
        let (dx, dy) = (u64::from(x.abs_diff(to_x)), u64::from(y.abs_diff(to_y)));
        dx.max(dy) * STRAIGHT + dx.min(dy) * (DIAGONAL - STRAIGHT)
    }
}

/// A straight move in ticks: a second at one cell a second.
pub const STRAIGHT: u64 = 1_000_000_000;
/// A diagonal move, rounded up as steps are.
pub const DIAGONAL: u64 = 1_414_213_563;

/// Walking from one cell to another.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub grid: &'a Grid,
    pub from: Cell,
    pub to: Cell,
    /// Where that is.
    pub target: (u32, u32),
    pub revision: u64,
}

impl<'a> Walk<'a> {
    pub fn new(grid: &'a Grid, from: Cell, to: Cell) -> Walk<'a> {
        Walk {
            grid,
            from,
            to,
            target: grid.place(to),
            revision: 0,
        }
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
        let moves = self.grid.moves(*cell);
        out.extend(moves.map(|(action, state, ticks)| Successor {
            action,
            state,
            cost: Cost::from_ticks(ticks),
        }));
    }
    #[inline]
    fn index(&self, cell: &Cell) -> Option<u32> {
        Some(cell.0)
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
        Cost::from_ticks(walk.grid.octile_to(*cell, walk.target))
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

/// All published maps, by name. `None`, loudly, where they are not to be had.
pub fn published() -> Option<Vec<Published>> {
    let folder = published_data::find_or_say("maps")?;
    let read = |path: &Path| std::fs::read_to_string(path).expect("a readable file");
    let mut maps = Vec::new();
    for file in std::fs::read_dir(folder).expect("a readable folder") {
        let path = file.expect("a readable entry").path();
        if path.extension().is_some_and(|ending| ending == "map") {
            let grid = Grid::parse(&read(&path));
            let lines = read(&path.with_extension("map.scen"));
            let lines = lines.lines().skip(1).filter(|line| !line.trim().is_empty());
            let lines = lines.map(|line| parse_line(&grid, line)).collect();
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            maps.push(Published { name, grid, lines });
        }
    }
    maps.sort_by(|a, b| a.name.cmp(&b.name));
    Some(maps)
}

fn parse_line(grid: &Grid, text: &str) -> Line {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let cell = |x: &str, y: &str| grid.cell(x.parse().expect("x"), y.parse().expect("y"));
    Line {
        from: cell(fields[4], fields[5]),
        to: cell(fields[6], fields[7]),
        length: fields[8].parse().expect("a length"),
    }
}
