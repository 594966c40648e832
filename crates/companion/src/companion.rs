//! A character that accompanies a player.

use std::fmt;
use std::time::Duration;

use apprentice_behavior::{BadSetting, Character, Doing, Planner, Settings};
use apprentice_experience::Demonstration;
use apprentice_playstyle::{Distribution, Playstyles, StyleBelief};
use apprentice_search::Budget;
use apprentice_world::{Event, Goal, Order, Performer, Point, Role, Scenario, Style, World};

use crate::ghost::Ghost;
use crate::prepared_style::{PATIENT, PLAYER, PreparedStyle};
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
    character: Character<Scenario>,
    /// What it does while it has no plan for both.
    follower: Follower,
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
        if Role::of(PLAYER).check(scenario).is_err() {
            return Err(CompanionError::NoPlayer);
        }
        let mut styles = Vec::new();
        for (style, exemplar) in scenario.styles().iter().zip(exemplars) {
            let Some(class) = class_of(&classes, style) else {
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
        let who = Performer::from(PATIENT);
        Ok(Companion {
            styles,
            character: Character::new(planner.clone(), who.clone()),
            planner,
            who,
            goal: scenario.goal().clone(),
            belief: StyleBelief::new(classes),
            deeds: Deeds::new(scenario),
            follower: Follower::default(),
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

    /// What to do now. To be called before every advance of the world; it takes no more than the
    /// budget.
    pub fn decide(
        &mut self,
        scenario: &Scenario,
        watched: Watched<'_>,
        budget: &mut Budget<'_>,
    ) -> Order {
        let Watched { world, events } = watched;
        for deed in self.deeds.seen(scenario, world, events) {
            self.belief.observe(deed);
        }
        let now = world.time();
        let is_due = self
            .looked
            .is_none_or(|last| now.saturating_sub(last) >= LOOK);
        if is_due && (0..LOOK_UNITS).all(|_| budget.take()) {
            self.looked = Some(now);
            let ahead = self.deeds.ahead(scenario, world);
            self.belief.moved(&ahead);
        }
        self.make_up_its_mind(scenario, world);
        self.mind_the_player(scenario, world);
        let order = self.act(scenario, world, budget);
        self.tell(now);
        self.last = Some(order);
        order
    }

    /// What to do now: as planned, as long as the plan holds and the player does as it expects.
    fn act(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) -> Order {
        if self.is_alone {
            return self.character.decide(scenario, world, budget);
        }
        if self.joined.is_some() {
            let keeps_plan = |it: &Companion| {
                let character = &it.character;
                let is_sound = character.has_way() && character.rehearsal_failure().is_none();
                it.is_in_step && is_sound || character.doing() == Doing::Done
            };
            // Whoever has to look for the player does so before it thinks.
            let first = match keeps_plan(self) {
                true => None,
                false => Some(self.follower.decide_within(scenario, world, budget)),
            };
            self.character.think(scenario, world, budget);
            if keeps_plan(self) {
                return self.character.order(scenario, world);
            }
            if let Some(order) = first {
                self.character.obey(&order, world);
                return order;
            }
        }
        let order = self.follower.decide_within(scenario, world, budget);
        self.character.obey(&order, world);
        order
    }

    /// How likely each class is.
    pub fn belief(&self) -> &Distribution {
        self.belief.now()
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
        let belief = self.belief.now();
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
        let (prepared, belief) = (&self.styles[style], self.belief.now());
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
        let Some((style, ghost)) = self.joined.zip(self.ghost.as_mut()) else {
            return;
        };
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
                        self.said = Said::NoWay { style: id, why };
                    }
                    None if self.is_alone => self.said = Said::Stuck { why },
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
                            let of = self.belief.now().of(prepared.class);
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
