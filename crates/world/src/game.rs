//! Quests of our world as planners see any game.

use std::sync::Arc;

use apprentice_experience::{Place, Stance};
use apprentice_game::{
    Aim, Danger, Foes, Ground, Landmark, LandmarkId, Others, SECONDS_FOR_HEALTH, Survey,
};
use apprentice_search::{Budget, Cost};

use crate::digest::Digest;
use crate::hunting_ground::radius_for;
use crate::peril::LAST_HUNTER;
use crate::world::ActorState;
use crate::{
    Actor, AgentId, Beast, DoorId, FULL_HEALTH, Gait, Goal, ItemId, ItemKind, LeverId, Manner,
    Mode, PlayerReach, Point, Quest, Rules, Scenario, Thing, World,
};

/// The landmarks of a level, and what each of them is.
#[derive(Debug)]
pub(crate) struct Landmarks {
    pub(crate) list: Vec<Landmark>,
    pub(crate) things: Vec<Thing>,
}

/// What a quest is about, in the words of any game.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) aim: Aim,
    /// The parts of the goal that only our world can tell.
    pub(crate) others: Vec<Goal>,
    pub(crate) landmarks: Arc<Landmarks>,
}

/// How near one must come to fight somebody.
const FIGHTING_DISTANCE: f64 = 1.5;

/// What is lost to an enemy nobody can beat: more than anybody has, so that the longest way round is
/// better.
const DEADLY: f64 = 2.0 * FULL_HEALTH;

/// Farther than this from the line of sight nothing hides anybody, in cells or metres.
const BESIDE_LINES: f64 = 6.0;

impl Landmarks {
    pub(crate) fn new(scenario: &Scenario) -> Landmarks {
        let items = (0..scenario.items.len() as u8).map(|item| Thing::Item(ItemId::new(item)));
        let levers = (0..scenario.levers.len() as u8).map(|it| Thing::Lever(LeverId::new(it)));
        let doors = (0..scenario.doors.len() as u8).map(|door| Thing::Door(DoorId::new(door)));
        let enemies = (0..scenario.enemies.len() as u16).map(AgentId::Enemy);
        let actors = (0..scenario.actors.len() as u16).map(AgentId::Actor);
        let agents = enemies.chain(actors).map(Thing::Agent);
        let things: Vec<Thing> = items.chain(levers).chain(doors).chain(agents).collect();
        let list = things.iter().map(|thing| landmark(scenario, *thing));
        Landmarks {
            list: list.collect(),
            things,
        }
    }
}

fn landmark(scenario: &Scenario, thing: Thing) -> Landmark {
    let (at, place) = (scenario.position_of(thing), scenario.place_of(thing));
    let id = |thing| scenario.landmark(thing);
    let height = scenario.map.at(place).z;
    let name = scenario.id_of(thing);
    let mut mark = Landmark::at_place(name, Place::new(at.x, at.y, height), place);
    match thing {
        Thing::Item(item) => {
            mark.places = scenario.places_at_hand(item);
            mark.protects = scenario.items[item.index()].kind == ItemKind::Shield;
        }
        Thing::Lever(lever) => {
            mark.places = scenario.places_at_lever(lever);
            let doors = (0..scenario.doors.len() as u8).map(DoorId::new);
            let opened = doors.filter(|door| scenario.levers_of(*door).any(|it| it == lever));
            mark.opens = opened.filter_map(|door| id(Thing::Door(door))).collect();
            mark.is_shared = scenario.actors.len() > 1;
        }
        Thing::Door(door) => {
            let keys = scenario.keys_of(door).map(Thing::Item);
            let levers = scenario.levers_of(door).map(Thing::Lever);
            let Some(it) = scenario.doors.get(door.index()) else {
                return mark;
            };
            mark.places = it.places.clone();
            mark.opened_by = keys.chain(levers).filter_map(id).collect();
            mark.uses_up = it.consumes_key;
            mark.bars = true;
        }
        Thing::Agent(_) => mark.moves = true,
    }
    mark
}

impl Scenario {
    /// What may have to be done in it: items, levers, doors, and those who may be dead, in this order.
    pub fn landmarks(&self) -> &[Landmark] {
        &self.shared_landmarks().list
    }

