//! A world in 200 bytes or fewer, for searches that keep hundreds of thousands of them.

use crate::map::Move;
use crate::{Direction, Goal, Mode, Point, Scenario, Stance, World};

/// A world as a search keeps it: everything that can still matter, and nothing of it rounded.
///
/// What lies in the past is left out: when somebody was ready to strike, if that moment has come;
/// when an enemy noticed somebody, unless it lives and is after somebody.
///
/// It has bits for exactly what the level has. Up to two who take orders and eight enemies that move
/// fit into the state itself; where there are more, it asks for memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedWorld {
    words: Words,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Words {
    Few([u64; FEW_WORDS]),
    Many(Box<[u64]>),
}

/// Enough for two actors, eight enemies, and as many doors, levers and items as a level may have:
/// 1593 bits.
const FEW_WORDS: usize = 25;

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
/// What an enemy does.
const MODE: u32 = 2;

// Where what is asked for most can be found, in the order in which it is packed.
const TO_STANCE: u32 = PLACE + 2 * REAL + SOON;
const ACTOR: u32 = TO_STANCE + STANCE + STEP + MOVED;
/// An enemy, but for whom it is after.
const BEAST: u32 = 2 * POSITION + PLACE + REAL + 2 * SOON + MODE;

/// Where in its states a quest keeps what: worked out for the level and for who is planned for.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Who is planned for. It comes first, because it is asked for most, and has no memory: nobody
    /// scripts it.
    agent: usize,
    actors: usize,
    beasts: usize,
    doors: u32,
    levers: u32,
    /// How many bits tell of traps.
    traps: u32,
    items: u32,
    /// How many bits say where an item is: where it lay, with one of the actors, or gone.
    planes: u32,
    /// How many bits say whom an enemy is after.
    target: u32,
    to_elapsed: u32,
    to_items: u32,
    to_beasts: u32,
    /// Where it says how many parts of the goal were met, and how many bits say so.
    to_parts: u32,
    parts: u32,
    words: usize,
}

impl Layout {
    pub(crate) fn new(scenario: &Scenario, agent: usize, goal: &Goal) -> Layout {
        let (actors, beasts) = (scenario.actors.len(), scenario.tables.beasts.len());
        let (doors, levers) = (scenario.doors.len() as u32, scenario.levers.len() as u32);
        let (traps, items) = (scenario.bits_of_traps(), scenario.items.len() as u32);
        let (planes, target) = (bits_for(actors + 2), bits_for(actors));
        let to_elapsed = actors as u32 * (ACTOR + WORD) - WORD;
        let to_items = to_elapsed + ELAPSED + doors + levers + traps;
        let to_beasts = to_items + planes * items;
        let to_parts = to_beasts + beasts as u32 * (BEAST + target);
        let parts = goal.order().map_or(0, |goals| bits_for(goals.len() + 1));
        let bits = to_parts + parts;
        Layout {
            agent,
            actors,
            beasts,
            doors,
            levers,
            traps,
            items,
            planes,
            target,
            to_elapsed,
            to_items,
            to_beasts,
            to_parts,
            parts,
            words: bits.div_ceil(64) as usize,
        }
    }

    /// Where an actor comes: the one who is planned for first, then all others in their order.
    #[inline]
    fn rank_of(&self, actor: usize) -> u32 {
        match actor {
            actor if actor == self.agent => 0,
            actor if actor < self.agent => actor as u32 + 1,
            actor => actor as u32,
        }
    }

    /// The actor that comes at a rank.
    #[inline]
    pub(crate) fn at_rank(&self, rank: usize) -> usize {
        match rank {
            0 => self.agent,
            rank if rank <= self.agent => rank - 1,
            rank => rank,
        }
    }

    /// The first bit of an actor.
    #[inline]
    fn first_of(&self, actor: usize) -> u32 {
        match self.rank_of(actor) {
            0 => 0,
            rank => rank * (ACTOR + WORD) - WORD,
        }
    }

    /// The first bit of an enemy that moves.
    #[inline]
    fn first_of_beast(&self, slot: usize) -> u32 {
        self.to_beasts + slot as u32 * (BEAST + self.target)
    }
}

