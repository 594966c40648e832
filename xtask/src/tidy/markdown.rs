//! The two things tidy needs to know about a Markdown text: its fenced blocks and its links.

/// A fenced code block.
pub(crate) struct Block<'a> {
    /// The first word after the fence, up to a comma: `rust` in `rust,no_run`.
    pub(crate) tag: &'a str,
    /// Where the fence opens, counted from 1.
    pub(crate) line: usize,
    /// The lines inside, each with its number in the file.
    pub(crate) lines: Vec<(usize, &'a str)>,
}

/// The target of a link, as written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link<'a> {
    pub(crate) line: usize,
    pub(crate) target: &'a str,
}

/// Every fenced block, in order. A fence that is never closed ends with the text.
pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    parse(text).0
}

/// Every link outside code: inline, by reference, and in the attributes of HTML.
pub(crate) fn links(text: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (number, line) in parse(text).1 {
        let code = code_spans(line);
        let mut add = |from: usize, end: &[char]| {
            if code.iter().any(|span| span.contains(&from)) {
                return;
            }
            let target = line[from..].split(end).next().unwrap_or_default();
            let target = target.trim_start_matches('<').trim_end_matches('>');
            links.push(Link {
                line: number,
                target,
            });
        };
        for (at, opening) in line.match_indices("](") {
            add(at + opening.len(), &[')', ' ']);
        }
        for attribute in ["src=\"", "href=\""] {
            for (at, opening) in line.match_indices(attribute) {
                add(at + opening.len(), &['"']);
            }
        }
        // `[name]: target`, but not a footnote `[^name]: text`.
        if line.starts_with('[')
            && !line.starts_with("[^")
            && let Some((_, rest)) = line.split_once("]: ")
        {
            let target = rest.trim_start();
            add(line.len() - target.len(), &[' ']);
        }
    }
    links
}

type NumberedLine<'a> = (usize, &'a str);

/// Splits a text into its fenced blocks and the lines outside them.
fn parse(text: &str) -> (Vec<Block<'_>>, Vec<NumberedLine<'_>>) {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut prose = Vec::new();
    let mut open_fence: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match (open_fence, fence(line)) {
            (None, Some((fence, info))) => {
                let tag = info.split([',', ' ']).next().unwrap_or_default();
                blocks.push(Block {
                    tag,
                    line: number,
                    lines: Vec::new(),
                });
                open_fence = Some(fence);
            }
            (None, None) => prose.push((number, line)),
            (Some(opening), Some((closing, ""))) if closing.starts_with(opening) => {
                open_fence = None;
            }
            (Some(_), _) => {
                let block = blocks
                    .last_mut()
                    .expect("an open fence has pushed its block");
                block.lines.push((number, line));
            }
        }
    }
    (blocks, prose)
}

/// The fence a line consists of and what follows it, if it is one.
fn fence(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = line
        .chars()
        .next()
        .filter(|mark| ['`', '~'].contains(mark))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    let (fence, info) = line.split_at(length);
    // A run of backticks with another one behind it is a code span.
    (length >= 3 && !info.contains('`')).then(|| (fence, info.trim()))
}

/// The byte ranges of a line that lie between single backticks.
fn code_spans(line: &str) -> Vec<std::ops::Range<usize>> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_know_their_tag_and_the_lines_inside() {
        let text = "# Title\n\n```map\na/  x\n```\n\n~~~rust,no_run\n```\nlet x;\n~~~\n";
        let blocks = blocks(text);
        assert_eq!(blocks.len(), 2);
        assert_eq!((blocks[0].tag, blocks[0].line), ("map", 3));
        assert_eq!(blocks[0].lines, [(4, "a/  x")]);
        assert_eq!(blocks[1].tag, "rust");
        assert_eq!(blocks[1].lines, [(8, "```"), (9, "let x;")]);
    }

    #[test]
    fn links_are_found_inline_by_reference_and_in_html() {
        let text = "See [`the map`](ARCHITECTURE.md#map \"title\") and [b](<c.md>).\n\
                    <img src=\"plan.svg\">\n\
                    [name]: book/src/a.md\n\
                    [^note]: not a link";
        let found: Vec<(usize, &str)> = links(text)
            .iter()
            .map(|link| (link.line, link.target))
            .collect();
        assert_eq!(
            found,
            [
                (1, "ARCHITECTURE.md#map"),
                (1, "c.md"),
                (2, "plan.svg"),
                (3, "book/src/a.md")
            ]
        );
    }

    #[test]
    fn links_inside_code_are_not_links() {
        assert_eq!(links("Write `[a](b.md)`.\n```\n[a](b.md)\n```\n"), []);
    }
}
