//! What a stranger puts into a level: doors with their keys and levers, things, enemies, a goal.

use std::fmt::Write;

use apprentice_world::Map;

use crate::dice::Dice;
use crate::ground::{Ground, Narrow};
use crate::shape::Terrain;

/// What was put into a level.
pub struct Furnishing {
    /// Where the character begins.
    pub start: usize,
    /// The place the goal is about, or near.
    pub goal: usize,
    /// The doors that begin shut.
    pub doors: Vec<Lock>,
    /// The keys and levers.
    pub openers: Vec<Opener>,
    /// How many enemies there are.
    pub enemies: usize,
    /// The keys of the scenario file that belong to the whole level.
    pub head: String,
    /// The tables of the scenario file.
    pub tables: String,
}

/// A door.
pub struct Lock {
    /// Where it is.
    pub narrow: Narrow,
    /// All it shuts.
    pub places: Vec<usize>,
    /// Which others it shuts something off with.
    barrier: usize,
}

/// A key or a lever.
pub struct Opener {
    /// Where it is.
    pub at: usize,
    /// The doors it opens, by number.
    pub opens: Vec<usize>,
    is_lever: bool,
}

/// More doors than that are rare in levels of a first evening.
const MOST_DOORS: usize = 6;
/// How often, in a hundred, somebody puts a key where one needs it to get there.
const BLUNDERS: usize = 3;

impl Furnishing {
    /// Puts things into a level.
    pub fn new(terrain: &Terrain, ground: &Ground<'_>, dice: &mut Dice) -> Furnishing {
        let start = *dice.one_of(&ground.places);
        let goal = goal_place(ground, start, dice);
        let mut furnishing = Furnishing {
            start,
            goal,
            doors: Vec::new(),
            openers: Vec::new(),
            enemies: 0,
            head: String::new(),
            tables: String::new(),
        };
        furnishing.build_doors(ground, dice);
        furnishing.hide_openers(ground, dice);
        furnishing.write_mechanisms(ground, dice);
        let treasures = furnishing.write_things(ground, dice);
        let beasts = furnishing.write_enemies(ground, dice);
        furnishing.write_rules(ground, dice);
        let levers = furnishing.openers.iter().filter(|opener| opener.is_lever);
        let wishes = Wishes {
            treasures,
            beasts,
            levers: levers.count(),
        };
        let wish = furnishing.wish(ground, &wishes, dice);
        let head = &mut furnishing.head;
        let _ = writeln!(head, "format = 1\nname = \"a stranger's {}\"", terrain.name);
        let _ = writeln!(head, "start = {}\ngoal = {wish}", spot(ground.map, start));
        if dice.percent(15) {
            let _ = writeln!(head, "health = {}", dice.between(4, 9) * 10);
        }
        furnishing
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        let keys = self.openers.iter().filter(|opener| !opener.is_lever);
        keys.count()
    }

    /// The way somebody goes who knows the level: fetches what opens the doors on the way first.
    pub fn round(&self, ground: &Ground<'_>) -> Vec<usize> {
        let mut round = vec![self.start];
        let mut opened = vec![false; self.doors.len()];
        self.visit(ground, self.goal, &mut opened, &mut round, 0);
        round
    }

    fn visit(
        &self,
        ground: &Ground<'_>,
        target: usize,
        opened: &mut [bool],
        round: &mut Vec<usize>,
        depth: usize,
    ) {
        let open = vec![false; ground.map.places()];
        let here = *round.last().unwrap_or(&self.start);
        let Some(way) = ground.way(here, target, &open) else {
            return;
        };
        let shut = way.iter().find_map(|place| {
            let doors = 0..self.doors.len();
            let mut shut = doors.filter(|door| !opened[*door]);
            shut.find(|door| self.doors[*door].places.contains(place))
        });
        let Some(door) = shut else {
            round.extend(&way[1..]);
            return;
        };
        let opener = self
            .openers
            .iter()
            .find(|opener| opener.opens.contains(&door));
        opened[door] = true;
        // Whoever needs the key to get to the key has lost patience by then.
        if let Some(opener) = opener.filter(|_| depth < self.doors.len()) {
            self.visit(ground, opener.at, opened, round, depth + 1);
            opener.opens.iter().for_each(|door| opened[*door] = true);
        }
        self.visit(ground, target, opened, round, depth);
    }

