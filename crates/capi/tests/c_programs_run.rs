//! A program in C and one in C++ are compiled against the header, linked with the library, and run; the
//! plans they print are those of the command line's own code, byte for byte but for the times.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use apprentice_session::{NamedLevel, PlanAsk, plan};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The shared library that was built with this test, if this system has such.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().expect("it lies somewhere");
    let name = libraries()
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.exists());
    name.unwrap_or_else(|| panic!("there is no library in {}", folder.display()))
}

fn libraries() -> [&'static str; 3] {
    [
        "libapprentice_c.so",
        "libapprentice_c.dylib",
        "apprentice_c.dll",
    ]
}

/// Compiles a program; none if there is no compiler.
fn compiled(compiler: &str, source: &str, flags: &[&str]) -> Option<PathBuf> {
    let library = library();
    let stem = Path::new(source).file_stem().expect("a name");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(stem);
    let lies_in = library.parent().expect("it lies somewhere");
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-O1", "-o"])
        .arg(&program)
        .args(flags)
        .arg("-I")
        .arg(folder().join("include"))
        .arg(folder().join("examples").join(source))
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", lies_in.display()))
        .output();
    let Ok(output) = output else {
        println!("SKIPPED: there is no `{compiler}`, so {source} was not tried");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{source}: {said}");
    Some(program)
}

fn run(program: &Path, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{words:?}: {:?} {said}",
        output.status
    );
    String::from_utf8(output.stdout).expect("text")
}

/// A document without the lines that tell the time.
fn without_clocks(document: &str) -> String {
    let is_clock = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("\"time_ms\": ") && !line.contains("null")
            || line.starts_with("\"preparation_ms\": ")
    };
    let lines = document
        .split_inclusive('\n')
        .filter(|line| !is_clock(line));
    lines.collect()
}

#[test]
fn a_program_in_c_does_all_of_it() {
    let Some(program) = compiled("cc", "guard.c", &["-std=c99"]) else {
        return;
    };
    let said = run(&program, &[]);
    assert!(said.contains("anna has arrived"), "{said}");

    let scenarios = folder().join("../../scenarios");
    let entries = std::fs::read_dir(scenarios).expect("there are scenarios");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    paths.sort();
    assert!(paths.len() > 10);
    for path in paths {
        let printed = run(&program, &["plan", path.to_str().expect("text")]);
        let level = NamedLevel::load(&path).expect("it is sound");
        let ask = PlanAsk {
            expansions: Some(200_000),
            explain: true,
            ..PlanAsk::default()
        };
        let document = plan(&level, &ask, &|| Duration::ZERO).expect("it makes sense");
        let document = document.to_text().expect("it can be written");
        assert_eq!(
            without_clocks(&printed),
            without_clocks(&document),
            "{}",
            path.display()
        );
    }
}

#[test]
fn and_one_in_cpp_throws_and_catches() {
    let Some(program) = compiled("c++", "errors.cpp", &["-std=c++17"]) else {
        return;
    };
    let scenario = folder().join("../../scenarios/quest_key.toml");
    let said = run(&program, &[scenario.to_str().expect("text")]);
    assert_eq!(said, "0 handles left\n");
}