/// How many bits tell so many things apart.
const fn bits_for(things: usize) -> u32 {
    usize::BITS - (things.saturating_sub(1)).leading_zeros()
}

/// The numbers of the moves that are no steps; a step has the number of its direction.
const FIRST_LEAP: u64 = 8;
const USE: u64 = 12;
const NO_MOVE: u64 = 15;

impl PackedWorld {
    /// Packs what a world has become since a search began at `began`.
    pub(crate) fn new(
        world: &World,
        layout: &Layout,
        scenario: &Scenario,
        began: u64,
        parts_met: usize,
    ) -> PackedWorld {
        if layout.words <= FEW_WORDS {
            let mut words = [0; FEW_WORDS];
            pack(world, layout, scenario, began, &mut words);
            put_parts(parts_met, layout, &mut words);
            let words = Words::Few(words);
            return PackedWorld { words };
        }
        let mut words = vec![0; layout.words].into_boxed_slice();
        pack(world, layout, scenario, began, &mut words);
        put_parts(parts_met, layout, &mut words);
        let words = Words::Many(words);
        PackedWorld { words }
    }

    /// The world it was made of, but for what lies in the past.
    pub(crate) fn unpack(&self, layout: &Layout, scenario: &Scenario, start: &World) -> World {
        let mut world = start.clone();
        let mut bits = Reader {
            words: self.words(),
            at: layout.to_elapsed,
        };
        world.time = start.time + bits.take(ELAPSED);
        let now = world.milliseconds();
        bits.at = 0;
        for rank in 0..layout.actors {
            let actor = &mut world.actors[layout.at_rank(rank)];
            actor.place = bits.take(PLACE) as u32;
            actor.health = f32::from_bits(bits.take(REAL) as u32);
            actor.stamina = f32::from_bits(bits.take(REAL) as u32);
            actor.ready_at = when(now, bits.take(SOON));
            actor.stance = Stance::from_bits(bits.take(STANCE) as u8);
            actor.step = move_of(bits.take(STEP));
            actor.moved = bits.take(MOVED);
            if rank > 0 {
                actor.memory = bits.take(WORD) as u32;
            }
        }
        bits.at = layout.to_elapsed + ELAPSED;
        world.doors = bits.take(layout.doors) as u32;
        world.levers = bits.take(layout.levers) as u32;
        world.sprung = bits.take(layout.traps) as u32;
        for rank in 0..layout.actors {
            world.actors[layout.at_rank(rank)].holding = self.held(layout, rank);
        }
        world.taken = self.taken(layout);
        bits.at = layout.to_beasts;
        let origin = scenario.tables.origin;
        for beast in &mut world.beasts {
            beast.x = coordinate(bits.take(POSITION), origin.x);
            beast.y = coordinate(bits.take(POSITION), origin.y);
            beast.place = bits.take(PLACE) as u32;
            beast.health = f32::from_bits(bits.take(REAL) as u32);
            beast.ready_at = when(now, bits.take(SOON));
            let unseen = bits.take(SOON);
            beast.mode = Mode::ALL[bits.take(MODE) as usize];
            beast.target = bits.take(layout.target) as u16;
            let hunts = beast.is_alive() && beast.mode.is_hostile();
            beast.seen_at = if hunts { now.saturating_sub(unseen) } else { 0 };
        }
        world
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.words {
            Words::Few(words) => words,
            Words::Many(words) => words,
        }
    }

