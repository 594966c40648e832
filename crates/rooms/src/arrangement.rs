//! How far it is from everywhere to something, while things lie and doors stand as they do.

use std::collections::HashMap;
use std::hash::Hasher;

use rustc_hash::{FxBuildHasher, FxHasher};

use crate::rooms::{CARRIED, Ground, NONE, NOWHERE, RoomState, Rooms};

/// What somebody may want to get to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A cell, or what stands in it.
    Cell(u16),
    /// One of the cells that a part of the goal names.
    Part(u8),
    /// A cell that nobody has looked at.
    Unseen,
    /// A thing that nobody has looked into.
    UnseenInside,
}

/// How many moves it takes at least from each cell, and the first locked door on the way.
pub(crate) struct Field {
    pub(crate) moves: Vec<u16>,
    pub(crate) first_lock: Vec<u8>,
}

/// A table that is asked often, and whose order nobody asks for.
pub(crate) type Table<K, V> = HashMap<K, V, FxBuildHasher>;

/// Nobody gets there from here.
pub(crate) const FAR: u16 = u16::MAX;

/// What it costs about to move a thing aside with a free hand: lift it, turn, lay it down, turn back.
const ASIDE: usize = 5;
/// The same for somebody who must lay something else down first, and take it up again.
const ASIDE_WITH_FULL_HANDS: usize = 9;
/// What a locked door costs at least beyond a shut one: a key is fetched. It makes ways without preferred.
const LOCK: usize = 14;
/// The greatest cost of a step, and one more: how many buckets a sweep needs.
const BUCKETS: usize = 32;
/// So many fields are kept before all are forgotten; some 40 MB where maps are large.
const MOST_FIELDS: usize = 20_000;

/// Fields, kept for as long as the same things lie in the same places.
pub(crate) struct Fields {
    kept: Table<(u64, Target), Field>,
    buckets: Vec<Vec<u16>>,
    price: Vec<u8>,
}

impl Fields {
    pub(crate) fn new() -> Fields {
        Fields {
            kept: Table::default(),
            buckets: vec![Vec::new(); BUCKETS],
            price: Vec::new(),
        }
    }

    /// The number of how things lie and doors stand. Two arrangements that share one by chance mislead
    /// a guess, and nothing that is proven.
    pub(crate) fn arrangement(state: &RoomState) -> u64 {
        let mut hash = FxHasher::default();
        for place in &state.places {
            hash.write_u16(*place);
        }
        hash.write_u64(state.doors);
        hash.finish()
    }

    pub(crate) fn field(
        &mut self,
        rooms: &Rooms,
        state: &RoomState,
        arrangement: u64,
        target: Target,
    ) -> &Field {
        if self.kept.len() >= MOST_FIELDS {
            self.kept.clear();
        }
        let (buckets, price) = (&mut self.buckets, &mut self.price);
        self.kept
            .entry((arrangement, target))
            .or_insert_with(|| sweep(rooms, state, target, buckets, price))
    }
}

/// The price of a cell that nobody enters.
const NEVER: u8 = u8::MAX;

