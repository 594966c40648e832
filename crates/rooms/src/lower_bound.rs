//! LowerBound: how many moves are left at least. It is consistent, so that bounds rest on it.

use apprentice_search::{Cost, Heuristic, Promise};
use smallvec::SmallVec;

use crate::arrangement::{FAR, Table, holder};
use crate::rooms::{After, CARRIED, Ground, Inside, Matches, Part, RoomState, Rooms, TICKS};

/// How many moves are left at least: ways past walls only, doors and things in the way cost nothing.
/// Of several parts that are left the farthest counts.
pub(crate) struct LowerBound {
    ways: Table<u16, Vec<u16>>,
    /// The ways to several cells: those of a part of the goal, or those that nobody has looked at.
    to_any: Table<u32, Vec<u16>>,
}

/// The number of the cells that nobody has looked at, among those of parts.
const UNSEEN: u32 = u32::MAX;

impl LowerBound {
    pub(crate) fn new() -> LowerBound {
        LowerBound {
            ways: Table::default(),
            to_any: Table::default(),
        }
    }

    pub(crate) fn moves_left(&mut self, rooms: &Rooms, state: &RoomState) -> Option<u32> {
        match rooms.after {
            After::UnseenCell => {
                let is_unseen = |cell: &usize| rooms.ground[*cell] == Ground::Unseen;
                let to = (self.to_any).entry(UNSEEN).or_insert_with(|| {
                    let unseen = (0..rooms.ground.len()).filter(is_unseen);
                    flood(rooms, unseen.map(|cell| cell as u16))
                });
                near(to[usize::from(state.at)]).map(|moves| moves.saturating_sub(1))
            }
            After::UnseenInside => {
                if rooms.is_goal_state(state) {
                    return Some(0);
                }
                let closed = rooms.things.iter().zip(&state.places);
                let closed = closed.filter(|(it, place)| {
                    it.inside == Inside::Unseen && usize::from(**place) < rooms.ground.len()
                });
                let cells: SmallVec<[u16; 16]> = closed.map(|(_, place)| *place).collect();
                let carries = state.carries as usize;
                let is_carried = rooms
                    .things
                    .get(carries)
                    .is_some_and(|it| it.inside == Inside::Unseen);
                let least = cells
                    .iter()
                    .filter_map(|cell| self.between(rooms, state.at, *cell));
                let least = least.map(|moves| moves.max(1)).min();
                if is_carried {
                    Some(2.min(least.unwrap_or(2)))
                } else {
                    least
                }
            }
            After::Goal => {
                let mut farthest = 0;
                for number in 0..rooms.parts.len() {
                    if state.done >> number & 1 == 0 {
                        farthest = farthest.max(self.part(rooms, state, number)?);
                    }
                }
                Some(farthest)
            }
        }
    }

    /// How many moves a part takes at least; `None` if it cannot be done.
    fn part(&mut self, rooms: &Rooms, state: &RoomState, number: usize) -> Option<u32> {
        match &rooms.parts[number] {
            Part::Reach(cells) => {
                let to = self.to_any.entry(number as u32);
                let to = to.or_insert_with(|| flood(rooms, cells.iter().copied()));
                near(to[usize::from(state.at)])
            }
            Part::Face(it) => self.up_to_any(rooms, state, it, 0, 1),
            Part::Take(it) => self.up_to_any(rooms, state, it, 1, 2),
            Part::Open(it) => self.up_to_any(rooms, state, it, 1, 0),
            Part::Put {
                what,
                beside,
                corners,
            } => {
                let slack = 2 + u32::from(*corners);
                let others = spots(rooms, state, beside);
                let mut best = None;
                for thing in &what.things {
                    let Some((cell, _)) = holder(rooms, state, *thing) else {
                        continue;
                    };
                    for other in &others {
                        let moves = if cell == CARRIED {
                            let way = self.between(rooms, state.at, *other);
                            // Whoever lays it down may carry the other here, so that this says no more
                            // than what is said of a thing that lies here.
                            way.map(|way| way.saturating_sub(slack + 2) + 1)
                        } else {
                            let lift = self.between(rooms, state.at, cell);
                            let lift = lift.map(|way| way.saturating_sub(1) + 2);
                            // The other may be carried here just as well, so that both do not add up.
                            let carry = self.between(rooms, cell, *other);
                            let carry = carry.map(|way| way.saturating_sub(slack + 2) + 1);
                            lift.zip(carry).map(|(lift, carry)| lift.max(carry))
                        };
                        best = least(best, moves);
                    }
                }
                best
            }
        }
    }

