//! Rooms as a search problem: where somebody stands, what they carry, and where every thing lies.

use apprentice_search::{Cost, Problem, Successors};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    Contents, DoorState, Facing, Moves, Objective, RoomDemonstration, RoomLevel, RoomsError, Sight,
    Wanted,
};

/// What can be done. Each takes one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Look a quarter turn to the left.
    TurnLeft,
    /// Look a quarter turn to the right.
    TurnRight,
    /// Go one cell on.
    Forward,
    /// Lift what is right ahead, or what is flat and underfoot.
    Take,
    /// Lay down right ahead what is carried.
    Put,
    /// Open what is right ahead: a door or a thing. An open door is shut.
    Open,
}

/// Where somebody stands, what they carry, where every thing lies and which doors are open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RoomState {
    /// Where each thing lies.
    pub(crate) places: SmallVec<[u16; 16]>,
    /// The doors that are open, a bit each.
    pub(crate) doors: u64,
    /// The parts of the goal that are done, a bit each.
    pub(crate) done: u32,
    pub(crate) at: u16,
    pub(crate) facing: u8,
    pub(crate) carries: u8,
    /// How much of what was shown was done, in order.
    pub(crate) followed: u8,
}

/// A thing that is carried lies here.
pub(crate) const CARRIED: u16 = u16::MAX - 1;
/// A thing that is inside another, or is no more, lies here.
pub(crate) const NOWHERE: u16 = u16::MAX;
/// The number of no thing, and of no door.
pub(crate) const NONE: u8 = u8::MAX;
/// Set among the parts that are done once something was seen that nobody had looked at.
const LOOKED: u32 = 1 << 31;

/// What there is in a cell from the beginning to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Floor,
    Wall,
    Deadly,
    Unseen,
}

/// What never changes about a thing.
#[derive(Clone, Debug)]
pub(crate) struct ThingFacts {
    pub(crate) fixed: bool,
    pub(crate) flat: bool,
    pub(crate) inside: Inside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Nothing,
    Unseen,
    Thing(u8),
}

/// What never changes about a door.
#[derive(Clone, Debug)]
pub(crate) struct DoorFacts {
    pub(crate) cell: u16,
    pub(crate) locked: bool,
    /// The things that unlock it.
    pub(crate) keys: Vec<u8>,
}

/// A part of the goal, with numbers for names.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Reach(Vec<u16>),
    Face(Matches),
    Take(Matches),
    Open(Matches),
    Put {
        what: Matches,
        beside: Matches,
        corners: bool,
    },
}

/// The things and doors that fit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matches {
    pub(crate) things: Vec<u8>,
    pub(crate) doors: Vec<u8>,
}

impl Matches {
    fn is_empty(&self) -> bool {
        self.things.is_empty() && self.doors.is_empty()
    }
}

/// What a search is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The goal.
    Goal,
    /// The sight of a cell that nobody has looked at.
    UnseenCell,
    /// The sight of what is inside a thing.
    UnseenInside,
}

/// Rooms as a search problem.
#[derive(Clone, Debug)]
pub struct Rooms {
    pub(crate) width: usize,
    pub(crate) ground: Vec<Ground>,
    /// Cells that must stay free: those to be reached.
    kept_free: Vec<u16>,
    pub(crate) moves: Moves,
    pub(crate) things: Vec<ThingFacts>,
    pub(crate) doors: Vec<DoorFacts>,
    door_at: Vec<u8>,
    pub(crate) parts: Vec<Part>,
    /// The parts of each group, a bit each.
    pub(crate) groups: Vec<u32>,
    start: RoomState,
    pub(crate) after: After,
    pub(crate) names: Vec<String>,
    kinds: Vec<String>,
    /// What was shown, in order: what to do, and the things it may be done with.
    pub(crate) shown: Vec<Shown>,
}

/// Something that was shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    action: Action,
    things: Vec<u8>,
    doors: bool,
}

/// At most so many things, doors and parts of a goal.
const MOST_THINGS: usize = 250;
const MOST_DOORS: usize = 64;
const MOST_PARTS: usize = 16;
/// The greatest map, in cells: their numbers take two bytes, and two numbers mean something else.
const MOST_CELLS: usize = 65_000;

