//! Draws probabilities over time as an SVG picture.

use std::fmt::Write;

/// One class over time.
pub(super) struct Line {
    pub(super) name: String,
    /// By everything so far.
    pub(super) solid: Vec<(f64, f64)>,
    /// By what was done lately.
    pub(super) dashed: Vec<(f64, f64)>,
}

/// A chart with a line, and a dashed one, for each class.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) lines: Vec<Line>,
}

/// Colours that colour-blind people can tell apart (Okabe & Ito 2008).
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333",
];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 34.0;

/// Points that are drawn of a line at most; more are too near each other to be seen.
const POINTS: usize = 2_000;

impl Chart {
    pub(super) fn svg(&self) -> String {
        let times = self
            .lines
            .iter()
            .flat_map(|line| line.solid.iter().map(|point| point.0));
        let last = times.fold(0.0, f64::max).max(1e-9);
        let x = |time: f64| LEFT + time.max(0.0) / last * WIDTH;
        let y = |probability: f64| TOP + (1.0 - probability) * HEIGHT;
        let (whole_width, whole_height) = (LEFT + WIDTH + 150.0, TOP + HEIGHT + 60.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole_width} {whole_height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{}</text>\n",
            escaped(&self.title)
        );
        for percent in [0, 25, 50, 75, 100] {
            let at = y(f64::from(percent) / 100.0);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}h{WIDTH}\" stroke=\"#dddddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
                LEFT - 6.0,
                at + 4.0
            );
        }
        for part in 0..=4 {
            let time = last * f64::from(part) / 4.0;
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{time:.0} s</text>",
                x(time),
                TOP + HEIGHT + 18.0
            );
        }
        for (number, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            for (points, dashes) in [
                (&line.solid, ""),
                (&line.dashed, " stroke-dasharray=\"3 4\""),
            ] {
                let step = points.len().div_ceil(POINTS).max(1);
                let drawn = points.iter().step_by(step).chain(points.last());
                let drawn = drawn.map(|(time, it)| format!("{:.1},{:.1}", x(*time), y(*it)));
                let _ = writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
                    drawn.collect::<Vec<_>>().join(" ")
                );
            }
            let at = TOP + 12.0 + 18.0 * number as f64;
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}h18\" stroke=\"{colour}\" stroke-width=\"3\"/>\
                 <text x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
                LEFT + WIDTH + 8.0,
                at - 4.0,
                LEFT + WIDTH + 32.0,
                escaped(&line.name)
            );
        }
        let _ = writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"{:.1}\" fill=\"#555555\">solid: by everything so far; dashed: by what was \
             done lately</text>\n</svg>",
            TOP + HEIGHT + 42.0
        );
        out
    }
}

/// Text as XML has it. What XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => {}
            '\u{fffe}' | '\u{ffff}' => {}
            letter => out.push(letter),
        }
    }
    out
}