    /// The place of the planned agent.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        (self.words()[0] & ((1 << PLACE) - 1)) as usize
    }

    /// Where an actor stands, or was when its step began.
    #[inline]
    pub(crate) fn place_of(&self, layout: &Layout, actor: usize) -> usize {
        self.bits(layout.first_of(actor), PLACE) as usize
    }

    #[inline]
    pub(crate) fn health_of(&self, layout: &Layout, actor: usize) -> f32 {
        f32::from_bits(self.bits(layout.first_of(actor) + PLACE, REAL) as u32)
    }

    #[inline]
    pub(crate) fn stamina_of(&self, layout: &Layout, actor: usize) -> f32 {
        f32::from_bits(self.bits(layout.first_of(actor) + PLACE + REAL, REAL) as u32)
    }

    #[inline]
    pub(crate) fn stance_of(&self, layout: &Layout, actor: usize) -> Stance {
        Stance::from_bits(self.bits(layout.first_of(actor) + TO_STANCE, STANCE) as u8)
    }

    /// Whether an actor is in the middle of a step.
    #[inline]
    pub(crate) fn is_under_way(&self, layout: &Layout, actor: usize) -> bool {
        self.bits(layout.first_of(actor) + TO_STANCE + STANCE, STEP) != NO_MOVE
    }

    /// What the script of an actor remembers; nothing for who is planned for.
    #[inline]
    pub(crate) fn memory_of(&self, layout: &Layout, actor: usize) -> u32 {
        if actor == layout.agent {
            return 0;
        }
        self.bits(layout.first_of(actor) + ACTOR, WORD) as u32
    }

    /// How many parts of a goal that has an order were met.
    #[inline]
    pub(crate) fn parts_met(&self, layout: &Layout) -> usize {
        self.bits(layout.to_parts, layout.parts) as usize
    }

    /// Nanoseconds since the search began.
    #[inline]
    pub(crate) fn elapsed(&self, layout: &Layout) -> u64 {
        self.bits(layout.to_elapsed, ELAPSED)
    }

    /// The doors that are open, a bit each.
    #[inline]
    pub(crate) fn doors(&self, layout: &Layout) -> u32 {
        self.bits(layout.to_elapsed + ELAPSED, layout.doors) as u32
    }

    /// The levers that were pulled, a bit each.
    #[inline]
    pub(crate) fn levers(&self, layout: &Layout) -> u32 {
        let at = layout.to_elapsed + ELAPSED + layout.doors;
        self.bits(at, layout.levers) as u32
    }

    /// The levers that were pulled and, after the last of them, the traps that have sprung for good.
    #[inline]
    pub(crate) fn levers_and_traps(&self, layout: &Layout) -> u32 {
        let at = layout.to_elapsed + ELAPSED + layout.doors;
        self.bits(at, layout.levers + layout.traps) as u32
    }

    /// What the actor at a rank holds, a bit each; nobody holds what is gone.
    #[inline]
    pub(crate) fn held(&self, layout: &Layout, rank: usize) -> u32 {
        // An item that lies has the number 0, one that is held that of its holder's rank and 1 more.
        let number = rank + 1;
        let mut held = ((1_u64 << layout.items) - 1) as u32;
        for plane in 0..layout.planes {
            let bits = self.plane(layout, plane);
            held &= if number >> plane & 1 == 1 {
                bits
            } else {
                !bits
            };
        }
        held
    }

    /// What is no longer where it lay, a bit each.
    #[inline]
    pub(crate) fn taken(&self, layout: &Layout) -> u32 {
        (0..layout.planes).fold(0, |taken, plane| taken | self.plane(layout, plane))
    }

    #[inline]
    fn plane(&self, layout: &Layout, plane: u32) -> u32 {
        self.bits(layout.to_items + plane * layout.items, layout.items) as u32
    }

    /// Where an enemy is that moves.
    #[inline]
    pub(crate) fn beast_at(&self, layout: &Layout, scenario: &Scenario, slot: usize) -> Point {
        let first = layout.first_of_beast(slot);
        let from = scenario.tables.origin;
        Point::new(
            f64::from(coordinate(self.bits(first, POSITION), from.x)),
            f64::from(coordinate(self.bits(first + POSITION, POSITION), from.y)),
        )
    }

    /// The place such an enemy is in or about to reach.
    #[inline]
    pub(crate) fn beast_place(&self, layout: &Layout, slot: usize) -> usize {
        self.bits(layout.first_of_beast(slot) + 2 * POSITION, PLACE) as usize
    }

    #[inline]
    pub(crate) fn beast_health(&self, layout: &Layout, slot: usize) -> f32 {
        let first = layout.first_of_beast(slot) + 2 * POSITION + PLACE;
        f32::from_bits(self.bits(first, REAL) as u32)
    }

    #[inline]
    pub(crate) fn beast_mode(&self, layout: &Layout, slot: usize) -> Mode {
        let first = layout.first_of_beast(slot) + BEAST - MODE;
        Mode::ALL[self.bits(first, MODE) as usize]
    }

    #[inline]
    fn bits(&self, at: u32, width: u32) -> u64 {
        let words = self.words();
        Reader { words, at }.take(width)
    }
}

