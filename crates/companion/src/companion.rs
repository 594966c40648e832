//! A character that accompanies a player.

use std::fmt;
use std::time::Duration;

use apprentice_behavior::{BadSetting, Character, Doing, Planner, Settings};
use apprentice_experience::Demonstration;
use apprentice_playstyle::{Distribution, Playstyles, StyleBelief};
use apprentice_recognition::{Belief, Costs, Habits, Likelihood, Recognition};
use apprentice_search::Budget;
use apprentice_world::{
    AgentId, Event, Gait, Goal, Order, Performer, Point, Role, Scenario, Stance, Style, World,
};

use crate::aims::Aims;
use crate::courses::Courses;
use crate::ghost::Ghost;
use crate::prepared_style::{PATIENT, PLAYER, PreparedStyle};
use crate::reflexes::{Planned, Reflexes};
use crate::{Deeds, Follower, Said};

/// Accompanies a player: watches, believes, plans for both, and says why.
///
/// It is asked for an order at every tick of a game and always has one, within the budget. It first
/// stays with the player, as a [`Follower`] does. As soon as one style is more likely than all others,
/// and has been for a second, it takes the player to go on as players of that style do, and plans for
/// both: with the demonstrations of that style, and for the goal of both. Such a plan counts on the
/// player, so it is followed only as long as they are where it expects them; when they are not, the
/// companion is back at their side, and plans again. It goes by itself when the player is dead, or has
/// arrived.
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::Settings;
/// use apprentice_companion::{Companion, Watched, plays_of};
/// use apprentice_playstyle::Playstyles;
/// use apprentice_search::Budget;
/// use apprentice_world::{AgentId, Drawn, Orders, PlayerModel, Scenario, World, drawn_line};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 1]
///     goal = { within = { at = [24, 1], radius = 1.0 } }
///     map = { rows = [".........................", ".........................", "........................."] }
///     player = { at = [0, 0] }
///     enemy = [{ id = "grey", kind = "wolf", at = [12, 0] }]
///     [[style]]
///     id = "fight"
///     points = [[0, 0], [24, 1]]
///     [[style]]
///     id = "sneak"
///     points = [[0, 0], [6, 2], [24, 2]]
///     gait = "sneak"
///     fights = false
/// "#)?;
/// let exemplars: Vec<_> = scenario.styles().iter().map(|style| match &style.shown {
///     Drawn::Points(points) => drawn_line(&scenario, &*style.id, points),
///     Drawn::File { .. } => panic!("they are drawn"),
/// }).collect();
/// let styles = Playstyles::learn_labelled(&plays_of(&scenario, &exemplars)?)?;
/// let mut companion = Companion::new(&scenario, &exemplars, &[], styles, &Settings::default())?;
///
/// // The player is no model, but plays as one who fights.
/// let player = PlayerModel::new(&scenario, &exemplars[0], scenario.styles()[0].stance)?;
/// let (mut world, mut events) = (World::new(&scenario), Vec::new());
/// let mut joined = Vec::new();
/// for _ in 0..400 {
///     let watched = Watched { world: &world, events: &events };
///     let order = companion.decide(&scenario, watched, &mut Budget::units(2_000));
///     joined.extend(companion.style().map(str::to_owned));
///     events.clear();
///     let orders = Orders::new(order).with_script(&player);
///     world.advance(&scenario, &orders, Duration::from_millis(100), &mut events);
/// }
/// // In the end it joined those who fight, and it goes by itself once the player has arrived.
/// assert_eq!(joined.last().map(String::as_str), Some("fight"));
/// assert_eq!(companion.style(), None);
/// assert!(!world.is_dead(AgentId::NPC, &scenario));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Companion {
    styles: Vec<PreparedStyle>,
    /// What it does by itself.
    planner: Planner,
    who: Performer,
    goal: Goal,
    belief: StyleBelief,
    deeds: Deeds,
    courses: Courses,
    aims: Aims,
    habits: Habits,
    /// What it believes of both: how the player plays, and what they are after.
    together: Belief,
    believed: Distribution,
    character: Character<Scenario>,
    /// What it does while it has no plan for both.
    follower: Follower,
    /// What it does in danger while no plan holds.
    reflexes: Reflexes,
    /// What it said before danger came up.
    before: Option<Said>,
    /// The style it plans with; none while it only stays with the player, or goes by itself.
    joined: Option<usize>,
    /// Whether it goes by itself.
    is_alone: bool,
    /// Whether the player is where it was expected.
    is_in_step: bool,
    /// A style that is the most likely though it plans with another, and since when.
    leaning: Option<(usize, Duration)>,
    /// A style for which it found no plan for both, and until when it does not try again.
    refused: Option<(usize, Duration)>,
    ghost: Option<Ghost>,
    /// When it last looked where the player goes, and when it last planned again because of that.
    looked: Option<Duration>,
    resumed: Duration,
    last: Option<Order>,
    said: Said,
    changes: u32,
}

