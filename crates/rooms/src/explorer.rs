//! Explorer: somebody who knows only what they have seen, plans through the rest, looks, and plans again.

use std::collections::BTreeMap;

use apprentice_search::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Action, Asked, Contents, DoorState, Facing, Moves, Objective, RoomDemonstration, RoomDoor,
    RoomLevel, RoomPlan, RoomStep, RoomThing, Rooms, RoomsError, Status, plan,
};

/// What is in a cell that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// Nothing but floor.
    Floor,
    /// A wall.
    Wall,
    /// Ground that kills.
    Deadly,
    /// A place to be reached.
    Goal,
    /// A door: its colour, and how it is.
    Door(String, DoorState),
    /// A thing: its kind and its colour. A thing of the kind `box` may have something inside.
    Thing(String, String),
    /// The same, but nobody can lift it, or should.
    Fixed(String, String),
}

/// A cell that was seen. Columns and rows count from wherever one likes, also below 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// Its column and row.
    pub at: [i32; 2],
    /// What is in it.
    pub is: Sight,
    /// The name of the thing or door, if whoever looks has one for it. It is known by the name it had
    /// when it was first seen, also after it was carried elsewhere.
    #[serde(default)]
    pub id: Option<String>,
}

/// What somebody sees, and where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct News {
    /// The column and row one stands in.
    pub at: [i32; 2],
    /// Where one looks.
    #[serde(default)]
    pub facing: Facing,
    /// What one sees. What is not listed stays as it was thought to be.
    #[serde(default)]
    pub sees: Vec<Sighting>,
    /// The kind and the colour of what one finds in one's hands; what was thought stays if nothing is
    /// said.
    #[serde(default)]
    pub carries: Option<[String; 2]>,
}

/// Somebody who knows only what they have seen.
///
/// Bounds are about what is known: another way may turn out to be shorter once it has been seen.
#[derive(Clone, Debug)]
pub struct Explorer {
    goal: Vec<Vec<Objective>>,
    moves: Moves,
    asked: Asked,
    cells: BTreeMap<(i32, i32), Known>,
    at: (i32, i32),
    facing: Facing,
    carries: Option<Named>,
    done: u32,
    shown: RoomDemonstration,
    followed: usize,
    /// Every thing and door that was ever seen has a number, which is its name.
    count: u32,
    /// What is left of the plan, and the corner its cells are counted from.
    ahead: Vec<RoomStep>,
    corner: (i32, i32),
    explores: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    is: Sight,
    id: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    id: String,
    kind: String,
    colour: String,
}

impl Explorer {
    /// Somebody who has seen nothing yet. A part of the goal that names cells is met on every goal that
    /// is seen.
    pub fn new(goal: Vec<Vec<Objective>>, moves: Moves, asked: Asked) -> Explorer {
        Explorer {
            goal,
            moves,
            asked,
            cells: BTreeMap::new(),
            at: (0, 0),
            facing: Facing::East,
            carries: None,
            done: 0,
            shown: RoomDemonstration::default(),
            followed: 0,
            count: 0,
            ahead: Vec::new(),
            corner: (0, 0),
            explores: false,
        }
    }

    /// The same, for somebody who was shown how.
    #[must_use]
    pub fn shown(mut self, shown: RoomDemonstration) -> Explorer {
        self.shown = shown;
        self
    }

