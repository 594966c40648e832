//! Charts: a line for each planner, gaps where the budget ran out, published values beside ours.

use std::collections::BTreeMap;
use std::fmt;

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use crate::cell::Task;
use crate::definition::ChartSpec;
use crate::measured::Row;
use crate::results::{Outcome, Results};

/// A chart with its lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub across: String,
    /// What goes up.
    pub up: String,
    /// Whether that to the right is shown by its logarithm.
    pub across_scale: Scale,
    /// Whether that which goes up is.
    pub up_scale: Scale,
    /// The lines.
    pub lines: Vec<Line>,
}

/// How numbers are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal factors are equally far apart.
    Logarithmic,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whose.
    pub label: String,
    /// From left to right; where there is no second number the budget ran out, and the line has a gap.
    pub points: Vec<(f64, Option<f64>)>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was measured.
    Measured,
    /// It was published by others, on their machines and maps.
    Published,
}

/// That a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartError(String);

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chart cannot be drawn: {}", self.0)
    }
}

impl std::error::Error for ChartError {}

/// Room for the lines, with their names below: two charts fit beside each other on a page, and their letters can
/// still be read.
const WIDTH: u32 = 460;
const HEIGHT: u32 = 350;

/// How high a line of names is.
const NAMES: u32 = 18;

/// The size of letters, and about how wide one is.
const LETTERS: u32 = 13;
const LETTER_WIDTH: f64 = 6.7;

/// Colours that colour-blind people can tell apart (after Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
    RGBColor(150, 120, 20),
];

const INK: RGBColor = RGBColor(51, 51, 51);
const FAINT: RGBColor = RGBColor(226, 226, 226);

impl Chart {
    /// The charts that a specification asks for, one for each level and branching; none where nothing
    /// was measured.
    pub fn of(spec: &ChartSpec, outcome: &Outcome<'_>, results: &Results<'_>) -> Vec<Chart> {
        let mut groups: Vec<(String, Lines)> = Vec::new();
        let several = {
            let branchings = outcome
                .rows
                .iter()
                .filter_map(|(_, row)| row.cell.planning());
            let mut branchings: Vec<u32> = branchings.map(|it| it.branching).collect();
            branchings.sort_unstable();
            branchings.dedup();
            branchings.len() > 1
        };
        for (label, row) in &outcome.rows {
            let scenario = &row.cell.scenario;
            if !spec.scenarios.is_empty() && !spec.scenarios.contains(scenario) {
                continue;
            }
            let Some(x) = across(spec, row) else { continue };
            // What lies elsewhere is another level: it has charts of its own.
            let is_elsewhere = row.cell.planning().is_some_and(|it| it.items.is_some());
            if is_elsewhere && spec.x != "layout" {
                continue;
            }
            // What has no plan has no first one.
            let is_hopeless = spec.probe.as_deref() == Some("first-plan")
                && row.measured.values.get("solved") == Some(&0.0);
            if is_hopeless {
                continue;
            }
            let branching = row.cell.planning().map_or(0, |it| it.branching);
            let mut group = if spec.together || spec.normalised || scenario == "-" {
                String::new()
            } else {
                scenario.clone()
            };
            if several && branching > 0 {
                group += if group.is_empty() { "" } else { ", " };
                group += &format!("branching {branching}");
            }
            let line = if spec.together {
                format!("{label}, {scenario}")
            } else {
                label.clone()
            };
            let line = if spec.normalised {
                format!("{label}|{scenario}")
            } else {
                line
            };
            let number = groups.iter().position(|(name, _)| *name == group);
            let number = number.unwrap_or_else(|| {
                groups.push((group, Lines::default()));
                groups.len() - 1
            });
            groups[number].1.add(&line, x, up(spec, row, results));
        }
        let of_bounds = spec.x == "bound";
        let charts = groups.into_iter().filter_map(|(group, lines)| {
            let mut lines = lines.finished();
            lines.retain(|line| of_bounds || line.points.len() > 1);
            if spec.sorted {
                lines.iter_mut().for_each(sort);
            }
            if spec.relative {
                lines.iter_mut().for_each(relate);
            }
            if spec.normalised {
                lines = added_up(lines);
            }
            if of_bounds {
                lines.extend(published(spec, outcome, &group));
            }
            let names: Vec<String> = lines.iter().map(|line| line.label.clone()).collect();
            shorten(&mut lines, &names);
            let title = if group.is_empty() {
                spec.title.clone()
            } else {
                format!("{}: {group}", spec.title)
            };
            let scale = |axis: &str| {
                if spec.log.iter().any(|it| it == axis) {
                    Scale::Logarithmic
                } else {
                    Scale::Linear
                }
            };
            (!lines.is_empty()).then(|| Chart {
                title,
                across: in_words(&spec.x).to_owned(),
                up: if spec.relative {
                    format!("{}, times the first", in_words(&spec.y))
                } else if spec.normalised {
                    format!("{}, share of each level", in_words(&spec.y))
                } else {
                    in_words(&spec.y).to_owned()
                },
                across_scale: scale("x"),
                up_scale: scale("y"),
                lines,
            })
        });
        charts.collect()
    }

