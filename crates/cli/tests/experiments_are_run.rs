//! `apprentice experiment` runs experiments, survives being killed, makes the same table in one piece and in parts, and
//! says what is wrong.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::command::{apprentice, file, folder, run};

/// A small experiment of somebody's own, with a level of their own beside it.
const MINE: &str = "
format = 1
id = 'mine'
title = 'Mine'
about = 'Two levels and three planners.'
[[grid]]
scenarios = ['yard.toml', 'k1d1_close']
bounds = [1, 10, 100]
repeats = 3
planners = [{ planner = 'wastar' }, { planner = 'tgraph' }, { planner = 'auto' }]
[[chart]]
title = 'Expansions'
x = 'bound'
y = 'expansions'
log = ['x', 'y']
";

const YARD: &str = "
format = 1
start = [0, 0]
goal = { within = { at = [7, 4], radius = 0.0 } }
demonstration = [{ points = [[0, 0], [0, 4], [7, 4]] }]
[map]
rows = ['........', '..####..', '........', '..####..', '........']
";

/// Cells of it.
const CELLS: usize = 54;

fn mine(place: &str) -> String {
    file(place, "yard.toml", YARD);
    file(place, "mine.toml", MINE)
}

fn fresh(place: &str, name: &str) -> PathBuf {
    let path = folder(place).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn words<'a>(experiment: &'a str, out: &'a Path) -> Vec<&'a str> {
    let out = out.to_str().expect("text");
    vec!["experiment", "run", experiment, "--out", out]
}

/// The table without its header, and without its two columns of clocks.
fn table(out: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(out.join("results.csv")).expect("it is there");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.rsplitn(3, ',').last().expect("a row").to_owned())
        .collect()
}

fn lines(out: &Path) -> usize {
    let text = std::fs::read_to_string(out.join("journal.jsonl")).unwrap_or_default();
    text.matches('\n').count()
}

#[test]
fn somebody_s_own_experiment_is_run_and_reported() {
    let place = "experiments_of_my_own";
    let (experiment, out) = (mine(place), fresh(place, "out"));
    let ended = run(&words(&experiment, &out));
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.err.contains("54 cells"), "{}", ended.err);
    assert!(ended.out.contains("report.html"), "{}", ended.out);
    assert_eq!(table(&out).len(), CELLS + 1);
    let page = std::fs::read_to_string(out.join("report.html")).expect("it is there");
    assert!(page.contains("Two levels and three planners."));
    let header = std::fs::read_to_string(out.join("results.csv")).expect("it is there");
    let names = ["# command: ", "# seed: 1", "# version: ", "# machine: "];
    assert!(names.iter().all(|name| header.contains(name)), "{header}");
    // Again nothing is run, and the report alone can be had again.
    let before = lines(&out);
    let again = run(&words(&experiment, &out));
    assert!(
        again.err.contains("54 of them done before"),
        "{}",
        again.err
    );
    assert_eq!(lines(&out), before);
    let out_text = out.to_str().expect("text");
    let report = run(&["experiment", "report", out_text, "--format", "json"]);
    assert_eq!(report.code, 0, "{}", report.err);
    let verdicts = report.json();
    assert_eq!(verdicts[0]["id"], "A1");
    assert!(verdicts[0]["holds"].is_null() && verdicts[0]["why"].is_string());
    // What planners took can be rated as it is.
    let results = out.join("results.csv");
    let rated = run(&[
        "rate",
        results.to_str().expect("text"),
        "--only",
        "branching=16",
    ]);
    assert_eq!(rated.code, 0, "{}", rated.err);
}

