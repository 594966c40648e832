//! A level comes with its maps and with what was shown in it, or with a message that says which file
//! is wrong, and where.

use std::path::Path;

use apprentice::{Level, LevelError};

const LEVEL: &str = r#"
format = 1
start = [0, 0]
goal = { within = { at = [2, 0], radius = 0.0 } }
map = { rows = ["..."] }
demonstration = [{ points = [[0, 0], [2, 0]] }, { file = "shown/anna.jsonl" }]
"#;

/// The message about a level whose recording is this.
fn complaint(recording: Result<&[u8], &str>) -> String {
    let recording = recording.map(<[u8]>::to_vec).map_err(str::to_owned);
    let level = Level::read(LEVEL, |_| recording.clone());
    level.expect_err("something is wrong").to_string()
}

#[test]
fn of_every_shipped_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut levels = 0;
    for file in std::fs::read_dir(folder).expect("the scenarios") {
        let path = file.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let level = Level::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let shown = level.scenario.demonstrations().len();
        assert_eq!(level.demonstrations.len(), shown, "{}", path.display());
        let has_samples = |samples: &[_]| !samples.is_empty();
        assert!(
            level
                .demonstrations
                .iter()
                .all(|it| has_samples(&it.samples))
        );
        levels += 1;
    }
    assert!(levels > 10);
}

#[test]
fn a_recording_that_was_interrupted_counts_as_far_as_it_goes() {
    let recorded =
        b"{\"format\":1}\n{\"t\":0,\"x\":0,\"y\":0}\n{\"t\":1,\"x\":1,\"y\":0}\n{\"t\":2,\"x";
    let level = Level::read(LEVEL, |_| Ok(recorded.to_vec())).expect("a level");
    let [drawn, anna] = &level.demonstrations[..] else {
        panic!("{:?}", level.demonstrations);
    };
    assert_eq!((&*drawn.name, &*anna.name), ("drawn 1", "anna"));
    assert_eq!(anna.samples.len(), 2);
}

#[test]
fn what_is_wrong_is_said_with_its_file_and_place() {
    assert_eq!(
        complaint(Err("no such file")),
        "`shown/anna.jsonl` cannot be read: no such file"
    );
    let broken = complaint(Ok(b"{\"format\":1}\n{\"t\":0,\"x\":0,\"y\":\"far\"}\n"));
    assert!(
        broken.starts_with("`shown/anna.jsonl`, line 2, column "),
        "{broken}"
    );
    let error = Level::read("format = 1\nstrat = [0, 0]\n", |_| Err(String::new()));
    assert!(matches!(
        error,
        Err(LevelError::Scenario { file: None, .. })
    ));
}

#[test]
fn files_are_looked_for_beside_the_level() {
    let folder = std::env::temp_dir().join(format!("apprentice-level-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("hall.toml");
    std::fs::write(&path, LEVEL.replace("shown/", "")).expect("a level");
    let missing = Level::load(&path).expect_err("there is no recording");
    assert!(
        matches!(&missing, LevelError::Unreadable { file, .. } if file.ends_with("anna.jsonl"))
    );
    std::fs::write(
        folder.join("anna.jsonl"),
        "{\"format\":1}\n{\"t\":0,\"x\":0,\"y\":0}\n",
    )
    .expect("a recording");
    let level = Level::load(&path).expect("a level");
    assert_eq!(level.demonstrations.len(), 2);
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}