    /// The chart as SVG text.
    ///
    /// # Errors
    ///
    /// If there is nothing to draw.
    pub fn svg(&self) -> Result<String, ChartError> {
        let values = || self.lines.iter().flat_map(|line| &line.points);
        let across = values().map(|(x, _)| *x);
        let up = values().filter_map(|(_, y)| *y);
        let across = range(across, self.across_scale, false)?;
        let mut up = range(up, self.up_scale, true)?;
        // Nothing costs less than the best.
        if self.up == in_words("ratio") && self.up_scale == Scale::Linear && up.0 == 0.0 {
            up = (1.0, (up.1 / 1.08).max(1.05));
            up.1 = 1.0 + (up.1 - 1.0) * 1.08;
        }
        let mut text = String::new();
        match (self.across_scale, self.up_scale) {
            (Scale::Linear, Scale::Linear) => {
                self.draw(&mut text, across.0..across.1, up.0..up.1, up.1)
            }
            (Scale::Linear, Scale::Logarithmic) => self.draw(
                &mut text,
                across.0..across.1,
                (up.0..up.1).log_scale(),
                up.1,
            ),
            (Scale::Logarithmic, Scale::Linear) => self.draw(
                &mut text,
                (across.0..across.1).log_scale(),
                up.0..up.1,
                up.1,
            ),
            (Scale::Logarithmic, Scale::Logarithmic) => self.draw(
                &mut text,
                (across.0..across.1).log_scale(),
                (up.0..up.1).log_scale(),
                up.1,
            ),
        }
        .map_err(|error| ChartError(error.to_string()))?;
        Ok(text)
    }

