//! Random scenarios for property tests, as the text of a scenario file: what fails can be read.

// Every test uses some of it.
#![allow(dead_code, unreachable_pub)]

use std::fmt::Write;

use apprentice_world::Scenario;

/// What may occur in a dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inhabitants {
    /// Guards, items, doors and levers: nothing moves.
    Still,
    /// The same, and beasts, a player, automatic doors and moving obstacles.
    Moving,
    /// The same in a level so wide that most are far from each other.
    Scattered,
    /// Nine enemies that move and more, and three who take orders and more.
    Crowded,
}

impl Inhabitants {
    fn move_about(self) -> bool {
        self != Inhabitants::Still
    }
}

/// Numbers from a seed, as like each other as a fair die's.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) >> 33) as usize % limit
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A small random scenario.
pub fn random(seed: u64, inhabitants: Inhabitants) -> (String, Scenario) {
    let text = text(seed, inhabitants);
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, scenario)
}

/// The same where one may run, with traps and areas in which a second counts as more or less.
pub fn furnished(seed: u64, inhabitants: Inhabitants) -> (String, Scenario) {
    let (text, scenario) = random(seed, inhabitants);
    let mut dice = Dice::new(!seed);
    let (_, last) = scenario.map().bounds();
    let point = |dice: &mut Dice| {
        let (x, y) = (last.x as usize + 1, last.y as usize + 1);
        (dice.below(x), dice.below(y))
    };
    let mut text = text.replace("run = 2.0", "");
    text = text.replace("[rules]\n", "[rules]\nrun = 2.5\n");
    for area in 0..dice.below(3) {
        let ((x, y), (to_x, to_y)) = (point(&mut dice), point(&mut dice));
        let counts = [0.25, 0.7, 1.3, 3.0][dice.below(4)];
        writeln!(
            text,
            "[[area]]\nid = \"area{area}\"\nfrom = [{x}, {y}]\nto = [{to_x}, {to_y}]\ncounts = {counts}"
        )
        .unwrap();
    }
    for trap in 0..dice.below(3) {
        let (x, y) = point(&mut dice);
        let cell = apprentice_world::Cell::new(x as u16, y as u16);
        if !scenario.grid().is_some_and(|grid| grid.is_free(cell)) {
            continue;
        }
        let (damage, once) = ([10, 20, 35, 100][dice.below(4)], dice.once_in(2));
        writeln!(
            text,
            "[[trap]]\nid = \"trap{trap}\"\nat = [[{x}, {y}]]\ndamage = {damage}\nonce = {once}"
        )
        .unwrap();
    }
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, scenario)
}