    /// Puts doors where it is narrow: some to shut off the goal, others anywhere.
    fn build_doors(&mut self, ground: &Ground<'_>, dice: &mut Dice) {
        let wanted = dice.below(MOST_DOORS + 1);
        let narrows = ground.narrows();
        let mut taken = vec![false; ground.map.places()];
        taken[self.start] = true;
        taken[self.goal] = true;
        for barrier in 0..2 * wanted {
            if self.doors.len() >= wanted {
                break;
            }
            if dice.percent(75) {
                self.build_barrier(barrier, ground, &narrows, &mut taken, dice);
            } else if !narrows.is_empty() {
                let narrow = dice.one_of(&narrows);
                self.build_door(barrier, ground, narrow, &mut taken);
            }
        }
    }

    /// Shuts one way to the goal after the other, until there is none or the doors have run out.
    fn build_barrier(
        &mut self,
        barrier: usize,
        ground: &Ground<'_>,
        narrows: &[Narrow],
        taken: &mut [bool],
        dice: &mut Dice,
    ) {
        let mut shut = vec![false; ground.map.places()];
        while self.doors.len() < MOST_DOORS
            && let Some(way) = ground.way(self.start, self.goal, &shut)
        {
            let mut is_on_way = vec![false; ground.map.places()];
            way.iter().for_each(|place| is_on_way[*place] = true);
            let mut fitting: Vec<&Narrow> = narrows.iter().collect();
            fitting.retain(|narrow| narrow.places.iter().any(|place| is_on_way[*place]));
            if dice.percent(70) && fitting.iter().any(|narrow| narrow.is_doorway) {
                fitting.retain(|narrow| narrow.is_doorway);
            }
            if fitting.is_empty() {
                return;
            }
            // Somebody looks at a few and takes the first that shuts something off by itself.
            let mut narrow = *dice.one_of(&fitting);
            for _ in 0..8 {
                if ground.separates(narrow) {
                    break;
                }
                narrow = *dice.one_of(&fitting);
            }
            if !self.build_door(barrier, ground, narrow, taken) {
                return;
            }
            ground.shut(narrow, &mut shut);
        }
    }

    /// Builds a door, unless there is one already.
    fn build_door(
        &mut self,
        barrier: usize,
        ground: &Ground<'_>,
        narrow: &Narrow,
        taken: &mut [bool],
    ) -> bool {
        let places = ground.closed_by(narrow);
        if places
            .iter()
            .chain(&narrow.sides)
            .any(|place| taken[*place])
        {
            return false;
        }
        places.iter().for_each(|place| taken[*place] = true);
        let narrow = narrow.clone();
        self.doors.push(Lock {
            narrow,
            places,
            barrier,
        });
        true
    }

    /// Puts what opens each door where one gets to without it.
    fn hide_openers(&mut self, ground: &Ground<'_>, dice: &mut Dice) {
        let mut shut = vec![false; ground.map.places()];
        for door in &self.doors {
            door.places.iter().for_each(|place| shut[*place] = true);
        }
        let mut waiting: Vec<usize> = (0..self.doors.len()).collect();
        let mut before = vec![false; ground.map.places()];
        while !waiting.is_empty() {
            let reached = ground.reach(self.start, &shut);
            let is_near = |door: &&usize| {
                let sides = self.doors[**door].narrow.sides;
                sides.iter().any(|side| reached[*side])
            };
            let near: Vec<usize> = waiting.iter().filter(is_near).copied().collect();
            let door = *dice.one_of(if near.is_empty() { &waiting } else { &near });
            // What shuts off the same has the same key, mostly.
            let barrier = self.doors[door].barrier;
            let mut opens = waiting.clone();
            opens.retain(|other| {
                *other == door || self.doors[*other].barrier == barrier && dice.percent(85)
            });
            waiting.retain(|other| !opens.contains(other));
            for place in opens.iter().flat_map(|door| &self.doors[*door].places) {
                shut[*place] = false;
            }
            if !self.openers.is_empty() && dice.percent(15) {
                let which = dice.below(self.openers.len());
                self.openers[which].opens.extend(opens);
            } else if !dice.percent(4) {
                let blunders = dice.percent(BLUNDERS);
                let fitting = ground.places.iter().filter(|place| {
                    !shut[**place] && (reached[**place] != blunders) && **place != self.start
                });
                let mut fitting: Vec<usize> = fitting.copied().collect();
                // Most are put where the last door led to.
                if dice.percent(60) && fitting.iter().any(|place| !before[*place]) {
                    fitting.retain(|place| !before[*place]);
                }
                if fitting.is_empty() {
                    continue;
                }
                before = reached;
                self.openers.push(Opener {
                    at: *dice.one_of(&fitting),
                    opens,
                    is_lever: dice.percent(20),
                });
            }
        }
        let keys_for_nothing = if dice.percent(25) {
            dice.between(1, 2)
        } else {
            0
        };
        for _ in 0..keys_for_nothing {
            self.openers.push(Opener {
                at: *dice.one_of(&ground.places),
                opens: Vec::new(),
                is_lever: false,
            });
        }
        dice.shuffle(&mut self.openers);
    }

