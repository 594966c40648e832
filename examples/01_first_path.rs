//! Finds the cheapest way through a small map, in one line, and draws it.

use apprentice::search::{Cost, Estimate, Problem, Promise, Successors, astar};

const MAP: [&str; 7] = [
    "S.....#.....",
    ".####.#.###.",
    ".#....#...#.",
    ".#.########.",
    ".#..........",
    ".#.########.",
    "..........#G",
];

/// A cell: column and row.
type Cell = (usize, usize);

/// Walking from S to G, one cell a second.
struct Walk;

fn find(letter: char) -> Cell {
    let row = MAP
        .iter()
        .position(|row| row.contains(letter))
        .expect("on the map");
    (MAP[row].find(letter).expect("in the row"), row)
}

impl Problem for Walk {
    type State = Cell;
    type Key = Cell;
    type Action = &'static str;

    fn start(&self) -> Cell {
        find('S')
    }

    fn key(&self, cell: &Cell) -> Cell {
        *cell
    }

    fn is_goal(&self, cell: &Cell) -> bool {
        *cell == find('G')
    }

    fn successors(&self, (x, y): &Cell, out: &mut Successors<Cell, &'static str>) {
        let moves = [
            ("east", 1, 0),
            ("north", 0, -1),
            ("west", -1, 0),
            ("south", 0, 1),
        ];
        for (name, dx, dy) in moves {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                continue;
            };
            if MAP
                .get(y)
                .and_then(|row| row.as_bytes().get(x))
                .is_some_and(|cell| *cell != b'#')
            {
                out.push(name, (x, y), Cost::from_seconds(1.0));
            }
        }
    }
}

fn main() {
    // As the crow flies along rows and columns: never more than the truth.
    let (goal_x, goal_y) = find('G');
    let distance = Estimate::new(Promise::Consistent, move |(x, y): &Cell| {
        Cost::from_seconds((x.abs_diff(goal_x) + y.abs_diff(goal_y)) as f64)
    });

    let path = astar(&Walk, distance).expect("G can be reached");

    let mut picture: Vec<Vec<char>> = MAP.iter().map(|row| row.chars().collect()).collect();
    for (x, y) in path.states().skip(1).filter(|cell| **cell != find('G')) {
        picture[*y][*x] = '*';
    }
    for row in picture {
        println!("{}", row.into_iter().collect::<String>());
    }
    println!("{} steps, {}", path.steps.len(), path.cost);
    assert_eq!(path.cost, Cost::from_seconds(21.0));
}