impl Rooms {
    /// Checks a level.
    ///
    /// # Errors
    ///
    /// If something in it makes no sense: a hole in the map, a thing in a wall, a name twice.
    pub fn new(level: &RoomLevel) -> Result<Rooms, RoomsError> {
        let (width, ground) = ground(level)?;
        let cell = |what: &str, at: [u32; 2]| cell_of(width, &ground, what, at);
        for (what, count, most) in [
            ("things", level.things.len(), MOST_THINGS),
            ("doors", level.doors.len(), MOST_DOORS),
            (
                "parts of the goal",
                level.goal.iter().map(Vec::len).sum(),
                MOST_PARTS,
            ),
        ] {
            if count > most {
                return Err(RoomsError::TooMany { what, most });
            }
        }
        let names: Vec<String> = level.things.iter().map(|it| it.id.clone()).collect();
        let door_names: Vec<String> = level.doors.iter().map(|it| it.id.clone()).collect();
        let mut all: Vec<&String> = names.iter().chain(&door_names).collect();
        all.sort();
        if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RoomsError::Twice {
                id: pair[0].clone(),
            });
        }
        let number = |id: &String| {
            let found = names.iter().position(|name| name == id);
            found.ok_or_else(|| RoomsError::Unknown { id: id.clone() })
        };
        let mut things = Vec::new();
        let mut places: SmallVec<[u16; 16]> = SmallVec::new();
        let mut homes = vec![0; names.len()];
        for thing in &level.things {
            let inside = match &thing.inside {
                Contents::Nothing => Inside::Nothing,
                Contents::Unseen => Inside::Unseen,
                Contents::Thing(id) => {
                    homes[number(id)?] += 1;
                    Inside::Thing(number(id)? as u8)
                }
            };
            things.push(ThingFacts {
                fixed: thing.fixed,
                flat: thing.flat,
                inside,
            });
            places.push(match thing.at {
                Some(at) => cell(&format!("`{}`", thing.id), at)?,
                None => NOWHERE,
            });
        }
        let mut carries = NONE;
        if let Some(id) = &level.carries {
            carries = number(id)? as u8;
            homes[usize::from(carries)] += 1;
        }
        for (number, place) in places.iter().enumerate() {
            if homes[number] + usize::from(*place != NOWHERE) > 1 {
                let id = names[number].clone();
                return Err(RoomsError::Whereabouts { id });
            }
        }
        if carries != NONE {
            places[usize::from(carries)] = CARRIED;
        }
        let mut door_at = vec![NONE; ground.len()];
        let (mut doors, mut open) = (Vec::new(), 0);
        for (number, door) in level.doors.iter().enumerate() {
            let place = cell(&format!("`{}`", door.id), door.at)?;
            door_at[usize::from(place)] = number as u8;
            open |= u64::from(door.is == DoorState::Open) << number;
            let keys = level.things.iter().enumerate();
            let keys = keys.filter(|(_, it)| it.kind == "key" && it.colour == door.colour);
            doors.push(DoorFacts {
                cell: place,
                locked: door.is == DoorState::Locked,
                keys: keys.map(|(number, _)| number as u8).collect(),
            });
        }
        let matches = |wanted: &Wanted| matches(level, wanted);
        let (mut parts, mut groups, mut kept_free) = (Vec::new(), Vec::new(), Vec::new());
        for group in &level.goal {
            let mut mask = 0;
            for objective in group {
                mask |= 1 << parts.len();
                parts.push(match objective {
                    Objective::Reach(cells) => {
                        let cells = cells.iter().map(|at| cell("the goal", *at));
                        let cells: Vec<u16> = cells.collect::<Result<_, _>>()?;
                        kept_free.extend(&cells);
                        Part::Reach(cells)
                    }
                    Objective::Face(wanted) => Part::Face(matches(wanted)),
                    Objective::Take(wanted) => Part::Take(matches(wanted)),
                    Objective::Open(wanted) => Part::Open(matches(wanted)),
                    Objective::Put {
                        what,
                        beside,
                        corners,
                    } => Part::Put {
                        what: matches(what),
                        beside: matches(beside),
                        corners: *corners,
                    },
                });
            }
            groups.push(mask);
        }
        let all = groups.iter().fold(0, |all, mask| all | mask);
        let start = RoomState {
            places,
            doors: open,
            done: level.done & all,
            at: cell("the start", level.start)?,
            facing: level.facing as u8,
            carries,
            followed: 0,
        };
        let rooms = Rooms {
            width,
            ground,
            kept_free,
            moves: level.moves,
            things,
            doors,
            door_at,
            parts,
            groups,
            start,
            after: After::Goal,
            kinds: level.things.iter().map(|it| it.kind.clone()).collect(),
            names,
            shown: Vec::new(),
        };
        if rooms
            .thing_in_the_way(&rooms.start, rooms.start.at)
            .is_some()
        {
            return Err(RoomsError::Place {
                what: "the start".to_owned(),
                at: level.start,
                because: "a thing is in the way there",
            });
        }
        Ok(rooms)
    }

    /// The same for somebody who was shown something, and has done so much of it already.
    #[must_use]
    pub fn following(mut self, shown: &RoomDemonstration, followed: usize) -> Rooms {
        let deeds = shown.deeds.iter().take(usize::from(u8::MAX));
        let of_kind = |kind: &String| {
            let kinds = self.kinds.iter().zip(0..);
            let things = kinds.filter(|(it, _)| *it == kind);
            things.map(|(_, number)| number).collect()
        };
        let shown = deeds.map(|deed| Shown {
            action: deed.action,
            things: of_kind(&deed.kind),
            doors: deed.kind == "door",
        });
        self.shown = shown.collect();
        self.start.followed = followed.min(self.shown.len()) as u8;
        self
    }

    /// How much of what was shown is done in a state.
    pub fn followed(&self, state: &RoomState) -> usize {
        usize::from(state.followed)
    }

    /// How many parts of the goal are done in a state, a bit each.
    pub fn done(&self, state: &RoomState) -> u32 {
        state.done & !LOOKED
    }

    /// The column and row somebody stands in.
    pub fn at(&self, state: &RoomState) -> [u32; 2] {
        self.coordinates(state.at)
    }

    /// What somebody sees who looks at a cell in a state of a level these rooms were made of; walls all
    /// around it.
    pub fn sight(&self, level: &RoomLevel, state: &RoomState, at: [i32; 2]) -> Sight {
        let (Ok(x), Ok(y)) = (usize::try_from(at[0]), usize::try_from(at[1])) else {
            return Sight::Wall;
        };
        let cell = y.saturating_mul(self.width).saturating_add(x);
        if x >= self.width || cell >= self.ground.len() {
            return Sight::Wall;
        }
        let place = cell as u16;
        if let Some(thing) = state.places.iter().position(|it| *it == place) {
            let thing = &level.things[thing];
            return match thing.fixed {
                true => Sight::Fixed(thing.kind.clone(), thing.colour.clone()),
                false => Sight::Thing(thing.kind.clone(), thing.colour.clone()),
            };
        }
        if let Some(door) = self.door(place) {
            let is = match (state.doors >> door & 1, self.doors[door].locked) {
                (1, _) => DoorState::Open,
                (_, true) => DoorState::Locked,
                (_, false) => DoorState::Shut,
            };
            return Sight::Door(level.doors[door].colour.clone(), is);
        }
        match self.ground[cell] {
            Ground::Wall => Sight::Wall,
            Ground::Deadly => Sight::Deadly,
            Ground::Floor | Ground::Unseen if self.kept_free.contains(&place) => Sight::Goal,
            Ground::Floor | Ground::Unseen => Sight::Floor,
        }
    }

    /// Where somebody looks.
    pub fn facing(&self, state: &RoomState) -> Facing {
        Facing::ALL[usize::from(state.facing)]
    }

    /// What somebody carries.
    pub fn carries(&self, state: &RoomState) -> Option<&str> {
        self.names
            .get(usize::from(state.carries))
            .map(String::as_str)
    }

    pub(crate) fn coordinates(&self, cell: u16) -> [u32; 2] {
        let cell = usize::from(cell);
        [(cell % self.width) as u32, (cell / self.width) as u32]
    }

    /// The same rooms for somebody who is after something else.
    pub(crate) fn seeking(&self, after: After) -> Rooms {
        Rooms {
            after,
            ..self.clone()
        }
    }

    /// Whether a part of the goal speaks of something that nobody has seen.
    pub(crate) fn wants_unseen(&self) -> bool {
        let mut left = self.parts.iter().zip(0..);
        left.any(|(part, number)| {
            self.start.done >> number & 1 == 0
                && match part {
                    Part::Reach(cells) => cells.is_empty(),
                    Part::Face(it) => it.is_empty(),
                    Part::Take(it) => it.things.is_empty(),
                    Part::Open(it) => it.doors.is_empty(),
                    Part::Put { what, beside, .. } => what.things.is_empty() || beside.is_empty(),
                }
        })
    }

    /// Whether a search may stop in a state.
    pub(crate) fn is_goal_state(&self, state: &RoomState) -> bool {
        self.is_goal(state)
    }

    /// The group of parts that is to be done next; none if all are.
    #[inline]
    pub(crate) fn group(&self, done: u32) -> Option<usize> {
        self.groups.iter().position(|mask| done & mask != *mask)
    }

    /// The neighbour of a cell.
    #[inline]
    pub(crate) fn beyond(&self, cell: u16, facing: usize) -> Option<u16> {
        let (x, y) = (
            usize::from(cell) % self.width,
            usize::from(cell) / self.width,
        );
        let (dx, dy) = Facing::ALL[facing].offset();
        let (x, y) = (
            x.checked_add_signed(dx as isize)?,
            y.checked_add_signed(dy as isize)?,
        );
        let beyond = y * self.width + x;
        (x < self.width && beyond < self.ground.len()).then_some(beyond as u16)
    }

    /// What lies in a cell so that nobody can enter it.
    #[inline]
    pub(crate) fn thing_in_the_way(&self, state: &RoomState, cell: u16) -> Option<usize> {
        let mut lying = state.places.iter().enumerate();
        lying.find_map(|(number, place)| {
            (*place == cell && !self.things[number].flat).then_some(number)
        })
    }

    /// The door in a cell.
    #[inline]
    pub(crate) fn door(&self, cell: u16) -> Option<usize> {
        let door = self.door_at[usize::from(cell)];
        (door != NONE).then_some(usize::from(door))
    }

    #[inline]
    fn is_free(&self, state: &RoomState, cell: u16) -> bool {
        matches!(
            self.ground[usize::from(cell)],
            Ground::Floor | Ground::Unseen
        ) && self
            .door(cell)
            .is_none_or(|door| state.doors >> door & 1 == 1)
            && self.thing_in_the_way(state, cell).is_none()
    }

    /// Whether something can be laid down in a cell.
    #[inline]
    fn is_bare(&self, state: &RoomState, cell: u16) -> bool {
        self.ground[usize::from(cell)] == Ground::Floor
            && self.door(cell).is_none()
            && !state.places.contains(&cell)
            && !self.kept_free.contains(&cell)
    }

    /// Whether a door is to be opened for its own sake.
    fn is_wanted_open(&self, state: &RoomState, door: usize) -> bool {
        let mut left = self.parts.iter().zip(0..);
        left.any(|(part, number)| {
            state.done >> number & 1 == 0
                && matches!(part, Part::Open(it) if it.doors.contains(&(door as u8)))
        })
    }

    /// What an action leads to; `None` if it cannot be done.
    pub fn after(&self, state: &RoomState, action: Action, facing: Facing) -> Option<RoomState> {
        let mut all = Successors::new();
        self.successors(state, &mut all);
        let wanted = all.iter().find(|it| {
            it.action == action && (self.moves == Moves::Turning || it.state.facing == facing as u8)
        });
        wanted.map(|it| it.state.clone())
    }

    /// What can be done towards one side.
    #[inline]
    fn towards(&self, state: &RoomState, facing: usize, push: &mut impl FnMut(Action, RoomState)) {
        let Some(ahead) = self.beyond(state.at, facing) else {
            return;
        };
        let turned = || RoomState {
            facing: facing as u8,
            ..state.clone()
        };
        if self.is_free(state, ahead) {
            let mut next = turned();
            next.at = ahead;
            push(Action::Forward, self.settled(next, None));
            if state.carries != NONE && self.is_bare(state, ahead) {
                let (mut next, thing) = (turned(), state.carries);
                next.places[usize::from(thing)] = ahead;
                next.carries = NONE;
                push(
                    Action::Put,
                    self.settled(next, Some(Deed::Put(thing, ahead))),
                );
            }
            // Nobody shuts a door but to open it again.
            if let Some(door) = self.door(ahead)
                && self.is_wanted_open(state, door)
            {
                let mut next = turned();
                next.doors &= !(1 << door);
                push(Action::Open, self.settled(next, None));
            }
            return;
        }
        if let Some(thing) = self.thing_in_the_way(state, ahead) {
            let facts = &self.things[thing];
            if state.carries == NONE && !facts.fixed {
                let mut next = turned();
                next.places[thing] = CARRIED;
                next.carries = thing as u8;
                push(
                    Action::Take,
                    self.settled(next, Some(Deed::Take(thing as u8))),
                );
            }
            if facts.inside != Inside::Nothing {
                let mut next = turned();
                next.places[thing] = NOWHERE;
                match facts.inside {
                    Inside::Thing(inside) => next.places[usize::from(inside)] = ahead,
                    Inside::Unseen | Inside::Nothing => next.done |= LOOKED,
                }
                let deed = Deed::Unpack(thing as u8);
                push(Action::Open, self.settled(next, Some(deed)));
            }
            return;
        }
        if let Some(door) = self.door(ahead) {
            let facts = &self.doors[door];
            if state.doors >> door & 1 == 0
                && (!facts.locked || facts.keys.contains(&state.carries))
            {
                let mut next = turned();
                next.doors |= 1 << door;
                push(
                    Action::Open,
                    self.settled(next, Some(Deed::Open(door as u8))),
                );
            }
        }
    }

    /// The state in which an action ends: what it does for the goal is noted.
    #[inline]
    fn settled(&self, mut state: RoomState, deed: Option<Deed>) -> RoomState {
        if let (Some(deed), Some(shown)) = (deed, self.shown.get(usize::from(state.followed))) {
            state.followed += u8::from(shown.is_like(deed));
        }
        while let Some(group) = self.group(state.done) {
            let before = state.done;
            for number in 0..self.parts.len() {
                let bit = 1 << number;
                if self.groups[group] & bit != 0
                    && state.done & bit == 0
                    && self.is_met(&state, &self.parts[number], deed)
                {
                    state.done |= bit;
                }
            }
            // The same deed may also be the first of the next group.
            if state.done == before || self.group(state.done) == Some(group) {
                break;
            }
        }
        state
    }

    fn is_met(&self, state: &RoomState, part: &Part, deed: Option<Deed>) -> bool {
        match (part, deed) {
            (Part::Reach(cells), _) => cells.contains(&state.at),
            (Part::Face(it), _) => {
                let things = it.things.iter().map(|it| state.places[usize::from(*it)]);
                let doors = it.doors.iter().map(|it| self.doors[usize::from(*it)].cell);
                things.chain(doors).any(|cell| self.looks_at(state, cell))
            }
            (Part::Take(it), Some(Deed::Take(thing))) => it.things.contains(&thing),
            (Part::Open(it), Some(Deed::Open(door))) => it.doors.contains(&door),
            (
                Part::Put {
                    what,
                    beside,
                    corners,
                },
                Some(Deed::Put(thing, cell)),
            ) => {
                let things = beside
                    .things
                    .iter()
                    .map(|it| state.places[usize::from(*it)]);
                let doors = beside
                    .doors
                    .iter()
                    .map(|it| self.doors[usize::from(*it)].cell);
                what.things.contains(&thing)
                    && things
                        .chain(doors)
                        .any(|other| self.touch(cell, other, *corners))
            }
            _ => false,
        }
    }

    /// Whether somebody looks at a cell right before them.
    #[inline]
    fn looks_at(&self, state: &RoomState, cell: u16) -> bool {
        match self.moves {
            Moves::Turning => self.beyond(state.at, usize::from(state.facing)) == Some(cell),
            Moves::Four => (0..4).any(|side| self.beyond(state.at, side) == Some(cell)),
        }
    }

    fn touch(&self, one: u16, other: u16, corners: bool) -> bool {
        if usize::from(one.max(other)) >= self.ground.len() {
            return false;
        }
        let ([ax, ay], [bx, by]) = (self.coordinates(one), self.coordinates(other));
        let (x, y) = (ax.abs_diff(bx), ay.abs_diff(by));
        x + y == 1 || corners && x.max(y) == 1
    }

    /// Whether something is right before somebody that nobody has looked at.
    fn is_at_unseen(&self, state: &RoomState) -> bool {
        (0..4).any(|side| {
            let beyond = self.beyond(state.at, side);
            beyond.is_some_and(|cell| {
                self.ground[usize::from(cell)] == Ground::Unseen && self.looks_at(state, cell)
            })
        })
    }
}