    fn draw<X, Y>(
        &self,
        text: &mut String,
        across: X,
        up: Y,
        top: f64,
    ) -> Result<(), Box<dyn std::error::Error>>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
        Y::CoordDescType: ValueFormatter<f64> + Ranged<ValueType = f64>,
    {
        let is_gap = |line: &Line| line.points.iter().any(|(_, y)| y.is_none());
        let has_gaps = self.lines.iter().any(is_gap);
        let names = self.lines.iter().map(|line| line.label.chars().count());
        let longest = 36.0 + names.max().unwrap_or(0) as f64 * LETTER_WIDTH;
        // Short names stand beside each other.
        let columns = (f64::from(WIDTH) / longest).clamp(1.0, 3.0) as usize;
        let names = self.lines.len() + usize::from(has_gaps);
        let legend_height = names.div_ceil(columns) as u32 * NAMES + 10;
        let width = WIDTH;
        let backend = SVGBackend::with_string(text, (width, HEIGHT + legend_height));
        let paper = backend.into_drawing_area();
        paper.fill(&WHITE)?;
        // Long titles are smaller, so that they end where the chart does.
        let fitting = f64::from(width) / self.title.chars().count().max(1) as f64 * 1.85;
        let title = ("sans-serif", fitting.clamp(9.0, 16.0)).into_font();
        let paper = paper.titled(&self.title, title.color(&INK))?;
        let small = ("sans-serif", LETTERS).into_font().color(&INK);
        let (_, height) = paper.dim_in_pixel();
        let (left, legend) = paper.split_vertically(height - legend_height);
        let mut chart = ChartBuilder::on(&left)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(58)
            .build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style(small.clone())
            .axis_desc_style(small.clone())
            .x_desc(&*self.across)
            .y_desc(&*self.up)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|number| short(*number))
            .y_label_formatter(&|number| short(*number))
            .draw()?;
        for (number, line) in self.lines.iter().enumerate() {
            let colour = self.colour(number);
            // What later lines would hide is wider than they are.
            let later = self.lines[number + 1..].iter();
            let hidden = later.filter(|later| later.points == line.points).count() as u32;
            for piece in pieces(&line.points) {
                match line.origin {
                    Origin::Measured => {
                        let stroke = colour.stroke_width(2 + 4 * hidden);
                        chart.draw_series(LineSeries::new(piece.clone(), stroke))?;
                    }
                    Origin::Published => {
                        let dashes = colour.stroke_width(1);
                        let dashed = DashedLineSeries::new(piece.clone(), 5, 4, dashes);
                        chart.draw_series(dashed)?;
                    }
                }
                if line.points.len() <= 24 {
                    let dots = piece.into_iter().map(|at| match line.origin {
                        Origin::Measured => Circle::new(at, 3, colour.filled()),
                        Origin::Published => Circle::new(at, 3, colour.stroke_width(1)),
                    });
                    chart.draw_series(dots)?;
                }
            }
            let beyond = line.points.iter().filter(|(_, y)| y.is_none());
            chart.draw_series(
                beyond.map(|(x, _)| Cross::new((*x, top), 5, colour.stroke_width(2))),
            )?;
        }
        let place = |number: usize| {
            let column = (number % columns) as i32 * (WIDTH as usize / columns) as i32;
            (column + 10, (number / columns) as i32 * NAMES as i32 + 10)
        };
        for (number, line) in self.lines.iter().enumerate() {
            let colour = self.colour(number);
            let (x, y) = place(number);
            let key = [(x, y), (x + 18, y)];
            match line.origin {
                Origin::Measured => {
                    legend.draw(&PathElement::new(key, colour.stroke_width(3)))?;
                }
                Origin::Published => {
                    for part in [0, 7, 14] {
                        let dash = [(x + part, y), (x + part + 4, y)];
                        legend.draw(&PathElement::new(dash, colour.stroke_width(1)))?;
                    }
                }
            }
            legend.draw(&Text::new(
                line.label.clone(),
                (x + 24, y - 6),
                small.clone(),
            ))?;
        }
        if has_gaps {
            let (x, y) = place(self.lines.len());
            legend.draw(&Cross::new((x + 9, y), 5, INK.stroke_width(2)))?;
            legend.draw(&Text::new(
                "beyond the limit".to_owned(),
                (x + 24, y - 6),
                small,
            ))?;
        }
        legend.present()?;
        Ok(())
    }

    /// The colour of a line: that of the one it is published beside, or the next.
    fn colour(&self, number: usize) -> RGBColor {
        let label = &self.lines[number].label;
        let same = label.strip_suffix(", published");
        let beside = same.and_then(|name| self.lines.iter().position(|line| line.label == name));
        COLOURS[beside.unwrap_or(number) % COLOURS.len()]
    }
}

/// Points of a line, from left to right, each with what was measured there.
type Points = BTreeMap<u64, (f64, Vec<Option<f64>>)>;