/// Dijkstra's sweep from the target outwards, with small whole costs in buckets.
fn sweep(
    rooms: &Rooms,
    state: &RoomState,
    target: Target,
    buckets: &mut [Vec<u16>],
    price: &mut Vec<u8>,
) -> Field {
    prices(rooms, state, price);
    let cells = rooms.ground.len();
    let mut field = Field {
        moves: vec![FAR; cells],
        first_lock: vec![NONE; cells],
    };
    let mut begin = |cell: u16| {
        if usize::from(cell) < cells {
            field.moves[usize::from(cell)] = 0;
            // Whatever stands there is no hindrance to whoever wants just that.
            price[usize::from(cell)] = 1;
            buckets[0].push(cell);
        }
    };
    match target {
        Target::Cell(cell) => begin(cell),
        Target::Part(number) => {
            if let crate::rooms::Part::Reach(cells) = &rooms.parts[usize::from(number)] {
                cells.iter().for_each(|cell| begin(*cell));
            }
        }
        Target::Unseen => {
            let unseen = (0..cells).filter(|cell| rooms.ground[*cell] == Ground::Unseen);
            unseen.for_each(|cell| begin(cell as u16));
        }
        Target::UnseenInside => {
            let closed = rooms.things.iter().zip(&state.places);
            let closed = closed.filter(|(it, _)| it.inside == crate::rooms::Inside::Unseen);
            closed.for_each(|(_, place)| begin(*place));
        }
    }
    let (mut moves, mut empty) = (0_usize, 0);
    while empty < BUCKETS {
        let Some(cell) = buckets[moves % BUCKETS].pop() else {
            moves += 1;
            empty += 1;
            continue;
        };
        empty = 0;
        if usize::from(field.moves[usize::from(cell)]) != moves {
            continue;
        }
        let lock = locked_door(rooms, state, cell);
        let label = lock.unwrap_or(field.first_lock[usize::from(cell)]);
        let next = moves + usize::from(price[usize::from(cell)]);
        for side in 0..4 {
            let Some(from) = rooms.beyond(cell, side) else {
                continue;
            };
            let index = usize::from(from);
            if price[index] == NEVER || usize::from(field.moves[index]) <= next {
                continue;
            }
            field.moves[index] = next.min(usize::from(FAR) - 1) as u16;
            field.first_lock[index] = label;
            buckets[next % BUCKETS].push(from);
        }
    }
    field
}

/// What it costs about to enter each cell.
fn prices(rooms: &Rooms, state: &RoomState, price: &mut Vec<u8>) {
    price.clear();
    price.extend(rooms.ground.iter().map(|ground| match ground {
        Ground::Floor | Ground::Unseen => 1,
        Ground::Wall | Ground::Deadly => NEVER,
    }));
    let aside = match state.carries {
        NONE => ASIDE,
        _ => ASIDE_WITH_FULL_HANDS,
    };
    for (thing, place) in rooms.things.iter().zip(&state.places) {
        // What is carried, and what is gone, lies nowhere in the way.
        if matches!(*place, CARRIED | NOWHERE) || thing.flat {
            continue;
        }
        price[usize::from(*place)] = if thing.fixed { NEVER } else { 1 + aside as u8 };
    }
    for (number, door) in rooms.doors.iter().enumerate() {
        if state.doors >> number & 1 == 1 {
            continue;
        }
        let cell = usize::from(door.cell);
        price[cell] = match () {
            () if !door.locked || door.keys.contains(&state.carries) => 2,
            // Nobody knows of a key.
            () if door
                .keys
                .iter()
                .all(|key| !is_somewhere(rooms, state, *key)) =>
            {
                NEVER
            }
            () => 2 + LOCK as u8,
        };
    }
}

/// Whether a thing can still be had: it lies somewhere, or is inside another that does.
fn is_somewhere(rooms: &Rooms, state: &RoomState, thing: u8) -> bool {
    holder(rooms, state, thing).is_some()
}

/// Where a thing is to be had: its own cell, or that of the thing it is inside, and whether that must be
/// opened.
pub(crate) fn holder(rooms: &Rooms, state: &RoomState, thing: u8) -> Option<(u16, bool)> {
    let place = state.places[usize::from(thing)];
    if place != NOWHERE {
        return Some((place, false));
    }
    let boxes = rooms.things.iter().zip(&state.places);
    let around = boxes
        .filter(|(it, place)| it.inside == crate::rooms::Inside::Thing(thing) && **place != NOWHERE)
        .map(|(_, place)| *place)
        .next();
    around.map(|place| (place, true))
}

/// The door in a cell that the one who stands there cannot open as things are.
pub(crate) fn locked_door(rooms: &Rooms, state: &RoomState, cell: u16) -> Option<u8> {
    let number = rooms.door(cell)?;
    let door = &rooms.doors[number];
    let is_shut = state.doors >> number & 1 == 0;
    (is_shut && door.locked && !door.keys.contains(&state.carries)).then_some(number as u8)
}