/// What somebody did, as goals ask about it.
#[derive(Clone, Copy)]
enum Deed {
    Take(u8),
    Put(u8, u16),
    Open(u8),
    Unpack(u8),
}

impl Shown {
    /// Whether somebody did what was shown.
    #[inline]
    fn is_like(&self, deed: Deed) -> bool {
        let (action, thing) = match deed {
            Deed::Take(thing) => (Action::Take, thing),
            Deed::Put(thing, _) => (Action::Put, thing),
            Deed::Unpack(thing) => (Action::Open, thing),
            Deed::Open(_) => return self.doors && self.action == Action::Open,
        };
        self.action == action && self.things.contains(&thing)
    }
}

impl Problem for Rooms {
    type State = RoomState;
    type Key = RoomState;
    type Action = Action;

    fn start(&self) -> RoomState {
        self.start.clone()
    }

    fn key(&self, state: &RoomState) -> RoomState {
        state.clone()
    }

    fn is_goal(&self, state: &RoomState) -> bool {
        match self.after {
            After::Goal => self.group(state.done).is_none(),
            After::UnseenCell => {
                self.is_at_unseen(state) || self.ground[usize::from(state.at)] == Ground::Unseen
            }
            After::UnseenInside => state.done & LOOKED != 0,
        }
    }

