//! How fast one moves, how loud one is, and how much worse enemies are taken to be while planning.

use apprentice_search::Cost;

use crate::{Direction, Gait, Map, Stance};

/// Speeds, noise and options.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Cells or metres a second: walking, sneaking, running. A running speed of 0 means nobody runs.
    pub(crate) speeds: [f64; 3],
    /// What walls and closed doors hide is noticed from half as far.
    pub(crate) line_of_sight: bool,
    /// Whoever blocks moves at half the speed.
    pub(crate) block_slows: bool,
    /// A quest in which the player dies has failed.
    pub(crate) player_must_survive: bool,
    /// Nanoseconds a step takes: not slowed or slowed, by gait, straight or diagonal.
    pub(super) step_times: [[[u64; 2]; 3]; 2],
}

impl Rules {
    /// Speeds in cells or metres a second, on a map with this distance between places.
    pub(crate) fn new(speeds: [f64; 3], spacing: f64) -> Rules {
        let mut rules = Rules {
            speeds,
            line_of_sight: false,
            block_slows: false,
            player_must_survive: false,
            step_times: [[[0; 2]; 3]; 2],
        };
        for (gait, speed) in speeds.into_iter().enumerate() {
            for (slowed, factor) in [1.0, 0.5].into_iter().enumerate() {
                for (diagonal, direction) in [Direction::East, Direction::NorthEast]
                    .into_iter()
                    .enumerate()
                {
                    let seconds = direction.length() * spacing / (speed * factor);
                    rules.step_times[slowed][gait][diagonal] = Cost::round_up(seconds).ticks();
                }
            }
        }
        rules
    }

    /// How many cells or metres a second one moves at this gait; 0 if nobody does.
    pub fn speed(&self, gait: Gait) -> f64 {
        self.speeds[gait as usize]
    }

    /// The greatest speed of a plan that does not run.
    pub fn top_speed(&self) -> f64 {
        self.speed(Gait::Walk)
    }

    /// How much louder than walking a gait is: the factor of every radius of notice.
    #[inline]
    pub const fn noise(gait: Gait) -> f64 {
        match gait {
            Gait::Walk => 1.0,
            Gait::Sneak => 0.35,
            Gait::Run => 1.5,
        }
    }

    /// Whether walls and closed doors hide.
    pub const fn line_of_sight(&self) -> bool {
        self.line_of_sight
    }

    /// The nanoseconds a step to a neighbour takes on level ground.
    #[inline]
    pub(crate) fn step_time(&self, direction: Direction, stance: Stance) -> u64 {
        let slowed = self.block_slows && stance.blocks();
        self.step_times[usize::from(slowed)][stance.gait() as usize]
            [usize::from(direction.is_diagonal())]
    }
}

impl Rules {
    /// On grids one walks a cell a second and nobody runs. On navmeshes one walks two metres a
    /// second and runs four, and walls hide.
    pub(crate) fn usual(map: &Map) -> Rules {
        match map {
            Map::Grid(_) => Rules::default(),
            Map::Mesh(_) => Rules {
                line_of_sight: true,
                ..Rules::new([2.0, 1.0, 4.0], map.spacing())
            },
        }
    }
}

impl Default for Rules {
    /// One cell a second walking, half a cell sneaking; nobody runs.
    fn default() -> Rules {
        Rules::new([1.0, 0.5, 0.0], 1.0)
    }
}

/// How much worse than they are enemies are taken to be while planning, so that plans made with
/// coarse steps still work in a fine-grained world. Guards are exempt: their numbers are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Factor of every damage.
    pub damage: f64,
    /// Factor of every radius of notice.
    pub radius: f64,
}

impl Margins {
    /// No margin: things as they are.
    pub const NONE: Margins = Margins {
        damage: 1.0,
        radius: 1.0,
    };
}

impl Default for Margins {
    fn default() -> Margins {
        Margins {
            damage: 1.5,
            radius: 1.25,
        }
    }
}