    /// The landmark that a thing is; `None` if there is no such thing.
    ///
    /// ```
    /// # use apprentice_world::Scenario;
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { all = [] }
    ///     map = { rows = ["....."] }
    ///     key = [{ id = "red", at = [1, 0], opens = ["gate"] }]
    ///     door = [{ id = "gate", at = [[3, 0]] }]
    /// "#)?;
    /// let gate = scenario.thing("gate").and_then(|gate| scenario.landmark(gate)).unwrap();
    /// assert_eq!(scenario.landmarks()[gate.index()].name, "gate");
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn landmark(&self, thing: Thing) -> Option<LandmarkId> {
        let (items, levers) = (self.items.len(), self.levers.len());
        let (doors, enemies) = (self.doors.len(), self.enemies.len());
        let number = match thing {
            Thing::Item(item) => item.index(),
            Thing::Lever(lever) => items + lever.index(),
            Thing::Door(door) => items + levers + door.index(),
            Thing::Agent(AgentId::Enemy(enemy)) => items + levers + doors + usize::from(enemy),
            Thing::Agent(AgentId::Actor(actor)) => {
                items + levers + doors + enemies + usize::from(actor)
            }
        };
        self.has(thing).then(|| LandmarkId::new(number as u32))
    }
}

impl Facts {
    pub(crate) fn new(scenario: &Scenario, goal: &Goal, agent: AgentId) -> Facts {
        let mut others = Vec::new();
        let whole = aim(scenario, goal, agent, &mut others);
        // Where all of it is in order, the last part is met in the end.
        let last = match goal {
            Goal::InOrder(goals) => goals.last(),
            _ => None,
        };
        let last = last.map(|last| aim(scenario, last, agent, &mut others));
        Facts {
            aim: match last {
                Some(last) => Aim::All(vec![last, whole]),
                None => whole,
            },
            others,
            landmarks: Arc::clone(scenario.shared_landmarks()),
        }
    }

    #[inline]
    pub(crate) fn thing(&self, landmark: LandmarkId) -> Option<Thing> {
        self.landmarks.things.get(landmark.index()).copied()
    }
}

fn aim(scenario: &Scenario, goal: &Goal, agent: AgentId, others: &mut Vec<Goal>) -> Aim {
    let within = |at: &Point, height: &Option<f64>, radius: &f64| Aim::Within {
        x: at.x,
        y: at.y,
        height: *height,
        radius: *radius,
    };
    let thing = match goal {
        Goal::Within { at, height, radius } => return within(at, height, radius),
        Goal::AgentWithin {
            agent: who,
            at,
            height,
            radius,
        } if *who == agent => return within(at, height, radius),
        Goal::Holds(item) => Thing::Item(*item),
        Goal::LeverOn(lever) => Thing::Lever(*lever),
        Goal::DoorOpen(door) => Thing::Door(*door),
        Goal::Dead(agent) => Thing::Agent(*agent),
        Goal::All(goals) => {
            return Aim::All(
                goals
                    .iter()
                    .map(|goal| aim(scenario, goal, agent, others))
                    .collect(),
            );
        }
        Goal::Any(goals) => {
            return Aim::Any(
                goals
                    .iter()
                    .map(|goal| aim(scenario, goal, agent, others))
                    .collect(),
            );
        }
        Goal::Not(_) | Goal::AgentWithin { .. } | Goal::Near { .. } | Goal::InOrder(_) => {
            others.push(goal.clone());
            return Aim::Other(others.len() as u32 - 1);
        }
    };
    // Goals of quests are checked when they are made; what is not there is never done.
    scenario
        .landmark(thing)
        .map_or(Aim::Any(Vec::new()), Aim::Done)
}

/// Whether a thing that bars counts as shut until somebody opens it, in a quest that begins in this
/// world.
///
/// Doors that stand open are none of them, even if a lever shuts them later: that makes a bound
/// lower, never wrong. Except where a key of theirs is held or a lever of theirs has been pulled:
/// whoever did that gets through in either case, so it makes no difference to the rounds, and
/// whatever was swept before a character opened a door serves after it, too.
pub(crate) fn is_shut(scenario: &Scenario, start: &World, agent: AgentId, thing: Thing) -> bool {
    let Thing::Door(id) = thing else {
        return false;
    };
    let Some(door) = scenario.doors.get(id.index()) else {
        return false;
    };
    let was_unlocked = || {
        let mut keys = scenario.keys_of(id);
        let mut levers = scenario.levers_of(id);
        keys.any(|key| start.holds(agent, key)) || levers.any(|lever| start.is_on(lever))
    };
    door.cycle.is_none() && (!start.is_open(id) || !door.starts_open && was_unlocked())
}