    fn successors(&self, state: &RoomState, out: &mut Successors<RoomState, Action>) {
        match self.moves {
            Moves::Turning => {
                for (action, quarters) in [(Action::TurnLeft, 3), (Action::TurnRight, 1)] {
                    let mut next = state.clone();
                    next.facing = (state.facing + quarters) % 4;
                    out.push(action, self.settled(next, None), MOVE);
                }
                let facing = usize::from(state.facing);
                self.towards(state, facing, &mut |action, next| {
                    out.push(action, next, MOVE);
                });
            }
            Moves::Four => {
                for facing in 0..4 {
                    self.towards(state, facing, &mut |action, next| {
                        out.push(action, next, MOVE);
                    });
                }
            }
        }
        if state.carries == NONE {
            let underfoot = state.places.iter().position(|place| *place == state.at);
            if let Some(thing) = underfoot
                && !self.things[thing].fixed
            {
                let mut next = state.clone();
                next.places[thing] = CARRIED;
                next.carries = thing as u8;
                let deed = Deed::Take(thing as u8);
                out.push(Action::Take, self.settled(next, Some(deed)), MOVE);
            }
        }
    }
}

/// What every action costs.
pub(crate) const MOVE: Cost = Cost::from_ticks(TICKS);
/// The same in the ticks of a cost: a second.
pub(crate) const TICKS: u64 = 1_000_000_000;