/// What a companion works out of a level before it is played.
struct Prepared {
    styles: Vec<PreparedStyle>,
    planner: Planner,
    aims: Aims,
    habits: Habits,
}

impl Prepared {
    fn new(
        scenario: &Scenario,
        exemplars: &[Demonstration],
        demonstrations: &[Demonstration],
        classes: &Playstyles,
        settings: &Settings,
    ) -> Result<Prepared, CompanionError> {
        if Role::of(PLAYER).check(scenario).is_err() {
            return Err(CompanionError::NoPlayer);
        }
        let mut styles = Vec::new();
        for (style, exemplar) in scenario.styles().iter().zip(exemplars) {
            let Some(class) = class_of(classes, style) else {
                continue;
            };
            let prepared =
                PreparedStyle::new(scenario, style, exemplar, demonstrations, settings, class)?;
            styles.push(prepared);
        }
        if styles.is_empty() {
            let names = classes.classes().iter().map(|class| class.name.clone());
            return Err(CompanionError::NoStyles {
                classes: names.collect(),
            });
        }
        let planner = settings.check(scenario, demonstrations.to_vec());
        let planner = planner.map_err(CompanionError::Settings)?.planner;
        let aims = Aims::new(scenario);
        let models = styles.iter().map(|style| (style.class, &*style.model));
        let habits = aims.habits(scenario, classes.classes().len(), models);
        Ok(Prepared {
            styles,
            planner,
            aims,
            habits,
        })
    }
}

/// What a companion sees in a frame: the world as it is, and what happened since the last frame.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// The world.
    pub world: &'a World,
    /// What happened, as [`World::advance`] told it.
    pub events: &'a [Event],
}

/// A style must have been the most likely for so long before plans are changed for it: shorter doubts
/// come and go with every turn of the player.
const STEADY: Duration = Duration::from_secs(1);
/// Where the player goes is looked at so often.
const LOOK: Duration = Duration::from_millis(250);
/// A player who is elsewhere is planned for again at most so often.
const RESUME: Duration = Duration::from_secs(2);
/// Where there was no plan for both, there may be one after this.
const TRY_AGAIN: Duration = Duration::from_secs(10);
/// How much of what is told by deeds is doubted, whatever they are: everybody does something now and then
/// that players of another style do.
const DOUBT: f64 = 0.15;
/// Units of budget for one look: some twenty microseconds, with a handful of styles.
const LOOK_UNITS: u32 = 8;

impl Companion {
    /// One that knows how players of each style go about a level: an exemplar for each of its
    /// [styles](Scenario::styles), in their order, and the level's demonstrations, in theirs.
    ///
    /// Classes of plays are the styles of the level by their names, or by plays that the level names.
    ///
    /// # Errors
    ///
    /// If there is no player, or no style that is a class; or settings or demonstrations do not fit.
    pub fn new(
        scenario: &Scenario,
        exemplars: &[Demonstration],
        demonstrations: &[Demonstration],
        classes: Playstyles,
        settings: &Settings,
    ) -> Result<Companion, CompanionError> {
        let Prepared {
            styles,
            planner,
            aims,
            habits,
        } = Prepared::new(scenario, exemplars, demonstrations, &classes, settings)?;
        let who = Performer::from(PATIENT);
        let belief = StyleBelief::new(classes);
        let together = Belief::of(belief.now(), aims.recognised(), &habits);
        Ok(Companion {
            styles,
            courses: Courses::default(),
            aims,
            habits,
            believed: together.styles(),
            together,
            character: Character::new(planner.clone(), who.clone()),
            planner,
            who,
            goal: scenario.goal().clone(),
            belief,
            deeds: Deeds::new(scenario),
            follower: Follower::default(),
            reflexes: Reflexes::new(scenario, Aims::ways_to(scenario.goal(), scenario)),
            before: None,
            joined: None,
            is_alone: false,
            is_in_step: false,
            leaning: None,
            refused: None,
            ghost: None,
            looked: None,
            resumed: Duration::ZERO,
            last: None,
            said: Said::Beside,
            changes: 0,
        })
    }

