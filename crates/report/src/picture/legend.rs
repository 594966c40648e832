//! The panel beside the map: the plan in words, what the symbols mean, and the scale.

use apprentice_world::{AgentId, DoorId, Enemy, Gait, ItemKind, Manner, Order, Scenario};

use super::canvas::{Anchor, Canvas, Font, px};
use super::cave;
use super::frame::Frame;
use super::level;
use super::palette::{INK, KEYS, WALL};
use super::shading::{Scale, Shading};
use super::{Picture, symbols, way};
use crate::explanation;
use crate::numbers::short;
use crate::phrases::{self, Ids, Sort};

/// More phrases than this are summed up.
const MOST_PHRASES: usize = 32;

/// And more reasons than this too.
const MOST_REASONS: usize = 20;

const LINE: f64 = 19.0;
const SYMBOL: f64 = 17.0;
/// How much room the symbol in front of a line has.
const INDENT: f64 = 44.0;

/// Draws the panel. Returns where it ends.
pub(crate) fn draw(
    canvas: &mut Canvas,
    picture: &Picture<'_>,
    frame: &Frame,
    left: f64,
    top: f64,
    width: f64,
) -> f64 {
    let mut panel = Panel {
        canvas,
        left,
        width,
        y: top,
    };
    if !picture.phrases.is_empty() {
        panel.plan(picture);
    }
    if picture.explains {
        panel.reasons(picture);
    }
    if let Some(shading) = &picture.shading {
        panel.shades(shading);
    }
    panel.ways(picture);
    panel.things(picture);
    panel.dangers(picture);
    panel.scale(picture, frame);
    panel.y
}

/// A column that grows downwards.
struct Panel<'c> {
    canvas: &'c mut Canvas,
    left: f64,
    width: f64,
    /// Where the next line goes.
    y: f64,
}