/// Lines by their labels, in the order in which they come up.
#[derive(Default)]
struct Lines {
    labels: Vec<String>,
    points: Vec<Points>,
}

impl Lines {
    fn add(&mut self, label: &str, x: f64, y: Option<f64>) {
        let known = self.labels.iter().position(|it| it == label);
        let number = known.unwrap_or_else(|| {
            self.labels.push(label.to_owned());
            self.points.push(BTreeMap::new());
            self.labels.len() - 1
        });
        // Numbers from 0 on are in the order of their bits.
        let point = self.points[number].entry(x.to_bits());
        point.or_insert_with(|| (x, Vec::new())).1.push(y);
    }

    fn finished(self) -> Vec<Line> {
        let lines = self.labels.into_iter().zip(self.points);
        let mean = |all: Vec<Option<f64>>| {
            let count = all.len() as f64;
            let all: Option<Vec<f64>> = all.into_iter().collect();
            all.map(|all| all.iter().sum::<f64>() / count)
        };
        let line = |(label, points): (String, Points)| Line {
            label,
            points: points
                .into_values()
                .map(|(x, all)| (x, mean(all)))
                .collect(),
            origin: Origin::Measured,
        };
        lines.map(line).collect()
    }
}

/// What goes to the right, if the row is one of the chart.
fn across(spec: &ChartSpec, row: &Row) -> Option<f64> {
    match (&row.cell.task, &spec.probe) {
        (Task::Probe(probing), Some(probe)) if probing.probe == *probe => Some(probing.number),
        (Task::Plan(planning), None) => {
            let varied = [
                planning.cuts,
                planning.random_events,
                planning.repeated_events,
            ];
            let planner = &planning.planner;
            let only = |chosen: usize| {
                let others = varied.iter().enumerate().filter(|(it, _)| *it != chosen);
                let is_only = others.map(|(_, count)| count).all(|count| *count == 0);
                is_only.then(|| f64::from(varied[chosen]))
            };
            match &*spec.x {
                "cuts" => only(0),
                "random_events" => only(1),
                "repeated_events" => only(2),
                "bound" => planner.bound,
                "epsilon" => planner.epsilon.filter(|_| planner.planner == "tgraph"),
                "w1" => planner.w1,
                "extra_turns" => planner.extra_turns.map(f64::from),
                "layout" => planning.items.map(|seed| seed as f64),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What goes up; nothing where the budget ran out.
fn up(spec: &ChartSpec, row: &Row, results: &Results<'_>) -> Option<f64> {
    let measured = &row.measured;
    let found = |number: f64| measured.is_found().then_some(number);
    match &*spec.y {
        "expansions" => found(measured.expansions as f64),
        "work" => found(measured.work as f64),
        "cost" => measured.cost,
        "ratio" => Some(measured.cost? / results.optimum(row)?),
        "coverage" => measured.coverage,
        "fidelity" => measured.fidelity,
        "time_ms" if row.cell.planning().is_some() => found(row.clocks.time_ms),
        "time_ms" => Some(row.clocks.time_ms),
        name => measured.values.get(name).copied(),
    }
}

fn sort(line: &mut Line) {
    let mut up: Vec<Option<f64>> = line.points.iter().map(|(_, y)| *y).collect();
    let key = |y: &Option<f64>| y.unwrap_or(f64::INFINITY);
    up.sort_by(|one, other| key(one).total_cmp(&key(other)));
    line.points = (1..).map(f64::from).zip(up).collect();
}

fn relate(line: &mut Line) {
    let first = line.points.first().and_then(|(_, y)| *y);
    if let Some(first) = first.filter(|first| *first > 0.0) {
        for (_, y) in &mut line.points {
            *y = y.map(|y| y / first);
        }
    }
}

/// Each level's line divided by its sum, and added up by planner.
fn added_up(lines: Vec<Line>) -> Vec<Line> {
    let mut sums: Vec<Line> = Vec::new();
    for line in lines {
        let label = line.label.split('|').next().unwrap_or_default();
        let total: f64 = line.points.iter().filter_map(|(_, y)| *y).sum();
        let share = |y: Option<f64>| y.filter(|_| total > 0.0).map(|y| y / total);
        let known = sums.iter_mut().find(|sum| sum.label == label);
        match known {
            Some(sum) => {
                for ((_, into), (_, y)) in sum.points.iter_mut().zip(&line.points) {
                    *into = into.zip(share(*y)).map(|(one, other)| one + other);
                }
            }
            None => sums.push(Line {
                label: label.to_owned(),
                points: line.points.iter().map(|(x, y)| (*x, share(*y))).collect(),
                origin: Origin::Measured,
            }),
        }
    }
    sums
}

/// What was published for a level, by bound.
fn published(spec: &ChartSpec, outcome: &Outcome<'_>, group: &str) -> Vec<Line> {
    let mut lines = Lines::default();
    let all = outcome.definition.published.iter();
    for it in all.filter(|it| group.split(", ").next() == Some(&*it.scenario)) {
        let y = match &*spec.y {
            "expansions" => it.expansions,
            "cost" => it.cost,
            "time_ms" => it.time_ms,
            _ => None,
        };
        if let (Some(x), Some(y)) = (it.bound, y) {
            lines.add(&format!("{}, published", it.label), x, Some(y));
        }
    }
    let mut lines = lines.finished();
    for line in &mut lines {
        line.origin = Origin::Published;
    }
    lines
}

/// Leaves out what all labels begin with, where several levels share one planner.
fn shorten(lines: &mut [Line], names: &[String]) {
    let Some((first, _)) = names.first().and_then(|name| name.split_once(", ")) else {
        return;
    };
    let prefix = format!("{first}, ");
    if lines.len() > 1 && names.iter().all(|name| name.starts_with(&prefix)) {
        for line in lines {
            line.label = line.label[prefix.len()..].to_owned();
        }
    }
}

/// Points without a gap between them.
fn pieces(points: &[(f64, Option<f64>)]) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = vec![Vec::new()];
    for (x, y) in points {
        match (y, pieces.last_mut()) {
            (Some(y), Some(piece)) => piece.push((*x, *y)),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// From where to where an axis goes.
fn range(
    values: impl Iterator<Item = f64>,
    scale: Scale,
    has_room: bool,
) -> Result<(f64, f64), ChartError> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|it| it.is_finite() && (scale == Scale::Linear || *it > 0.0)) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        return Err(ChartError("there is no point in it".to_owned()));
    }
    Ok(match scale {
        Scale::Logarithmic if has_room => (low / 1.5, high * 1.5),
        Scale::Logarithmic if low == high => (low / 2.0, high * 2.0),
        Scale::Logarithmic => (low, high),
        // What goes up begins at 0, or differences look larger than they are.
        Scale::Linear if has_room => (low.min(0.0), if high > 0.0 { high * 1.08 } else { 1.0 }),
        Scale::Linear if low == high => (low - 1.0, high + 1.0),
        Scale::Linear => (low, high),
    })
}

fn short(number: f64) -> String {
    let size = number.abs();
    if number != 0.0 && !(1e-3..1e5).contains(&size) {
        let exponent = size.log10().floor();
        let digits = number / 10f64.powf(exponent);
        if (digits - 1.0).abs() < 1e-9 {
            return format!("1e{exponent}");
        }
        return format!("{digits:.1}e{exponent}");
    }
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn in_words(name: &str) -> &str {
    match name {
        "time_ms" => "milliseconds",
        "cost" => "seconds",
        "ratio" => "times the best",
        "coverage" => "share of the demonstration",
        "extra_turns" => "extra turns",
        "random_events" => "random events",
        "repeated_events" => "repeated events",
        "cuts" => "cuts in every piece",
        "epsilon" => "ε",
        "number" => "size",
        other => other,
    }
}
