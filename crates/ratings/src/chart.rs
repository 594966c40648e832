//! Draws ratings with their intervals, as an SVG picture.

use std::fmt::Write;

use crate::{Evaluation, Standing};

/// A picture of ratings: a row for each player, the strongest above, with a dot at the rating and a
/// line over its interval.
///
/// ```
/// use apprentice_ratings::{Chart, Evaluation, Matches, Played, Procedure, SystemKind};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna"], &["ben"]))?;
/// let evaluation = Evaluation::of(&matches, SystemKind::default(), &Procedure::default());
/// let svg = Chart::of(&evaluation, "Who is stronger").svg();
/// assert!(svg.starts_with("<svg") && svg.contains(">anna</text>"));
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
pub struct Chart<'a> {
    /// What stands above it.
    pub title: String,
    /// What stands below that.
    pub subtitle: String,
    /// What is drawn, from above.
    pub sections: Vec<Section<'a>>,
}

/// Some of the players, under a heading of their own.
pub struct Section<'a> {
    /// The heading; without one there is none.
    pub heading: String,
    /// Who, the strongest first.
    pub rows: Vec<&'a Standing>,
}

/// More rows than this of one section nobody reads; how many are left out is said.
const MOST_ROWS: usize = 100;

const MARGIN: f64 = 28.0;
const PLOT_WIDTH: f64 = 440.0;
const ROW: f64 = 24.0;
const HEADING: f64 = 34.0;
/// The widest that names may be; longer ones are cut.
const WIDEST_NAME: f64 = 260.0;
/// Room for the rating and its interval in numbers.
const NUMBERS: f64 = 210.0;

const INK: &str = "#1c1c1c";
const FAINT_INK: &str = "#6d6d6d";
const GUIDE: &str = "#e3e1da";
const BAND: &str = "#faf9f5";
/// One for each section; dark enough on white paper, and different in lightness for those who see no
/// colours.
const COLORS: [&str; 4] = ["#00579c", "#c8500a", "#8b3a80", "#3d6b35"];

impl<'a> Chart<'a> {
    /// Everybody in one section.
    pub fn of(evaluation: &'a Evaluation<'_>, title: &str) -> Chart<'a> {
        let profile = evaluation.kind.profile();
        let profile = profile.map_or(String::new(), |it| format!(" ({})", it.name));
        let matches = match evaluation.matches.len() {
            1 => "1 match".to_owned(),
            count => format!("{count} matches"),
        };
        Chart {
            title: title.to_owned(),
            subtitle: format!("{}{profile}, {matches}", evaluation.kind.name()),
            sections: vec![Section {
                heading: String::new(),
                rows: evaluation.standings.iter().collect(),
            }],
        }
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let sections = self.sections.iter();
        let rows = sections.flat_map(|section| section.rows.iter().take(MOST_ROWS));
        let rows: Vec<&Standing> = rows.copied().collect();
        let names = rows.iter().map(|row| width(&row.name, 13.0));
        let name_width = names.fold(60.0, f64::max).min(WIDEST_NAME);
        let left = MARGIN + name_width + 14.0;
        let scale = Scale::of(&rows, left);
        let total = left + PLOT_WIDTH + NUMBERS + MARGIN;

        let mut body = String::new();
        let mut y = MARGIN + 14.0;
        text(
            &mut body,
            MARGIN,
            y,
            &self.title,
            "font-size=\"18\" font-weight=\"bold\"",
        );
        y += 22.0;
        text(
            &mut body,
            MARGIN,
            y,
            &self.subtitle,
            &format!("font-size=\"13\" fill=\"{FAINT_INK}\""),
        );
        y += 22.0;
        legend(&mut body, MARGIN, y);
        y += 16.0;

