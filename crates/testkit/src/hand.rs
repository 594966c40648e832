//! Demonstrations by an idle hand.

use apprentice_experience::{DemonstrationLog, LogHeader, LoggedSample, Place};

use crate::dice::Dice;
use crate::furnishing::{Furnishing, spot};
use crate::ground::Ground;

/// How a hand draws.
#[derive(Clone, Copy)]
enum Manner {
    /// Straight strokes, through whatever is in between.
    Strokes,
    /// In the level as it was some changes ago.
    Old,
    /// Half of the way.
    Half,
    /// This way and that.
    Meandering,
    /// As one should.
    Good,
}

/// What was shown: tables of a scenario file, and the logs they name.
#[derive(Default)]
pub struct Drawing {
    /// The tables `[[demonstration]]`.
    pub tables: String,
    /// Names and texts of the logs.
    pub files: Vec<(String, String)>,
}

/// So many of a hundred demonstrations were played and recorded, the others drawn.
const RECORDED: usize = 20;

impl Drawing {
    /// One to three demonstrations.
    pub fn new(furnishing: &Furnishing, ground: &Ground<'_>, seed: u64) -> Drawing {
        let mut dice = Dice::new(seed, "hand");
        let mut recorder = Dice::new(seed, "recorder");
        let mut drawing = Drawing::default();
        for number in 0..dice.between(1, 3) {
            let manners = [
                Manner::Strokes,
                Manner::Old,
                Manner::Half,
                Manner::Meandering,
                Manner::Good,
            ];
            let manner = *dice.one_of(&manners);
            let line = line(manner, furnishing, ground, &mut dice);
            let table = if recorder.percent(RECORDED) {
                let name = format!("{seed}-shown-{number}.jsonl");
                let table = format!("file = \"{name}\"");
                let log = recorded(&line, ground, &mut recorder);
                drawing.files.push((name, log));
                table
            } else {
                let points: Vec<String> =
                    line.iter().map(|place| spot(ground.map, *place)).collect();
                format!("points = [{}]", points.join(", "))
            };
            drawing.tables += &format!("\n[[demonstration]]\n{table}\n");
        }
        drawing
    }
}

/// The log of somebody who went along a line and stopped to think now and then.
fn recorded(line: &[usize], ground: &Ground<'_>, dice: &mut Dice) -> String {
    let speed = if ground.map.grid().is_some() {
        1.0
    } else {
        2.0
    };
    let mut log = DemonstrationLog {
        header: LogHeader::default(),
        samples: Vec::new(),
    };
    let mut time = 0.0;
    let mut before = None;
    for &place in line {
        let at = ground.map.point_of(place);
        time += before.map_or(0.0, |before| at.distance_to(before) / speed);
        before = Some(at);
        let sample = |time| LoggedSample {
            time,
            place: Place::new(at.x, at.y, ground.map.height_of(place)),
            ..LoggedSample::default()
        };
        log.samples.push(sample(time));
        if dice.percent(5) {
            time += dice.between(1, 20) as f64;
            log.samples.push(sample(time));
        }
        // Two samples are never at the same time.
        time += 0.01;
    }
    log.write().expect("times that grow and places on the map")
}

fn line(
    manner: Manner,
    furnishing: &Furnishing,
    ground: &Ground<'_>,
    dice: &mut Dice,
) -> Vec<usize> {
    let round = furnishing.round(ground);
    match manner {
        Manner::Strokes => {
            let mut line = vec![furnishing.start];
            for _ in 0..dice.below(3) {
                line.push(*dice.one_of(&ground.places));
            }
            let mut openers = furnishing.openers.iter();
            line.extend(openers.next().map(|opener| opener.at));
            line.push(furnishing.goal);
            line
        }
        Manner::Old => {
            // Some of the ground was rock then, the key lay elsewhere, and one began elsewhere.
            let mut rock = vec![false; ground.map.places()];
            for _ in 0..dice.between(2, 10) {
                let at = ground.map.point_of(*dice.one_of(&ground.places));
                let size = dice.between(1, 5) as f64 * ground.map.spacing();
                let places = ground.map.places_within(at, size);
                places.iter().for_each(|place| rock[*place] = true);
            }
            let start = if dice.percent(50) {
                furnishing.start
            } else {
                *dice.one_of(&ground.places)
            };
            let mut line = vec![start];
            let stops = [*dice.one_of(&ground.places), furnishing.goal];
            for stop in stops {
                let here = *line.last().unwrap_or(&start);
                let way = ground.way(here, stop, &rock);
                line.extend(way.unwrap_or_else(|| vec![stop]));
            }
            thinned(&line, dice)
        }
        Manner::Half => {
            let half = round.len() * dice.between(30, 70) / 100;
            thinned(&round[..half.max(1)], dice)
        }
        Manner::Meandering => {
            let mut line = vec![furnishing.start];
            let open = vec![false; ground.map.places()];
            let mut stops: Vec<usize> = (0..dice.between(1, 4))
                .map(|_| *dice.one_of(&ground.places))
                .collect();
            stops.push(furnishing.goal);
            for stop in stops {
                let here = *line.last().unwrap_or(&furnishing.start);
                line.extend(ground.way(here, stop, &open).unwrap_or_default());
            }
            thinned(&line, dice)
        }
        Manner::Good => thinned(&round, dice),
    }
}

/// Every so many points of a line, and its last.
fn thinned(line: &[usize], dice: &mut Dice) -> Vec<usize> {
    let every = dice.between(2, 7);
    let mut points: Vec<usize> = line.iter().copied().step_by(every).collect();
    points.extend(line.last());
    points.dedup();
    points
}