    /// Sees something. Whether it is otherwise than was thought; then the plan is given up.
    pub fn see(&mut self, news: &News) -> bool {
        let at = (news.at[0], news.at[1]);
        let mut is_new = at != self.at || news.facing != self.facing || self.cells.is_empty();
        (self.at, self.facing) = (at, news.facing);
        if let Some([kind, colour]) = &news.carries {
            let is_known = |it: &Named| it.kind == *kind && it.colour == *colour;
            if !self.carries.as_ref().is_some_and(is_known) {
                self.count += 1;
                self.carries = Some(Named {
                    id: format!("number {}", self.count),
                    kind: kind.clone(),
                    colour: colour.clone(),
                });
                is_new = true;
            }
        }
        for sighting in &news.sees {
            let cell = (sighting.at[0], sighting.at[1]);
            match self.cells.get_mut(&cell) {
                Some(known) if known.is == sighting.is => {}
                Some(known) if same(&known.is, &sighting.is) => {
                    known.is = sighting.is.clone();
                    is_new = true;
                }
                _ => {
                    self.count += 1;
                    let name = || format!("number {}", self.count);
                    let known = Known {
                        is: sighting.is.clone(),
                        id: self.unused(sighting.id.clone()).unwrap_or_else(name),
                    };
                    self.cells.insert(cell, known);
                    is_new = true;
                }
            }
        }
        if is_new {
            self.ahead.clear();
        }
        is_new
    }

    /// A name, unless something else that is known has it.
    fn unused(&self, id: Option<String>) -> Option<String> {
        let is_carried = |id: &String| self.carries.as_ref().is_some_and(|it| it.id == *id);
        id.filter(|id| !is_carried(id) && self.cells.values().all(|known| known.id != *id))
    }

    /// Gives a part of the goal other words, such as the ids of what it means.
    pub fn pursue(&mut self, goal: Vec<Vec<Objective>>) {
        self.goal = goal;
        self.ahead.clear();
    }

    /// What was seen in a cell, and its id.
    pub fn known(&self, at: [i32; 2]) -> Option<(&Sight, &str)> {
        let known = self.cells.get(&(at[0], at[1]))?;
        Some((&known.is, &known.id))
    }

    /// What to do next, and the plan that was made for it, if one was made. Nothing if all is done, or
    /// nobody knows what to do; the plan says which.
    ///
    /// What comes next is thought to be done: whoever asks for it does it, and says what they see then.
    ///
    /// # Errors
    ///
    /// If what was seen makes no sense, such as somebody in a wall.
    pub fn decide(&mut self) -> Result<(Option<RoomStep>, Option<RoomPlan>), RoomsError> {
        let mut made = None;
        if self.ahead.is_empty() {
            let rooms = self.rooms()?;
            let fresh = plan(&rooms, &self.asked);
            if fresh.status == Status::Found {
                self.ahead.clone_from(&fresh.steps);
                self.ahead.reverse();
                self.explores = fresh.explores;
            }
            made = Some(fresh);
        }
        let Some(step) = self.ahead.pop() else {
            return Ok((None, made));
        };
        self.think_done(&step)?;
        Ok((Some(step), made))
    }

    /// Whether the plan only leads to a look at something.
    pub fn explores(&self) -> bool {
        self.explores
    }

    fn rooms(&mut self) -> Result<Rooms, RoomsError> {
        let rooms = Rooms::new(&self.level())?;
        Ok(rooms.following(&self.shown, self.followed))
    }

