//! A cave by cellular automaton: rock that is mostly surrounded by rock stays, other rock goes.

use super::Canvas;
use crate::dice::Dice;

pub(super) fn carve(canvas: &mut Canvas, dice: &mut Dice) {
    let rock = dice.between(38, 45);
    for y in 0..canvas.height {
        for x in 0..canvas.width {
            let is_rock = dice.percent(rock);
            canvas.set(x, y, !is_rock);
        }
    }
    for _ in 0..dice.between(3, 6) {
        let before = canvas.free.clone();
        for y in 1..canvas.height - 1 {
            for x in 1..canvas.width - 1 {
                let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
                let free = around.filter(|(x, y)| before[y * canvas.width + x]).count();
                canvas.set(x, y, free >= 5);
            }
        }
    }
    // Halls that water has not joined are joined by whoever wants to use them: by a shaft down the
    // middle and one across.
    let (width, height) = (canvas.width, canvas.height);
    let wide = dice.between(1, 3);
    canvas.fill([2, height / 2], [width - 4, wide], true);
    if dice.percent(50) {
        canvas.fill([width / 2, 2], [wide, height - 4], true);
    }
}
