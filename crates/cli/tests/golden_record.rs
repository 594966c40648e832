//! Whatever is rebuilt inside, plans stay what they were: every shipped scenario with every planner,
//! every domain, compared with a record that is kept.
//!
//! A line for each run: what was asked, the figures that tell most, and a digest of the whole document
//! without clocks. What changes on purpose is recorded anew with `UPDATE_GOLDEN=1` and told in
//! CHANGELOG.md.

use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::command::{PLANNERS, run, scenario};
use serde_json::Value;

/// Enough for most plans, and little where a planner would go on for minutes.
const UNITS: &str = "100000";

/// What `auto` can be told besides.
const VARIANTS: [&[&str]; 8] = [
    &["--branching", "256"],
    &["--faithful", "0"],
    &["--faithful", "0.5"],
    &["--faithful", "1"],
    &["--in-order"],
    &["--no-demos"],
    &["--improve"],
    &["--explain"],
];

#[test]
fn plans_of_shipped_scenarios() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let recorded = root.join("testdata/demonstrations/quest.jsonl");
    let shown = recorded.to_str().expect("text");
    let mut asked = Vec::new();
    for name in shipped() {
        let path = scenario(&name);
        let ask = |planner: &str, more: &[&str]| {
            let start = ["plan", &path, "--planner", planner, "--format", "json"];
            let all = start.iter().chain(&["--expansions", UNITS]).chain(more);
            let arguments: Vec<String> = all.map(|text| (*text).to_owned()).collect();
            (words(&name, planner, more), arguments)
        };
        asked.extend(PLANNERS.map(|planner| ask(planner, &[])));
        asked.extend(VARIANTS.map(|more| ask("auto", more)));
        if name.starts_with("quest") {
            asked.push(ask("auto", &["--no-demos", "--demo", shown]));
        }
    }
    check(
        "plans.txt",
        &run_all(&asked, |code, out| {
            if out.is_empty() {
                return format!("refused {code}");
            }
            let mut document: Value = serde_json::from_str(out).expect("a document");
            let figure = |name: &str| document[name].to_string();
            let steps = document["steps"].as_array().map_or(0, Vec::len);
            let figures = format!(
                "{} cost {} expansions {} generated {} steps {steps}",
                document["status"].as_str().unwrap_or("?"),
                figure("cost"),
                figure("expansions"),
                figure("generated"),
            );
            without_clocks(&mut document);
            format!("{figures} {:016x}", digest(&document.to_string()))
        }),
    );
}

#[test]
fn plans_of_domains() {
    let domains = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../domains");
    let path = |name: &str| domains.join(name).to_str().expect("text").to_owned();
    let mut asked = Vec::new();
    let mut ask = |name: &str, files: &[String]| {
        for more in [
            &[][..],
            &["--why", "--format", "text"],
            &["--best"],
            &["--plain"],
        ] {
            let format = if more.contains(&"text") {
                &[][..]
            } else {
                &["--format", "json"]
            };
            let start = ["htn", "plan", "--iterations", "20000"];
            let options = start.iter().chain(format).chain(more);
            let options = options.map(|text| (*text).to_owned());
            asked.push((
                words(name, "", more),
                options.chain(files.to_vec()).collect(),
            ));
        }
    };
    ask("guard", &[path("guard.htn")]);
    for seed in 1..=12u32 {
        let (areas, points) = (5 * (1 + seed % 4), 20 * (1 + seed % 3));
        let [seed, areas, points] = [seed, areas, points].map(|number| number.to_string());
        let options = ["--areas", &areas, "--points", &points, "--seed", &seed];
        let problem = run(&[&["htn", "simplefps"], &options[..]].concat());
        assert_eq!(problem.code, 0, "{}", problem.err);
        let name = format!("simplefps-{areas}-{points}-{seed}");
        let file = crate::command::file("golden_record", &format!("{name}.htn"), problem.out);
        ask(&name, &[path("simplefps.htn"), file]);
    }
    check(
        "tasks.txt",
        &run_all(&asked, |code, out| {
            let Ok(mut document) = serde_json::from_str::<Value>(out) else {
                return format!("code {code} {:016x}", digest(out));
            };
            without_clocks(&mut document);
            let steps = document["plan"].as_array().map_or(0, Vec::len);
            format!(
                "code {code} steps {steps} {:016x}",
                digest(&document.to_string())
            )
        }),
    );
}

/// The scenarios that come with Apprentice, by name.
fn shipped() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let files = std::fs::read_dir(folder).expect("it is there");
    let paths = files.map(|file| file.expect("a file").path());
    let levels = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let names = levels.map(|path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// What was asked, in one word after another; files by their last name.
fn words(name: &str, planner: &str, more: &[&str]) -> String {
    let more = more
        .iter()
        .map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word));
    let all: Vec<&str> = [name, planner]
        .into_iter()
        .chain(more)
        .filter(|word| !word.is_empty())
        .collect();
    all.join(" ")
}

/// Runs the program for every line of the record, two at a time.
fn run_all(asked: &[(String, Vec<String>)], tell: impl Fn(i32, &str) -> String + Sync) -> String {
    let next = AtomicUsize::new(0);
    let told = Mutex::new(vec![String::new(); asked.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, arguments)) = asked.get(number) else {
                        break;
                    };
                    let ended = run(arguments);
                    let line = format!("{name}: {}", tell(ended.code, &ended.out));
                    told.lock().expect("nobody panicked")[number] = line;
                }
            });
        }
    });
    let mut record = String::new();
    for line in told.into_inner().expect("nobody panicked") {
        writeln!(record, "{line}").expect("it fits");
    }
    record
}

/// Clocks differ from run to run, and bytes are not what a plan is.
fn without_clocks(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !name.ends_with("_ms") && !name.ends_with("_us") && name != "bytes_per_state"
            });
            fields.values_mut().for_each(without_clocks);
        }
        Value::Array(values) => values.iter_mut().for_each(without_clocks),
        _ => {}
    }
}

/// The 64-bit FNV-1a hash.
fn digest(text: &str) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325_u64;
    text.bytes().fold(start, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[track_caller]
fn check(name: &str, record: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, record).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    let (kept, now): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), record.lines().collect());
    let mut differences = String::new();
    for line in kept.iter().filter(|line| !now.contains(line)) {
        writeln!(differences, "- {line}").expect("it fits");
    }
    for line in now.iter().filter(|line| !kept.contains(line)) {
        writeln!(differences, "+ {line}").expect("it fits");
    }
    assert!(
        kept == now,
        "{} is otherwise; if that is meant, record it with UPDATE_GOLDEN=1 and say so in \
         CHANGELOG.md\n{differences}",
        golden.display(),
    );
}
