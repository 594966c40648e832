//! A scenario as numbers in a fixed order: what its digest is made of.
//!
//! Recordings name their scenario by this digest, so it must stay the same whatever becomes of the
//! code. Therefore nothing here depends on how types are named or laid out: every value is told by
//! hand, in this order.
//!
//! | What | How |
//! |---|---|
//! | a number, a set of things | 64 bits, the lowest byte first |
//! | a real number | the bits of an IEEE 754 double; −0 is 0 |
//! | yes or no | 1 or 0 |
//! | a text | its bytes in UTF-8, and the byte 255 |
//! | a list | how many, and each |
//! | what may be missing | 0, or 1 and what it is |
//! | one of several kinds | the number of the kind as written below, and what belongs to it |
//! | a place | x, y and height; never its number, which depends on how a mesh is covered |
//!
//! Maps have a digest of their own (`Map::digest`). That of a mesh tells where its leaps begin and
//! end, which depends on how the mesh is covered: whoever covers it otherwise changes the digests of
//! meshes with leaps.
//!
//! The bytes are digested by [`Digest`](crate::digest::Digest). Not told is what changes no run: the
//! name, demonstrations, events, what the file says about itself (`solvable`, `needs`), and what is
//! worked out from the rest.
//!
//! # When it must change
//!
//! A new field of a type below does not compile until it is told here or left out by name. If it
//! can be told without touching scenarios that don't use it, tell it only where it is used, last in
//! its entry, and nothing changes for the others. Otherwise raise [`Scenario::DIGEST_VERSION`],
//! write the recordings under `testdata` anew, pin the new numbers in
//! `tests/scenarios_keep_their_digests.rs`, and say so in the changelog. Recordings of older
//! versions still replay: they are then held to their end alone.

use super::{
    Actor, AgentId, Area, Beast, Cycle, Door, Enemy, Guard, Item, ItemKind, Kind, Lever, Manner,
    Margins, Obstacle, Rules, Scenario, Trap,
};
use crate::digest::Digest;
use crate::map::Move;
use crate::world::{ActorState, BeastState};
use crate::{Goal, Map, Point, Spot, World};

impl Scenario {
    /// Which encoding [`digest`](Scenario::digest) follows. In version 1 it came from how values
    /// were printed, and could change with every version of the program.
    pub const DIGEST_VERSION: u32 = 2;