        let top = y;
        let mut plot = String::new();
        for (number, section) in self.sections.iter().enumerate() {
            let color = COLORS[number % COLORS.len()];
            if !section.heading.is_empty() {
                let paint = format!("font-size=\"14\" font-weight=\"bold\" fill=\"{color}\"");
                text(
                    &mut plot,
                    MARGIN,
                    y + HEADING - 11.0,
                    &section.heading,
                    &paint,
                );
                y += HEADING;
            }
            for (place, row) in section.rows.iter().take(MOST_ROWS).enumerate() {
                if place % 2 == 0 {
                    rect(
                        &mut body,
                        MARGIN - 8.0,
                        y,
                        total - 2.0 * MARGIN + 16.0,
                        ROW,
                        BAND,
                    );
                }
                draw_row(
                    &mut plot,
                    row,
                    y + ROW / 2.0,
                    left,
                    name_width,
                    &scale,
                    color,
                );
                y += ROW;
            }
            if let Some(more) = section.rows.len().checked_sub(MOST_ROWS + 1) {
                let words = format!("and {} more that are not drawn", more + 1);
                let paint = format!("font-size=\"12\" fill=\"{FAINT_INK}\"");
                text(&mut plot, MARGIN, y + 16.0, &words, &paint);
                y += ROW;
            }
        }
        if rows.is_empty() {
            text(
                &mut plot,
                MARGIN,
                y + 16.0,
                "Nobody has played.",
                "font-size=\"13\"",
            );
            y += ROW;
        }
        scale.draw(&mut body, top, y + 4.0);
        let height = y + 36.0;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" \
             fill=\"{INK}\">\n<title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{body}{plot}</svg>\n",
            escape(&self.title),
            escape(&self.subtitle),
            w = px(total.ceil()),
            h = px(height.ceil()),
        )
    }
}

/// What the marks mean.
fn legend(body: &mut String, x: f64, y: f64) {
    let paint = format!("font-size=\"12\" fill=\"{FAINT_INK}\"");
    let color = FAINT_INK;
    whisker(body, x, x + 34.0, y - 4.0, color);
    dot(body, x + 17.0, y - 4.0, color);
    let words = "rating, with the interval that holds it in 95 of 100 cases";
    text(body, x + 42.0, y, words, &paint);
    let x = x + 42.0 + width(words, 12.0) + 18.0;
    diamond(body, x, y - 4.0, color);
    text(
        body,
        x + 12.0,
        y,
        "conservative: three deviations below",
        &paint,
    );
}

fn draw_row(
    plot: &mut String,
    row: &Standing,
    y: f64,
    left: f64,
    name_width: f64,
    scale: &Scale,
    color: &str,
) {
    let name = cut(&row.name, name_width, 13.0);
    text(
        plot,
        left - 14.0,
        y + 4.5,
        &name,
        "font-size=\"13\" text-anchor=\"end\"",
    );
    let rating = row.rating;
    if let Some(interval) = rating.interval {
        whisker(
            plot,
            scale.x(interval.low),
            scale.x(interval.high),
            y,
            color,
        );
    }
    // Where it would be off the axis, it is left out: the numbers would be all there is to see.
    if let Some(conservative) = rating.conservative().filter(|it| *it >= scale.low) {
        diamond(plot, scale.x(conservative), y, color);
    }
    dot(plot, scale.x(rating.value), y, color);
    let decimals = scale.decimals;
    let value = format!("{:.decimals$}", rating.value);
    let right = left + PLOT_WIDTH + 72.0;
    let paint = "font-size=\"13\" text-anchor=\"end\"";
    text(plot, right, y + 4.5, &value, paint);
    if let Some(interval) = rating.interval {
        let (low, high) = (interval.low, interval.high);
        let words = format!("{low:.decimals$} to {high:.decimals$}");
        let paint = format!("font-size=\"13\" fill=\"{FAINT_INK}\"");
        text(plot, right + 16.0, y + 4.5, &words, &paint);
    }
}

/// From ratings to where they are on the paper.
struct Scale {
    low: f64,
    high: f64,
    left: f64,
    step: f64,
    /// Of the numbers beside the rows.
    decimals: usize,
}

