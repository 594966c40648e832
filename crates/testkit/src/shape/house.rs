//! A house: rooms wall to wall, each wall with a gap or two.

use super::Canvas;
use crate::dice::Dice;

pub(super) fn carve(canvas: &mut Canvas, dice: &mut Dice) {
    let (width, height) = (canvas.width, canvas.height);
    canvas.fill([1, 1], [width - 2, height - 2], true);
    let least = dice.between(4, 9);
    let mut gaps = Vec::new();
    divide(
        canvas,
        [1, 1, width - 2, height - 2],
        least,
        &mut gaps,
        dice,
    );
    // Walls that were built later must not shut gaps that were left before.
    for [x, y] in gaps {
        canvas.fill([x - 1, y], [3, 1], true);
        canvas.fill([x, y - 1], [1, 3], true);
    }
}

/// Puts a wall across a room and goes on with both halves.
fn divide(
    canvas: &mut Canvas,
    room: [usize; 4],
    least: usize,
    gaps: &mut Vec<[usize; 2]>,
    dice: &mut Dice,
) {
    let [x, y, width, height] = room;
    let is_upright = if width == height {
        dice.percent(50)
    } else {
        width > height
    };
    let length = if is_upright { width } else { height };
    if length < 2 * least + 1 || length < 4 * least && dice.percent(12) {
        return;
    }
    let at = dice.between(least, length - least - 1);
    let across = if is_upright { height } else { width };
    let doors = if across > 12 { dice.between(1, 3) } else { 1 };
    if is_upright {
        canvas.fill([x + at, y], [1, height], false);
    } else {
        canvas.fill([x, y + at], [width, 1], false);
    }
    for _ in 0..doors {
        let gap = dice.below(across);
        gaps.push(if is_upright {
            [x + at, y + gap]
        } else {
            [x + gap, y + at]
        });
    }
    let halves = if is_upright {
        [[x, y, at, height], [x + at + 1, y, width - at - 1, height]]
    } else {
        [[x, y, width, at], [x, y + at + 1, width, height - at - 1]]
    };
    for half in halves {
        divide(canvas, half, least, gaps, dice);
    }
}