    /// The level that is known: whatever was seen, and a margin that was not.
    pub fn level(&mut self) -> RoomLevel {
        let cells = || self.cells.keys().chain([&self.at]);
        let least = |of: fn(&(i32, i32)) -> i32| cells().map(of).min().unwrap_or(0) - 1;
        let most = |of: fn(&(i32, i32)) -> i32| cells().map(of).max().unwrap_or(0) + 1;
        let (left, top) = (least(|it| it.0), least(|it| it.1));
        let (right, bottom) = (most(|it| it.0), most(|it| it.1));
        self.corner = (left, top);
        let local = |(x, y): (i32, i32)| [(x - left) as u32, (y - top) as u32];
        let mut level = RoomLevel {
            start: local(self.at),
            facing: self.facing,
            moves: self.moves,
            carries: self.carries.as_ref().map(|it| it.id.clone()),
            done: self.done,
            ..RoomLevel::default()
        };
        let mut goals = Vec::new();
        for y in top..=bottom {
            let mut row = String::new();
            for x in left..=right {
                let known = self.cells.get(&(x, y));
                row.push(match known.map(|it| &it.is) {
                    // Whoever stands somewhere has seen what is there.
                    None if (x, y) == self.at => '.',
                    None => '?',
                    Some(Sight::Wall) => '#',
                    Some(Sight::Deadly) => '~',
                    Some(_) => '.',
                });
                let Some(known) = known else { continue };
                match &known.is {
                    Sight::Goal => goals.push(local((x, y))),
                    Sight::Door(colour, is) => level.doors.push(RoomDoor {
                        id: known.id.clone(),
                        colour: colour.clone(),
                        at: local((x, y)),
                        is: *is,
                    }),
                    Sight::Thing(kind, colour) | Sight::Fixed(kind, colour) => {
                        level.things.push(RoomThing {
                            id: known.id.clone(),
                            kind: kind.clone(),
                            colour: colour.clone(),
                            at: Some(local((x, y))),
                            fixed: matches!(known.is, Sight::Fixed(..)),
                            inside: inside(kind),
                            ..RoomThing::default()
                        });
                    }
                    Sight::Floor | Sight::Wall | Sight::Deadly => {}
                }
            }
            level.rows.push(row);
        }
        if let Some(it) = &self.carries {
            level.things.push(RoomThing {
                id: it.id.clone(),
                kind: it.kind.clone(),
                colour: it.colour.clone(),
                inside: inside(&it.kind),
                ..RoomThing::default()
            });
        }
        level.goal = self.goal.clone();
        for objective in level.goal.iter_mut().flatten() {
            if let Objective::Reach(cells) = objective {
                cells.clone_from(&goals);
            }
        }
        level
    }

    /// What a step changes is thought to have changed.
    fn think_done(&mut self, step: &RoomStep) -> Result<(), RoomsError> {
        let rooms = self.rooms()?;
        let before = rooms.start();
        let Some(after) = rooms.after(&before, step.action, step.facing) else {
            return Ok(());
        };
        (self.done, self.followed) = (rooms.done(&after), rooms.followed(&after));
        let (dx, dy) = step.facing.offset();
        let ahead = (self.at.0 + dx, self.at.1 + dy);
        let floor = |id: String| Known {
            is: Sight::Floor,
            id,
        };
        match step.action {
            Action::Take => {
                let cells = [ahead, self.at];
                let found = cells
                    .into_iter()
                    .find_map(|cell| match self.cells.get(&cell) {
                        Some(Known {
                            is: Sight::Thing(kind, colour),
                            id,
                        }) => Some((
                            cell,
                            Named {
                                id: id.clone(),
                                kind: kind.clone(),
                                colour: colour.clone(),
                            },
                        )),
                        _ => None,
                    });
                if let Some((cell, named)) = found {
                    self.cells.insert(cell, floor(String::new()));
                    self.carries = Some(named);
                }
            }
            Action::Put => {
                if let Some(it) = self.carries.take() {
                    let is = Sight::Thing(it.kind, it.colour);
                    self.cells.insert(ahead, Known { is, id: it.id });
                }
            }
            Action::Open => {
                if let Some(known) = self.cells.get_mut(&ahead) {
                    match &mut known.is {
                        Sight::Door(_, is) if *is == DoorState::Open => *is = DoorState::Shut,
                        Sight::Door(_, is) => *is = DoorState::Open,
                        // What was inside is seen in a moment.
                        it => *it = Sight::Floor,
                    }
                }
            }
            Action::TurnLeft | Action::TurnRight | Action::Forward => {}
        }
        let at = rooms.at(&after);
        self.at = (self.corner.0 + at[0] as i32, self.corner.1 + at[1] as i32);
        self.facing = rooms.facing(&after);
        Ok(())
    }
}

/// Whether two sights are of the same door or thing.
fn same(one: &Sight, other: &Sight) -> bool {
    match (one, other) {
        (Sight::Door(one, _), Sight::Door(other, _)) => one == other,
        _ => one == other,
    }
}

/// What may be inside something of a kind.
fn inside(kind: &str) -> Contents {
    match kind {
        "box" => Contents::Unseen,
        _ => Contents::Nothing,
    }
}
