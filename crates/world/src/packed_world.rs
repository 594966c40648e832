//! A world in 200 bytes, for searches that keep hundreds of thousands of them.

use crate::map::Move;
use crate::world::{ActorState, MOST_ACTORS};
use crate::{Direction, Mode, Point, Scenario, Stance, World};

/// A world as a search keeps it: everything that can still matter, and nothing of it rounded.
///
/// What lies in the past is left out: when somebody was ready to strike, if that moment has come;
/// when an enemy noticed somebody, unless it lives and is after somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedWorld {
    words: [u64; WORDS],
}

/// Enough for two actors and eight enemies: 1593 bits.
const WORDS: usize = 25;

// How many bits each number takes.
const PLACE: u32 = 22;
const REAL: u32 = 32;
/// Milliseconds: nothing that is waited for takes more than a minute.
const SOON: u32 = 16;
const LONGEST: u64 = (1 << SOON) - 1;
const STANCE: u32 = 6;
const STEP: u32 = 4;
/// Nanoseconds: the longest link at the slowest pace.
const MOVED: u32 = 50;
const WORD: u32 = 32;
/// Nanoseconds since the search began: three days, and no plan lasts longer.
const ELAPSED: u32 = 48;
/// Positions are whole multiples of this part of a metre, so that they can be counted.
pub(crate) const GRAIN: f64 = 1.0 / 512.0;
const POSITION: u32 = 22;
/// What an enemy does, and which of two it is after.
const MODE: u32 = 3;

// Where what is asked for most can be found, in the order in which it is packed.
const TO_STANCE: u32 = PLACE + 2 * REAL + SOON;
const ACTOR: u32 = TO_STANCE + STANCE + STEP + MOVED;
const FIRST_OF: [u32; MOST_ACTORS] = [0, ACTOR];
const TO_ELAPSED: u32 = 2 * ACTOR + WORD;
const TO_BEASTS: u32 = TO_ELAPSED + ELAPSED + 4 * WORD;
const BEAST: u32 = 2 * POSITION + PLACE + REAL + 2 * SOON + MODE;

/// The numbers of the moves that are no steps; a step has the number of its direction.
const FIRST_LEAP: u64 = 8;
const USE: u64 = 12;
const NO_MOVE: u64 = 15;

impl PackedWorld {
    /// Packs what a world has become since a search began at `began`.
    pub(crate) fn new(world: &World, scenario: &Scenario, began: u64) -> PackedWorld {
        let mut bits = Writer {
            words: [0; WORDS],
            at: 0,
        };
        let now = world.milliseconds();
        for (number, actor) in world.actors.iter().enumerate() {
            // The place of the planned agent comes first: it is asked for most.
            bits.put(PLACE, u64::from(actor.place));
            bits.put(REAL, u64::from(actor.health.to_bits()));
            bits.put(REAL, u64::from(actor.stamina.to_bits()));
            bits.put(SOON, until(now, actor.ready_at));
            bits.put(STANCE, u64::from(actor.stance.bits()));
            bits.put(STEP, number_of(actor.step));
            bits.put(MOVED, actor.moved);
            // Nobody scripts the planned agent.
            if number > 0 {
                bits.put(WORD, u64::from(actor.memory));
            }
        }
        bits.put(ELAPSED, (world.time - began).min((1 << ELAPSED) - 1));
        bits.put(WORD, u64::from(world.doors));
        bits.put(WORD, u64::from(world.levers));
        // An item lies, is carried by one of two, or is gone.
        let [npc, player] = [world.actors[0].holding, world.actors[1].holding];
        let gone = world.taken & !(npc | player);
        bits.put(WORD, u64::from(npc | gone));
        bits.put(WORD, u64::from(player | gone));
        let origin = scenario.tables.origin;
        for beast in &world.beasts[..scenario.tables.beasts.len()] {
            let count = |value: f32, from: f64| ((f64::from(value) - from) / GRAIN) as u64;
            bits.put(POSITION, count(beast.x, origin.x));
            bits.put(POSITION, count(beast.y, origin.y));
            bits.put(PLACE, u64::from(beast.place));
            bits.put(REAL, u64::from(beast.health.to_bits()));
            bits.put(SOON, until(now, beast.ready_at));
            let unseen = if beast.is_alive() && beast.mode.is_hostile() {
                now.saturating_sub(beast.seen_at).min(LONGEST)
            } else {
                0
            };
            bits.put(SOON, unseen);
            bits.put(MODE, beast.mode as u64 | u64::from(beast.target) << 2);
        }
        PackedWorld { words: bits.words }
    }

