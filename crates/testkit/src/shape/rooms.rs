//! Rooms here and there, and passages from each to the next.

use super::Canvas;
use crate::dice::Dice;

pub(super) fn carve(canvas: &mut Canvas, dice: &mut Dice) {
    let wanted = canvas.width * canvas.height / dice.between(150, 400);
    let mut rooms: Vec<[usize; 4]> = Vec::new();
    for _ in 0..wanted.max(3) * 8 {
        let width = dice.between(3, 12).min(canvas.width - 4);
        let height = dice.between(3, 10).min(canvas.height - 4);
        let x = dice.between(1, canvas.width - width - 1);
        let y = dice.between(1, canvas.height - height - 1);
        let is_apart = |other: &[usize; 4]| {
            let [left, top, wide, high] = *other;
            x > left + wide + 1
                || left > x + width + 1
                || y > top + high + 1
                || top > y + height + 1
        };
        if rooms.len() < wanted.max(3) && rooms.iter().all(is_apart) {
            canvas.fill([x, y], [width, height], true);
            rooms.push([x, y, width, height]);
        }
    }
    let width = if dice.percent(70) { 1 } else { 2 };
    for pair in rooms.windows(2) {
        dig(canvas, pair[0], pair[1], width, dice);
    }
    for _ in 0..rooms.len() / dice.between(2, 6) {
        let (from, to) = (*dice.one_of(&rooms), *dice.one_of(&rooms));
        dig(canvas, from, to, width, dice);
    }
}

/// A passage with one bend.
fn dig(canvas: &mut Canvas, from: [usize; 4], to: [usize; 4], width: usize, dice: &mut Dice) {
    let mut within =
        |[x, y, width, height]: [usize; 4]| [x + dice.below(width), y + dice.below(height)];
    let ([x, y], [to_x, to_y]) = (within(from), within(to));
    let (bend_x, bend_y) = if dice.percent(50) {
        (to_x, y)
    } else {
        (x, to_y)
    };
    for [a_x, a_y, b_x, b_y] in [[x, y, bend_x, bend_y], [bend_x, bend_y, to_x, to_y]] {
        let corner = [a_x.min(b_x), a_y.min(b_y)];
        canvas.fill(
            corner,
            [a_x.abs_diff(b_x) + width, a_y.abs_diff(b_y) + width],
            true,
        );
    }
}
