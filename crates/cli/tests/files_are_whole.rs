//! No command leaves a file of its user shorter than it was before or should be after: whatever
//! interrupts it, a file is the old one or the new one, and what is no file is never replaced by one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Ended, VAULT, apprentice, folder, given, run, scenario};

/// A folder with nothing in it.
fn empty_folder(name: &str) -> PathBuf {
    let folder = folder("whole").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// A small level in a folder.
fn vault_in(folder: &Path) -> String {
    let path = folder.join("vault.toml");
    std::fs::write(&path, VAULT).expect("there is room");
    text(&path)
}

fn text(path: &Path) -> String {
    path.to_str().expect("text").to_owned()
}

/// What is in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Tasks in a layout that nobody would choose, so many that writing them takes a while.
fn ugly_tasks() -> String {
    let mut text = "fluent bool open;".to_owned();
    for number in 0..400 {
        text += &format!(" task   T{number}( ) {{ {{ open==false:->true ; }} }}");
    }
    text + " problem p { goal ordered(T0()); }"
}

/// A recording of some length: a plan that goes to and fro.
fn orders(count: usize) -> String {
    "walk east\nwalk west\n".repeat(count)
}

/// A command that writes a file, with everything it needs in a folder of its own.
struct Writing {
    folder: PathBuf,
    arguments: Vec<String>,
    input: String,
    /// The file that is written.
    output: PathBuf,
    /// What is in it before.
    old: String,
}

/// One of every command that writes a file.
fn all_that_write(place: &str) -> Vec<Writing> {
    let writing = |name: &str, old: &str, arguments: &[&str]| {
        let folder = empty_folder(&format!("{place}-{name}"));
        std::fs::write(folder.join("vault.toml"), VAULT).expect("there is room");
        std::fs::write(folder.join("tasks.htn"), ugly_tasks()).expect("there is room");
        let log = std::fs::read_to_string(long_log()).expect("it is there");
        std::fs::write(folder.join("long.jsonl"), log).expect("there is room");
        std::fs::write(folder.join("old"), old).expect("there is room");
        Writing {
            arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
            input: String::new(),
            output: folder.join("old"),
            old: old.to_owned(),
            folder,
        }
    };
    let old = "what was there before\n".repeat(300);
    let mut format = writing("format", "", &["htn", "fmt", "--write", "tasks.htn"]);
    format.output = format.folder.join("tasks.htn");
    format.old = ugly_tasks();
    let mut record = writing(
        "record",
        &old,
        &["demo", "record", "vault.toml", "-o", "old", "--force"],
    );
    record.input = orders(400);
    let simplify = ["demo", "simplify", "long.jsonl", "--tolerance", "0"];
    let simplify = [&simplify[..], &["--min-step", "0", "-o", "old", "--force"]].concat();
    vec![
        format,
        record,
        writing(
            "compile",
            &old,
            &["htn", "compile", "tasks.htn", "-o", "old"],
        ),
        writing("plan", &old, &["plan", "vault.toml", "--svg", "old"]),
        writing(
            "heuristic",
            &old,
            &["heuristic", "vault.toml", "--kind", "path", "--svg", "old"],
        ),
        writing("simplify", &old, &simplify),
    ]
}

/// A log with some thousand samples.
fn long_log() -> String {
    static LOG: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    LOG.get_or_init(|| {
        let folder = empty_folder("log");
        let vault = vault_in(&folder);
        let log = text(&folder.join("long.jsonl"));
        let arguments = ["demo", "record", &vault, "-o", &log, "--interval", "0.1"];
        let output = given(apprentice().args(arguments), orders(400));
        assert_eq!(output.status.code(), Some(0));
        log
    })
    .clone()
}

impl Writing {
    fn command(&self) -> Command {
        let mut command = apprentice();
        command.args(&self.arguments).current_dir(&self.folder);
        command
    }

    fn put_back(&self) {
        std::fs::write(&self.output, &self.old).expect("there is room");
    }

    /// Runs it, and kills it after so many looks at whether it has ended. Says how many looks it took.
    fn kill_after(&self, looks: u64) -> u64 {
        let input = self.folder.join("input");
        std::fs::write(&input, &self.input).expect("there is room");
        let mut child = self
            .command()
            .stdin(std::fs::File::open(&input).expect("it is there"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let mut looked = 0;
        while looked < looks && child.try_wait().expect("it can be asked").is_none() {
            looked += 1;
        }
        let _ = child.kill();
        child.wait().expect("it ends");
        looked
    }

    fn written(&self) -> String {
        std::fs::read_to_string(&self.output).expect("a file is there, always")
    }
}

/// Enough that each command is killed in every phase.
const KILLS: u64 = 30;

#[test]
fn whoever_is_killed_leaves_the_old_file_or_the_new_one() {
    for writing in all_that_write("killed") {
        let name = writing.folder.display();
        let whole = writing.kill_after(u64::MAX);
        let new = writing.written();
        assert!(new.len() > 1000 && new != writing.old, "{name}");
        let mut is_old = 0;
        for kill in 0..KILLS {
            writing.put_back();
            writing.kill_after(whole * kill / KILLS);
            let written = writing.written();
            is_old += u64::from(written == writing.old);
            assert!(
                written == writing.old || same(&written, &new),
                "{name}: {} bytes of {} were left",
                written.len(),
                new.len()
            );
        }
        assert!(is_old > 0, "{name}: nobody was killed");
    }
}

/// Whether two files are the same, except for the milliseconds that a picture tells.
fn same(one: &str, other: &str) -> bool {
    one == other || (one.ends_with("</svg>\n") && other.ends_with("</svg>\n"))
}

#[test]
fn whoever_has_no_room_leaves_the_old_file_and_nothing_else() {
    if !cfg!(unix) {
        return;
    }
    for writing in all_that_write("full") {
        let before = names(&writing.folder);
        // No file may become longer than two kilobytes, and who tries is told so.
        let mut shell = Command::new("sh");
        let limit = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
        shell.args(["-c", limit, env!("CARGO_BIN_EXE_apprentice")]);
        shell.args(&writing.arguments).current_dir(&writing.folder);
        let output = given(&mut shell, &writing.input);
        let name = writing.folder.display();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{name}: {err}");
        assert!(err.contains("cannot be written"), "{name}: {err}");
        assert!(!err.contains("panicked"), "{name}: {err}");
        assert_eq!(writing.written(), writing.old, "{name}");
        let mut left = names(&writing.folder);
        left.retain(|name| !before.contains(name));
        // Only a recording is kept as far as it goes, and it is said where.
        match left.as_slice() {
            [] => assert!(!name.to_string().ends_with("record")),
            [recording] => {
                assert!(err.contains(&format!("recorded to {recording}")), "{err}");
                let inspected = apprentice()
                    .args(["demo", "inspect", recording])
                    .current_dir(&writing.folder)
                    .output()
                    .expect("it runs");
                assert_eq!(inspected.status.code(), Some(0));
            }
            left => panic!("{name}: {left:?}"),
        }
    }
}

#[test]
fn a_recording_survives_whatever_happens_and_so_does_the_old_log() {
    let folder = empty_folder("recording");
    let vault = vault_in(&empty_folder("recording-vault"));
    let log = folder.join("anna.jsonl");
    let old = std::fs::read_to_string(long_log()).expect("it is there");
    std::fs::write(&log, &old).expect("there is room");
    let mut child = apprentice()
        .args(["demo", "record", &vault, "-o", &text(&log), "--force"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("an input");
    std::io::Write::write_all(&mut stdin, b"3 walk east\n").expect("it listens");
    // It waits for the next order; three are recorded by then.
    let recording = loop {
        assert_eq!(std::fs::read_to_string(&log).expect("it is there"), old);
        let there = names(&folder);
        let recording = there.iter().find(|name| *name != "anna.jsonl");
        let recording = recording.map(|name| folder.join(name));
        if let Some(path) = recording
            && std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > 3)
        {
            break path;
        }
    };
    child.kill().expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    let name = recording.file_name().expect("a name").to_string_lossy();
    assert!(name.starts_with("recording-") && name.ends_with(".jsonl"));
    assert!(err.contains(&*name), "{err}");
    assert_eq!(std::fs::read_to_string(&log).expect("it is there"), old);
    let ended = run(&["demo", "inspect", &text(&recording)]);
    assert_eq!(ended.code, 0, "{}", ended.err);

    // Whoever ends it in peace finds it where it belongs, and nothing else.
    std::fs::remove_file(&recording).expect("it is there");
    let record = ["demo", "record", &vault, "-o", &text(&log), "--force"];
    let output = given(apprentice().args(record), "3 walk east\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(names(&folder), ["anna.jsonl"]);
    let written = std::fs::read_to_string(&log).expect("it is there");
    assert!(written.lines().count() < 10, "{written}");
}

#[test]
fn what_was_read_is_not_written_over() {
    let folder = empty_folder("inputs");
    let path = |name: &str| text(&folder.join(name));
    let vault = path("vault.toml");
    let tasks = path("tasks.htn");
    let mesh = path("yard.obj");
    let write = |path: &str, text: &str| std::fs::write(path, text).expect("there is room");
    write(&vault, VAULT);
    write(
        &tasks,
        "fluent bool open; task A() { { open; } } problem p { goal ordered(A()); }",
    );
    let bridge = "v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8\nf 4 3 2 1\n";
    write(&mesh, bridge);
    let yard = path("yard.toml");
    write(
        &yard,
        "format = 1\nstart = [1, 1]\nmap = { file = \"yard.obj\" }\n\
         goal = { within = { at = [17, 4], radius = 0.5 } }\n",
    );
    let shown = path("shown.jsonl");
    std::fs::copy(long_log(), &shown).expect("there is room");
    let fps = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../domains/simplefps.htn"));
    let problem = path("problem.htn");
    write(&problem, &run(&["htn", "simplefps"]).out);
    let plan = path("plan.json");
    write(&plan, &run(&["plan", &vault, "--format", "json"]).out);
    #[cfg(unix)]
    std::os::unix::fs::symlink("vault.toml", folder.join("link")).expect("a link can be made");
    #[cfg(not(unix))]
    std::fs::copy(&vault, folder.join("link")).expect("there is room");
    let link = path("link");
    let by_another_name = text(&folder.join("../inputs/vault.toml"));
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["plan", &vault, "--svg", &vault], &vault),
        (vec!["plan", &vault, "--svg", &by_another_name], &vault),
        (vec!["plan", &link, "--svg", &vault], &vault),
        (
            vec!["plan", &vault, "--demo", &shown, "--svg", &shown],
            &shown,
        ),
        (vec!["plan", &yard, "--svg", &mesh], &mesh),
        (
            vec!["heuristic", &vault, "--kind", "path", "--svg", &vault],
            &vault,
        ),
        (vec!["htn", "compile", &tasks, "-o", &tasks], &tasks),
        (
            vec!["htn", "plan", &fps, &problem, "--svg", &problem],
            &problem,
        ),
        (
            vec![
                "demo", "record", &vault, "--plan", &plan, "-o", &plan, "--force",
            ],
            &plan,
        ),
        (
            vec!["demo", "record", &vault, "-o", &vault, "--force"],
            &vault,
        ),
    ];
    for (arguments, input) in cases {
        let before = std::fs::read(input).expect("it is there");
        let ended = Ended::of_input(&arguments, "walk east\n");
        let shown = arguments.join(" ");
        assert_eq!(ended.code, 3, "{shown}: {}", ended.err);
        let says = "is one of the files this is made from";
        assert!(ended.err.contains(says), "{shown}: {}", ended.err);
        assert_eq!(
            std::fs::read(input).expect("it is there"),
            before,
            "{shown}"
        );
    }
    // A log may take its own place, by force.
    let simplify = ["demo", "simplify", &shown, "-o", &shown, "--force"];
    assert_eq!(run(&simplify).code, 0);
    assert!(std::fs::metadata(&shown).expect("it is there").len() > 0);
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    /// Draws a plan.
    fn draw(to: &Path) -> Ended {
        let vault = scenario("quest_key");
        run(&["plan", &vault, "--svg", &text(to)])
    }

    #[test]
    fn a_pipe_takes_what_comes_and_stays_a_pipe() {
        let folder = empty_folder("pipe");
        let log = text(Path::new(&long_log()));
        let vault = scenario("quest_key");
        let pipe = folder.join("pipe.jsonl");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("there is mkfifo").success());
        let own = folder.join("pipe.jsonl.part");
        std::fs::write(&own, "my own").expect("there is room");
        let path = text(&pipe);
        let simplify = ["demo", "simplify", &log, "-o", &path, "--force"];
        let record = ["demo", "record", &vault, "-o", &path, "--force"];
        let picture = ["plan", &vault, "--svg", &path];
        let cases: [(&[&str], &str); 3] = [
            (&simplify, "{\"format\""),
            (&record, "{\"format\""),
            (&picture, "<svg"),
        ];
        for (arguments, begins) in cases {
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || std::fs::read_to_string(pipe).expect("text")
            });
            let ended = Ended::of_input(arguments, "walk east\n");
            assert_eq!(ended.code, 0, "{}", ended.err);
            let read = reader.join().expect("it reads");
            assert!(read.starts_with(begins), "{read:.60}");
            assert!(read.ends_with('\n'));
        }
        assert!(
            std::fs::metadata(&pipe)
                .expect("it is there")
                .file_type()
                .is_fifo()
        );
        assert_eq!(
            std::fs::read_to_string(&own).expect("it is there"),
            "my own"
        );
        assert_eq!(names(&folder), ["pipe.jsonl", "pipe.jsonl.part"]);
    }

    #[test]
    fn a_socket_is_refused_and_stays_one() {
        let folder = empty_folder("socket");
        // The names of sockets must be short.
        let short = std::env::temp_dir().join(format!("apprentice-{}", std::process::id()));
        let _listener = std::os::unix::net::UnixListener::bind(&short).expect("a socket");
        let link = folder.join("socket");
        symlink(&short, &link).expect("a link can be made");
        let ended = draw(&link);
        let about = std::fs::metadata(&short).expect("it is there");
        std::fs::remove_file(&short).expect("it is there");
        assert_eq!(ended.code, 3, "{}", ended.err);
        assert!(ended.err.contains("cannot be written"), "{}", ended.err);
        assert!(about.file_type().is_socket());
        assert!(link.is_symlink());
    }

    #[test]
    fn a_device_is_written_to_and_stays_one() {
        let folder = empty_folder("device");
        let full = folder.join("full");
        // The node of a disk that is always full, in a folder of our own.
        let made = Command::new("mknod")
            .arg(&full)
            .args(["c", "1", "7"])
            .output();
        let made = made.is_ok_and(|made| made.status.success());
        if !made
            || std::fs::OpenOptions::new()
                .append(true)
                .open(&full)
                .is_err()
        {
            eprintln!("SKIPPED: nodes of devices cannot be made here");
            return;
        }
        let ended = draw(&full);
        assert_eq!(ended.code, 3, "{}", ended.err);
        assert!(ended.err.contains("there is no room left"), "{}", ended.err);
        let about = std::fs::metadata(&full).expect("it is there");
        assert!(about.file_type().is_char_device());
        assert_eq!(names(&folder), ["full"]);
    }

    #[test]
    fn where_a_link_leads_is_replaced_and_the_link_stays() {
        let folder = empty_folder("links");
        std::fs::create_dir(folder.join("far")).expect("a folder can be made");
        std::fs::write(folder.join("far/picture.svg"), "old").expect("there is room");
        symlink("far/picture.svg", folder.join("near.svg")).expect("a link can be made");
        let ended = draw(&folder.join("near.svg"));
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert!(folder.join("near.svg").is_symlink());
        let drawn = std::fs::read_to_string(folder.join("far/picture.svg")).expect("it is there");
        assert!(drawn.starts_with("<svg"));
        assert_eq!(names(&folder.join("far")), ["picture.svg"]);
        assert_eq!(names(&folder), ["far", "near.svg"]);
        // Logs, too.
        std::fs::write(folder.join("far/log.jsonl"), "old").expect("there is room");
        symlink("far/log.jsonl", folder.join("log.jsonl")).expect("a link can be made");
        let link = text(&folder.join("log.jsonl"));
        let ended = run(&["demo", "simplify", &long_log(), "-o", &link, "--force"]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert!(folder.join("log.jsonl").is_symlink());
        assert_eq!(names(&folder.join("far")), ["log.jsonl", "picture.svg"]);
    }

    #[test]
    fn rights_stay_what_they_were() {
        let folder = empty_folder("rights");
        for mode in [0o600, 0o640, 0o755] {
            let picture = folder.join("picture.svg");
            std::fs::write(&picture, "old").expect("there is room");
            let rights = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&picture, rights).expect("it is ours");
            assert_eq!(draw(&picture).code, 0);
            let about = std::fs::metadata(&picture).expect("it is there");
            assert_eq!(about.mode() & 0o7777, mode, "{mode:o}");
        }
        // A new file has the rights that any new file has.
        let (ours, others) = (folder.join("ours.svg"), folder.join("others"));
        assert_eq!(draw(&ours).code, 0);
        std::fs::write(&others, "").expect("there is room");
        let mode = |path: &Path| std::fs::metadata(path).expect("it is there").mode();
        assert_eq!(mode(&ours), mode(&others));
    }

    #[test]
    fn the_standard_output_is_an_output() {
        let vault = scenario("quest_key");
        let ended = run(&["plan", &vault, "--svg", "/dev/stdout", "--format", "json"]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert!(ended.out.starts_with("<svg") && ended.out.ends_with("}\n"));
        // Into a file, too, which keeps what comes after the picture.
        let into = empty_folder("stdout").join("both");
        let status = apprentice()
            .args(["plan", &vault, "--svg", "/dev/stdout", "--format", "json"])
            .stdout(std::fs::File::create(&into).expect("there is room"))
            .status()
            .expect("it runs");
        assert!(status.success());
        assert_eq!(names(into.parent().expect("a folder")), ["both"]);
        let both = std::fs::read_to_string(&into).expect("text");
        assert!(both.contains("\"status\""), "{both:.60}");
    }
}