    /// Goes on in a level that has become another one: things are elsewhere, or closed, or other styles
    /// are shown. What it believes of how the player plays stays.
    ///
    /// # Errors
    ///
    /// As [`new`](Companion::new); it stays as it is then.
    pub fn change_level(
        &mut self,
        scenario: &Scenario,
        exemplars: &[Demonstration],
        demonstrations: &[Demonstration],
        settings: &Settings,
    ) -> Result<(), CompanionError> {
        let classes = self.belief.styles();
        let Prepared {
            styles,
            planner,
            aims,
            habits,
        } = Prepared::new(scenario, exemplars, demonstrations, classes, settings)?;
        self.calm_down();
        let joined = self.joined.map(|before| self.styles[before].id.clone());
        self.joined = joined.and_then(|id| styles.iter().position(|style| style.id == id));
        (self.styles, self.planner, self.habits) = (styles, planner, habits);
        (self.aims, self.deeds) = (aims, Deeds::new(scenario));
        self.courses = Courses::default();
        self.goal.clone_from(scenario.goal());
        (self.leaning, self.refused, self.ghost) = (None, None, None);
        // The clock may have begun anew, and nobody has arrived yet.
        (self.looked, self.last, self.resumed) = (None, None, Duration::ZERO);
        (self.is_alone, self.is_in_step) = (false, false);
        self.follower = Follower::default();
        self.reflexes = Reflexes::new(scenario, Aims::ways_to(&self.goal, scenario));
        match self.joined {
            Some(style) => {
                let prepared = &self.styles[style];
                self.character.change_who(prepared.who.clone());
                self.character.change_planner(prepared.planner.clone());
                self.character.pursue(prepared.goal.clone());
            }
            None => {
                self.character.change_who(self.who.clone());
                self.character.change_planner(self.planner.clone());
                self.character.pursue(self.goal.clone());
                self.said = Said::Beside;
            }
        }
        // What they may be after is something else here.
        self.believe();
        Ok(())
    }

    /// What to do now. To be called before every advance of the world; it takes no more than the
    /// budget.
    pub fn decide(
        &mut self,
        scenario: &Scenario,
        watched: Watched<'_>,
        budget: &mut Budget<'_>,
    ) -> Order {
        let Watched { world, events } = watched;
        let mut has_done = false;
        for deed in self.deeds.seen(scenario, world, events) {
            self.belief.observe(deed);
            has_done = true;
        }
        let now = world.time();
        let is_due = self
            .looked
            .is_none_or(|last| now.saturating_sub(last) >= LOOK);
        if is_due && (0..LOOK_UNITS).all(|_| budget.take()) {
            self.looked = Some(now);
            let ahead = self.deeds.ahead(scenario, world);
            self.belief.moved(&ahead);
            self.aims.look(scenario, world, &self.deeds);
            let models = self.styles.iter().map(|style| &*style.model);
            self.courses.look(scenario, world, models);
        }
        if is_due || has_done {
            self.believe();
        }
        self.make_up_its_mind(scenario, world);
        self.mind_the_player(scenario, world);
        let order = self.act(scenario, world, budget);
        self.tell(now);
        self.last = Some(order);
        order
    }

    /// Joins what was done, where the player went, and what they may be after.
    fn believe(&mut self) {
        let classes = self.belief.styles().classes().len();
        let doubt = Distribution::uniform(classes);
        let done = self.belief.now().mixed_with(&doubt, DOUBT);
        let by_style = self.courses.costs();
        // What no style of the level is, nothing speaks against.
        let least = by_style.iter().min_by_key(|costs| costs.detour()).copied();
        let of_styles = self.styles.iter().map(|style| style.class).zip(by_style);
        let costs = costs_by_class(classes, of_styles);
        let costs: Option<Vec<Costs>> = costs.into_iter().map(|own| own.or(least)).collect();
        let styles = match costs {
            Some(costs) => Recognition::of(costs, Some(&done), &Likelihood::default()).distribution,
            None => done,
        };
        self.together = Belief::of(&styles, self.aims.recognised(), &self.habits);
        self.believed = self.together.styles();
    }