/// Whether a thing can never be settled any more: an item that neither lies where it lay nor is held
/// by the planned agent, since nobody ever puts anything down; somebody who lives and cannot die.
pub(crate) fn is_gone(scenario: &Scenario, start: &World, planned: AgentId, thing: Thing) -> bool {
    match thing {
        Thing::Item(item) => !start.is_lying(item) && !start.holds(planned, item),
        Thing::Agent(agent @ AgentId::Enemy(number)) => {
            let enemy = scenario.enemies.get(usize::from(number));
            // Guards cannot die, and whoever must be attacked by several cannot where there are not
            // as many.
            let can_die = enemy.is_some_and(|enemy| match &enemy.kind.manner {
                Manner::Guard(_) => false,
                Manner::Beast(beast) => usize::from(beast.attackers) <= scenario.actors.len(),
            });
            !can_die && !start.is_dead(agent, scenario)
        }
        _ => false,
    }
}

/// From where somebody hostile can be struck dead at any time, if nobody else strikes it and it never
/// leaves its hunting ground.
pub(crate) fn territory_of(
    scenario: &Scenario,
    start: &World,
    planned: AgentId,
    thing: Thing,
) -> Option<Vec<usize>> {
    let Thing::Agent(AgentId::Enemy(number)) = thing else {
        return None;
    };
    let enemy = scenario.enemies.get(usize::from(number))?;
    let Manner::Beast(beast) = &enemy.kind.manner else {
        return None;
    };
    let own = scenario.actor_of(planned)?;
    let place = start.place(AgentId::Enemy(number), scenario);
    let is_at_home = enemy.ground.as_ref()?.contains(place);
    let mut actors = scenario.actors.iter().zip(&start.actors).zip(0..);
    let strikes = |((actor, state), id): ((&Actor, &ActorState), u16)| {
        // Whoever goes by its route carries itself as its level says from its next step on.
        let fights = state.stance.fights() || actor.stance.fights();
        planned != AgentId::Actor(id) && fights && actor.damage > 0.0
    };
    if !is_at_home || actors.any(strikes) {
        return None;
    }
    // Both may be in the middle of a step, or of a leap along a link.
    let step = 2.0 * scenario.map.spacing();
    let links = scenario.map.mesh().map_or(&[][..], |mesh| mesh.links());
    let leaps = links.iter().map(|link| link.from.distance_to(link.to));
    let far = radius_for(beast.leash, beast.reach) + own.reach + leaps.fold(step, f64::max);
    Some(scenario.map.places_within(enemy.home, far))
}

/// From where a thing can be settled in this world.
pub(crate) fn places_of(scenario: &Scenario, start: &World, thing: Thing) -> Vec<usize> {
    match thing {
        Thing::Item(item) => scenario.places_at_hand(item),
        Thing::Lever(lever) => scenario.places_at_lever(lever),
        Thing::Door(door) => {
            let door = scenario.doors.get(door.index());
            door.map_or_else(Vec::new, |door| door.places.clone())
        }
        Thing::Agent(agent) => {
            let at = scenario.map.spot_of(start.place(agent, scenario));
            scenario
                .map
                .places_on_floor(at.point(), at.height, FIGHTING_DISTANCE)
        }
    }
}

pub(crate) fn foes(scenario: &Scenario) -> Foes {
    let moves = |enemy: &crate::Enemy| matches!(enemy.kind.manner, Manner::Beast(_));
    if scenario.enemies.is_empty() {
        Foes::None
    } else if scenario.enemies.iter().any(moves) {
        Foes::Moving
    } else {
        Foes::Still
    }
}

/// Enemies who wait in a world, and what coming near them costs.
pub(crate) fn dangers(scenario: &Scenario, world: &World, agent: AgentId) -> Vec<Danger> {
    let enemies = scenario.enemies.iter().zip(0..);
    let waits = enemies.filter(|(enemy, number)| {
        let id = AgentId::Enemy(*number);
        let mode = world.mode(id, scenario);
        !world.is_dead(id, scenario) && !enemy.ignores(agent) && !mode.is_some_and(Mode::is_hostile)
    });
    let dangers = waits.map(|(enemy, number)| {
        let id = AgentId::Enemy(number);
        let (radius, price) = reach_and_price(scenario, agent, &enemy.kind.manner);
        let at = world.position(id, scenario);
        Danger {
            number: u32::from(number),
            x: at.x,
            y: at.y,
            place: world.place(id, scenario),
            radius,
            price,
        }
    });
    dangers.collect()
}

