//! Whatever is wrong with a demonstration log is an error that names the line and column and says
//! what to do; a good log comes back as it was written; a log that was cut off loses one sample.

use std::fs;
use std::path::{Path, PathBuf};

use apprentice_experience::{
    DemonstrationLog, Json, LogErrorKind, LogHeader, LoggedAgent, LoggedSample, Place, Unit,
};
use proptest::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/demonstrations")
}

fn good() -> String {
    fs::read_to_string(folder().join("quest.jsonl")).expect("a log")
}

#[test]
fn every_file_of_the_corpus_is_refused_as_expected() {
    let folder = folder().join("malformed");
    let files = fs::read_dir(&folder).expect("a folder");
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    paths.sort();
    assert!(paths.len() >= 45, "only {} files", paths.len());
    let mut found = String::new();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let bytes = fs::read(&path).expect("a file");
        match DemonstrationLog::read(&bytes) {
            Ok(_) => panic!("{name} is read without complaint"),
            Err(error) => found += &format!("{name}\n    {error}\n"),
        }
    }
    let golden = folder.join("expected.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &found).expect("a file");
    }
    assert_eq!(found, fs::read_to_string(&golden).expect("a file"));
}

#[test]
fn a_good_log_comes_back_to_the_byte() {
    let read = DemonstrationLog::read(good()).expect("a log");
    assert_eq!(read.log.write().expect("numbers"), good());
    assert_eq!((read.intact, read.cut_line), (good().len(), None));
    let log = read.log;
    assert_eq!(log.header.scenario.as_deref(), Some("quest_compound"));
    assert_eq!(log.header.unknown[0].0, "player");
    assert_eq!(log.samples[1].unknown[0].1.text(), "[1.5, 2.50]");
    let sample = log.demonstration("anna").samples.swap_remove(2);
    let flags: Vec<(&str, &str)> = sample
        .stance
        .flags
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        flags,
        [("torch", "true"), ("mood", "curious"), ("coins", "3")]
    );
}

#[test]
fn a_log_cut_at_any_byte_loses_at_most_the_last_sample() {
    let whole = good() + "{\"t\":2,\"x\":8,\"y\":12,\"gait\":\"schleicht über\"}\n";
    let samples = DemonstrationLog::read(&whole).expect("a log").log.samples;
    let header = whole.find('\n').expect("a header");
    for cut in header..=whole.len() {
        let bytes = &whole.as_bytes()[..cut];
        let read = DemonstrationLog::read(bytes).unwrap_or_else(|error| panic!("{cut}: {error}"));
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        let complete = lines.saturating_sub(1);
        assert!(read.log.samples.len() >= complete, "{cut}");
        assert_eq!(read.log.samples, samples[..read.log.samples.len()], "{cut}");
        // What is cut off is said, and what is kept can be appended to.
        let kept = &bytes[..read.intact];
        assert_eq!(DemonstrationLog::read(kept).expect("a log").log, read.log);
        assert_eq!(read.cut_line.is_some(), read.intact < cut, "{cut}");
    }
    for cut in 0..header {
        let error = DemonstrationLog::read(&whole.as_bytes()[..cut]).err();
        let wrong = error.map(|error| error.wrong);
        let nothing_is_lost = [
            Some(LogErrorKind::HeaderCut),
            Some(LogErrorKind::Empty),
            None,
        ];
        assert!(nothing_is_lost.contains(&wrong), "{cut}: {wrong:?}");
    }
}

#[test]
fn a_line_that_an_editor_ended_is_still_incomplete() {
    let read = DemonstrationLog::read(good() + "{\"t\":2,\"x\":\n\n").expect("a log");
    assert_eq!((read.log.samples.len(), read.cut_line), (4, Some(6)));
}

#[test]
fn marks_of_the_byte_order_windows_lines_and_blank_lines_are_no_mistakes() {
    let text = format!("\u{feff}{}\n  \n", good()).replace('\n', "\r\n");
    let read = DemonstrationLog::read(&text).expect("a log");
    assert_eq!(read.log, DemonstrationLog::read(good()).expect("a log").log);
    assert_eq!(read.intact, text.len());
}

#[test]
fn endless_lines_are_refused() {
    let text = format!(
        "{}{{\"t\":9,\"name\":\"{}\"}}\n",
        good(),
        "a".repeat(2 << 20)
    );
    let error = DemonstrationLog::read(text).expect_err("too long");
    assert_eq!(error.line, 6);
    assert!(matches!(error.wrong, LogErrorKind::LineTooLong { .. }));
}