    /// What to do now: as planned, as long as the plan holds and the player does as it expects, and at the
    /// player's side otherwise; whatever works out best while somebody is after them.
    fn act(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) -> Order {
        // The dead are in no danger, whoever is after the player.
        if world.is_dead(OWN, scenario) {
            self.calm_down();
            return self.character.decide(scenario, world, budget);
        }
        let has_aim = self.joined.is_some() || self.is_alone;
        if has_aim && self.character.doing() == Doing::Done {
            self.calm_down();
            return self.character.decide(scenario, world, budget);
        }
        if Reflexes::are_called_for(scenario, world) {
            return self.meet_danger(scenario, world, budget);
        }
        self.calm_down();
        if !has_aim {
            return self.stay_beside(scenario, world, budget);
        }
        // Whoever has to look for the player does so before it thinks.
        let first = match self.has_plan() {
            true => None,
            false => Some(self.without_plan(scenario, world, budget)),
        };
        self.character.think(scenario, world, budget);
        if self.has_plan() {
            return self.character.order(scenario, world);
        }
        let order = match first {
            Some(order) => order,
            None => self.without_plan(scenario, world, budget),
        };
        self.character.obey(&order, world);
        order
    }

    /// Whether it has a plan that holds as far as it knows.
    fn has_plan(&self) -> bool {
        let character = &self.character;
        let is_sound = character.has_way() && character.rehearsal_failure().is_none();
        is_sound && (self.is_in_step || self.is_alone)
    }

