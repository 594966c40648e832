//! Demonstrations, between the page, logs and planners.

use apprentice::experience::{Demonstration, DemonstrationLog, LogHeader, LoggedSample, Unit};
use apprentice::world::{Drawn, Map, Scenario, Spot, drawn_line};

use crate::folder::Folder;
use crate::kept::Kept;
use crate::protocol::{Dot, Line, OwnLine};

/// What coordinates are in.
pub(crate) fn unit(scenario: &Scenario) -> Unit {
    match scenario.map() {
        Map::Grid(_) => Unit::Cell,
        Map::Mesh(_) => Unit::Metre,
    }
}

/// What planners follow.
pub(crate) fn read(
    kept: &Kept,
    scenario: &Scenario,
    lines: &[Line],
) -> Result<Vec<Demonstration>, String> {
    let read = lines.iter().map(|line| match &line.log {
        Some(log) => {
            let read = kept
                .log(log)
                .map_err(|why| format!("`{}`: {why}", line.name))?;
            Ok(read.demonstration(&*line.name))
        }
        None => Ok(drawn(scenario, line)),
    });
    read.collect()
}

fn drawn(scenario: &Scenario, line: &Line) -> Demonstration {
    let finite = line.points.iter().filter(|dot| dot.is_finite());
    let points = finite.map(|dot| {
        let ([x, y], height) = (dot.seen_from_above(), dot.height());
        Spot { x, y, height }
    });
    let points: Vec<Spot> = points.collect();
    drawn_line(scenario, &*line.name, &points)
}

/// The log in a text.
pub(crate) fn read_log(text: &str) -> Result<DemonstrationLog, String> {
    let read = DemonstrationLog::read(text).map_err(|error| error.to_string())?;
    Ok(read.log)
}

/// A log without what is cut off at its end, and what that was, in words.
pub(crate) fn whole_lines(mut text: String) -> (String, Option<String>) {
    let cut = DemonstrationLog::read(&*text)
        .ok()
        .and_then(|read| read.cut_line);
    let Some(line) = cut else {
        return (text, None);
    };
    let before: usize = (text.split_inclusive('\n').take(line - 1))
        .map(str::len)
        .sum();
    text.truncate(before);
    (
        text,
        Some(format!("line {line} was cut off and is left out")),
    )
}

/// A drawn line as a log, so that other programs can read it.
pub(crate) fn write_log(scenario: &Scenario, name: &str, line: &Line) -> Result<String, String> {
    if let Some(log) = &line.log {
        return Ok(log.clone());
    }
    let samples = drawn(scenario, line).samples;
    let log = DemonstrationLog {
        header: LogHeader {
            scenario: Some(name.to_owned()),
            interval: None,
            unit: Some(unit(scenario)),
            unknown: Vec::new(),
        },
        samples: samples
            .into_iter()
            .map(|sample| LoggedSample {
                time: sample.time,
                place: sample.place,
                ..LoggedSample::default()
            })
            .collect(),
    };
    log.write().map_err(|error| error.to_string())
}

/// The demonstrations that come with a scenario, and what could not be read.
pub(crate) fn own(folder: &Folder, path: &str, scenario: &Scenario) -> (Vec<OwnLine>, Vec<String>) {
    let (mut lines, mut notes) = (Vec::new(), Vec::new());
    for (number, drawing) in (1..).zip(scenario.drawings()) {
        let hidden = !drawing.is_used;
        let called = |usual: String| drawing.name.clone().unwrap_or(usual);
        match &drawing.drawn {
            Drawn::Points(points) => lines.push(OwnLine {
                name: called(usual_name(number, None)),
                hidden,
                points: (points.iter())
                    .map(|point| Dot::new(point.x, point.y, point.height))
                    .collect(),
                log: None,
            }),
            Drawn::File { name, .. } => {
                let text = folder.read_beside(path, name);
                match text.and_then(|text| Ok((read_log(&text)?, text))) {
                    Ok((log, text)) => lines.push(OwnLine {
                        name: called(usual_name(number, Some(name))),
                        hidden,
                        points: points_of(&log),
                        log: Some(text),
                    }),
                    Err(why) => {
                        notes.push(format!("the demonstration `{name}` is left out: {why}"));
                    }
                }
            }
        }
    }
    (lines, notes)
}

/// What a demonstration goes by that has no name: its number, or its file.
pub(crate) fn usual_name(number: usize, file: Option<&str>) -> String {
    match file {
        Some(file) => file.trim_end_matches(".jsonl").to_owned(),
        None => format!("Line {number}"),
    }
}

/// The places of a log, as the page draws them.
fn points_of(log: &DemonstrationLog) -> Vec<Dot> {
    let places = log.samples.iter().map(|sample| sample.place);
    places
        .map(|place| Dot::new(place.x, place.y, None))
        .collect()
}

#[cfg(test)]
mod tests {
    use apprentice::experience::Place;

    use super::*;

    #[test]
    fn what_was_cut_off_is_left_out_and_the_rest_is_whole() {
        let line = |x: u32| format!("{{\"t\":{x},\"x\":{x},\"y\":0}}\n");
        let level = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['....'] }";
        let scenario = Scenario::parse(level).expect("a scenario");
        let drawn: Line =
            serde_json::from_str(r#"{ "name": "a", "points": [[0, 0], [3, 0]] }"#).expect("a line");
        let whole = write_log(&scenario, "a", &drawn).expect("it can be written");
        assert_eq!(whole_lines(whole.clone()), (whole.clone(), None));
        let cut = format!("{whole}{}", &line(9)[..6]);
        let (text, note) = whole_lines(cut);
        assert_eq!(text, whole);
        assert!(note.is_some_and(|note| note.contains("cut off")));
    }

    #[test]
    fn points_of_a_line_may_have_heights() {
        let level = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['....'] }";
        let scenario = Scenario::parse(level).expect("a scenario");
        let line = r#"{ "name": "up", "points": [[0, 0], [3, 0, 2.5]] }"#;
        let line: Line = serde_json::from_str(line).expect("a line");
        assert_eq!(
            line.points,
            [Dot::Low([0.0, 0.0]), Dot::High([3.0, 0.0, 2.5])]
        );
        assert_eq!(
            serde_json::to_string(&line.points).expect("text"),
            "[[0.0,0.0],[3.0,0.0,2.5]]"
        );
        let places: Vec<Place> = drawn(&scenario, &line).places().collect();
        assert_eq!(places.last(), Some(&Place::new(3.0, 0.0, 2.5)));
        for wrong in ["[0]", "[0, 0, 0, 0]", "[\"x\", 0]"] {
            let line = format!(r#"{{ "name": "up", "points": [{wrong}] }}"#);
            assert!(serde_json::from_str::<Line>(&line).is_err(), "{wrong}");
        }
    }
}