impl Panel<'_> {
    fn heading(&mut self, text: &str) {
        self.y += 13.0;
        self.canvas.text(
            self.left,
            self.y,
            text,
            Anchor::Start,
            Font::PLAIN.sized(14.0).bold(),
        );
        self.y += 10.0;
    }

    /// A line with something drawn in front of it, around the place given.
    fn entry(&mut self, text: &str, draw: impl FnOnce(&mut Canvas, f64, f64)) {
        let font = Font::PLAIN;
        draw(
            self.canvas,
            self.left + INDENT / 2.0 - 4.0,
            self.y + LINE / 2.0,
        );
        for line in font.wrap(text, self.width - INDENT) {
            self.canvas.text(
                self.left + INDENT,
                self.y + LINE / 2.0 + 4.5,
                &line,
                Anchor::Start,
                font,
            );
            self.y += LINE;
        }
        self.y += 2.0;
    }

    fn plan(&mut self, picture: &Picture<'_>) {
        self.heading("The plan");
        let all = &picture.phrases;
        let shown = if all.len() > MOST_PHRASES {
            MOST_PHRASES - 1
        } else {
            all.len()
        };
        for (number, phrase) in (1..).zip(&all[..shown]) {
            let time = format!("{:.1} s", phrase.time);
            let (right, middle) = (self.left + self.width, self.y + LINE / 2.0);
            self.canvas
                .text(right, middle + 4.5, &time, Anchor::End, Font::PLAIN.faint());
            let number = number.to_string();
            let happens = phrase.sort == Sort::Happening;
            let font = if happens {
                Font::PLAIN.bold()
            } else {
                Font::PLAIN
            };
            if happens {
                symbols::number(self.canvas, self.left + 12.0, middle, &number);
            } else {
                self.canvas.text(
                    self.left + 12.0,
                    middle + 4.0,
                    &number,
                    Anchor::Middle,
                    Font::PLAIN.sized(11.0).faint(),
                );
            }
            for line in font.wrap(&phrase.text, self.width - 30.0 - 58.0) {
                self.canvas.text(
                    self.left + 30.0,
                    self.y + LINE / 2.0 + 4.5,
                    &line,
                    Anchor::Start,
                    font,
                );
                self.y += LINE;
            }
        }
        if shown < all.len() {
            let more = format!("… and {} more", all.len() - shown);
            self.canvas.text(
                self.left + 30.0,
                self.y + LINE / 2.0 + 4.5,
                &more,
                Anchor::Start,
                Font::PLAIN.faint(),
            );
            self.y += LINE;
        }
        self.y += 12.0;
    }

    fn shades(&mut self, shading: &Shading) {
        self.heading("Shades");
        let font = Font::PLAIN.sized(10.5);
        let count = shading.colors.len();
        let each = (self.width - 14.0) / count as f64;
        let left = self.left + 4.0;
        for (band, color) in shading.colors.iter().enumerate() {
            let x = left + band as f64 * each;
            let look = format!("fill=\"{color}\" stroke=\"{INK}\" stroke-width=\"0.5\"");
            self.canvas.rect(x, self.y, each, 15.0, &look);
        }
        let below = self.y + 27.0;
        match &shading.scale {
            Scale::Limits(limits) => {
                // As many numbers as fit.
                let every = limits.len().div_ceil(9);
                for (place, limit) in limits.iter().enumerate().step_by(every) {
                    let x = left + place as f64 * each;
                    self.canvas
                        .text(x, below, &short(*limit, 1), Anchor::Middle, font);
                }
            }
            Scale::Names(names) => {
                for (place, name) in names.iter().enumerate() {
                    let x = left + (place as f64 + 0.5) * each;
                    self.canvas.text(x, below, name, Anchor::Middle, font);
                }
            }
        }
        self.canvas.text(
            self.left,
            below + 17.0,
            &shading.caption,
            Anchor::Start,
            Font::PLAIN,
        );
        self.y = below + 24.0;
        if shading.leaves_out() {
            self.entry("no way leads to the goal", |canvas, x, y| {
                canvas.rect(
                    x - 16.0,
                    y - 7.0,
                    32.0,
                    14.0,
                    &format!("fill=\"url(#no-way)\" stroke=\"{INK}\" stroke-width=\"0.5\""),
                );
            });
        }
        self.y += 10.0;
    }

    /// Why the plan is where it is.
    fn reasons(&mut self, picture: &Picture<'_>) {
        let Some(explanation) = picture.explanation else {
            return;
        };
        self.heading("Why");
        let lines = explanation::lines(explanation);
        let mut left = MOST_REASONS;
        for line in &lines {
            let shown = line.details.len().min(left.saturating_sub(1));
            if left == 0 {
                break;
            }
            left -= 1 + shown;
            let time = format!("{:.0} s", line.time);
            let middle = self.y + LINE / 2.0 + 4.5;
            let faint = Font::PLAIN.sized(11.0).faint();
            let right = self.left + 26.0;
            self.canvas.text(right, middle, &time, Anchor::End, faint);
            let font = if line.follows {
                Font::PLAIN
            } else {
                Font::PLAIN.bold()
            };
            self.paragraph(&line.text, font, 32.0);
            for detail in &line.details[..shown] {
                self.bullet(detail, 32.0);
            }
        }
        for ignored in &explanation.ignored {
            let why = phrases::why_ignored(&ignored.why, Ids::Quoted);
            let text = format!("ignored `{}`: {why}", ignored.name);
            self.paragraph(&text, Font::PLAIN.faint(), 32.0);
        }
        let all: usize = lines.iter().map(|line| 1 + line.details.len()).sum();
        let more = all - (MOST_REASONS - left);
        if more > 0 {
            self.paragraph(&format!("… and {more} more"), Font::PLAIN.faint(), 32.0);
        }
        self.y += 10.0;
    }

    /// One of several.
    fn bullet(&mut self, text: &str, indent: f64) {
        let (x, y) = (self.left + indent + 4.0, self.y + LINE / 2.0);
        let look = format!("fill=\"{INK}\"");
        self.canvas.circle(x, y, 1.8, &look);
        self.paragraph(text, Font::PLAIN, indent + 12.0);
    }

    /// Text that may take several lines.
    fn paragraph(&mut self, text: &str, font: Font, indent: f64) {
        for line in font.wrap(text, self.width - indent) {
            let (x, y) = (self.left + indent, self.y + LINE / 2.0 + 4.5);
            self.canvas.text(x, y, &line, Anchor::Start, font);
            self.y += LINE;
        }
    }

    fn ways(&mut self, picture: &Picture<'_>) {
        let has_demonstrations = !picture.demonstrations.is_empty();
        if picture.steps.is_empty() && !has_demonstrations {
            return;
        }
        self.heading("Ways");
        for (gait, text) in [
            (Gait::Walk, "the plan, walking"),
            (Gait::Sneak, "the plan, sneaking"),
            (Gait::Run, "the plan, running"),
        ] {
            let goes =
                |order: &Order| matches!(order, Order::Step(_, stance) if stance.gait() == gait);
            if picture.steps.iter().any(|step| goes(&step.order)) {
                self.entry(text, |canvas, x, y| {
                    canvas.line(&[(x - 17.0, y), (x + 17.0, y)], &way::plan_look(gait));
                });
            }
        }
        if has_demonstrations {
            self.entry("a demonstration", |canvas, x, y| {
                canvas.line(&[(x - 17.0, y), (x + 17.0, y)], &way::demonstration_look());
            });
        }
        if picture.follows() {
            self.entry("here the plan follows one", |canvas, x, y| {
                let ends = [(x - 12.0, y), (x + 12.0, y)];
                canvas.line(&ends, &way::followed_look());
                canvas.line(&ends, &way::plan_look(Gait::Walk));
            });
        }
        if let Some(mesh) = picture.scenario.map().mesh() {
            if cave::heights(mesh).is_some() {
                self.entry("floors: the lower, the darker", cave::floor_sample);
            }
            if !mesh.ledges().is_empty() {
                self.entry("a ledge: one falls, and cannot climb", cave::ledge_sample);
            }
            if !mesh.links().is_empty() {
                self.entry("a link: one leaps to its dot", cave::link_sample);
            }
        }
        let movers = way::movers(picture.scenario, picture.start, picture.steps);
        for (is_enemy, text) in [
            (true, "where an enemy went meanwhile"),
            (false, "where the player went meanwhile"),
        ] {
            let of_sort = |agent: &&AgentId| matches!(agent, AgentId::Enemy(_)) == is_enemy;
            if let Some(agent) = movers.iter().find(of_sort) {
                let color = way::trail_color(*agent);
                self.entry(text, |canvas, x, y| {
                    canvas.line(&[(x - 17.0, y), (x + 17.0, y)], &way::trail_look(color));
                });
            }
        }
        self.y += 10.0;
    }

    fn things(&mut self, picture: &Picture<'_>) {
        let scenario = picture.scenario;
        let is_empty = scenario.items().is_empty()
            && scenario.doors().is_empty()
            && scenario.levers().is_empty()
            && scenario.obstacles().is_empty()
            && scenario.traps().is_empty()
            && scenario.areas().is_empty()
            && scenario.actors().len() == 1;
        if is_empty {
            return;
        }
        self.heading("Things");
        let doors = scenario.doors().iter().enumerate();
        let locked: Vec<usize> = doors
            .clone()
            .filter(|(number, _)| level::door_color(scenario, *number).is_some())
            .map(|(number, _)| number)
            .collect();
        if level::has_item(scenario, |kind| kind == ItemKind::Key) {
            let color = locked
                .first()
                .and_then(|door| level::door_color(scenario, *door))
                .unwrap_or(KEYS[0]);
            self.entry("a key; its doors have its colour", |canvas, x, y| {
                symbols::item(canvas, x, y, SYMBOL, ItemKind::Key, color);
            });
        }
        if let Some(number) = locked.first() {
            let door = &scenario.doors()[*number];
            self.entry("a locked door", |canvas, x, y| {
                level::draw_door(
                    canvas,
                    x,
                    y,
                    15.0,
                    level::door_color(scenario, *number),
                    door,
                );
            });
        }
        for (text, wanted) in [
            ("a door opened by a lever or the clock", false),
            ("a door that is open", true),
        ] {
            let found = doors.clone().find(|(number, door)| {
                let is_open = door.starts_open && door.cycle.is_none();
                is_open == wanted
                    && (wanted
                        || scenario
                            .keys_of(DoorId::new(*number as u8))
                            .next()
                            .is_none())
            });
            if let Some((_, door)) = found {
                self.entry(text, |canvas, x, y| {
                    level::draw_door(canvas, x, y, 15.0, None, door);
                });
            }
        }
        let is_pack = |kind: ItemKind| matches!(kind, ItemKind::Pack { .. });
        if level::has_item(scenario, |kind| kind == ItemKind::Shield) {
            self.entry("a shield: half the damage", |canvas, x, y| {
                symbols::item(canvas, x, y, SYMBOL, ItemKind::Shield, "");
            });
        }
        if level::has_item(scenario, |kind| kind == ItemKind::Treasure) {
            self.entry("an item", |canvas, x, y| {
                symbols::item(canvas, x, y, SYMBOL, ItemKind::Treasure, "");
            });
        }
        if level::has_item(scenario, is_pack) {
            self.entry("a health pack", |canvas, x, y| {
                symbols::item(canvas, x, y, SYMBOL, ItemKind::Pack { health: 0.0 }, "");
            });
        }
        if !scenario.levers().is_empty() {
            self.entry("a lever", |canvas, x, y| {
                symbols::lever(canvas, x, y, SYMBOL);
            });
        }
        if !scenario.obstacles().is_empty() {
            self.entry("something that moves by the clock", |canvas, x, y| {
                canvas.rect(
                    x - 6.0,
                    y - 6.0,
                    12.0,
                    12.0,
                    &format!("fill=\"{WALL}\" stroke=\"{INK}\" stroke-width=\"1.2\""),
                );
            });
        }
        let (liked, avoided): (Vec<_>, Vec<_>) =
            scenario.areas().iter().partition(|it| it.counts < 1.0);
        for (areas, text) in [
            (avoided, "an area in which a second counts as more"),
            (liked, "an area in which a second counts as less"),
        ] {
            if let Some(area) = areas.first() {
                self.entry(text, |canvas, x, y| {
                    level::draw_area(canvas, x, y, 14.0, area);
                });
            }
        }
        if !scenario.traps().is_empty() {
            self.entry("a trap: it hurts whoever steps into it", |canvas, x, y| {
                level::draw_trap(canvas, x, y, 14.0);
            });
        }
        if scenario.actors().len() > 1 {
            self.entry("the player", |canvas, x, y| {
                symbols::player(canvas, x, y, SYMBOL);
            });
        }
        self.y += 10.0;
    }

    fn dangers(&mut self, picture: &Picture<'_>) {
        let scenario = picture.scenario;
        if scenario.enemies().is_empty() {
            return;
        }
        self.heading("Dangers");
        let mut told: Vec<String> = Vec::new();
        for enemy in scenario.enemies() {
            let text = danger(scenario, enemy);
            if !told.contains(&text) {
                self.entry(&text, |canvas, x, y| {
                    symbols::enemy(canvas, x, y, SYMBOL, &enemy.kind.name);
                });
                told.push(text);
            }
        }
        if !picture.has_zones() {
            self.y += 10.0;
            return;
        }
        let ignores = |enemy: &Enemy| enemy.ignores(scenario.agent());
        if !scenario.enemies().iter().all(ignores) {
            self.entry("its zone for those who walk", |canvas, x, y| {
                canvas.circle(x, y, 9.0, level::WALKING_ZONE);
            });
            self.entry("its zone for those who sneak", |canvas, x, y| {
                canvas.circle(x, y, 9.0, level::SNEAKING_ZONE);
            });
        }
        if scenario.enemies().iter().any(ignores) {
            let text = "the zone of one that does not notice the agent";
            self.entry(text, |canvas, x, y| {
                canvas.circle(x, y, 9.0, level::IGNORED_ZONE);
            });
        }
        if level::has_margin(scenario) {
            let margin = short(scenario.margins().radius, 2);
            self.entry(&format!("zones of beasts are drawn {margin} times as wide as they are, as plans take them to be"), |_, _, _| {});
        }
        self.y += 10.0;
    }

    fn scale(&mut self, picture: &Picture<'_>, frame: &Frame) {
        self.heading("Scale");
        let cells = level::guide_step(frame);
        let length = cells as f64 * frame.cell;
        let (left, y) = (self.left + 4.0, self.y + 8.0);
        let data = format!("M{} {}v8m0 -4h{}m0 -4v8", px(left), px(y - 4.0), px(length));
        self.canvas.path(
            &data,
            &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\""),
        );
        let seconds = short(cells as f64 / picture.scenario.rules().speed(Gait::Walk), 1);
        let text = match (picture.scenario.grid(), cells) {
            (None, metres) => format!("{metres} m, {seconds} s on foot"),
            (Some(_), 1) => format!("1 cell, {seconds} s on foot"),
            (Some(_), cells) => format!("{cells} cells, {seconds} s on foot"),
        };
        self.canvas.text(
            left + length + 10.0,
            y + 4.5,
            &text,
            Anchor::Start,
            Font::PLAIN,
        );
        self.y += 24.0;
    }
}

/// What is to be feared of an enemy. Plans reckon with more damage than there is, and so do the
/// steps told beside this.
fn danger(scenario: &Scenario, enemy: &Enemy) -> String {
    let mut text = format!("{}: ", crate::phrases::plain(&enemy.kind.name));
    match &enemy.kind.manner {
        Manner::Guard(guard) => {
            text += &format!("{} damage a second in its zone", short(guard.damage, 1));
            if enemy.ignores(scenario.agent()) {
                text += ", but it does not notice the agent";
            }
        }
        Manner::Beast(beast) => {
            let (damage, period) = (short(beast.damage, 1), short(beast.period, 1));
            text += &format!("{damage} damage every {period} s");
            let margin = scenario.margins().damage;
            if enemy.ignores(scenario.agent()) {
                text += ", but it does not notice the agent";
            } else if margin != 1.0 {
                let reckoned = short(beast.damage * margin, 1);
                text += &format!(
                    "; plans reckon with {reckoned}, {} times as much",
                    short(margin, 2)
                );
            }
        }
    }
    text
}