#[test]
fn whoever_is_killed_goes_on_where_it_was() {
    let place = "experiments_killed";
    let (experiment, whole, cut) = (mine(place), fresh(place, "whole"), fresh(place, "cut"));
    assert_eq!(run(&words(&experiment, &whole)).code, 0);
    let mut kills = 0;
    for (wanted, how) in [(2, "KILL"), (9, "INT"), (21, "KILL"), (30, "INT")] {
        let mut child = apprentice()
            .args(words(&experiment, &cut))
            .args(["--jobs", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        while lines(&cut) < wanted && child.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        kills += usize::from(child.try_wait().expect("it can be asked").is_none());
        end(&mut child, how);
        child.wait().expect("it ends");
        assert!(lines(&cut) >= wanted, "what was done is there");
    }
    assert!(kills > 0, "somebody was killed before the end");
    let kept = lines(&cut) - 1;
    let ended = run(&words(&experiment, &cut));
    assert_eq!(ended.code, 0, "{}", ended.err);
    if kept < CELLS {
        assert!(
            ended.err.contains(&format!("{kept} of them done before")),
            "{}",
            ended.err
        );
    }
    assert_eq!(lines(&cut), CELLS + 1, "none was done twice");
    assert_eq!(table(&cut), table(&whole));
}

/// Ends a process as Ctrl-C does (INT), or at once (KILL).
fn end(child: &mut std::process::Child, how: &str) {
    if how == "INT" && cfg!(unix) {
        let id = child.id().to_string();
        let mut kill = std::process::Command::new("kill");
        // Whoever has come to its end meanwhile cannot be told anything.
        let _ = kill.args(["-s", how, &id]).stderr(Stdio::null()).status();
    } else {
        child.kill().expect("it can be killed");
    }
}

/// Two processes of ours stand for the nodes of a cluster.
#[test]
fn parts_make_the_same_table_as_the_whole() {
    let place = "experiments_in_parts";
    let (experiment, whole, merged) = (mine(place), fresh(place, "whole"), fresh(place, "merged"));
    assert_eq!(run(&words(&experiment, &whole)).code, 0);
    let parts = ["1/2", "2/2"].map(|part| {
        let out = fresh(place, &part.replace('/', "_of_"));
        let child = apprentice()
            .args(words(&experiment, &out))
            .args(["--cells", part, "--jobs", "1"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        (out, child.expect("it runs"))
    });
    let merged_text = merged.to_str().expect("text");
    let mut words_of_merge = vec!["experiment".to_owned(), "merge".to_owned()];
    words_of_merge.extend(["--out".to_owned(), merged_text.to_owned()]);
    for (out, mut child) in parts {
        assert!(child.wait().expect("it ends").success());
        assert_eq!(lines(&out), CELLS / 2 + 1);
        words_of_merge.push(out.to_str().expect("text").to_owned());
    }
    let ended = run(&words_of_merge);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.starts_with("54 cells gathered"), "{}", ended.out);
    assert_eq!(run(&words(&experiment, &merged)).code, 0);
    assert_eq!(table(&merged), table(&whole));
    assert_eq!(lines(&merged), CELLS + 1, "nothing was run again");
}

#[test]
fn what_cannot_be_run_is_said() {
    let place = "experiments_refused";
    let experiment = mine(place);
    let out = fresh(place, "out");
    let broken = file(place, "broken.toml", MINE.replace("'auto'", "'alto'"));
    let lost = file(
        place,
        "lost.toml",
        MINE.replace("yard.toml", "nowhere.toml"),
    );
    let in_the_way = file(place, "in_the_way", "");
    let out_text = out.to_str().expect("text");
    let cases: [(&[&str], &str); 8] = [
        (
            &["run", "tabel-4-1", "--out", out_text],
            "there is no experiment `tabel-4-1`; there is table-4-1",
        ),
        (
            &["run", &broken, "--out", out_text],
            "there is no planner `alto`",
        ),
        (&["run", &lost, "--out", out_text], "nowhere.toml"),
        (
            &["run", "nowhere.toml", "--out", out_text],
            "`nowhere.toml` cannot be read",
        ),
        (
            &["run", &experiment, "--out", &in_the_way],
            "name another one with --out",
        ),
        (
            &["run", &experiment, "--cells", "3/2"],
            "write which part of how many, as in 1/4",
        ),
        (&["run", "starcraft"], "name them with --data FILE"),
        (&["report", out_text], "name the folder of a run"),
    ];
    for (arguments, expected) in cases {
        let ended = run(&[&["experiment"], arguments].concat());
        assert_eq!(ended.code, 3, "{arguments:?}");
        assert!(ended.err.contains(expected), "{arguments:?}: {}", ended.err);
    }
    assert!(!out.join("results.csv").exists());
}

/// A disk that takes no more, as far as one can have one in a test: files may not grow.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let place = "experiments_on_a_full_disk";
    let (experiment, out) = (mine(place), fresh(place, "out"));
    let program = env!("CARGO_BIN_EXE_apprentice");
    let words = words(&experiment, &out).join("' '");
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec '{program}' '{words}' --jobs 1");
    let ended = std::process::Command::new("bash")
        .args(["-c", &limited])
        .output();
    let ended = ended.expect("there is a shell");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("no room left"), "{said}");
    let kept = lines(&out) - 1;
    assert!(kept > 0 && kept < CELLS, "{kept}");
    let again = run(&words.split("' '").collect::<Vec<_>>());
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(
        again.err.contains(&format!("{kept} of them done before")),
        "{}",
        again.err
    );
    assert_eq!(lines(&out), CELLS + 1);
}

#[test]
fn scripts_for_many_machines_are_written() {
    let out = fresh("experiments_exported", "lab");
    let out_text = out.to_str().expect("text");
    let ended = run(&[
        "experiment",
        "export",
        "--lab",
        out_text,
        "table-4-1",
        "--parts",
        "4",
        "--quick",
    ]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let lab = std::fs::read_to_string(out.join("lab_experiment.py")).expect("it is there");
    assert!(
        lab.contains("PARTS = 4") && lab.contains("\"table-4-1\"") && lab.contains("\"--quick\"")
    );
    let queue = std::fs::read_to_string(out.join("hyperqueue_run.py")).expect("it is there");
    assert!(queue.contains("PARTS = 4") && queue.contains("\"table-4-1\""));
}

#[test]
fn all_experiments_are_listed() {
    let ended = run(&["experiment", "list"]);
    assert_eq!(ended.code, 0);
    for id in [
        "table-4-1",
        "figures-7-10-to-7-14",
        "tables-7-2-7-3",
        "rival",
        "starcraft",
        "grid-goals",
    ] {
        assert!(
            ended.out.lines().any(|line| line.starts_with(id)),
            "{id}: {}",
            ended.out
        );
    }
}
