//! A maze: passages that branch until all of the ground is used, and a few walls taken out again.

use super::Canvas;
use crate::dice::Dice;

pub(super) fn carve(canvas: &mut Canvas, dice: &mut Dice) {
    let wide = *dice.one_of(&[1, 1, 2, 2, 3]);
    let pitch = wide + 1;
    let (columns, rows) = ((canvas.width - 1) / pitch, (canvas.height - 1) / pitch);
    let cell = |place: usize| [1 + place % columns * pitch, 1 + place / columns * pitch];
    let open = |canvas: &mut Canvas, from: usize, to: usize| {
        let ([x, y], [to_x, to_y]) = (cell(from), cell(to));
        let size = [x.abs_diff(to_x) + wide, y.abs_diff(to_y) + wide];
        canvas.fill([x.min(to_x), y.min(to_y)], size, true);
    };
    let neighbors = |place: usize| {
        let (x, y) = (place % columns, place / columns);
        let mut beside = Vec::with_capacity(4);
        beside.extend((x > 0).then(|| place - 1));
        beside.extend((x + 1 < columns).then_some(place + 1));
        beside.extend((y > 0).then(|| place - columns));
        beside.extend((y + 1 < rows).then_some(place + columns));
        beside
    };
    let mut seen = vec![false; columns * rows];
    let first = dice.below(columns * rows);
    seen[first] = true;
    let mut trail = vec![first];
    open(canvas, first, first);
    while let Some(&here) = trail.last() {
        let mut next = neighbors(here);
        next.retain(|place| !seen[*place]);
        if next.is_empty() {
            trail.pop();
            continue;
        }
        let to = *dice.one_of(&next);
        seen[to] = true;
        open(canvas, here, to);
        trail.push(to);
    }
    for _ in 0..columns * rows * dice.between(2, 12) / 100 {
        let from = dice.below(columns * rows);
        let to = *dice.one_of(&neighbors(from));
        open(canvas, from, to);
    }
}
