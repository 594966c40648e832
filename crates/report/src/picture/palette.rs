//! Colours that colour-blind people can tell apart, and that differ in lightness on grey paper.

pub(crate) const PAPER: &str = "#ffffff";
pub(crate) const FLOOR: &str = "#faf9f5";
pub(crate) const WALL: &str = "#55565a";
pub(crate) const INK: &str = "#1c1c1c";
pub(crate) const FAINT_INK: &str = "#6d6d6d";
pub(crate) const GUIDE: &str = "#e3e1da";
pub(crate) const PLAN: &str = "#00579c";
pub(crate) const ENEMY: &str = "#c8500a";
pub(crate) const PLAYER: &str = "#3d8fc4";
pub(crate) const DEMONSTRATION: &str = "#8b3a80";
/// Under the parts of a plan that follow a demonstration.
pub(crate) const FOLLOWED: &str = "#e0b7db";
pub(crate) const METAL: &str = "#c3ccd4";
pub(crate) const GOLD: &str = "#e8c33c";
/// Where a second of a plan counts as less, and as more.
pub(crate) const LIKED: &str = "#7fbf7b";
pub(crate) const AVOIDED: &str = "#9a8c98";
/// Doors that no key opens.
pub(crate) const PLAIN_DOOR: &str = "#d9d9d9";

/// Keys and the doors they open, one colour for all that belong together. After Okabe and Ito, with
/// two of Tol's; beyond these, colours repeat and ids tell.
pub(crate) const KEYS: [&str; 7] = [
    "#e69f00", "#009e73", "#56b4e9", "#cc79a7", "#f0e442", "#44aa99", "#999933",
];

/// From near to far: lightness falls all the way, so that it also reads in black and white.
const NEAR_TO_FAR: [(u8, u8, u8); 6] = [
    (255, 255, 217),
    (213, 239, 178),
    (140, 209, 185),
    (72, 178, 197),
    (52, 122, 182),
    (49, 74, 148),
];

/// The colour of band `band` out of `bands`.
pub(crate) fn band(band: usize, bands: usize) -> String {
    let place = band as f64 / (bands.max(2) - 1) as f64 * (NEAR_TO_FAR.len() - 1) as f64;
    let first = (place as usize).min(NEAR_TO_FAR.len() - 2);
    mixed(
        NEAR_TO_FAR[first],
        NEAR_TO_FAR[first + 1],
        place - first as f64,
    )
}

/// The lowest floor of a level, and the highest, which is as light as any floor.
const LOW_TO_HIGH: [(u8, u8, u8); 2] = [(214, 210, 196), (250, 249, 245)];
const FLOOR_SHADES: f64 = 8.0;

/// The colour of a floor, from 0, the lowest of a level, to 1, the highest. There are nine.
pub(crate) fn floor_shade(part: f64) -> String {
    let [low, high] = LOW_TO_HIGH;
    mixed(low, high, (part * FLOOR_SHADES).round() / FLOOR_SHADES)
}

fn mixed(from: (u8, u8, u8), to: (u8, u8, u8), part: f64) -> String {
    let mix = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8
    };
    format!(
        "#{:02x}{:02x}{:02x}",
        mix(from.0, to.0),
        mix(from.1, to.1),
        mix(from.2, to.2)
    )
}

/// How often a search looked at a cell: once, a few times, many times.
pub(crate) const FOOTPRINTS: [&str; 5] = ["#fdf1d3", "#fae0a4", "#f5c96f", "#e9ab45", "#cf8a2c"];