#[inline]
fn pack(world: &World, layout: &Layout, scenario: &Scenario, began: u64, words: &mut [u64]) {
    let mut bits = Writer { words, at: 0 };
    let now = world.milliseconds();
    for rank in 0..layout.actors {
        let actor = &world.actors[layout.at_rank(rank)];
        bits.put(PLACE, u64::from(actor.place));
        bits.put(REAL, u64::from(actor.health.to_bits()));
        bits.put(REAL, u64::from(actor.stamina.to_bits()));
        bits.put(SOON, until(now, actor.ready_at));
        bits.put(STANCE, u64::from(actor.stance.bits()));
        bits.put(STEP, number_of(actor.step));
        bits.put(MOVED, actor.moved);
        if rank > 0 {
            bits.put(WORD, u64::from(actor.memory));
        }
    }
    bits.put(ELAPSED, (world.time - began).min((1 << ELAPSED) - 1));
    bits.put(layout.doors, u64::from(world.doors));
    bits.put(layout.levers, u64::from(world.levers));
    bits.put(layout.traps, u64::from(world.sprung));
    let gone = (world.actors.iter()).fold(world.taken, |gone, actor| gone & !actor.holding);
    for plane in 0..layout.planes {
        let mut set = if (layout.actors + 1) >> plane & 1 == 1 {
            gone
        } else {
            0
        };
        for rank in 0..layout.actors {
            if (rank + 1) >> plane & 1 == 1 {
                set |= world.actors[layout.at_rank(rank)].holding;
            }
        }
        bits.put(layout.items, u64::from(set));
    }
    let origin = scenario.tables.origin;
    for beast in &world.beasts[..layout.beasts] {
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
        bits.put(MODE, beast.mode as u64);
        bits.put(layout.target, u64::from(beast.target));
    }
}

/// What comes last.
#[inline]
fn put_parts(parts_met: usize, layout: &Layout, words: &mut [u64]) {
    if layout.parts > 0 {
        let at = layout.to_parts;
        Writer { words, at }.put(layout.parts, parts_met as u64);
    }
}

/// Whether somebody is where states can say that somebody is.
#[cfg(feature = "serde")]
pub(crate) fn can_be_told(scenario: &Scenario, at: crate::Point) -> bool {
    let origin = scenario.tables.origin;
    let counts = [(at.x - origin.x) / GRAIN, (at.y - origin.y) / GRAIN];
    counts
        .iter()
        .all(|count| (0.0..(1u64 << POSITION) as f64).contains(count))
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

struct Writer<'w> {
    words: &'w mut [u64],
    at: u32,
}

impl Writer<'_> {
    #[inline]
    fn put(&mut self, width: u32, value: u64) {
        debug_assert!(value < 1 << width, "{value} takes more than {width} bits");
        // What takes no room may lie behind the last word.
        if width == 0 {
            return;
        }
        let (word, shift) = ((self.at / 64) as usize, self.at % 64);
        self.words[word] |= value << shift;
        if shift + width > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += width;
    }
}

struct Reader<'p> {
    words: &'p [u64],
    at: u32,
}