    /// A number that tells this scenario from others. It stays the same from version to version, as
    /// long as [`DIGEST_VERSION`](Scenario::DIGEST_VERSION) does; names, demonstrations and comments
    /// make no difference.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }\n";
    /// let digest = |text: &str| Scenario::parse(text).map(|scenario| scenario.digest());
    /// assert_eq!(digest(text)?, 0x539B_E59C_A4D8_BDB3);
    /// assert_eq!(digest(&format!("name = 'hall' # a small one\n{text}"))?, digest(text)?);
    /// assert_ne!(digest(&text.replace("[0, 0]", "[1, 0]"))?, digest(text)?);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn digest(&self) -> u64 {
        *self.known.digest.get_or_init(|| {
            let mut encoding = Encoding {
                digest: self.told_before_margins(),
                map: &self.map,
                told: Told::All,
            };
            encoding.margins(&self.margins);
            encoding.number(self.seed);
            self.tell_the_rest(encoding)
        })
    }

    /// A number for what lies where and what can be walked, opened and fetched: the same whatever
    /// the margins are, however far beasts see and however hard they hit. What is worked out about
    /// a level before planning holds as long as this number does.
    ///
    /// ```
    /// # use apprentice_world::{Margins, Scenario};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { dead = 'grey' }\nmap = { rows = ['...'] }\nenemy = [{ id = 'grey', kind = 'wolf', at = [2, 0] }]").unwrap();
    /// let careful = scenario.clone().with_margins(Margins { damage: 2.0, radius: 2.0 });
    /// assert_eq!(careful.for_planning().layout_digest(), scenario.layout_digest());
    /// assert_ne!(careful.for_planning().digest(), scenario.digest());
    /// ```
    pub fn layout_digest(&self) -> u64 {
        let worked_out = || self.tell_the_rest(self.begin_to_tell(Told::Layout));
        *self.known.layout_digest.get_or_init(worked_out)
    }

    /// Everything up to the margins, which are all that makes one copy differ from another where
    /// plans are made with more or less care.
    pub(super) fn told_before_margins(&self) -> Digest {
        let worked_out = || self.begin_to_tell(Told::All).digest;
        *self.known.told.get_or_init(worked_out)
    }

    fn begin_to_tell(&self, told: Told) -> Encoding<'_> {
        let Scenario {
            name: _,
            map,
            actors,
            agent,
            others,
            // What it does is told.
            modelled: _,
            goal,
            items,
            doors,
            levers,
            traps,
            areas,
            obstacles,
            enemies,
            demonstrations: _,
            drawings: _,
            styles: _,
            events: _,
            rules,
            // In the digest, but not in that of the layout.
            margins: _,
            planning: _,
            expected: _,
            prices,
            // Only advisers look at it.
            feared: _,
            seed: _,
            solvable: _,
            needs: _,
            // Last.
            absent: _,
            snapshot: _,
            tables,
            known: _,
        } = self;
        let mut encoding = Encoding {
            digest: Digest::new(),
            map,
            told,
        };
        encoding.number(u64::from(Scenario::DIGEST_VERSION));
        encoding.number(tables.map_digest);
        encoding.list(actors, Encoding::actor);
        encoding.digest.goal(goal);
        encoding.list(items, Encoding::item);
        encoding.list(doors, Encoding::door);
        encoding.list(levers, Encoding::lever);
        encoding.list(obstacles, Encoding::obstacle);
        encoding.list(enemies, Encoding::enemy);
        encoding.rules(rules);
        if *agent != AgentId::NPC {
            encoding.digest.agent(*agent);
        }
        if !others.is_routes() {
            encoding.number(others.digest());
        }
        // The first two have nothing of it, but for what the rules tell of the player.
        for actor in actors.iter().skip(2) {
            encoding.number(u64::from(actor.must_survive));
        }
        for (number, actor) in actors.iter().enumerate() {
            if let Some(goal) = &actor.goal {
                encoding.number(number as u64);
                encoding.digest.goal(goal);
            }
        }
        if !traps.is_empty() {
            encoding.list(traps, Encoding::trap);
        }
        if !areas.is_empty() {
            encoding.list(areas, Encoding::area);
        }
        if !prices.is_none() {
            encoding.real(prices.harm());
            encoding.real(prices.notice());
        }
        encoding
    }

    fn tell_the_rest(&self, mut encoding: Encoding<'_>) -> u64 {
        encoding.number(u64::from(self.absent));
        encoding.maybe(self.snapshot.as_deref(), |encoding, world| {
            encoding.moment(world);
        });
        encoding.digest.value()
    }
}

/// How much of a scenario is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    All,
    /// Without what makes enemies more or less dangerous, and without the seed.
    Layout,
}

impl Goal {
    /// A number that tells this goal from others; the same on every machine.
    ///
    /// ```
    /// use apprentice_world::{DoorId, Goal};
    ///
    /// let open = Goal::DoorOpen(DoorId::new(0));
    /// assert_eq!(open.digest(), open.clone().digest());
    /// assert_ne!(open.digest(), Goal::Not(Box::new(open)).digest());
    /// ```
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.goal(self);
        digest.value()
    }
}

impl Digest {
    fn goal(&mut self, goal: &Goal) {
        match goal {
            Goal::Within { at, height, radius } => {
                self.number(0);
                self.disc(*at, *height, *radius);
            }
            Goal::AgentWithin {
                agent,
                at,
                height,
                radius,
            } => {
                self.number(1);
                self.agent(*agent);
                self.disc(*at, *height, *radius);
            }
            Goal::Dead(agent) => {
                self.number(2);
                self.agent(*agent);
            }
            Goal::Holds(item) => {
                self.number(3);
                self.number(item.index() as u64);
            }
            Goal::LeverOn(lever) => {
                self.number(4);
                self.number(lever.index() as u64);
            }
            Goal::DoorOpen(door) => {
                self.number(5);
                self.number(door.index() as u64);
            }
            Goal::All(goals) => {
                self.number(6);
                self.goals(goals);
            }
            Goal::Any(goals) => {
                self.number(7);
                self.goals(goals);
            }
            Goal::Not(goal) => {
                self.number(8);
                self.goal(goal);
            }
            Goal::InOrder(goals) => {
                self.number(10);
                self.goals(goals);
            }
            Goal::Near { agent, radius } => {
                self.number(9);
                self.agent(*agent);
                self.real(*radius);
            }
        }
    }