fn ground(level: &RoomLevel) -> Result<(usize, Vec<Ground>), RoomsError> {
    let width = level.rows.first().map_or(0, |row| row.chars().count());
    let mut ground = Vec::new();
    for (row, text) in level.rows.iter().enumerate() {
        let cells = text.chars().count();
        if cells != width {
            return Err(RoomsError::Rows {
                row,
                cells,
                wanted: width,
            });
        }
        for (column, found) in text.chars().enumerate() {
            let at = [column as u32, row as u32];
            ground.push(match found {
                '#' => Ground::Wall,
                '.' => Ground::Floor,
                '~' => Ground::Deadly,
                '?' => Ground::Unseen,
                _ => return Err(RoomsError::Character { found, at }),
            });
        }
    }
    if ground.is_empty() {
        return Err(RoomsError::Rows {
            row: 0,
            cells: 0,
            wanted: 0,
        });
    }
    if ground.len() > MOST_CELLS {
        return Err(RoomsError::TooMany {
            what: "cells",
            most: MOST_CELLS,
        });
    }
    Ok((width, ground))
}

fn cell_of(width: usize, ground: &[Ground], what: &str, at: [u32; 2]) -> Result<u16, RoomsError> {
    let wrong = |because| RoomsError::Place {
        what: what.to_owned(),
        at,
        because,
    };
    let (x, y) = (at[0] as usize, at[1] as usize);
    let cell = y.checked_mul(width).and_then(|row| row.checked_add(x));
    let cell = cell.filter(|cell| x < width && *cell < ground.len());
    let cell = cell.ok_or_else(|| wrong("the map ends before"))?;
    match ground[cell] {
        Ground::Wall => Err(wrong("a wall is there")),
        Ground::Deadly => Err(wrong("the ground is deadly there")),
        Ground::Floor | Ground::Unseen => Ok(cell as u16),
    }
}

fn matches(level: &RoomLevel, wanted: &Wanted) -> Matches {
    let things = level.things.iter().enumerate();
    let things = things.filter(|(_, it)| wanted.fits(&it.id, &it.kind, &it.colour));
    let doors = level.doors.iter().enumerate();
    let doors = doors.filter(|(_, it)| wanted.fits(&it.id, "door", &it.colour));
    Matches {
        things: things.map(|(number, _)| number as u8).collect(),
        doors: doors.map(|(number, _)| number as u8).collect(),
    }
}