fn text(seed: u64, inhabitants: Inhabitants) -> String {
    let mut dice = Dice(seed);
    let (mut width, mut height) = (4 + dice.below(6), 4 + dice.below(5));
    let mut walls = 4 + dice.below(6);
    if inhabitants == Inhabitants::Scattered {
        (width, height, walls) = (6 * width, 6 * height, 2 * walls);
    }
    let mut rows = vec![vec!['.'; width]; height];
    for cell in rows.iter_mut().flatten() {
        if dice.once_in(walls) {
            *cell = '#';
        }
    }
    // Everything that stands somewhere makes its cell free.
    let mut place = |dice: &mut Dice| {
        let (x, y) = (dice.below(width), dice.below(height));
        rows[y][x] = '.';
        format!("[{x}, {y}]")
    };
    let mut things = String::new();
    let doors = dice.below(3);
    for door in 0..doors {
        let at = place(&mut dice);
        write!(things, "[[door]]\nid = \"door{door}\"\nat = [{at}]\n").unwrap();
        if dice.once_in(4) {
            things.push_str("open = true\n");
        }
        if inhabitants.move_about() && dice.once_in(4) {
            things.push_str("consume_key = true\n");
        } else if inhabitants.move_about() && dice.once_in(3) {
            things.push_str("cycle = { open = 1.7, closed = 2.4, offset = 0.3 }\n");
        }
    }
    for key in 0..dice.below(3) {
        let at = place(&mut dice);
        write!(things, "[[key]]\nid = \"key{key}\"\nat = {at}\n").unwrap();
        if doors > 0 {
            writeln!(things, "opens = [\"door{}\"]", dice.below(doors)).unwrap();
        }
    }
    for (table, id) in [("shield", "shield"), ("pack", "pack"), ("item", "ring")] {
        if dice.once_in(2) {
            let at = place(&mut dice);
            write!(things, "[[{table}]]\nid = \"{id}\"\nat = {at}\n").unwrap();
        }
    }
    if doors > 0 && dice.once_in(2) {
        let at = place(&mut dice);
        let verb = if inhabitants.move_about() && dice.once_in(2) {
            "toggles"
        } else {
            "opens"
        };
        let door = dice.below(doors);
        write!(
            things,
            "[[lever]]\nid = \"lever\"\nat = {at}\n{verb} = [\"door{door}\"]\n"
        )
        .unwrap();
    }
    for guard in 0..dice.below(3) {
        let at = place(&mut dice);
        let kind = if dice.once_in(2) { "guard" } else { "sentinel" };
        write!(
            things,
            "[[enemy]]\nid = \"guard{guard}\"\nkind = \"{kind}\"\nat = {at}\n"
        )
        .unwrap();
    }
    if inhabitants.move_about() {
        let more = if inhabitants == Inhabitants::Crowded {
            8
        } else {
            0
        };
        for beast in 0..1 + more + dice.below(2) {
            let at = place(&mut dice);
            let kinds = ["wolf", "superwolf", "bear", "killer_bear", "wasp"];
            let kind = kinds[dice.below(kinds.len())];
            write!(
                things,
                "[[enemy]]\nid = \"beast{beast}\"\nkind = \"{kind}\"\nat = {at}\n"
            )
            .unwrap();
        }
        if dice.once_in(3) {
            let (from, to) = (place(&mut dice), place(&mut dice));
            write!(
                things,
                "[[obstacle]]\nid = \"cart\"\npath = [{from}, {to}]\nseconds = 1.3\n"
            )
            .unwrap();
        }
        if dice.once_in(3) {
            let (at, goal) = (place(&mut dice), place(&mut dice));
            write!(things, "[player]\nat = {at}\nroute = [{goal}]\n").unwrap();
        }
        if inhabitants == Inhabitants::Crowded {
            for actor in 0..2 + dice.below(4) {
                let (at, goal) = (place(&mut dice), place(&mut dice));
                let fights = dice.once_in(2);
                write!(
                    things,
                    "[[actor]]\nid = \"actor{actor}\"\nat = {at}\nroute = [{goal}]\nfights = {fights}\n"
                )
                .unwrap();
            }
        }
    }
    let (start, goal) = (place(&mut dice), place(&mut dice));
    let radius = ["0.0", "1.0", "1.5"][dice.below(3)];
    let within = format!("{{ within = {{ at = {goal}, radius = {radius} }} }}");
    let mut goals = vec![within];
    if things.contains("\"ring\"") && dice.once_in(2) {
        goals.push("{ holds = \"ring\" }".to_owned());
    }
    if things.contains("\"lever\"") && dice.once_in(2) {
        goals.push("{ lever = \"lever\" }".to_owned());
    }
    if things.contains("\"beast0\"") && dice.once_in(3) {
        goals.push("{ dead = \"beast0\" }".to_owned());
    }
    if doors > 0 && dice.once_in(4) {
        goals.push("{ open = \"door0\" }".to_owned());
    }
    let how = ["all", "all", "any"][dice.below(3)];
    let health = [100, 100, 80, 50][dice.below(4)];
    let rules = if dice.once_in(2) {
        "line_of_sight = true\nblock_slows = true\nrun = 2.0"
    } else {
        ""
    };
    let rows: Vec<String> = rows
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    format!(
        "format = 1\nstart = {start}\nhealth = {health}\ngoal = {{ {how} = [{}] }}\n\n[map]\nrows = [\n  \"{}\",\n]\n\n\
         [kinds.sentinel]\nlike = \"guard\"\nradius = 1.0\ndamage = 30.0\n\n\
         [kinds.wasp]\nlike = \"wolf\"\nspeed = 4.5\nhealth = 12.0\nsplash = 2.0\nperiod = 0.3\n\n\
         [rules]\n{rules}\n\n{things}",
        goals.join(", "),
        rows.join("\",\n  \""),
    )
}