    /// The world it was made of, but for what lies in the past.
    pub(crate) fn unpack(&self, scenario: &Scenario, start: &World) -> World {
        let mut world = *start;
        let mut bits = Reader {
            words: &self.words,
            at: 0,
        };
        let mut soon = [0; MOST_ACTORS];
        for (number, actor) in world.actors.iter_mut().enumerate() {
            *actor = ActorState {
                place: bits.take(PLACE) as u32,
                health: f32::from_bits(bits.take(REAL) as u32),
                stamina: f32::from_bits(bits.take(REAL) as u32),
                ..*actor
            };
            soon[number] = bits.take(SOON);
            actor.stance = Stance::from_bits(bits.take(STANCE) as u8);
            actor.step = move_of(bits.take(STEP));
            actor.moved = bits.take(MOVED);
            if number > 0 {
                actor.memory = bits.take(WORD) as u32;
            }
        }
        world.time = start.time + bits.take(ELAPSED);
        let now = world.milliseconds();
        for (actor, soon) in world.actors.iter_mut().zip(soon) {
            actor.ready_at = when(now, soon);
        }
        world.doors = bits.take(WORD) as u32;
        world.levers = bits.take(WORD) as u32;
        let (one, other) = (bits.take(WORD) as u32, bits.take(WORD) as u32);
        world.taken = one | other;
        world.actors[0].holding = one & !other;
        world.actors[1].holding = other & !one;
        let origin = scenario.tables.origin;
        for beast in &mut world.beasts[..scenario.tables.beasts.len()] {
            beast.x = coordinate(bits.take(POSITION), origin.x);
            beast.y = coordinate(bits.take(POSITION), origin.y);
            beast.place = bits.take(PLACE) as u32;
            beast.health = f32::from_bits(bits.take(REAL) as u32);
            beast.ready_at = when(now, bits.take(SOON));
            let unseen = bits.take(SOON);
            let mode = bits.take(MODE);
            beast.target = (mode >> 2) as u8;
            beast.mode = Mode::ALL[mode as usize & 3];
            let hunts = beast.is_alive() && beast.mode.is_hostile();
            beast.seen_at = if hunts { now.saturating_sub(unseen) } else { 0 };
        }
        world
    }

    /// The place of the planned agent.
    #[inline]
    pub(crate) const fn place(&self) -> usize {
        (self.words[0] & ((1 << PLACE) - 1)) as usize
    }

    /// Where an actor stands, or was when its step began.
    #[inline]
    pub(crate) fn place_of(&self, actor: usize) -> usize {
        self.bits(FIRST_OF[actor], PLACE) as usize
    }

    #[inline]
    pub(crate) fn health_of(&self, actor: usize) -> f32 {
        f32::from_bits(self.bits(FIRST_OF[actor] + PLACE, REAL) as u32)
    }

    #[inline]
    pub(crate) fn stance_of(&self, actor: usize) -> Stance {
        Stance::from_bits(self.bits(FIRST_OF[actor] + TO_STANCE, STANCE) as u8)
    }

    /// Whether an actor is in the middle of a step.
    #[inline]
    pub(crate) fn is_under_way(&self, actor: usize) -> bool {
        self.bits(FIRST_OF[actor] + TO_STANCE + STANCE, STEP) != NO_MOVE
    }

    /// What the player's script remembers.
    #[inline]
    pub(crate) fn player_memory(&self) -> u32 {
        self.bits(FIRST_OF[1] + ACTOR, WORD) as u32
    }

    /// Nanoseconds since the search began.
    #[inline]
    pub(crate) fn elapsed(&self) -> u64 {
        self.bits(TO_ELAPSED, ELAPSED)
    }

    /// The doors that are open, a bit each.
    #[inline]
    pub(crate) fn doors(&self) -> u32 {
        self.bits(TO_ELAPSED + ELAPSED, WORD) as u32
    }

    /// The levers that were pulled, a bit each.
    #[inline]
    pub(crate) fn levers(&self) -> u32 {
        self.bits(TO_ELAPSED + ELAPSED + WORD, WORD) as u32
    }

    /// What each actor holds, and what is no longer where it lay, a bit each.
    #[inline]
    pub(crate) fn items(&self) -> ([u32; MOST_ACTORS], u32) {
        let one = self.bits(TO_ELAPSED + ELAPSED + 2 * WORD, WORD) as u32;
        let other = self.bits(TO_ELAPSED + ELAPSED + 3 * WORD, WORD) as u32;
        ([one & !other, other & !one], one | other)
    }

    /// Where an enemy is that moves.
    #[inline]
    pub(crate) fn beast_at(&self, scenario: &Scenario, slot: usize) -> Point {
        let first = TO_BEASTS + slot as u32 * BEAST;
        let from = scenario.tables.origin;
        Point::new(
            f64::from(coordinate(self.bits(first, POSITION), from.x)),
            f64::from(coordinate(self.bits(first + POSITION, POSITION), from.y)),
        )
    }

    /// The place such an enemy is in or about to reach.
    #[inline]
    pub(crate) fn beast_place(&self, slot: usize) -> usize {
        self.bits(TO_BEASTS + slot as u32 * BEAST + 2 * POSITION, PLACE) as usize
    }

    #[inline]
    pub(crate) fn beast_health(&self, slot: usize) -> f32 {
        let first = TO_BEASTS + slot as u32 * BEAST + 2 * POSITION + PLACE;
        f32::from_bits(self.bits(first, REAL) as u32)
    }

