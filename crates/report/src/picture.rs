//! Draws a scenario, a plan in it, or what a heuristic estimates, as an SVG picture.

mod areas;
mod canvas;
mod cave;
mod frame;
mod labels;
mod legend;
mod level;
mod palette;
mod shading;
mod spread;
mod symbols;
mod way;

use apprentice_behavior::Explanation;
use apprentice_experience::Demonstration;
use apprentice_world::{Point, Scenario, VerifiedStep, World};

use crate::numbers::short;
use crate::phrases::{self, Phrase, Sort};
use crate::report::Report;
pub use areas::AreaMap;

use canvas::{Anchor, Canvas, Font};
use frame::Frame;
use labels::Labels;
use shading::Shading;

/// What to draw.
pub struct Picture<'a> {
    scenario: &'a Scenario,
    demonstrations: &'a [Demonstration],
    /// The world at the beginning.
    start: &'a World,
    subtitle: String,
    steps: &'a [VerifiedStep],
    phrases: Vec<Phrase>,
    explanation: Option<&'a Explanation>,
    /// Whether the explanation is also told in words.
    explains: bool,
    shading: Option<Shading>,
    /// Points with a value written beside them.
    readings: Vec<(Point, f64)>,
}

/// Room for the numbers of columns and rows.
const MARGIN: f64 = 34.0;
const PANEL_GAP: f64 = 26.0;
const PANEL_WIDTH: f64 = 320.0;