    fn without_plan(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> Order {
        match self.is_alone {
            true => Order::Wait(Stance::new(Gait::Sneak).fighting()),
            false => {
                let order = self.follower.decide_within(scenario, world, budget);
                quietly(scenario, world, order)
            }
        }
    }

    fn stay_beside(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> Order {
        let order = self.without_plan(scenario, world, budget);
        self.character.obey(&order, world);
        order
    }

    /// What to do while somebody is after one of the two: what works out best, its plan among others.
    fn meet_danger(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> Order {
        let likeliest = self.joined.or(self.likeliest().map(|(style, _)| style));
        let model = likeliest.map(|style| &*self.styles[style].model);
        let is_sound = self.has_plan() && self.character.doing() == Doing::Following;
        let planned = Planned {
            intent: self.character.intent().filter(|_| is_sound),
            number: self.character.plans(),
        };
        let (reflex, order) = self.reflexes.meet(scenario, world, &planned, model, budget);
        if self.joined.is_some() || self.is_alone {
            self.character.think(scenario, world, budget);
        }
        let Some(order) = order else {
            if let Some(before) = self.before.take() {
                self.said = before;
            }
            return self.character.order(scenario, world);
        };
        let said = Said::InDanger {
            does: reflex.in_words(),
        };
        if self.said != said {
            let before = std::mem::replace(&mut self.said, said);
            if !matches!(before, Said::InDanger { .. }) {
                self.before = Some(before);
            }
        }
        self.character.obey(&order, world);
        order
    }

    /// The danger is over, or met by a plan.
    fn calm_down(&mut self) {
        self.reflexes.rest();
        if let Some(before) = self.before.take()
            && matches!(self.said, Said::InDanger { .. })
        {
            self.said = before;
        }
    }

    /// How likely each class is.
    pub fn belief(&self) -> &Distribution {
        &self.believed
    }

    /// What the player may be after, and how likely each is: where they want to be, and everything that
    /// can be fetched, pulled or killed.
    pub fn after(&self) -> Vec<(&str, f64)> {
        self.aims.named(&self.together.goals())
    }

    /// The classes this is about.
    pub fn classes(&self) -> &Playstyles {
        self.belief.styles()
    }

    /// The style of the level it takes the player to follow; none while it does not know, or goes by
    /// itself.
    pub fn style(&self) -> Option<&str> {
        self.joined.map(|style| &*self.styles[style].id)
    }

    /// Where it expects the player to go, point by point; nothing while it does not know.
    pub fn expected_way(&self, scenario: &Scenario, world: &World) -> Vec<Point> {
        let model = self.joined.map(|style| &self.styles[style].model);
        model.map_or_else(Vec::new, |model| model.ahead(scenario, world, PLAYER))
    }

    /// Why it does what it does.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// How often it has changed its mind about the style.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// The character that carries its plans out.
    pub fn character(&self) -> &Character<Scenario> {
        &self.character
    }

    /// The style of the level that is most likely, if one is.
    fn likeliest(&self) -> Option<(usize, f64)> {
        let belief = &self.believed;
        let mut likely: Option<(usize, f64)> = None;
        for (number, style) in self.styles.iter().enumerate() {
            let of = belief.of(style.class);
            if likely.is_none_or(|(_, most)| of > most) {
                likely = Some((number, of));
            }
        }
        // As likely as any other is no reason to think that it is this one.
        let even = 1.0 / belief.probabilities().len() as f64;
        likely.filter(|(_, of)| *of > even)
    }

    fn make_up_its_mind(&mut self, scenario: &Scenario, world: &World) {
        let now = world.time();
        if self.is_alone {
            return;
        }
        if world.is_dead(PLAYER, scenario) {
            self.go_alone();
            self.said = Said::Alone;
            return;
        }
        let is_there = (scenario.goal_of(PLAYER)).is_met(&world.seen_by(PLAYER, scenario));
        if is_there {
            self.go_alone();
            self.said = Said::Comes;
            return;
        }
        let Some((style, _)) = self.likeliest() else {
            self.leaning = None;
            return;
        };
        if self.joined == Some(style) {
            self.leaning = None;
            return;
        }
        if matches!(self.refused, Some((refused, until)) if refused == style && now < until) {
            return;
        }
        match self.leaning {
            Some((leaning, since)) if leaning == style => {
                if now.saturating_sub(since) >= STEADY {
                    self.join(style, world);
                }
            }
            _ => self.leaning = Some((style, now)),
        }
    }

    fn join(&mut self, style: usize, world: &World) {
        let before = self.joined.map(|before| self.styles[before].id.clone());
        let (prepared, belief) = (&self.styles[style], &self.believed);
        let percent = (belief.of(prepared.class) * 100.0 + 0.5) as u32;
        self.said = Said::Joins {
            style: prepared.id.clone(),
            percent,
            instead_of: before,
        };
        self.character.change_who(prepared.who.clone());
        self.character.change_planner(prepared.planner.clone());
        self.character.pursue(prepared.goal.clone());
        self.changes += 1;
        self.joined = Some(style);
        self.leaning = None;
        self.resumed = world.time();
        self.is_in_step = true;
        self.ghost = Some(Ghost::of(world));
    }

    /// Only stays with the player from now on.
    fn part(&mut self) {
        self.joined = None;
        self.leaning = None;
        self.ghost = None;
    }

    fn go_alone(&mut self) {
        self.part();
        self.is_alone = true;
        self.character.change_who(self.who.clone());
        self.character.change_planner(self.planner.clone());
        self.character.pursue(self.goal.clone());
    }

    /// Plans again if the player is not where players of the style would be by now.
    fn mind_the_player(&mut self, scenario: &Scenario, world: &World) {
        let Some(style) = self.joined else {
            return;
        };
        let ghost = self.ghost.get_or_insert_with(|| Ghost::of(world));
        let prepared = &self.styles[style];
        if let Some(last) = self.last {
            ghost.follow(
                scenario,
                &prepared.who.role_in(scenario),
                last,
                world.time(),
            );
        }
        let Some(distance) = ghost.astray(scenario, world) else {
            self.is_in_step = true;
            return;
        };
        self.is_in_step = false;
        if world.time().saturating_sub(self.resumed) < RESUME {
            return;
        }
        self.said = Said::Elsewhere {
            style: prepared.id.clone(),
            metres: distance,
        };
        *ghost = Ghost::of(world);
        self.resumed = world.time();
        // What was planned counted on the player, and is no way to begin.
        self.character.pursue(prepared.goal.clone());
    }

    /// Says something, now or when danger is over.
    fn tell_unless_in_danger(&mut self, said: Said) {
        match self.said {
            Said::InDanger { .. } => self.before = Some(said),
            _ => self.said = said,
        }
    }

    /// What has become of the plan, in words; whoever finds none for both stays with the player.
    fn tell(&mut self, now: Duration) {
        match self.character.doing() {
            Doing::Done => self.said = Said::Done,
            Doing::Dead => self.said = Said::Dead,
            Doing::Stuck => {
                let why = self.character.why_stuck();
                let why = why.map_or_else(|| "nothing changes".to_owned(), ToString::to_string);
                match self.joined {
                    Some(style) => {
                        let id = self.styles[style].id.clone();
                        self.refused = Some((style, now + TRY_AGAIN));
                        self.part();
                        self.tell_unless_in_danger(Said::NoWay { style: id, why });
                    }
                    None if self.is_alone => self.tell_unless_in_danger(Said::Stuck { why }),
                    None => {}
                }
            }
            Doing::Following | Doing::Thinking => {
                if matches!(self.said, Said::Stuck { .. } | Said::Done) {
                    self.said = match self.joined {
                        None if self.is_alone => Said::Comes,
                        None => Said::Beside,
                        Some(style) => {
                            let prepared = &self.styles[style];
                            let of = self.believed.of(prepared.class);
                            Said::Joins {
                                style: prepared.id.clone(),
                                percent: (of * 100.0 + 0.5) as u32,
                                instead_of: None,
                            }
                        }
                    };
                }
            }
        }
    }
}

/// Which class a style of a level is: by its name, or by a play that the level names.
fn class_of(classes: &Playstyles, style: &Style) -> Option<usize> {
    let by_name = |class: &apprentice_playstyle::Class| class.name == style.id;
    let by_play = |class: &apprentice_playstyle::Class| {
        let mut members = class.members.iter();
        members.any(|play| style.plays.contains(&classes.plays()[*play].id))
    };
    let all = classes.classes();
    let named = all.iter().position(by_name);
    named.or_else(|| all.iter().position(by_play))
}

/// What each class costs, by the costs of styles of a level: who plays as any of its styles plays as the
/// class does.
fn costs_by_class(
    classes: usize,
    of_styles: impl Iterator<Item = (usize, Costs)>,
) -> Vec<Option<Costs>> {
    let mut by_class: Vec<Option<Costs>> = vec![None; classes];
    for (class, own) in of_styles {
        let best = &mut by_class[class];
        if best.is_none_or(|best| own.detour() < best.detour()) {
            *best = Some(own);
        }
    }
    by_class
}

/// The same order on tiptoe, if somebody who is at rest would be woken otherwise.
fn quietly(scenario: &Scenario, world: &World, order: Order) -> Order {
    let map = scenario.map();
    let here = world.place(OWN, scenario);
    let (to, stance) = match order {
        Order::Step(direction, stance) => {
            let mut steps = map.level_steps(here);
            let next = steps.find(|(it, _)| *it == direction);
            (next.map(|(_, place)| place), stance)
        }
        Order::Wait(stance) => (None, stance),
        _ => return order,
    };
    let gait = stance.gait();
    let wakes = |enemy: AgentId| {
        let place = to.unwrap_or(here);
        let is_at_rest = world.target(enemy, scenario).is_none() && !world.is_dead(enemy, scenario);
        let is_heard = |gait| world.would_notice(scenario, enemy, OWN, place, gait);
        is_at_rest && is_heard(gait)
    };
    let mut enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    if gait == Gait::Sneak || !enemies.any(wakes) {
        return order;
    }
    let quiet = stance.at(Gait::Sneak);
    match order {
        Order::Step(direction, _) => Order::Step(direction, quiet),
        _ => Order::Wait(quiet),
    }
}

/// Who accompanies the player.
const OWN: AgentId = AgentId::NPC;

/// Why nobody can be accompanied in a level.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompanionError {
    /// There is no player.
    NoPlayer,
    /// No style of the level is one of the classes.
    NoStyles {
        /// The classes.
        classes: Vec<String>,
    },
    /// Nobody can go, or plan, as is told of a style.
    Style {
        /// The style.
        style: String,
        /// Why.
        why: String,
    },
    /// The settings do not fit the level.
    Settings(BadSetting),
}

impl fmt::Display for CompanionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompanionError::NoPlayer => {
                f.write_str("there is nobody to accompany; give the level a [player]")
            }
            CompanionError::NoStyles { classes } => write!(
                f,
                "no [[style]] of the level is one of the classes `{}`, by its id or by its `plays`; name one so",
                classes.join("`, `")
            ),
            CompanionError::Style { style, why } => write!(f, "the style `{style}`: {why}"),
            CompanionError::Settings(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for CompanionError {}

#[cfg(test)]
mod tests {
    use apprentice_search::Cost;

    use super::*;

    #[test]
    fn a_class_costs_what_the_style_costs_that_fits_best() {
        let costs = |at_best: f64, explaining: f64| Costs {
            at_best: Cost::from_seconds(at_best),
            explaining: Cost::from_seconds(explaining),
            settled: true,
        };
        let (near, far, other) = (costs(9.0, 10.0), costs(2.0, 8.0), costs(1.0, 1.0));
        for of_styles in [
            [(0, near), (2, other), (0, far)],
            [(0, far), (0, near), (2, other)],
        ] {
            let by_class = costs_by_class(3, of_styles.into_iter());
            assert_eq!(by_class, [Some(near), None, Some(other)]);
        }
    }
}
