//! One page with everything: what was asked, what came out, and whether it is what the papers say. It needs
//! no other file.

use std::collections::BTreeMap;
use std::fmt::Write;

use apprentice_ratings::Section;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::VERSION;
use crate::chart::Chart;
use crate::definition::{Extent, Form};
use crate::form;
use crate::levels::Levels;
use crate::measured::Row;
use crate::pictures;
use crate::results::{Outcome, Results};
use crate::verdicts::{Measure, Table, Verdict, rating_tables, verdicts};

/// Everything that is written about results.
#[derive(Clone, Debug)]
pub struct Report {
    /// The table of all cells.
    pub csv: String,
    /// The page.
    pub html: String,
    /// What is said about every assertion.
    pub verdicts: Vec<Verdict>,
    /// Charts and pictures by the names of their files.
    pub charts: Vec<(String, String)>,
}

/// Whether maps are drawn, which takes as long as planning their quests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    /// They are.
    Drawn,
    /// They are left out.
    LeftOut,
}

impl Report {
    /// Of results.
    pub fn of(results: &Results<'_>, levels: &Levels, pictures: Pictures) -> Report {
        let verdicts = verdicts(results);
        let mut charts = Vec::new();
        let mut sections = String::new();
        for outcome in &results.experiments {
            section(
                &mut sections,
                outcome,
                results,
                &verdicts,
                levels,
                pictures,
                &mut charts,
            );
        }
        Report {
            csv: results.csv(),
            html: page(results, &verdicts, &sections),
            verdicts,
            charts,
        }
    }

    /// The verdicts as a document.
    pub fn verdicts_json(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string_pretty(&self.verdicts).unwrap_or_default() + "\n"
    }

    /// The verdicts as a page in Markdown, for books.
    pub fn verdicts_markdown(&self) -> String {
        let mut text =
            String::from("| | Asserted | | Measured | What it means |\n|---|---|---|---|---|\n");
        for verdict in &self.verdicts {
            let word = match verdict.holds {
                Some(true) => "holds",
                Some(false) => "**fails**",
                None => "not looked at",
            };
            let cells =
                [&verdict.published, &verdict.measured, &verdict.why].map(|it| in_markdown(it));
            let [asserted, measured, why] = cells;
            let _ = writeln!(
                text,
                "| {} | {asserted} | {word} | {measured} | {why} |",
                verdict.id
            );
        }
        text
    }

    /// Every file there is: its name in the folder of the results, and what is in it.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![
            ("results.csv".to_owned(), self.csv.clone()),
            ("verdicts.json".to_owned(), self.verdicts_json()),
            ("verdicts.md".to_owned(), self.verdicts_markdown()),
            ("report.html".to_owned(), self.html.clone()),
        ];
        files.extend(self.charts.iter().cloned());
        files
    }
}