/// How near one must come to be noticed at all, and what a step costs on which one is.
fn reach_and_price(scenario: &Scenario, agent: AgentId, manner: &Manner) -> (f64, Cost) {
    let spacing = scenario.map.spacing();
    match manner {
        Manner::Guard(guard) => {
            let seconds = spacing / scenario.rules.speed(Gait::Walk);
            let harm = guard.damage * seconds.max(1.0);
            let price = Cost::from_seconds(harm * worth_of_health(scenario));
            (guard.radius, price)
        }
        Manner::Beast(beast) => {
            let price = price_of_passing(scenario, agent, beast);
            // Whoever passes right through pays as much as it loses, in so many steps.
            let quiet = (beast.radius * Rules::noise(Gait::Sneak)).max(beast.reach);
            let steps = (2.0 * quiet / spacing).max(1.0);
            let price = Cost::from_seconds(price / steps);
            (beast.radius.max(beast.reach), price)
        }
    }
}

/// What passing each of those who move costs who is noticed by it. All from the last on that have no
/// bit of their own in a [`Peril`](crate::Peril) cost as much as the worst of them.
pub(crate) fn hunter_prices(scenario: &Scenario, agent: AgentId) -> Vec<Cost> {
    let beasts = scenario.enemies.iter().filter_map(|enemy| {
        let Manner::Beast(beast) = &enemy.kind.manner else {
            return None;
        };
        let price = price_of_passing(scenario, agent, beast);
        Some(Cost::from_seconds(price))
    });
    let mut prices: Vec<Cost> = beasts.collect();
    if prices.len() > LAST_HUNTER {
        let worst = prices.drain(LAST_HUNTER..).max();
        prices.extend(worst);
    }
    prices
}

/// The seconds it costs to pass an enemy that notices and follows. What kills is never cheap.
fn price_of_passing(scenario: &Scenario, agent: AgentId, beast: &Beast) -> f64 {
    let harm = harm_of_passing(scenario, agent, beast);
    let worth = worth_of_health(scenario);
    let worth = if harm < FULL_HEALTH {
        worth
    } else {
        worth.max(SECONDS_FOR_HEALTH)
    };
    harm * worth + scenario.prices.notice()
}

/// How many seconds of detour a point of health is worth: what plans pay for it, if they do.
fn worth_of_health(scenario: &Scenario) -> f64 {
    if scenario.prices.is_none() {
        SECONDS_FOR_HEALTH
    } else {
        scenario.prices.harm()
    }
}

/// The health it costs to pass an enemy that notices and follows: a fight, or more than anybody has.
pub(crate) fn harm_of_passing(scenario: &Scenario, agent: AgentId, beast: &Beast) -> f64 {
    let Some(own) = scenario.actor_of(agent) else {
        return DEADLY;
    };
    let lasts = (beast.health / own.damage).ceil() * own.period;
    let harm = beast.damage / beast.period * lasts;
    let is_beatable = harm < FULL_HEALTH && beast.attackers <= 1 && own.damage > 0.0;
    if is_beatable { harm } else { DEADLY }
}

/// What hides those whom enemies look at: doors near them, and what moves between.
pub(crate) fn outlook(scenario: &Scenario, world: &World, dangers: &[Danger]) -> u64 {
    let mut digest = Digest::new();
    if !scenario.rules.line_of_sight() || dangers.is_empty() {
        return digest.value();
    }
    let is_near = |place: &usize| {
        let point = scenario.map.at(*place);
        let mut near = dangers.iter();
        near.any(|danger| point.seen_from_above(danger.x, danger.y) <= danger.radius + BESIDE_LINES)
    };
    for (number, door) in scenario.doors.iter().enumerate() {
        if door.places.iter().any(is_near) {
            let id = DoorId::new(number as u8);
            digest.number(number as u64 * 2 + u64::from(world.is_open(id)));
        }
    }
    let mut moves = scenario.obstacles.iter();
    if moves.any(|obstacle| obstacle.path.iter().any(is_near)) {
        digest.number(world.time().as_nanos() as u64);
    }
    digest.value()
}

