//! A yard: open ground, with huts, hedges and pillars, and perhaps a fence from side to side.

use super::Canvas;
use crate::dice::Dice;

pub(super) fn carve(canvas: &mut Canvas, dice: &mut Dice) {
    let (width, height) = (canvas.width, canvas.height);
    canvas.fill([1, 1], [width - 2, height - 2], true);
    for _ in 0..width * height / dice.between(60, 300) {
        let (x, y) = (dice.between(1, width - 2), dice.between(1, height - 2));
        let size = match dice.below(4) {
            0 => [dice.between(2, 6), dice.between(2, 5)],
            1 => [dice.between(3, 12), 1],
            2 => [1, dice.between(3, 12)],
            _ => [1, 1],
        };
        let size = [size[0].min(width - 1 - x), size[1].min(height - 1 - y)];
        canvas.fill([x, y], size, false);
    }
    for _ in 0..dice.below(3) {
        let at = dice.between(width / 4, 3 * width / 4);
        canvas.fill([at, 1], [1, height - 2], false);
        for _ in 0..dice.between(1, 2) {
            let gap = dice.between(2, height - 4);
            canvas.fill([at - 1, gap], [3, dice.between(1, 2)], true);
        }
    }
    // A walled hut with one entrance.
    if width > 30 && height > 30 && dice.percent(60) {
        let (x, y) = (dice.between(2, width - 14), dice.between(2, height - 12));
        canvas.fill([x, y], [11, 9], false);
        canvas.fill([x + 1, y + 1], [9, 7], true);
        canvas.fill([x + dice.between(1, 9), y], [1, 1], true);
    }
}