    fn write_mechanisms(&mut self, ground: &Ground<'_>, dice: &mut Dice) {
        for (number, door) in self.doors.iter().enumerate() {
            let ends = match ground.map {
                Map::Grid(_) => door.narrow.places.clone(),
                Map::Mesh(_) => {
                    let places = &door.narrow.places;
                    vec![places[0], places[places.len() - 1]]
                }
            };
            let at: Vec<String> = ends.iter().map(|place| spot(ground.map, *place)).collect();
            let at = at.join(", ");
            let _ = write!(
                self.tables,
                "\n[[door]]\nid = \"door{number}\"\nat = [{at}]\n"
            );
            if ground.map.mesh().is_some() {
                let _ = writeln!(self.tables, "radius = {}", ground.door_radius());
            }
            let mut openers = self.openers.iter();
            let opener = openers.find(|opener| opener.opens.contains(&number));
            match opener {
                None if dice.percent(40) => {
                    let (open, closed) = (dice.between(2, 6), dice.between(1, 5));
                    let _ = writeln!(
                        self.tables,
                        "cycle = {{ open = {open}.0, closed = {closed}.0 }}"
                    );
                }
                None if dice.percent(50) => self.tables.push_str("open = true\n"),
                Some(opener) if opener.opens.len() == 1 && !opener.is_lever && dice.percent(10) => {
                    self.tables.push_str("consume_key = true\n");
                }
                _ => {}
            }
        }
        for (number, opener) in self.openers.iter().enumerate() {
            let doors = opener.opens.iter().map(|door| format!("\"door{door}\""));
            let doors = doors.collect::<Vec<_>>().join(", ");
            let at = spot(ground.map, opener.at);
            let (table, verb) = match opener.is_lever {
                true if dice.percent(25) => ("lever", "toggles"),
                true => ("lever", "opens"),
                false => ("key", "opens"),
            };
            let _ = write!(
                self.tables,
                "\n[[{table}]]\nid = \"{table}{number}\"\nat = {at}\n{verb} = [{doors}]\n"
            );
        }
    }

    /// Shields, packs and treasures. Says how many treasures there are.
    fn write_things(&mut self, ground: &Ground<'_>, dice: &mut Dice) -> usize {
        let treasures = if dice.percent(25) {
            dice.between(1, 2)
        } else {
            0
        };
        let shields = usize::from(dice.percent(30));
        let packs = if dice.percent(40) {
            dice.between(1, 3)
        } else {
            0
        };
        for (table, count) in [("item", treasures), ("shield", shields), ("pack", packs)] {
            for number in 0..count {
                let at = spot(ground.map, *dice.one_of(&ground.places));
                let _ = write!(
                    self.tables,
                    "\n[[{table}]]\nid = \"{table}{number}\"\nat = {at}\n"
                );
            }
        }
        treasures
    }

