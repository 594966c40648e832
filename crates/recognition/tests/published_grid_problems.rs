//! The grid problems that others have published, where they are beside the project.

use std::io::Write;
use std::path::{Path, PathBuf};

use apprentice_recognition::{Likelihood, read_grid_problem, recognise_on_grid};

/// The file in the folder that `APPRENTICE_DATA` names, or in the one beside the project.
fn published() -> Option<String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("APPRENTICE_DATA").map_or(beside, PathBuf::from);
    std::fs::read_to_string(folder.join("recognition/grid-goals.jsonl")).ok()
}

#[test]
fn real_goals_are_among_the_named() {
    let Some(text) = published() else {
        // Not by a macro: of a test that passes, what those print is not shown.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no published `recognition/grid-goals.jsonl` here; APPRENTICE_DATA says in which folder to look"
        );
        return;
    };
    let (mut problems, mut right, mut named) = (0, 0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let problem = read_grid_problem(line).expect("a problem");
        let recognition = recognise_on_grid(
            &problem.grid,
            &problem.goals,
            &problem.observations,
            &Likelihood::default(),
        );
        problems += 1;
        right += usize::from(recognition.named.contains(&problem.real));
        named += recognition.named.len();
    }
    println!("{right} of {problems} right, {named} named");
    assert!(right * 100 >= problems * 98, "{right} of {problems}");
    assert!(
        named * 10 <= problems * 12,
        "{named} named in {problems} problems"
    );
}

#[test]
fn mistakes_in_problems_are_explained() {
    for (line, told) in [
        ("", "a problem has `init`"),
        ("{}", "missing field `init`"),
        (
            r#"{"init":[["flies","a"]],"hypotheses":[],"real":0,"observations":[]}"#,
            "nobody knows what `flies a` means",
        ),
        (
            r#"{"init":[["open","a"]],"hypotheses":[],"real":0,"observations":[]}"#,
            "`init` has no `at-robot`",
        ),
        (
            r#"{"init":[["at-robot","a"]],"hypotheses":[[["at-robot","b"]]],"real":0,"observations":[]}"#,
            "there is no place `b`",
        ),
        (
            r#"{"init":[["at-robot","a"]],"hypotheses":[[["at-robot","a"]]],"real":3,"observations":[]}"#,
            "`real` is 3",
        ),
        (
            r#"{"init":[["at-robot","a"]],"hypotheses":[[["at-robot","a"]]],"real":0,"observations":[["pickup","a","k"]]}"#,
            "there is no key `k`",
        ),
        (
            r#"{"init":[["at-robot","a"],["locked","a"]],"hypotheses":[[["at-robot","a"]]],"real":0,"observations":[]}"#,
            "has no `lock-shape`",
        ),
    ] {
        let error = read_grid_problem(line).expect_err(line).to_string();
        assert!(error.contains(told), "{error}");
    }
}
