//! Guide: about how many moves are left, keys to be fetched and things to be moved aside included.
//!
//! It may be wrong in either direction, and leads a search as an adviser (an inadmissible heuristic); the
//! bound is the [`LowerBound`](crate::lower_bound::LowerBound)'s business. What a locked door costs is
//! worked out as a relaxed plan: the way to its key, from there to the door, and on.

use apprentice_search::{Cost, Heuristic};
use smallvec::SmallVec;

use crate::arrangement::{FAR, Fields, Target, holder, locked_door};
use crate::rooms::{After, CARRIED, Matches, NONE, Part, RoomState, Rooms, TICKS};

/// About how many moves are left.
pub(crate) struct Guide {
    fields: Fields,
}

/// More moves than any plan has: it cannot be done, as far as is known.
pub(crate) const HOPELESS: u32 = 1_000_000;

/// A locked door behind a locked door behind a locked door: so many are looked into.
const DEEPEST: u32 = 5;

impl Guide {
    pub(crate) fn new() -> Guide {
        Guide {
            fields: Fields::new(),
        }
    }

    pub(crate) fn moves_left(&mut self, rooms: &Rooms, state: &RoomState) -> u32 {
        let mut from = From {
            fields: &mut self.fields,
            rooms,
            state,
            arrangement: Fields::arrangement(state),
        };
        match rooms.after {
            After::UnseenCell => from.to(Target::Unseen).saturating_sub(1),
            After::UnseenInside => from.to(Target::UnseenInside),
            After::Goal => from.goal_distance(),
        }
        .min(HOPELESS)
    }
}

impl Heuristic<Rooms> for Guide {
    fn estimate(&mut self, rooms: &Rooms, state: &RoomState) -> Cost {
        match self.moves_left(rooms, state) {
            HOPELESS => Cost::INFINITE,
            moves => Cost::from_ticks(u64::from(moves) * TICKS),
        }
    }
}

/// A state, and what is known of ways in it.
struct From<'a> {
    fields: &'a mut Fields,
    rooms: &'a Rooms,
    state: &'a RoomState,
    arrangement: u64,
}