impl<'a> Picture<'a> {
    /// Of a plan.
    pub fn of_plan(report: &'a Report<'a>) -> Picture<'a> {
        let outcome = report.outcome;
        let cost = match &outcome.plan {
            Some(plan) => format!("{} s, ", short(plan.cost.as_seconds(), 1)),
            None => String::new(),
        };
        Picture {
            scenario: report.scenario,
            demonstrations: report.demonstrations,
            start: &outcome.start,
            subtitle: format!("{}: {cost}{}", report.planner.name(), outcome.guarantee),
            steps: report.steps(),
            phrases: phrases::tell(report.scenario, &outcome.start, report.steps()),
            explanation: outcome.explanation.as_ref(),
            explains: report.explains,
            shading: outcome
                .footprints
                .as_ref()
                .map(|counts| Shading::of_footprints(counts)),
            readings: Vec::new(),
        }
    }

    /// Of what a heuristic estimates, place by place, with some of the values written out.
    pub fn of_estimates(
        scenario: &'a Scenario,
        demonstrations: &'a [Demonstration],
        start: &'a World,
        title: &str,
        values: &[f64],
        readings: &[(Point, f64)],
    ) -> Picture<'a> {
        let caption = "estimated seconds to the goal".to_owned();
        Picture {
            scenario,
            demonstrations,
            start,
            subtitle: title.to_owned(),
            steps: &[],
            phrases: Vec::new(),
            explanation: None,
            explains: false,
            shading: Some(Shading::of_estimates(scenario.map(), values, caption)),
            readings: readings.to_vec(),
        }
    }

    /// Of what was shown, before anybody has planned.
    pub fn of_level(
        scenario: &'a Scenario,
        demonstrations: &'a [Demonstration],
        start: &'a World,
        title: &str,
    ) -> Picture<'a> {
        Picture {
            scenario,
            demonstrations,
            start,
            subtitle: title.to_owned(),
            steps: &[],
            phrases: Vec::new(),
            explanation: None,
            explains: false,
            shading: None,
            readings: Vec::new(),
        }
    }

    /// The picture as SVG text.
    pub fn draw(&self) -> String {
        let mut canvas = Canvas::default();
        let map = self.scenario.map();
        let width = MARGIN + Frame::new(map, 0.0, 0.0).width() + PANEL_GAP + PANEL_WIDTH + 20.0;
        let top = self.draw_titles(&mut canvas, width - MARGIN - 20.0) + 26.0;
        let frame = Frame::new(map, MARGIN, top);
        self.draw_map(&mut canvas, &frame);
        let panel = frame.left + frame.width() + PANEL_GAP;
        let bottom = legend::draw(&mut canvas, self, &frame, panel, top, PANEL_WIDTH);
        let height = bottom.max(top + frame.height()) + 20.0;
        canvas.finish(width, height, self.scenario.name(), &self.describe())
    }

    /// Title and subtitle. Returns where they end.
    fn draw_titles(&self, canvas: &mut Canvas, width: f64) -> f64 {
        let mut y = 14.0;
        let title = Font::PLAIN.sized(20.0).bold();
        for line in title.wrap(self.scenario.name(), width) {
            y += 24.0;
            canvas.text(MARGIN, y, &line, Anchor::Start, title);
        }
        let subtitle = Font::PLAIN.sized(13.5);
        for line in subtitle.wrap(&self.subtitle, width) {
            y += 20.0;
            canvas.text(MARGIN, y, &line, Anchor::Start, subtitle);
        }
        y
    }

    /// From what lies below to what lies on top.
    fn draw_map(&self, canvas: &mut Canvas, frame: &Frame) {
        level::define(canvas, frame);
        level::draw_ground(canvas, self.scenario, frame, self.shading.as_ref());
        canvas.group("clip-path=\"url(#map)\"");
        // Zones would tint the shades, and then these could not be read.
        if self.has_zones() {
            level::draw_zones(canvas, self.scenario, frame);
        }
        level::draw_areas(canvas, self.scenario, frame);
        level::draw_traps(canvas, self.scenario, frame);
        canvas.end_group();
        way::draw_demonstrations(canvas, self.scenario, self.demonstrations, frame);
        level::draw_obstacle_ways(canvas, self.scenario, frame);
        if let Some(explanation) = self.explanation {
            way::draw_followed(
                canvas,
                self.scenario,
                self.start,
                self.steps,
                explanation,
                frame,
            );
        }
        way::draw_trails(canvas, self.scenario, self.start, self.steps, frame);
        way::draw_plan(canvas, self.scenario, self.start, self.steps, frame);
        level::draw_doors(canvas, self.scenario, frame);
        level::draw_obstacles(canvas, self.scenario, frame);
        level::draw_things(canvas, self.scenario, frame);
        let mut labels = Labels::within(frame.area());
        level::take_room(&mut labels, self.scenario, frame);
        way::take_room(&mut labels, self.scenario, self.start, self.steps, frame);
        way::take_room_of_demonstrations(&mut labels, self.demonstrations, frame);
        self.draw_numbers(canvas, &mut labels, frame);
        self.draw_readings(canvas, &mut labels, frame);
        level::draw_names(canvas, &mut labels, self.scenario, frame);
    }

    /// Whether any part of a demonstration is followed.
    fn follows(&self) -> bool {
        self.explanation.is_some_and(|explanation| {
            let mut stretches = explanation.stretches.iter();
            stretches.any(|stretch| stretch.follows.is_some())
        })
    }

    /// Whether the zones of enemies are drawn.
    fn has_zones(&self) -> bool {
        !self.shading.as_ref().is_some_and(Shading::is_exact)
    }

    /// The numbers of what happens, where it happens. What happens at one place in a row is one
    /// mark.
    fn draw_numbers(&self, canvas: &mut Canvas, labels: &mut Labels, frame: &Frame) {
        let numbered: Vec<(usize, &Phrase)> = (1..).zip(&self.phrases).collect();
        let is_together = |a: &(usize, &Phrase), b: &(usize, &Phrase)| {
            a.1.sort == Sort::Happening && b.1.sort == Sort::Happening && a.1.at == b.1.at
        };
        for together in numbered.chunk_by(is_together) {
            let (first, phrase) = together[0];
            if phrase.sort == Sort::Way {
                continue;
            }
            let last = first + together.len() - 1;
            let text = if last == first {
                first.to_string()
            } else {
                format!("{first}–{last}")
            };
            let (x, y) = frame.place(phrase.at);
            let size = (symbols::number_width(&text), symbols::NUMBER_HEIGHT);
            let gap = frame.symbol() * 0.5 + 3.0;
            let area = labels.place(x, y, size.0, size.1, gap);
            let (to_x, to_y) = (area.x + size.0 / 2.0, area.y + size.1 / 2.0);
            let leader = format!("stroke=\"{}\" stroke-width=\"1\"", palette::INK);
            canvas.line(&[(x, y), (to_x, to_y)], &leader);
            symbols::number(canvas, to_x, to_y, &text);
        }
    }

    fn draw_readings(&self, canvas: &mut Canvas, labels: &mut Labels, frame: &Frame) {
        let font = Font::PLAIN.bold().rimmed();
        for (at, value) in &self.readings {
            let (x, y) = frame.place(*at);
            let text = if value.is_finite() {
                format!("{} s", short(*value, 1))
            } else {
                "no way".to_owned()
            };
            let look = format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"",
                palette::PAPER,
                palette::INK
            );
            canvas.circle(x, y, 4.0, &look);
            let area = labels.place(x, y, font.width(&text), font.size, 6.0);
            canvas.text(
                area.x,
                area.y + font.size * 0.82,
                &text,
                Anchor::Start,
                font,
            );
        }
    }

    /// The picture in words, for those who cannot see it.
    fn describe(&self) -> String {
        if self.phrases.is_empty() {
            let at = self.start.position(self.scenario.agent(), self.scenario);
            return format!("{}. The start is at {at}.", self.subtitle);
        }
        let told: Vec<String> = (1..)
            .zip(&self.phrases)
            .map(|(number, phrase)| format!("{number} {}", phrase.text))
            .collect();
        format!("{}. {}.", self.subtitle, told.join("; "))
    }
}