    fn goals(&mut self, goals: &[Goal]) {
        self.number(goals.len() as u64);
        goals.iter().for_each(|goal| self.goal(goal));
    }

    fn agent(&mut self, agent: AgentId) {
        let (kind, number) = match agent {
            AgentId::Actor(number) => (0, u64::from(number)),
            AgentId::Enemy(number) => (1, u64::from(number)),
        };
        self.number(kind);
        self.number(number);
    }

    fn disc(&mut self, at: Point, height: Option<f64>, radius: f64) {
        self.real(at.x);
        self.real(at.y);
        self.number(u64::from(height.is_some()));
        if let Some(height) = height {
            self.real(height);
        }
        self.real(radius);
    }
}

struct Encoding<'m> {
    digest: Digest,
    map: &'m Map,
    told: Told,
}

impl Encoding<'_> {
    fn actor(&mut self, actor: &Actor) {
        let Actor {
            id,
            start,
            place,
            stance,
            health,
            damage,
            period,
            reach,
            route,
            // Told after the rules, and only where there is something to tell.
            must_survive: _,
            goal: _,
        } = actor;
        self.digest.text(id);
        self.point(*start);
        self.place(*place as usize);
        self.number(u64::from(stance.bits()));
        for real in [health, damage, period, reach] {
            self.real(*real);
        }
        self.list(route, |encoding, spot: &Spot| {
            encoding.point(spot.point());
            encoding.height(spot.height);
        });
    }

    fn item(&mut self, item: &Item) {
        let Item {
            id,
            kind,
            at,
            place,
        } = item;
        self.digest.text(id);
        match kind {
            ItemKind::Key => self.number(0),
            ItemKind::Shield => self.number(1),
            ItemKind::Treasure => self.number(2),
            ItemKind::Pack { health } => {
                self.number(3);
                self.real(*health);
            }
        }
        self.point(*at);
        self.place(*place as usize);
    }

    fn door(&mut self, door: &Door) {
        let Door {
            id,
            at,
            places,
            starts_open,
            consumes_key,
            cycle,
            keys,
        } = door;
        self.digest.text(id);
        self.list(at, |encoding, (at, place)| {
            encoding.point(*at);
            encoding.place(*place);
        });
        self.list(places, |encoding, place| encoding.place(*place));
        self.number(u64::from(*starts_open));
        self.number(u64::from(*consumes_key));
        self.maybe(cycle.as_ref(), |encoding, cycle| {
            let Cycle {
                open,
                closed,
                offset,
            } = cycle;
            for time in [open, closed, offset] {
                encoding.number(*time);
            }
        });
        self.number(u64::from(*keys));
    }

    fn lever(&mut self, lever: &Lever) {
        let Lever {
            id,
            at,
            place,
            opens,
            toggles,
        } = lever;
        self.digest.text(id);
        self.point(*at);
        self.place(*place as usize);
        self.number(u64::from(*opens));
        self.number(u64::from(*toggles));
    }

    fn trap(&mut self, trap: &Trap) {
        let Trap {
            id,
            at: _,
            places,
            damage,
            springs_once,
            levers,
        } = trap;
        self.digest.text(id);
        self.list(places, |encoding, place| encoding.place(*place));
        self.real(*damage);
        self.number(u64::from(*springs_once));
        self.number(u64::from(*levers));
    }

    fn area(&mut self, area: &Area) {
        let Area {
            id,
            places,
            counts,
            who,
        } = area;
        self.digest.text(id);
        self.list(places, |encoding, place| encoding.place(*place));
        self.real(*counts);
        self.list(who, |encoding, agent| encoding.digest.agent(*agent));
    }

    fn obstacle(&mut self, obstacle: &Obstacle) {
        let Obstacle {
            id,
            path,
            dwell,
            radius,
        } = obstacle;
        self.digest.text(id);
        self.list(path, |encoding, place| encoding.place(*place));
        self.number(*dwell);
        self.real(*radius);
    }

    fn enemy(&mut self, enemy: &Enemy) {
        let Enemy {
            id,
            kind: Kind { name, manner },
            home,
            place,
            ignores,
            // Which of those that move it is, and where it hunts, follow from the rest.
            slot: _,
            ground: _,
        } = enemy;
        self.digest.text(id);
        self.digest.text(name);
        match manner {
            Manner::Guard(guard) => {
                let Guard {
                    radius,
                    sneak_radius,
                    damage,
                } = guard;
                self.number(0);
                for real in [radius, sneak_radius, damage] {
                    self.real(*real);
                }
            }
            Manner::Beast(beast) => {
                let Beast {
                    health,
                    speed,
                    radius,
                    reach,
                    damage,
                    period,
                    leash,
                    memory,
                    attackers,
                    splash,
                } = beast;
                let (radius, damage) = match self.told {
                    Told::All => (radius, damage),
                    Told::Layout => (&0.0, &0.0),
                };
                self.number(1);
                for real in [health, speed, radius, reach, damage, period, leash, memory] {
                    self.real(*real);
                }
                self.number(u64::from(*attackers));
                self.real(*splash);
            }
        }
        self.point(*home);
        self.place(*place as usize);
        ignores.words().for_each(|word| self.number(word));
    }

    fn rules(&mut self, rules: &Rules) {
        let Rules {
            speeds,
            line_of_sight,
            block_slows,
            player_must_survive,
            // They follow from the speeds and the map.
            step_times: _,
        } = rules;
        for speed in speeds {
            self.real(*speed);
        }
        for flag in [line_of_sight, block_slows, player_must_survive] {
            self.number(u64::from(*flag));
        }
    }

    fn margins(&mut self, margins: &Margins) {
        let Margins { damage, radius } = margins;
        self.real(*damage);
        self.real(*radius);
    }

    /// How things stand where a run begins midway.
    fn moment(&mut self, world: &World) {
        let World {
            time,
            doors,
            levers,
            taken,
            sprung,
            actors,
            beasts,
        } = world;
        self.number(*time);
        for set in [doors, levers, taken] {
            self.number(u64::from(*set));
        }
        self.list(actors, Encoding::actor_midway);
        self.list(beasts, Encoding::beast_midway);
        if *sprung != 0 {
            self.number(u64::from(*sprung));
        }
    }

    fn actor_midway(&mut self, actor: &ActorState) {
        let ActorState {
            moved,
            place,
            health,
            stamina,
            ready_at,
            holding,
            memory,
            step,
            stance,
        } = actor;
        self.number(*moved);
        self.place(*place as usize);
        self.real(f64::from(*health));
        self.real(f64::from(*stamina));
        self.number(*ready_at);
        for number in [holding, memory] {
            self.number(u64::from(*number));
        }
        self.maybe(*step, |encoding, step| match step {
            Move::Step(direction) => {
                let (dx, dy) = direction.offset();
                encoding.number(0);
                encoding.real(f64::from(dx));
                encoding.real(f64::from(dy));
            }
            Move::Leap(number) => {
                encoding.number(1);
                encoding.number(u64::from(number));
            }
            Move::Use => encoding.number(2),
        });
        self.number(u64::from(stance.bits()));
    }

    fn beast_midway(&mut self, beast: &BeastState) {
        let BeastState {
            x,
            y,
            health,
            ready_at,
            seen_at,
            place,
            target,
            mode,
        } = beast;
        for real in [x, y, health] {
            self.real(f64::from(*real));
        }
        self.number(*ready_at);
        self.number(*seen_at);
        self.place(*place as usize);
        self.number(u64::from(*target));
        self.digest.text(mode.name());
    }

    fn place(&mut self, place: usize) {
        self.point(self.map.point_of(place));
        self.real(self.map.height_of(place));
    }

    fn point(&mut self, point: Point) {
        self.real(point.x);
        self.real(point.y);
    }

    fn height(&mut self, height: Option<f64>) {
        self.maybe(height, Encoding::real);
    }

    fn list<T>(&mut self, list: &[T], each: impl Fn(&mut Self, &T)) {
        self.number(list.len() as u64);
        for entry in list {
            each(self, entry);
        }
    }

    fn maybe<T>(&mut self, value: Option<T>, tell: impl Fn(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            tell(self, value);
        }
    }

    fn real(&mut self, real: f64) {
        self.digest.real(real);
    }

    fn number(&mut self, number: u64) {
        self.digest.number(number);
    }
}
