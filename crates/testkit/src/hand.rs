//! Demonstrations by an idle hand.

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

/// One to three demonstrations, each as the points of a `[[demonstration]]` table.
pub(crate) fn draw(furnishing: &Furnishing, ground: &Ground<'_>, dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.between(1, 3) {
        let manners = [
            Manner::Strokes,
            Manner::Old,
            Manner::Half,
            Manner::Meandering,
            Manner::Good,
        ];
        let line = line(*dice.one_of(&manners), furnishing, ground, dice);
        let points: Vec<String> = line.iter().map(|place| spot(ground.map, *place)).collect();
        text += &format!("\n[[demonstration]]\npoints = [{}]\n", points.join(", "));
    }
    text
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