/// What others do, from a world on.
pub(crate) fn others<Q: Quest>(quest: &Q) -> Others {
    let scenario = quest.scenario();
    if scenario.actors.len() == 1 {
        return Others::Nobody;
    }
    if quest.others_are_free() {
        return Others::Anything;
    }
    let (start, agent) = (quest.start_world(), quest.agent());
    let mut key = Digest::new();
    key.number(scenario.layout_digest());
    key.number(start.digest());
    if agent != AgentId::NPC {
        key.text(scenario.id_of(Thing::Agent(agent)));
    }
    Others::Survey(Box::new(PlayerSurvey {
        scenario: scenario.clone(),
        landmarks: Arc::clone(scenario.shared_landmarks()),
        reach: PlayerReach::of_all_but(agent, scenario, start),
        key: key.value(),
    }))
}

/// What those who follow routes might do.
struct PlayerSurvey {
    scenario: Scenario,
    landmarks: Arc<Landmarks>,
    reach: PlayerReach,
    key: u64,
}

impl Survey for PlayerSurvey {
    fn key(&self) -> u64 {
        self.key
    }

    fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        self.reach.go_on(&self.scenario, budget)
    }

    fn might_do(&self, landmark: LandmarkId) -> bool {
        match self.landmarks.things.get(landmark.index()) {
            Some(Thing::Door(door)) => self.reach.might_open(*door),
            Some(Thing::Lever(lever)) => self.reach.might_pull(*lever),
            _ => false,
        }
    }
}

/// Whether fighting, and blocking, was shown and is for the plan to decide. Logs say what is done, and
/// nothing of what is not.
pub(crate) fn imitated<Q: Quest>(quest: &Q, shown: &Stance) -> [bool; 2] {
    let branching = quest.abilities().branching;
    let is_shown = |name: &str| {
        shown
            .flags
            .iter()
            .any(|(it, is)| it == name && is == "true")
    };
    [
        branching.decides_to_fight() && is_shown("fighting"),
        branching.decides_to_block() && is_shown("blocking"),
    ]
}