impl Reader<'_> {
    #[inline]
    fn take(&mut self, width: u32) -> u64 {
        if width == 0 {
            return 0;
        }
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
    use std::fmt::Write;
    use std::time::Duration;

    use super::*;
    use crate::{AgentId, Gait, Order, Orders};

    /// A level with so many who take orders, so many items, doors and levers each, and so many
    /// enemies.
    fn level(actors: usize, things: usize, beasts: usize) -> Scenario {
        let mut text = String::from("format = 1\nstart = [0, 0]\ngoal = { all = [] }\n");
        let row = ".".repeat(40);
        writeln!(text, "map = {{ rows = ['{row}', '....##{}'] }}", &row[6..]).unwrap();
        for number in 1..actors {
            writeln!(
                text,
                "[[actor]]\nid = 'a{number}'\nat = [{}, 1]\nroute = [[9, 0]]",
                number % 4
            )
            .unwrap();
        }
        for number in 0..things {
            let (x, y) = (number + 1, usize::from(number > 6));
            let sort = ["key", "pack"][number % 2];
            writeln!(text, "[[{sort}]]\nid = 'i{number}'\nat = [{x}, {y}]").unwrap();
            writeln!(
                text,
                "[[door]]\nid = 'd{number}'\nat = [[{x}, 0]]\nopen = true"
            )
            .unwrap();
            writeln!(
                text,
                "[[lever]]\nid = 'l{number}'\nat = [{x}, 0]\nopens = []"
            )
            .unwrap();
        }
        for number in 0..beasts {
            let kind = ["wolf", "bear"][number % 2];
            let x = 9 + number % 30;
            writeln!(
                text,
                "[[enemy]]\nid = 'e{number}'\nkind = '{kind}'\nat = [{x}, 0]"
            )
            .unwrap();
        }
        Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn what_was_the_largest_world_asks_for_no_memory() {
        let scenario = level(2, Scenario::MOST_THINGS, 8);
        let layout = Layout::new(&scenario, 0, scenario.goal());
        assert!(layout.words <= FEW_WORDS, "{layout:?}");
        let many = level(3, 0, 9);
        assert!(Layout::new(&many, 0, many.goal()).words > FEW_WORDS);
    }

    /// What is unpacked goes on as what was packed, whoever is doing what, however many there are and
    /// whoever is planned for.
    #[test]
    fn nothing_that_matters_is_lost() {
        for (actors, things, beasts) in [
            (1, 0, 0),
            (1, 3, 1),
            (2, 2, 2),
            (2, 32, 8),
            (3, 5, 9),
            (7, 4, 70),
        ] {
            let scenario = level(actors, things, beasts);
            for agent in [0, actors / 2, actors - 1] {
                check(&scenario, agent);
            }
        }
    }

    fn check(scenario: &Scenario, agent: usize) {
        let layout = Layout::new(scenario, agent, scenario.goal());
        let start = World::new(scenario);
        let (mut packed, mut plain) = (start.clone(), start.clone());
        for number in 0..60 {
            let direction = Direction::ALL[number * 7 % 8];
            let order = Order::Step(direction, Stance::new(Gait::Walk).fighting());
            let duration = Duration::from_nanos(353_553_391);
            let orders = Orders::of(AgentId::Actor(agent as u16), order);
            for world in [&mut packed, &mut plain] {
                world.advance(scenario, &orders, duration, &mut ());
            }
            let state = PackedWorld::new(&packed, &layout, scenario, 0, 0);
            assert_eq!(
                matches!(state.words, Words::Few(_)),
                layout.words <= FEW_WORDS
            );
            packed = state.unpack(&layout, scenario, &start);
            assert_parts(&state, &layout, &packed, scenario);
            assert_eq!(packed.without_past(), plain.without_past(), "step {number}");
        }
    }

    /// What is read by itself is what is read with all the rest.
    fn assert_parts(state: &PackedWorld, layout: &Layout, world: &World, scenario: &Scenario) {
        for rank in 0..world.actors.len() {
            let number = layout.at_rank(rank);
            let actor = &world.actors[number];
            assert_eq!(layout.rank_of(number) as usize, rank);
            assert_eq!(state.place_of(layout, number), actor.place as usize);
            assert_eq!(state.health_of(layout, number), actor.health);
            assert_eq!(state.stance_of(layout, number), actor.stance);
            assert_eq!(state.is_under_way(layout, number), actor.step.is_some());
            assert_eq!(state.held(layout, rank), actor.holding);
            assert_eq!(state.memory_of(layout, number), actor.memory);
        }
        assert_eq!(state.place(), world.actors[layout.agent].place as usize);
        assert_eq!(state.elapsed(layout), world.time);
        assert_eq!(state.doors(layout), world.doors);
        assert_eq!(state.levers(layout), world.levers);
        assert_eq!(state.taken(layout), world.taken);
        for slot in 0..scenario.tables.beasts.len() {
            let beast = &world.beasts[slot];
            assert_eq!(state.beast_at(layout, scenario, slot), beast.at());
            assert_eq!(state.beast_place(layout, slot), beast.place as usize);
            assert_eq!(state.beast_health(layout, slot), beast.health);
            assert_eq!(state.beast_mode(layout, slot), beast.mode);
        }
    }
}