    /// The least to one of several, if `more` is to be done there, and `again` if it is carried.
    fn up_to_any(
        &mut self,
        rooms: &Rooms,
        state: &RoomState,
        it: &Matches,
        more: u32,
        again: u32,
    ) -> Option<u32> {
        let mut best = None;
        for thing in &it.things {
            let moves = match holder(rooms, state, *thing) {
                None => None,
                Some((CARRIED, false)) => Some(again),
                // It comes to light where its box is laid down.
                Some((CARRIED, true)) => Some(1 + more),
                Some((cell, is_inside)) => {
                    let way = self.between(rooms, state.at, cell);
                    way.map(|way| way.saturating_sub(1) + more + u32::from(is_inside))
                }
            };
            best = least(best, moves);
        }
        for door in &it.doors {
            let cell = rooms.doors[usize::from(*door)].cell;
            let way = self.between(rooms, state.at, cell);
            best = least(best, way.map(|way| way.saturating_sub(1) + more));
        }
        best
    }

    fn between(&mut self, rooms: &Rooms, from: u16, to: u16) -> Option<u32> {
        let ways = self.ways.entry(to);
        let ways = ways.or_insert_with(|| flood(rooms, [to].into_iter()));
        near(ways[usize::from(from)])
    }
}

impl Heuristic<Rooms> for LowerBound {
    fn estimate(&mut self, rooms: &Rooms, state: &RoomState) -> Cost {
        match self.moves_left(rooms, state) {
            None => Cost::INFINITE,
            Some(moves) => Cost::from_ticks(u64::from(moves) * TICKS),
        }
    }

    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

fn least(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    one.into_iter().chain(other).min()
}

fn near(moves: u16) -> Option<u32> {
    (moves != FAR).then_some(u32::from(moves))
}

/// Where things and doors are; what is carried is where its bearer is.
fn spots(rooms: &Rooms, state: &RoomState, it: &Matches) -> SmallVec<[u16; 16]> {
    let things = it
        .things
        .iter()
        .filter_map(|thing| holder(rooms, state, *thing));
    let things = things.map(|(cell, _)| if cell == CARRIED { state.at } else { cell });
    let doors = it.doors.iter().map(|it| rooms.doors[usize::from(*it)].cell);
    things.chain(doors).collect()
}

/// Moves from everywhere to the nearest of some cells, past walls and deadly ground only.
fn flood(rooms: &Rooms, to: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut moves = vec![FAR; rooms.ground.len()];
    let mut queue: Vec<u16> = Vec::new();
    for cell in to {
        if let Some(start) = moves.get_mut(usize::from(cell)) {
            *start = 0;
            queue.push(cell);
        }
    }
    let mut next = 0;
    while let Some(cell) = queue.get(next).copied() {
        next += 1;
        let after = moves[usize::from(cell)] + 1;
        for side in 0..4 {
            let Some(from) = rooms.beyond(cell, side) else {
                continue;
            };
            let is_way = matches!(
                rooms.ground[usize::from(from)],
                Ground::Floor | Ground::Unseen
            );
            if is_way && moves[usize::from(from)] == FAR {
                moves[usize::from(from)] = after;
                queue.push(from);
            }
        }
    }
    moves
}