#[test]
fn samples_without_number_are_refused() {
    let mut text = String::from("{\"format\":1}\n");
    for _ in 0..=1 << 20 {
        text += "{\"t\":0,\"x\":0,\"y\":0}\n";
    }
    let error = DemonstrationLog::read(text).expect_err("too many");
    assert!(matches!(error.wrong, LogErrorKind::TooManySamples { .. }));
    assert_eq!(error.line, (1 << 20) + 2);
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let sample = |change: fn(&mut LoggedSample)| {
        let mut sample = LoggedSample::default();
        change(&mut sample);
        let samples = vec![LoggedSample::default(), sample];
        let header = LogHeader::default();
        let error = DemonstrationLog { header, samples }.write().expect_err("");
        assert_eq!(error.line, 3);
        error.wrong.to_string()
    };
    for (change, word) in [
        (
            (|sample| sample.time = f64::NAN) as fn(&mut LoggedSample),
            "`t`",
        ),
        (|sample| sample.time = -1.0, "`t`"),
        (|sample| sample.place.x = f64::INFINITY, "`x`"),
        (|sample| sample.place.z = f64::NAN, "`z`"),
        (|sample| sample.health = Some(f64::NAN), "`health`"),
        (
            |sample| {
                let mut agent = LoggedAgent::default();
                agent.place.y = f64::NEG_INFINITY;
                sample.agents.push(("bear".to_owned(), agent));
            },
            "`agents.bear.y`",
        ),
    ] {
        let message = sample(change);
        assert!(message.contains(word), "{message}");
    }
}

fn json() -> impl Strategy<Value = Json> {
    prop_oneof![
        "\\PC{0,8}".prop_map(|text| Json::string(&text)),
        any::<bool>().prop_map(|it| Json::parse(&it.to_string()).expect("JSON")),
        (-1e9..1e9f64).prop_map(|it| Json::parse(&it.to_string()).expect("JSON")),
    ]
}

fn named<T: std::fmt::Debug>(
    prefix: &'static str,
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Vec<(String, T)>> {
    prop::collection::btree_map("\\PC{0,5}", value, 0..3).prop_map(move |map| {
        map.into_iter()
            .map(|(name, value)| (format!("{prefix}{name}"), value))
            .collect()
    })
}

fn place() -> impl Strategy<Value = Place> {
    let number = || prop_oneof![Just(0.0), -1e6..1e6f64, -9.0..9.0f64];
    (number(), number(), number()).prop_map(|(x, y, z)| Place::new(x, y, z))
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<String>(), 0..3)
}

fn agent() -> impl Strategy<Value = LoggedAgent> {
    let health = prop::option::of(0.0..100.0f64);
    let mode = prop::option::of(any::<String>());
    (place(), health, mode, named("_", json())).prop_map(|(place, health, mode, unknown)| {
        LoggedAgent {
            place,
            health,
            mode,
            unknown,
        }
    })
}

fn sample() -> impl Strategy<Value = LoggedSample> {
    let numbers = (
        0.0..1e3f64,
        place(),
        prop::option::of(0.0..100.0f64),
        prop::option::of(0.0..100.0f64),
    );
    let words = (prop::option::of(any::<String>()), texts(), texts());
    let objects = (named("", json()), named("", agent()), named("_", json()));
    (numbers, words, objects).prop_map(
        |((time, place, health, stamina), (gait, holding, events), (flags, agents, unknown))| {
            LoggedSample {
                time,
                place,
                gait,
                health,
                stamina,
                holding,
                flags,
                agents,
                events,
                unknown,
            }
        },
    )
}

fn log() -> impl Strategy<Value = DemonstrationLog> {
    let header = (
        prop::option::of(any::<String>()),
        prop::option::of(0.01..60.0f64),
        prop::option::of(prop_oneof![Just(Unit::Cell), Just(Unit::Metre)]),
        named("_", json()),
    );
    (header, prop::collection::vec(sample(), 0..6)).prop_map(
        |((scenario, interval, unit, unknown), mut samples)| {
            samples.sort_by(|a, b| a.time.total_cmp(&b.time));
            DemonstrationLog {
                header: LogHeader {
                    scenario,
                    interval,
                    unit,
                    unknown,
                },
                samples,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_log_comes_back_as_it_was_written(log in log()) {
        let text = log.write().expect("sound numbers");
        let read = DemonstrationLog::read(&text).expect("what was written can be read");
        prop_assert_eq!(&read.log, &log);
        prop_assert_eq!(read.log.write().expect("sound numbers"), text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = DemonstrationLog::read(&bytes);
        let mut behind = b"{\"format\":1}\n".to_vec();
        behind.extend(bytes);
        let _ = DemonstrationLog::read(&behind);
    }

    #[test]
    fn no_damage_to_a_good_log_makes_the_reader_panic(
        at in 0usize..700, length in 0usize..20, with in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let mut bytes = good().into_bytes();
        let at = at.min(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, with);
        if let Err(error) = DemonstrationLog::read(&bytes) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(error.to_string().len() < 400, "{error}");
        }
    }
}