impl Scale {
    fn of(rows: &[&Standing], left: f64) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for row in rows {
            let ends = row
                .rating
                .interval
                .map_or([row.rating.value; 2], |it| [it.low, it.high]);
            let reliable = row.rating.conservative();
            for end in ends
                .into_iter()
                .chain(reliable)
                .filter(|end| end.is_finite())
            {
                (low, high) = (low.min(end), high.max(end));
            }
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 * high.abs().max(1.0) {
            (low, high) = (low - 1.0, high + 1.0);
        }
        // Up to nine steps of 1, 2 or 5 times a power of ten.
        let rough = (high - low) / 9.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|it| it * power);
        let step = step
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        let decimals = (1.0 - (step / 2.0).log10().floor()).clamp(0.0, 6.0) as usize;
        Scale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            left,
            step,
            decimals,
        }
    }

    fn x(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.left + PLOT_WIDTH * part.clamp(0.0, 1.0)
    }

    /// The lines of the axis, with their numbers below.
    fn draw(&self, body: &mut String, top: f64, bottom: f64) {
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let count = ((self.high - self.low) / self.step).round() as u32;
        for number in 0..=count.min(50) {
            let value = self.low + self.step * f64::from(number);
            let x = self.x(value);
            let (at, from, to) = (px(x), px(top), px(bottom));
            let _ = writeln!(
                body,
                "<path d=\"M{at} {from}V{to}\" stroke=\"{GUIDE}\" stroke-width=\"1\" fill=\"none\"/>"
            );
            let paint = format!("font-size=\"12\" text-anchor=\"middle\" fill=\"{FAINT_INK}\"");
            text(
                body,
                x,
                bottom + 16.0,
                &format!("{value:.decimals$}"),
                &paint,
            );
        }
    }
}

fn whisker(out: &mut String, low: f64, high: f64, y: f64, color: &str) {
    let (low, high, y, up, down) = (px(low), px(high), px(y), px(y - 4.0), px(y + 4.0));
    let _ = writeln!(
        out,
        "<path d=\"M{low} {y}H{high}M{low} {up}V{down}M{high} {up}V{down}\" stroke=\"{color}\" \
         stroke-width=\"2\" fill=\"none\"/>"
    );
}

fn dot(out: &mut String, x: f64, y: f64, color: &str) {
    let (x, y) = (px(x), px(y));
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{color}\"/>"
    );
}

fn diamond(out: &mut String, x: f64, y: f64, color: &str) {
    let (x, y) = (px(x), px(y - 4.0));
    let _ = writeln!(
        out,
        "<path d=\"M{x} {y}l4 4l-4 4l-4 -4z\" fill=\"#ffffff\" stroke=\"{color}\" \
         stroke-width=\"1.5\"/>"
    );
}

fn rect(out: &mut String, x: f64, y: f64, width: f64, height: f64, color: &str) {
    let (x, y, w, h) = (px(x), px(y), px(width), px(height));
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{color}\"/>"
    );
}

fn text(out: &mut String, x: f64, y: f64, words: &str, paint: &str) {
    let (x, y) = (px(x), px(y));
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" {paint}>{}</text>",
        escape(words)
    );
}

/// Roughly how wide a text is, on the wider side of the usual fonts.
fn width(words: &str, size: f64) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ' ' | '\'' | 't' | 'f' | 'r' => 0.33,
        'm' | 'w' | 'M' | 'W' => 0.86,
        'A'..='Z' => 0.68,
        letter if letter.is_ascii() => 0.57,
        _ => 1.0,
    };
    words.chars().map(letter).sum::<f64>() * size
}

/// As much of a text as fits, with three dots where something is missing.
fn cut(words: &str, room: f64, size: f64) -> String {
    if width(words, size) <= room {
        return words.to_owned();
    }
    let mut kept = String::new();
    for letter in words.chars() {
        if width(&kept, size) + width("m…", size) > room {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}

/// A hundredth of a pixel is finer than any printer.
fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text that cannot be mistaken for markup. What XML forbids, and what turns the direction of
/// writing, is left out.
fn escape(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {}
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}
