//! Writes SVG: shapes, text and numbers, nothing of what they mean.

use std::fmt::Write;

use crate::visible::is_invisible;

use super::palette;
use crate::numbers::short;

/// Shapes drawn so far. Coordinates are pixels.
#[derive(Default)]
pub(crate) struct Canvas {
    body: String,
}

/// Where text stands relative to its place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How text looks.
#[derive(Clone, Copy)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) color: &'static str,
    /// With a rim of paper around the letters, so that it reads on anything.
    pub(crate) rim: bool,
}

impl Font {
    pub(crate) const PLAIN: Font = Font {
        size: 12.5,
        bold: false,
        color: palette::INK,
        rim: false,
    };

    pub(crate) const fn sized(self, size: f64) -> Font {
        Font { size, ..self }
    }

    pub(crate) const fn bold(self) -> Font {
        Font { bold: true, ..self }
    }

    pub(crate) const fn faint(self) -> Font {
        Font {
            color: palette::FAINT_INK,
            ..self
        }
    }

    pub(crate) const fn rimmed(self) -> Font {
        Font { rim: true, ..self }
    }

    /// Roughly how wide a text will be. Nobody knows which sans-serif font a reader has; this is
    /// the wider side of the usual ones.
    pub(crate) fn width(&self, text: &str) -> f64 {
        let letter = |letter: char| match letter {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '(' | ')' | 't' | 'f' | 'r'
            | ' ' => 0.33,
            'm' | 'w' | 'M' | 'W' => 0.86,
            'A'..='Z' => 0.68,
            _ => 0.57,
        };
        let width: f64 = text.chars().map(letter).sum();
        width * self.size * if self.bold { 1.18 } else { 1.02 }
    }

    /// Breaks a text into lines that fit. What stands in parentheses, as coordinates do, stays
    /// together.
    pub(crate) fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        let mut lines = vec![String::new()];
        let mut depth = 0;
        let is_break = |letter: char| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ' ' && depth <= 0
        };
        for word in text.split(is_break).filter(|word| !word.is_empty()) {
            let last = lines.len() - 1;
            let longer = match lines[last].as_str() {
                "" => word.to_owned(),
                line => format!("{line} {word}"),
            };
            if self.width(&longer) <= width || lines[last].is_empty() {
                lines[last] = longer;
            } else {
                lines.push(word.to_owned());
            }
        }
        lines
    }
}

impl Canvas {
    /// The whole picture.
    pub(crate) fn finish(self, width: f64, height: f64, title: &str, description: &str) -> String {
        let (w, h) = (px(width.ceil()), px(height.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <title>{}</title>\n<desc>{}</desc>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n{}</svg>\n",
            escape(title),
            escape(description),
            palette::PAPER,
            self.body,
        )
    }

    /// Adds an element as it is written.
    pub(crate) fn raw(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Begins a group with these attributes.
    pub(crate) fn group(&mut self, attributes: &str) {
        let _ = writeln!(self.body, "<g {attributes}>");
    }

    pub(crate) fn end_group(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// A path with these attributes; nothing for an empty one.
    pub(crate) fn path(&mut self, data: &str, attributes: &str) {
        if !data.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{data}\" {attributes}/>");
        }
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, attributes: &str) {
        let (x, y, r) = (px(x), px(y), px(radius));
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {attributes}/>"
        );
    }

    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, attributes: &str) {
        let (x, y, w, h) = (px(x), px(y), px(width), px(height));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {attributes}/>"
        );
    }

    /// A line through these places.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], attributes: &str) {
        self.path(&line_data(points), &format!("fill=\"none\" {attributes}"));
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, text: &str, anchor: Anchor, font: Font) {
        let (x, y, size) = (px(x), px(y), px(font.size));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if font.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let mut write = |paint: &str| {
            let _ = writeln!(
                self.body,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {paint}{anchor}{weight}>{}</text>",
                escape(text)
            );
        };
        // The rim is drawn first, as text of its own: not everything that shows SVG knows how to draw
        // it behind the letters.
        if font.rim {
            let paper = palette::PAPER;
            write(&format!(
                "fill=\"{paper}\" stroke=\"{paper}\" stroke-width=\"3.5\" stroke-linejoin=\"round\""
            ));
        }
        write(&format!("fill=\"{}\"", font.color));
    }
}

/// A line through these places, as path data.
pub(crate) fn line_data(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    for (place, (x, y)) in points.iter().enumerate() {
        let command = if place == 0 { 'M' } else { 'L' };
        let _ = write!(data, "{command}{} {}", px(*x), px(*y));
    }
    data
}

/// A coordinate: a hundredth of a pixel is finer than any printer.
pub(crate) fn px(value: f64) -> String {
    short(value, 2)
}

/// Text that cannot be mistaken for markup. What XML forbids altogether is left out.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => {}
            '\n' | '\t' => escaped.push(' '),
            other if is_invisible(other) => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(
            escape("<a & \"b\">\u{0}\u{FFFF}\u{202E}"),
            "&lt;a &amp; &quot;b&quot;&gt;"
        );
    }

    #[test]
    fn long_text_is_wrapped_and_long_words_are_not_broken() {
        let font = Font::PLAIN;
        let lines = font.wrap(
            "one two three incomprehensibilities",
            font.width("one two "),
        );
        assert_eq!(lines, ["one two", "three", "incomprehensibilities"]);
        let lines = font.wrap("walk to (7, 32)", font.width("walk to (7,"));
        assert_eq!(lines, ["walk to", "(7, 32)"]);
    }
}