/// Implements [`Game`](apprentice_game::Game) for a quest with the fields `scenario` and `facts` and
/// the method `place_in`.
macro_rules! game_of_quest {
    ($quest:ty) => {
        impl apprentice_game::Game for $quest {
            type Ground = $crate::Map;

            #[inline]
            fn ground(&self) -> &std::sync::Arc<$crate::Map> {
                &self.scenario.map
            }

            #[inline]
            fn place(&self, state: &Self::State) -> usize {
                self.place_in(state)
            }

            #[inline]
            fn top_speed(&self) -> f64 {
                $crate::quest_problem::top_speed(self)
            }

            #[inline]
            fn aim(&self) -> &apprentice_game::Aim {
                &self.facts.aim
            }

            fn level(&self) -> u64 {
                self.scenario.layout_digest()
            }

            fn identity(&self) -> Option<u64> {
                Some(apprentice_search::Problem::revision(self))
            }

            #[inline]
            fn straight(&self, state: &Self::State) -> Cost {
                $crate::estimates::straight(self.goal(), self, &self.view(state))
            }

            fn straight_to(
                &self,
                part: &apprentice_game::Aim,
                from: apprentice_experience::Place,
                state: &Self::State,
            ) -> Cost {
                $crate::estimates::straight_to(self, &self.facts, part, from, state)
            }

            fn landmarks(&self) -> &[apprentice_game::Landmark] {
                &self.facts.landmarks.list
            }

            #[inline]
            fn is_done(&self, state: &Self::State, id: apprentice_game::LandmarkId) -> bool {
                let thing = self.facts.thing(id);
                thing.is_some_and(|thing| thing.is_settled(&self.view(state)))
            }

            fn is_shut(&self, id: apprentice_game::LandmarkId) -> bool {
                let thing = self.facts.thing(id);
                thing.is_some_and(|it| {
                    $crate::game::is_shut(self.scenario(), self.start_world(), self.agent(), it)
                })
            }

            fn is_gone(&self, id: apprentice_game::LandmarkId) -> bool {
                let thing = self.facts.thing(id);
                thing.is_some_and(|it| {
                    $crate::game::is_gone(self.scenario(), self.start_world(), self.agent(), it)
                })
            }

            fn places_of(&self, id: apprentice_game::LandmarkId) -> Vec<usize> {
                let thing = self.facts.thing(id);
                thing.map_or_else(Vec::new, |it| {
                    $crate::game::places_of(self.scenario(), self.start_world(), it)
                })
            }

            fn territory_of(&self, id: apprentice_game::LandmarkId) -> Option<Vec<usize>> {
                let thing = self.facts.thing(id)?;
                let others_are_free = $crate::Quest::others_are_free(self);
                let agent = self.agent();
                if others_are_free {
                    return None;
                }
                $crate::game::territory_of(self.scenario(), self.start_world(), agent, thing)
            }

            fn whereabouts(
                &self,
                state: &Self::State,
                id: apprentice_game::LandmarkId,
            ) -> apprentice_experience::Place {
                let view = self.view(state);
                match self.facts.thing(id) {
                    Some($crate::Thing::Agent(agent)) => {
                        let at = view.position(agent);
                        let height = view.height(agent);
                        let z = if self.ground().is_flat() { 0.0 } else { height };
                        apprentice_experience::Place::new(at.x, at.y, z)
                    }
                    _ => self
                        .facts
                        .landmarks
                        .list
                        .get(id.index())
                        .map_or(apprentice_experience::Place::default(), |mark| mark.at),
                }
            }

            fn time_left(&self, state: &Self::State, id: apprentice_game::LandmarkId) -> Cost {
                match self.facts.thing(id) {
                    Some($crate::Thing::Agent(agent)) => {
                        let least = self.scenario().least_counted(self.agent());
                        let (_, after_first) = self.view(state).fight_left(agent);
                        $crate::estimates::counted(after_first, least)
                    }
                    _ => Cost::ZERO,
                }
            }

            fn is_helped(&self) -> bool {
                let all = self.scenario.actors.iter().zip(0..);
                let mut others = all.filter(|(_, it)| self.agent() != $crate::AgentId::Actor(*it));
                others.any(|(other, _)| !other.route.is_empty() || self.others_are_free())
            }

            fn others(&self) -> apprentice_game::Others {
                $crate::game::others(self)
            }

            fn foes(&self) -> apprentice_game::Foes {
                $crate::game::foes(&self.scenario)
            }

            fn dangers(&self) -> Vec<apprentice_game::Danger> {
                $crate::game::dangers(self.scenario().feared(), self.start_world(), self.agent())
            }

            fn outlook(&self, dangers: &[apprentice_game::Danger]) -> u64 {
                $crate::game::outlook(self.scenario().feared(), self.start_world(), dangers)
            }

            fn would_notice(
                &self,
                danger: &apprentice_game::Danger,
                place: usize,
                quietly: bool,
            ) -> bool {
                let enemy = $crate::AgentId::Enemy(danger.number as u16);
                let gait = if quietly {
                    $crate::Gait::Sneak
                } else {
                    $crate::Gait::Walk
                };
                let scenario = self.scenario().feared();
                self.start_world()
                    .would_notice(scenario, enemy, self.agent(), place, gait)
            }

            fn quiet_slowness(&self) -> f64 {
                let rules = &self.scenario.rules;
                $crate::quest_problem::top_speed(self) / rules.speed($crate::Gait::Sneak)
            }

            fn peril(&self, state: &Self::State) -> apprentice_game::Peril {
                self.view(state).peril()
            }

            fn hunter_prices(&self) -> Vec<Cost> {
                $crate::game::hunter_prices(self.scenario().feared(), self.agent())
            }

            fn prices(&self) -> apprentice_game::Prices {
                self.scenario.prices()
            }

            fn goes_as(&self, state: &Self::State, shown: &apprentice_experience::Stance) -> bool {
                let gait = shown.gait.as_deref();
                let stance = $crate::Quest::stance(self, state);
                gait.is_none_or(|gait| stance.gait().name() == gait)
                    && $crate::game::imitated(self, shown)
                        .into_iter()
                        .zip([stance.fights(), stance.blocks()])
                        .all(|(shown, does)| !shown || does)
            }

            fn is_in_step(&self, state: &Self::State) -> Option<bool> {
                $crate::Quest::keeps_step(self, state)
            }

            fn is_usual(&self, shown: &apprentice_experience::Stance) -> bool {
                let gait = shown.gait.as_deref();
                gait.is_none_or(|gait| gait == $crate::Gait::Walk.name())
                    && $crate::game::imitated(self, shown) == [false; 2]
            }

            fn refutation(&self) -> Option<Box<dyn apprentice_game::Refutation<Self>>> {
                $crate::Quest::refuted(self)
            }
        }
    };
}

pub(crate) use game_of_quest;