/// Text that stays what it is in a table in Markdown.
fn in_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\*_|<>[]`#".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// How many hold, fail, and were not looked at.
fn counts<'v>(verdicts: impl Iterator<Item = &'v Verdict>) -> [usize; 3] {
    let mut counts = [0; 3];
    for verdict in verdicts {
        counts[match verdict.holds {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        }] += 1;
    }
    counts
}

fn page(results: &Results<'_>, verdicts: &[Verdict], sections: &str) -> String {
    let published = verdicts.iter().filter(|it| it.id.starts_with(['A', 'B']));
    let [hold, fail, open] = counts(published);
    let done: usize = results.experiments.iter().map(|it| it.rows.len()).sum();
    let all: usize = results.experiments.iter().map(|it| it.all).sum();
    let contents: String = results
        .experiments
        .iter()
        .map(|outcome| {
            let definition = outcome.definition;
            let own = own(verdicts, outcome);
            let [hold, fail, _] = counts(own.iter().copied());
            let looked = hold + fail;
            let score = if looked == 0 { String::new() } else { format!("{hold} of {looked} hold") };
            let some_fail = if fail > 0 { " some-fail" } else { "" };
            format!(
                "<li><a href=\"#{}\">{}</a> <span class=\"source\">{}</span> <span class=\"score{some_fail}\">{score}</span></li>\n",
                definition.id,
                escaped(&definition.title),
                escaped(&definition.source)
            )
        })
        .collect();
    let missing = if done < all {
        format!(
            "<p class=\"missing\">{} of {all} cells are not there yet: run the same again, and it goes on with them.</p>",
            all - done
        )
    } else {
        String::new()
    };
    let extent = match results.extent {
        Extent::Quick => "quick",
        Extent::Full => "full",
    };
    let mut table = String::new();
    for verdict in verdicts {
        table += &verdict_row(verdict);
    }
    let mut failing = String::new();
    for verdict in verdicts.iter().filter(|it| it.holds == Some(false)) {
        failing += &verdict_row(verdict);
    }
    if !failing.is_empty() {
        failing = format!(
            "<section id=\"failing\"><h2>What does not hold</h2>\n<p>And by how much, and why as far as we know. \
             A and B are the papers' assertions; C, S and R are ours.</p>\n\
             <table class=\"verdicts\"><tbody>\n{failing}</tbody></table></section>\n"
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Apprentice: what was measured</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header><p class=\"kicker\">Apprentice {VERSION}, {extent} run</p>\n<h1>What was published, and what was measured</h1>\n\
         <p class=\"lead\">Every table and figure of the papers that can be measured, by one command. Of their assertions \
         <b class=\"holds\">{hold} hold</b>, <b class=\"fails\">{fail} do not</b>, and <b>{open}</b> were not looked at. \
         Nothing is left out because it looks bad.</p>\n{missing}\
         <dl><dt>command</dt><dd><code>{}</code></dd><dt>seed</dt><dd>{}</dd><dt>machine</dt><dd>{}</dd><dt>cells</dt><dd>{done} of {all}</dd></dl>\n\
         <p>Counts and costs are the same on every machine. Times are those of the processor of the machine above, and decide \
         only what is said to be about time. Published counts and costs belong to other code on other maps: they are shown beside ours \
         for their relations, not their size.</p>\n</header>\n\
         <nav><h2>Contents</h2><ol>\n{contents}<li><a href=\"#verdicts\">All assertions</a></li></ol></nav>\n\
         {failing}{sections}\n<section id=\"verdicts\"><h2>All assertions</h2>\n<table class=\"verdicts\"><tbody>\n{table}</tbody></table></section>\n\
         </main>\n</body>\n</html>\n",
        escaped(&results.header.command),
        results.header.seed,
        escaped(&results.header.machine),
    )
}

fn own<'v>(verdicts: &'v [Verdict], outcome: &Outcome<'_>) -> Vec<&'v Verdict> {
    let asserts = outcome.definition.asserts.iter();
    asserts
        .filter_map(|id| verdicts.iter().find(|it| it.id == *id))
        .collect()
}

fn verdict_row(verdict: &Verdict) -> String {
    let (class, word) = match verdict.holds {
        Some(true) => ("holds", "holds"),
        Some(false) => ("fails", "fails"),
        None => ("open", "not looked at"),
    };
    let measured = if verdict.measured.is_empty() {
        String::new()
    } else {
        format!(
            "<p class=\"measured\"><span>measured</span> {}</p>",
            escaped(&verdict.measured)
        )
    };
    let why = if verdict.why.is_empty() {
        String::new()
    } else {
        format!("<p class=\"why\">{}</p>", escaped(&verdict.why))
    };
    format!(
        "<tr class=\"{class}\"><th>{}</th><td class=\"word\">{word}</td><td><p class=\"asked\">{}</p>{measured}{why}</td></tr>\n",
        verdict.id,
        escaped(&verdict.published)
    )
}

fn section(
    html: &mut String,
    outcome: &Outcome<'_>,
    results: &Results<'_>,
    verdicts: &[Verdict],
    levels: &Levels,
    with_pictures: Pictures,
    charts: &mut Vec<(String, String)>,
) {
    let definition = outcome.definition;
    let id = &definition.id;
    let _ = write!(
        html,
        "<section id=\"{id}\"><h2>{}</h2>\n<p class=\"source\">{}</p>\n<p>{}</p>\n",
        escaped(&definition.title),
        escaped(&definition.source),
        escaped(definition.about.trim())
    );
    let own = own(verdicts, outcome);
    if !own.is_empty() {
        *html += "<table class=\"verdicts\"><tbody>\n";
        for verdict in own {
            *html += &verdict_row(verdict);
        }
        *html += "</tbody></table>\n";
    }
    let mut drawn = String::new();
    let mut number = 0;
    for spec in &definition.chart {
        for chart in Chart::of(spec, outcome, results) {
            // A chart without points is no chart.
            let Ok(svg) = chart.svg() else { continue };
            number += 1;
            let _ = writeln!(drawn, "<figure>{}</figure>", accessible(&svg, &chart.title));
            charts.push((format!("charts/{id}-{number:02}.svg"), svg));
        }
    }
    if !drawn.is_empty() {
        let _ = write!(html, "<div class=\"charts\">\n{drawn}</div>\n");
    }
    if definition.rates {
        for (number, table) in (1..).zip(rating_tables(results)) {
            let svg = rating_chart(&table);
            let name = format!("Ratings by {}", measure_in_words(table.measure).0);
            let _ = writeln!(
                html,
                "<figure class=\"ratings\">{}</figure>",
                accessible(&svg, &name)
            );
            charts.push((format!("charts/{id}-ratings-{number:02}.svg"), svg));
            rating_table(html, &table);
        }
    }
    for form in &definition.form {
        form_table(html, form, results);
    }
    if with_pictures == Pictures::Drawn {
        number = 0;
        let mut shown = String::new();
        for spec in &definition.picture {
            number += 1;
            match pictures::draw(spec, levels) {
                Ok(svg) => {
                    let _ = writeln!(
                        shown,
                        "<figure class=\"map\"><img alt=\"{title}\" src=\"data:image/svg+xml;base64,{}\"><figcaption>{title}</figcaption></figure>",
                        STANDARD.encode(&svg),
                        title = escaped(&spec.title)
                    );
                    charts.push((format!("pictures/{id}-{number:02}.svg"), svg));
                }
                Err(why) => {
                    let _ = writeln!(
                        shown,
                        "<p class=\"missing\">{}: {}</p>",
                        escaped(&spec.title),
                        escaped(&why)
                    );
                }
            }
        }
        if !shown.is_empty() {
            let _ = write!(html, "<div class=\"maps\">\n{shown}</div>\n");
        }
    }
    numbers(html, outcome, results);
    *html += "</section>\n";
}

/// The chart inside a page: with a name for those who cannot see it.
fn accessible(svg: &str, title: &str) -> String {
    let body = svg.find("<svg").map_or(svg, |from| &svg[from..]);
    let name = format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(title));
    body.replacen("<svg ", &name, 1)
}

fn form_table(html: &mut String, form: &Form, results: &Results<'_>) {
    let head: String = form
        .columns
        .iter()
        .map(|it| format!("<th>{}</th>", escaped(it)))
        .collect();
    let mut body = String::new();
    for row in &form.rows {
        let cells: String = row
            .iter()
            .map(|it| format!("<td>{}</td>", escaped(it)))
            .collect();
        let _ = writeln!(body, "<tr>{cells}</tr>");
    }
    for line in &form.measured {
        let cells = form::filled(line, results).into_iter();
        let cells: String = cells
            .map(|it| format!("<td>{}</td>", escaped(&it)))
            .collect();
        // What stands beside published lines is told apart from them.
        let class = match form.rows.is_empty() {
            true => "",
            false => " class=\"ours\"",
        };
        let _ = writeln!(body, "<tr{class}>{cells}</tr>");
    }
    let _ = write!(
        html,
        "<table class=\"form\"><caption>{}</caption><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>\n",
        escaped(&form.caption)
    );
}

/// What ratings go by: in a word or two, and what that is.
fn measure_in_words(measure: Measure) -> (&'static str, &'static str) {
    match measure {
        Measure::Work => (
            "work",
            "units of budget times branching: the same on every machine",
        ),
        Measure::Time => ("time", "milliseconds of this machine's processor"),
        Measure::Following => (
            "how well they are trained",
            "a match is won by a plan that follows the demonstration, within the limits of work",
        ),
    }
}

/// Ratings with their intervals: planners, levels and limits on one scale.
fn rating_chart(table: &Table) -> String {
    let headings = ["Planners", "Levels", "Limits"];
    let sections = headings.into_iter().zip(&table.skills);
    let (name, unit) = measure_in_words(table.measure);
    let chart = apprentice_ratings::Chart {
        title: format!("Ratings by {name}"),
        subtitle: unit.to_owned(),
        sections: sections
            .map(|(heading, standings)| Section {
                heading: heading.to_owned(),
                rows: standings.iter().collect(),
            })
            .collect(),
    };
    chart.svg()
}

fn rating_table(html: &mut String, table: &Table) {
    let (name, unit) = measure_in_words(table.measure);
    let (beyond, all) = table.beyond;
    let longest = table.limits.last().copied().unwrap_or(0.0);
    let mut body = String::new();
    let words = ["planner", "level", "limit"];
    for ((skills, rates), word) in table.skills.iter().zip(&table.rates).zip(words) {
        for standing in skills {
            let rate = rates.iter().find(|it| it.name == standing.name);
            let won = rate.map_or_else(String::new, |it| format!("{} of {}", it.wins, it.matches));
            let deviation = standing.rating.deviation.unwrap_or(0.0);
            let conservative = standing
                .rating
                .conservative()
                .unwrap_or(standing.rating.value);
            let interval = standing.rating.interval;
            let interval =
                interval.map_or_else(String::new, |it| format!("{:.1} to {:.1}", it.low, it.high));
            let orders = standing.over_orders;
            let orders = orders.map_or_else(String::new, |it| {
                format!("{:.1} ± {:.2}", it.mean, it.deviation)
            });
            let _ = writeln!(
                body,
                "<tr><td>{word}</td><td>{}</td><td>{:.1}</td><td>{deviation:.2}</td><td>{interval}</td><td>{conservative:.1}</td><td>{orders}</td><td>{won}</td></tr>",
                escaped(&standing.name),
                standing.rating.value,
            );
        }
    }
    let _ = write!(
        html,
        "<table class=\"form\"><caption>Ratings by {name} ({unit}); the longest limit is {longest:.0}, which 2 in 60 exceed. \
         {beyond} of {all} exceed the shortest; published, 42 of 60. TrueSkill with the dissertation's numbers, 10 passes.</caption>\
         <thead><tr><th></th><th></th><th>mean</th><th>deviation</th><th>95 %</th><th>skill</th><th>ten orders</th><th>won</th></tr></thead><tbody>\n{body}</tbody></table>\n"
    );
}

/// What stands in a line of the table of numbers.
#[derive(Default)]
struct Sum {
    count: usize,
    found: usize,
    expansions: f64,
    cost: f64,
    ratio: Option<f64>,
    coverage: Option<f64>,
    time: f64,
}

/// Lines beyond which a table helps nobody; the rest is in results.csv.
const MOST_LINES: usize = 220;

fn numbers(html: &mut String, outcome: &Outcome<'_>, results: &Results<'_>) {
    let mut order: Vec<[String; 4]> = Vec::new();
    let mut sums: BTreeMap<[String; 4], Sum> = BTreeMap::new();
    for (label, row) in &outcome.rows {
        let Some(key) = key(label, row) else { continue };
        let sum = sums.entry(key.clone()).or_insert_with(|| {
            order.push(key);
            Sum::default()
        });
        sum.count += 1;
        sum.time += row.clocks.time_ms;
        if let Some(cost) = row.measured.cost {
            sum.found += 1;
            sum.expansions += row.measured.expansions as f64;
            sum.cost += cost;
            let ratio = results.optimum(row).map(|best| cost / best);
            sum.ratio = ratio.map(|ratio| ratio.max(sum.ratio.unwrap_or(0.0)));
            sum.coverage = row.measured.coverage;
        }
    }
    if order.is_empty() {
        return;
    }
    let mut body = String::new();
    for key in order.iter().take(MOST_LINES) {
        let sum = &sums[key];
        let found = sum.found.max(1) as f64;
        let of = |number: f64, digits: usize| {
            if sum.found == 0 {
                "limit".to_owned()
            } else {
                format!("{:.*}", digits, number / found)
            }
        };
        let published = outcome.definition.published.iter().find(|it| {
            it.scenario == key[0]
                && it.label == key[2]
                && it.bound.is_none_or(|it| format!("bound {it}") == key[3])
        });
        let theirs = |number: Option<f64>| number.map_or_else(String::new, |it| it.to_string());
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"theirs\">{}</td><td>{}</td><td class=\"theirs\">{}</td><td>{}</td><td>{}</td><td>{:.2}</td><td class=\"theirs\">{}</td></tr>",
            escaped(&key[0]),
            key[1],
            escaped(&key[2]),
            escaped(&key[3]),
            of(sum.expansions, 0),
            theirs(published.and_then(|it| it.expansions)),
            of(sum.cost, 1),
            theirs(published.and_then(|it| it.cost)),
            sum.ratio.map_or_else(String::new, |it| format!("{it:.2}")),
            sum.coverage
                .map_or_else(String::new, |it| format!("{:.0} %", it * 100.0)),
            sum.time / sum.count.max(1) as f64,
            theirs(published.and_then(|it| it.time_ms)),
        );
    }
    // A table that was published is for reading; long ones are for looking things up.
    let open = match outcome.definition.published.is_empty() {
        true => "",
        false => " open",
    };
    let more = match order.len().saturating_sub(MOST_LINES) {
        0 => String::new(),
        more => format!("<p>{more} more lines are in results.csv.</p>"),
    };
    let _ = write!(
        html,
        "<details{open}><summary>The numbers, {} lines</summary>\n<table class=\"numbers\"><thead><tr><th>level</th><th>branching</th><th>planner</th><th></th>\
         <th>expansions</th><th>published</th><th>cost, s</th><th>published</th><th>× best</th><th>followed</th><th>ms</th><th>published</th></tr></thead><tbody>\n{body}</tbody></table>{more}</details>\n",
        order.len()
    );
}

/// What tells the lines of the table of numbers apart.
fn key(label: &str, row: &Row) -> Option<[String; 4]> {
    let planning = row.cell.planning()?;
    let planner = &planning.planner;
    let mut besides = Vec::new();
    let mut say = |word: &str, number: Option<f64>| {
        besides.extend(number.map(|number| format!("{word} {number}")));
    };
    say("bound", planner.bound);
    if planner.bound.is_none() {
        say("w", planner.w);
        say("ε", planner.epsilon);
        say("w1", planner.w1);
        say("w2", planner.w2);
    }
    say("extra turns", planner.extra_turns.map(f64::from));
    let some = |count: u32| Some(f64::from(count)).filter(|it| *it > 0.0);
    say("cuts", some(planning.cuts));
    say("random events", some(planning.random_events));
    say("repeated events", some(planning.repeated_events));
    if planning.items.is_some() {
        besides.push("random layouts, mean".to_owned());
    }
    Some([
        row.cell.scenario.clone(),
        planning.branching.to_string(),
        label.to_owned(),
        besides.join(", "),
    ])
}

const STYLE: &str = "
:root { --ink: #262626; --faint: #6f6f6f; --line: #ddd; --paper: #fdfdfb; --holds: #1a7f4b; --fails: #b3421b; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 Georgia, 'Iowan Old Style', 'Times New Roman', serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .2rem; }
.kicker, .source, dl, table, figcaption, summary, .score { font-family: system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
.kicker { color: var(--faint); margin: 0 0 .5rem; letter-spacing: .02em; }
.lead { font-size: 1.2rem; max-width: 46rem; }
header p { max-width: 46rem; }
.holds b, b.holds { color: var(--holds); } b.fails { color: var(--fails); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .85rem; color: var(--faint); }
dd { margin: 0; color: var(--ink); overflow-wrap: anywhere; }
nav { margin: 2rem 0 3rem; padding: 1.2rem 1.5rem; border: 1px solid var(--line); background: #fff; }
nav h2 { font-size: 1.1rem; } nav ol { margin: .6rem 0 0; padding-left: 1.4rem; } nav li { margin: .25rem 0; }
a { color: #0b5b8c; text-decoration-thickness: 1px; }
.source { color: var(--faint); font-size: .85rem; margin: 0 0 .8rem; }
.score { font-size: .8rem; color: var(--holds); white-space: nowrap; } .score.some-fail { color: var(--fails); }
section { margin: 0 0 4rem; padding-top: 1.2rem; border-top: 3px solid var(--ink); }
section > p { max-width: 46rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; margin: 1.2rem 0; }
figure { margin: 0; background: #fff; border: 1px solid var(--line); padding: .5rem; }
figure svg { width: 100%; height: auto; display: block; }
.maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; margin: 1.2rem 0; }
.map img { width: 100%; height: auto; display: block; } figcaption { font-size: .85rem; color: var(--faint); padding: .5rem .3rem 0; }
table { border-collapse: collapse; font-size: .85rem; line-height: 1.4; width: 100%; margin: 1rem 0; background: #fff; }
caption { text-align: left; color: var(--faint); padding: 0 0 .4rem; max-width: 46rem; }
td, th { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line); }
.form { width: auto; } .form td:nth-child(n+3), .numbers td:nth-child(n+5) { text-align: right; font-variant-numeric: tabular-nums; }
.numbers td:nth-child(4) { white-space: nowrap; } .numbers th:nth-child(n+5), .form th:nth-child(n+3) { text-align: right; }
.theirs { color: var(--faint); font-style: italic; }
.verdicts p { margin: 0; } .verdicts th { width: 3rem; } .verdicts .word { width: 7rem; font-weight: 600; }
.verdicts .asked { color: var(--faint); } .verdicts .measured { margin-top: .15rem; } .verdicts .why { color: var(--faint); font-size: .8rem; }
.measured span { font-size: .75rem; color: var(--faint); font-variant: small-caps; letter-spacing: .04em; margin-right: .2rem; }
.ours td { font-weight: 600; } .ratings { max-width: 46rem; }
tr.holds .word { color: var(--holds); } tr.fails .word { color: var(--fails); } tr.open .word { color: var(--faint); font-weight: 400; }
.missing { color: var(--fails); }
details { margin: 1rem 0; } summary { cursor: pointer; font-size: .9rem; color: #0b5b8c; }
details table { display: block; overflow-x: auto; }
@media print {
  @page { margin: 15mm 14mm; }
  body { font-size: 10pt; background: #fff; } main { max-width: none; padding: 0; }
  section { break-before: page; border-top-width: 1px; margin-bottom: 1rem; } figure, tr { break-inside: avoid; }
  h2, caption { break-after: avoid; } details:not([open]) { display: none; }
  table { font-size: 8pt; line-height: 1.3; } td, th { padding: .15rem .35rem; } details table { display: table; overflow: visible; font-size: 7pt; }
  .verdicts .word { width: 5rem; } .verdicts .why { font-size: 7.5pt; }
  .charts, .maps { grid-template-columns: 1fr 1fr; } figcaption { font-size: 8pt; }
}
";
