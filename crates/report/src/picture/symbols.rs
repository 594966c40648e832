//! What things look like: keys, shields, levers, enemies, start and goal.

use apprentice_world::ItemKind;

use super::canvas::{Anchor, Canvas, Font, px};
use super::palette::{ENEMY, GOLD, INK, METAL, PAPER, PLAYER};

/// Draws around (0, 0) at size 1, so that a symbol is the same on the map and in the legend.
fn at(canvas: &mut Canvas, x: f64, y: f64, size: f64, draw: impl FnOnce(&mut Canvas)) {
    let (x, y, size) = (px(x), px(y), px(size));
    canvas.group(&format!("transform=\"translate({x} {y}) scale({size})\""));
    draw(canvas);
    canvas.end_group();
}

pub(crate) fn item(canvas: &mut Canvas, x: f64, y: f64, size: f64, kind: ItemKind, color: &str) {
    at(canvas, x, y, size, |canvas| match kind {
        ItemKind::Key => {
            // A dark rim first, the colour on top of it.
            let shape =
                "M-.08 0H.5M.3 0V.22M.47 0V.26M-.08 0A.2 .2 0 1 0 -.48 0A.2 .2 0 1 0 -.08 0Z";
            for (stroke, width) in [(INK, ".3"), (color, ".15")] {
                canvas.path(shape, &format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linecap=\"round\""));
            }
        }
        ItemKind::Shield => {
            let shape = "M-.4 -.45H.4V-.02C.4 .27 .18 .42 0 .5C-.18 .42 -.4 .27 -.4 -.02Z";
            canvas.path(shape, &format!("fill=\"{METAL}\" stroke=\"{INK}\" stroke-width=\".1\" stroke-linejoin=\"round\""));
            canvas.path(
                "M0 -.45V.48M-.4 -.08H.4",
                &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\".07\""),
            );
        }
        ItemKind::Treasure => {
            let shape = "M-.25 -.4H.25L.5 -.08L0 .48L-.5 -.08Z";
            canvas.path(shape, &format!("fill=\"{GOLD}\" stroke=\"{INK}\" stroke-width=\".09\" stroke-linejoin=\"round\""));
            canvas.path(
                "M-.5 -.08H.5M-.18 -.08L0 .48L.18 -.08",
                &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\".05\""),
            );
        }
        ItemKind::Pack { .. } => {
            canvas.raw(&format!("<rect x=\"-.45\" y=\"-.45\" width=\".9\" height=\".9\" rx=\".14\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\".1\"/>"));
            canvas.path(
                "M0 -.28V.28M-.28 0H.28",
                &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\".2\""),
            );
        }
    });
}

pub(crate) fn lever(canvas: &mut Canvas, x: f64, y: f64, size: f64) {
    at(canvas, x, y, size, |canvas| {
        canvas.path(
            "M0 .3L.3 -.28",
            &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\".14\""),
        );
        canvas.raw(&format!("<circle cx=\".32\" cy=\"-.32\" r=\".15\" fill=\"{GOLD}\" stroke=\"{INK}\" stroke-width=\".08\"/>"));
        canvas.raw(&format!("<rect x=\"-.42\" y=\".22\" width=\".84\" height=\".26\" rx=\".06\" fill=\"{METAL}\" stroke=\"{INK}\" stroke-width=\".08\"/>"));
    });
}

/// An enemy, with the first letter of what it is.
pub(crate) fn enemy(canvas: &mut Canvas, x: f64, y: f64, size: f64, kind: &str) {
    let letter = kind
        .chars()
        .next()
        .unwrap_or('?')
        .to_uppercase()
        .to_string();
    person(canvas, x, y, size, ENEMY, &letter);
}

pub(crate) fn player(canvas: &mut Canvas, x: f64, y: f64, size: f64) {
    person(canvas, x, y, size, PLAYER, "P");
}

fn person(canvas: &mut Canvas, x: f64, y: f64, size: f64, color: &str, letter: &str) {
    canvas.circle(
        x,
        y,
        size * 0.5,
        &format!("fill=\"{color}\" stroke=\"{INK}\" stroke-width=\"1.3\""),
    );
    let font = Font {
        size: size * 0.68,
        bold: true,
        color: PAPER,
        rim: false,
    };
    canvas.text(x, y + size * 0.245, letter, Anchor::Middle, font);
}

pub(crate) fn start(canvas: &mut Canvas, x: f64, y: f64, size: f64) {
    canvas.circle(
        x,
        y,
        size * 0.36,
        &format!("fill=\"{INK}\" stroke=\"{PAPER}\" stroke-width=\"2\""),
    );
}

pub(crate) fn goal(canvas: &mut Canvas, x: f64, y: f64, size: f64) {
    canvas.circle(
        x,
        y,
        size * 0.5,
        &format!("fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"2.2\""),
    );
    canvas.circle(x, y, size * 0.22, &format!("fill=\"{INK}\""));
}

/// The number of something that happens.
pub(crate) fn number(canvas: &mut Canvas, x: f64, y: f64, text: &str) {
    let font = NUMBER;
    let width = number_width(text);
    canvas.rect(
        x - width / 2.0,
        y - NUMBER_HEIGHT / 2.0,
        width,
        NUMBER_HEIGHT,
        &format!(
            "rx=\"{}\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\"1.4\"",
            px(NUMBER_HEIGHT / 2.0)
        ),
    );
    canvas.text(x, y + font.size * 0.36, text, Anchor::Middle, font);
}

const NUMBER: Font = Font::PLAIN.sized(11.0).bold();
pub(crate) const NUMBER_HEIGHT: f64 = 17.0;

pub(crate) fn number_width(text: &str) -> f64 {
    (NUMBER.width(text) + 8.0).max(NUMBER_HEIGHT)
}