    /// Enemies anywhere, on the way and in doorways, but not where the character begins. Says which
    /// of them can be killed.
    fn write_enemies(&mut self, ground: &Ground<'_>, dice: &mut Dice) -> Vec<usize> {
        let wanted = if dice.percent(25) {
            0
        } else {
            dice.between(1, 8)
        };
        let narrows = ground.narrows();
        let round = self.round(ground);
        let at_start = ground.map.point_of(self.start);
        let mut beasts = Vec::new();
        for _ in 0..wanted {
            let place = match dice.below(5) {
                0 => *dice.one_of(&round),
                1 if !narrows.is_empty() => dice.one_of(&narrows).places[0],
                _ => *dice.one_of(&ground.places),
            };
            let apart = dice.between(4, 12) as f64;
            if ground.map.point_of(place).distance_to(at_start) < apart {
                continue;
            }
            let kind = match dice.below(20) {
                0..7 => "wolf",
                7..12 => "bear",
                12..16 => "guard",
                16..19 => "superwolf",
                _ => "killer_bear",
            };
            if kind != "guard" && kind != "killer_bear" {
                beasts.push(self.enemies);
            }
            let _ = write!(
                self.tables,
                "\n[[enemy]]\nid = \"enemy{}\"\nkind = \"{kind}\"\nat = {}\n",
                self.enemies,
                spot(ground.map, place)
            );
            self.enemies += 1;
        }
        beasts
    }

    fn write_rules(&mut self, ground: &Ground<'_>, dice: &mut Dice) {
        let mut rules = String::new();
        if dice.percent(20) {
            let speed = if ground.map.grid().is_some() {
                "2.0"
            } else {
                "4.0"
            };
            let _ = writeln!(rules, "run = {speed}");
        }
        if dice.percent(20) && ground.map.grid().is_some() {
            rules.push_str("line_of_sight = true\n");
        }
        if !rules.is_empty() {
            let _ = write!(self.tables, "\n[rules]\n{rules}");
        }
    }

    /// What is to be achieved: mostly to be somewhere.
    fn wish(&self, ground: &Ground<'_>, wishes: &Wishes, dice: &mut Dice) -> String {
        let least = if ground.map.grid().is_some() {
            "0.0"
        } else {
            "0.5"
        };
        let radius = *dice.one_of(&[least, "1.0", "2.0"]);
        let at = spot(ground.map, self.goal);
        let within = format!("{{ within = {{ at = {at}, radius = {radius} }} }}");
        let mut others = Vec::new();
        if wishes.treasures > 0 {
            others.push("{ holds = \"item0\" }".to_owned());
        }
        if !wishes.beasts.is_empty() {
            let beast = dice.one_of(&wishes.beasts);
            others.push(format!("{{ dead = \"enemy{beast}\" }}"));
        }
        if !self.doors.is_empty() {
            let door = dice.below(self.doors.len());
            others.push(format!("{{ open = \"door{door}\" }}"));
        }
        let mut levers = (0..self.openers.len()).filter(|opener| self.openers[*opener].is_lever);
        if let Some(lever) = levers.next().filter(|_| wishes.levers > 0) {
            others.push(format!("{{ lever = \"lever{lever}\" }}"));
        }
        if others.is_empty() || dice.percent(70) {
            return within;
        }
        let other = dice.one_of(&others);
        match dice.below(5) {
            0 | 1 => other.clone(),
            2 | 3 => format!("{{ all = [{within}, {other}] }}"),
            _ => format!("{{ any = [{within}, {other}] }}"),
        }
    }
}

/// What there is to wish for besides being somewhere.
struct Wishes {
    treasures: usize,
    beasts: Vec<usize>,
    levers: usize,
}

/// Mostly far away: nobody builds a level to cross a room.
fn goal_place(ground: &Ground<'_>, start: usize, dice: &mut Dice) -> usize {
    let steps = ground.steps_from(start);
    let mut places = ground.places.clone();
    places.retain(|place| *place != start && steps[*place] != u32::MAX);
    places.sort_by_key(|place| (steps[*place], *place));
    if places.is_empty() {
        return start;
    }
    let nearest = if dice.percent(85) {
        places.len() / 2
    } else {
        0
    };
    places[dice.between(nearest, places.len() - 1)]
}

/// A place in the words of a scenario file.
pub(crate) fn spot(map: &Map, place: usize) -> String {
    let at = map.point_of(place);
    if map.is_flat() {
        format!("[{}, {}]", at.x, at.y)
    } else {
        format!("[{}, {}, {}]", at.x, at.y, map.height_of(place))
    }
}