impl From<'_> {
    fn goal_distance(&mut self) -> u32 {
        let rooms = self.rooms;
        let Some(group) = rooms.group(self.state.done) else {
            return 0;
        };
        let left = !self.state.done;
        let (now, later) = (rooms.groups[group] & left, &rooms.groups[group + 1..]);
        let mut best = HOPELESS;
        for first in numbers(now) {
            let (mut sum, mut at) = self.first_part(first);
            let others = numbers(now & !(1 << first));
            let later = later.iter().flat_map(|mask| numbers(mask & left));
            for number in others.chain(later) {
                if sum >= HOPELESS {
                    break;
                }
                let (more, end) = self.later_part(number, at);
                (sum, at) = (sum.saturating_add(more), end);
            }
            best = best.min(sum);
        }
        best
    }

    /// A part that is to be done next: about how many moves, and where one is then.
    fn first_part(&mut self, number: usize) -> (u32, u16) {
        let (rooms, state) = (self.rooms, self.state);
        let hands = if state.carries == NONE { 0 } else { 2 };
        let nothing = (HOPELESS, state.at);
        match &rooms.parts[number] {
            Part::Reach(cells) => {
                let end = cells.first().copied().unwrap_or(state.at);
                (self.to(Target::Part(number as u8)), end)
            }
            Part::Face(it) => {
                let mut best = nothing;
                for door in &it.doors {
                    let cell = rooms.doors[usize::from(*door)].cell;
                    best = best.min((self.up_to(cell), cell));
                }
                for thing in &it.things {
                    let Some((cell, is_inside)) = holder(rooms, state, *thing) else {
                        continue;
                    };
                    let moves = match cell {
                        CARRIED => 1,
                        _ => self.up_to(cell) + u32::from(is_inside),
                    };
                    best = best.min((moves, self.somewhere(cell)));
                }
                best
            }
            Part::Take(it) => {
                let mut best = nothing;
                for thing in &it.things {
                    best = best.min(self.taking(*thing, hands));
                }
                best
            }
            Part::Open(it) => {
                let mut best = nothing;
                for door in &it.doors {
                    let cell = rooms.doors[usize::from(*door)].cell;
                    let moves = if state.doors >> door & 1 == 1 {
                        self.up_to(cell).saturating_add(2)
                    } else if locked_door(rooms, state, cell).is_some() {
                        self.unlocking(usize::from(*door), 0, 0)
                    } else {
                        self.up_to(cell).saturating_add(1)
                    };
                    best = best.min((moves, cell));
                }
                best
            }
            Part::Put { what, beside, .. } => {
                let others = self.cells_of(beside);
                let mut best = nothing;
                for thing in &what.things {
                    for other in &others {
                        let moves = if state.carries == *thing {
                            self.up_to(*other).saturating_sub(1)
                        } else {
                            let (lift, from) = self.taking(*thing, hands);
                            let carry = self.between(from, *other).saturating_sub(2);
                            lift.saturating_add(carry)
                        };
                        best = best.min((moves.saturating_add(1), *other));
                    }
                }
                best
            }
        }
    }

    /// A part that comes after another which ended in a cell.
    fn later_part(&mut self, number: usize, at: u16) -> (u32, u16) {
        let rooms = self.rooms;
        let mut best = (HOPELESS, at);
        match &rooms.parts[number] {
            Part::Reach(cells) => {
                for cell in cells {
                    best = best.min((self.between(at, *cell), *cell));
                }
            }
            Part::Face(it) | Part::Take(it) | Part::Open(it) => {
                for cell in self.cells_of(it) {
                    best = best.min((self.between(at, cell), cell));
                }
            }
            Part::Put { what, beside, .. } => {
                let others = self.cells_of(beside);
                for cell in self.cells_of(what) {
                    let lift = self.between(at, cell);
                    for other in &others {
                        let moves = lift.saturating_add(self.between(cell, *other));
                        best = best.min((moves, *other));
                    }
                }
            }
        }
        best
    }

    fn cells_of(&self, it: &Matches) -> SmallVec<[u16; 16]> {
        let (rooms, state) = (self.rooms, self.state);
        let things = it.things.iter();
        let things = things.filter_map(|thing| holder(rooms, state, *thing).map(|(cell, _)| cell));
        let doors = it.doors.iter().map(|it| rooms.doors[usize::from(*it)].cell);
        let cells = things.map(|cell| self.somewhere(cell));
        cells.chain(doors).collect()
    }

    /// Where a thing is; what is carried is where its bearer is.
    fn somewhere(&self, cell: u16) -> u16 {
        match cell {
            CARRIED => self.state.at,
            _ => cell,
        }
    }

    /// About how many moves until a thing is in the hands, and where.
    fn taking(&mut self, thing: u8, hands: u32) -> (u32, u16) {
        match holder(self.rooms, self.state, thing) {
            None => (HOPELESS, self.state.at),
            // It must be lifted once more.
            Some((CARRIED, _)) => (2, self.state.at),
            Some((cell, is_inside)) => {
                let moves = self
                    .up_to(cell)
                    .saturating_add(1 + hands + u32::from(is_inside));
                (moves, cell)
            }
        }
    }

    /// About how many moves to right before a cell.
    fn up_to(&mut self, cell: u16) -> u32 {
        self.to(Target::Cell(cell)).saturating_sub(1)
    }

    /// About how many moves to a target, with all that must be done on the way.
    fn to(&mut self, target: Target) -> u32 {
        self.way(target, 0, 0)
    }

    fn way(&mut self, target: Target, tried: u64, depth: u32) -> u32 {
        let (rooms, state) = (self.rooms, self.state);
        let field = self.fields.field(rooms, state, self.arrangement, target);
        let moves = field.moves[usize::from(state.at)];
        if moves == FAR {
            return HOPELESS;
        }
        let moves = u32::from(moves);
        let door = field.first_lock[usize::from(state.at)];
        if door == NONE || depth == DEEPEST {
            let ahead = rooms.beyond(state.at, usize::from(state.facing));
            let leads_on = ahead.is_some_and(|it| u32::from(field.moves[usize::from(it)]) < moves);
            let must_turn = rooms.moves == crate::Moves::Turning && moves > 0 && !leads_on;
            return moves + u32::from(must_turn);
        }
        let beyond = u32::from(field.moves[usize::from(rooms.doors[usize::from(door)].cell)]);
        if tried >> door & 1 == 1 {
            return HOPELESS;
        }
        let unlock = self.unlocking(usize::from(door), tried, depth);
        unlock.saturating_add(1 + beyond)
    }

    /// About how many moves until a locked door is open.
    fn unlocking(&mut self, door: usize, tried: u64, depth: u32) -> u32 {
        let (rooms, state) = (self.rooms, self.state);
        let facts = &rooms.doors[door];
        let hands = if state.carries == NONE { 0 } else { 2 };
        let mut best = HOPELESS;
        for key in &facts.keys {
            let Some((cell, is_inside)) = holder(rooms, state, *key) else {
                continue;
            };
            let fetch = match cell {
                // The box that it is in is laid down, and opened.
                CARRIED => 0,
                _ => self.way(Target::Cell(cell), tried | 1 << door, depth + 1),
            };
            let carry = self.between(self.somewhere(cell), facts.cell);
            let more = hands + u32::from(is_inside);
            best = best.min(fetch.saturating_add(carry).saturating_add(more));
        }
        best
    }

    /// How many moves it is from one cell to another.
    fn between(&mut self, from: u16, to: u16) -> u32 {
        let target = Target::Cell(to);
        let field = (self.fields).field(self.rooms, self.state, self.arrangement, target);
        match field.moves[usize::from(from)] {
            FAR => HOPELESS,
            moves => u32::from(moves),
        }
    }
}

/// The numbers of the bits that are set.
fn numbers(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |number| mask >> number & 1 == 1)
}