    #[inline]
    pub(crate) fn beast_mode(&self, slot: usize) -> Mode {
        let last = TO_BEASTS + (slot as u32 + 1) * BEAST;
        Mode::ALL[self.bits(last - MODE, 2) as usize]
    }

    #[inline]
    fn bits(&self, at: u32, width: u32) -> u64 {
        let words = &self.words;
        Reader { words, at }.take(width)
    }
}

/// A coordinate that was counted.
#[inline]
fn coordinate(count: u64, from: f64) -> f32 {
    (from + count as f64 * GRAIN) as f32
}

/// Milliseconds until a moment; 0 if it has come.
fn until(now: u64, moment: u64) -> u64 {
    moment.saturating_sub(now).min(LONGEST)
}

/// The moment that is so many milliseconds away; the beginning of time if it has come.
const fn when(now: u64, soon: u64) -> u64 {
    if soon == 0 { 0 } else { now + soon }
}

const fn number_of(step: Option<Move>) -> u64 {
    match step {
        None => NO_MOVE,
        Some(Move::Step(direction)) => direction as u64,
        Some(Move::Leap(number)) => FIRST_LEAP + number as u64,
        Some(Move::Use) => USE,
    }
}

fn move_of(number: u64) -> Option<Move> {
    match number {
        NO_MOVE => None,
        USE => Some(Move::Use),
        FIRST_LEAP.. => Some(Move::Leap((number - FIRST_LEAP) as u8)),
        _ => Some(Move::Step(Direction::ALL[number as usize])),
    }
}

struct Writer {
    words: [u64; WORDS],
    at: u32,
}

impl Writer {
    #[inline]
    fn put(&mut self, width: u32, value: u64) {
        debug_assert!(value < 1 << width, "{value} takes more than {width} bits");
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        self.words[word] |= value << shift;
        if shift + width > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += width;
    }
}

struct Reader<'p> {
    words: &'p [u64; WORDS],
    at: u32,
}

impl Reader<'_> {
    #[inline]
    fn take(&mut self, width: u32) -> u64 {
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        let mut value = self.words[word] >> shift;
        if shift + width > 64 {
            value |= self.words[word + 1] << (64 - shift);
        }
        self.at += width;
        value & ((1 << width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Gait, Order, Orders};

    #[test]
    fn the_largest_world_there_can_be_fits() {
        let bits = TO_BEASTS + Scenario::MOST_BEASTS as u32 * BEAST;
        assert!(bits as usize <= 64 * WORDS, "{bits} bits");
    }

    /// What is unpacked goes on as what was packed, whoever is doing what.
    #[test]
    fn nothing_that_matters_is_lost() {
        let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['............', '....##......'] }
            player = { at = [1, 1], route = [[9, 0]] }
            key = [{ id = 'red', at = [2, 0] }]\npack = [{ id = 'herbs', at = [3, 0] }]
            enemy = [{ id = 'a', kind = 'wolf', at = [9, 1] }, { id = 'b', kind = 'bear', at = [11, 0] }]";
        let scenario = Scenario::parse(text).unwrap();
        let start = World::new(&scenario);
        let (mut packed, mut plain) = (start, start);
        for number in 0..200 {
            let direction = Direction::ALL[number * 7 % 8];
            let order = Order::Step(direction, Stance::new(Gait::Walk).fighting());
            let duration = Duration::from_nanos(353_553_391);
            for world in [&mut packed, &mut plain] {
                world.advance(&scenario, &Orders::new(order), duration, &mut ());
            }
            let state = PackedWorld::new(&packed, &scenario, 0);
            packed = state.unpack(&scenario, &start);
            assert_parts(&state, &packed, &scenario);
            assert_eq!(packed.without_past(), plain.without_past(), "step {number}");
        }
    }

    /// What is read by itself is what is read with all the rest.
    fn assert_parts(state: &PackedWorld, world: &World, scenario: &Scenario) {
        for (number, actor) in world.actors.iter().enumerate() {
            assert_eq!(state.place_of(number), actor.place as usize);
            assert_eq!(state.health_of(number), actor.health);
            assert_eq!(state.stance_of(number), actor.stance);
            assert_eq!(state.is_under_way(number), actor.step.is_some());
            assert_eq!(state.items().0[number], actor.holding);
        }
        assert_eq!(state.player_memory(), world.actors[1].memory);
        assert_eq!(state.elapsed(), world.time);
        assert_eq!((state.doors(), state.levers()), (world.doors, world.levers));
        assert_eq!(state.items().1, world.taken);
        for slot in 0..scenario.tables.beasts.len() {
            let beast = &world.beasts[slot];
            assert_eq!(state.beast_at(scenario, slot), beast.at());
            assert_eq!(state.beast_place(slot), beast.place as usize);
            assert_eq!(state.beast_health(slot), beast.health);
            assert_eq!(state.beast_mode(slot), beast.mode);
        }
    }
}
