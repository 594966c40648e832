//! Plays a level with a companion and a noisy player, and looks at every frame.

use std::time::Duration;

use apprentice_behavior::{Doing, Settings};
use apprentice_companion::{Companion, Said, Watched, plays_of};
use apprentice_playstyle::Playstyles;
use apprentice_search::Budget;
use apprentice_world::{AgentId, Orders, PlayerModel, World};

use crate::caves::Cave;
use crate::noisy_players::NoisyPlayer;

const TICK: Duration = Duration::from_millis(33);
/// Units of budget for a frame.
pub(crate) const UNITS: u64 = 2_000;
/// Seconds of the game.
const LONGEST: u64 = 180;

/// What came of plays.
#[derive(Debug, Default)]
pub(crate) struct Ran {
    /// In how many both arrived alive.
    pub(crate) together: u64,
    pub(crate) companion_deaths: u64,
    pub(crate) player_deaths: u64,
    /// How often the companion changed its mind.
    pub(crate) changes: u64,
    /// Frames in which it knew no way.
    pub(crate) stuck: u64,
    pub(crate) most_units: u64,
}

impl Ran {
    #[allow(dead_code)] // The tests look at each play for itself.
    pub(crate) fn add(&mut self, other: &Ran) {
        self.together += other.together;
        self.companion_deaths += other.companion_deaths;
        self.player_deaths += other.player_deaths;
        self.changes += other.changes;
        self.stuck += other.stuck;
        self.most_units = self.most_units.max(other.most_units);
    }
}

/// Plays once. Every frame has its order within the budget, and whoever waits says why.
pub(crate) fn play(cave: &Cave, seed: u64) -> Ran {
    let Cave {
        scenario,
        exemplars,
        demonstrations,
        ..
    } = cave;
    let plays = plays_of(scenario, exemplars).expect("the styles fit");
    let classes = Playstyles::learn_labelled(&plays).expect("there are enough");
    let settings = Settings::default();
    let companion = Companion::new(scenario, exemplars, demonstrations, classes, &settings);
    let mut companion = companion.unwrap_or_else(|error| panic!("{error}"));
    let pairs = scenario.styles().iter().zip(exemplars);
    let models = pairs.map(|(style, shown)| {
        PlayerModel::new(scenario, shown, style.stance).expect("the style fits")
    });
    let mut player = NoisyPlayer::new(models.collect(), seed);
    let (mut world, mut events, mut ran) = (World::new(scenario), Vec::new(), Ran::default());
    for _ in 0..LONGEST * 1000 / 33 {
        let mut budget = Budget::units(UNITS);
        let watched = Watched {
            world: &world,
            events: &events,
        };
        let order = companion.decide(scenario, watched, &mut budget);
        ran.most_units = ran.most_units.max(budget.taken());
        assert!(budget.taken() <= UNITS, "{}: over budget", cave.name);
        assert!(!companion.said().to_string().is_empty());
        let doing = companion.character().doing();
        if doing == Doing::Stuck {
            ran.stuck += 1;
            let says = matches!(companion.said(), Said::Stuck { why } if !why.is_empty());
            let gives_up =
                matches!(companion.said(), Said::ByItself { why, .. } if !why.is_empty());
            assert!(says || gives_up, "{}: {}", cave.name, companion.said());
        }
        let is_player_dead = world.is_dead(AgentId::PLAYER, scenario);
        let is_over = is_player_dead || companion.style().is_some();
        if doing == Doing::Dead || doing == Doing::Done && is_over {
            break;
        }
        let asked = player.order(scenario, &world);
        events.clear();
        let orders = Orders::new(order).with_player(asked);
        world.advance(scenario, &orders, TICK, &mut events);
    }
    let dead = |agent| u64::from(world.is_dead(agent, scenario));
    ran.companion_deaths = dead(AgentId::NPC);
    ran.player_deaths = dead(AgentId::PLAYER);
    ran.changes = u64::from(companion.changes());
    let arrived = companion.character().doing() == Doing::Done;
    ran.together = u64::from(arrived && ran.companion_deaths + ran.player_deaths == 0);
    ran
}
