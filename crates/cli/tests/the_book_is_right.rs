//! The files, plans and messages in the book's chapters for designers are what the program says.

use std::collections::BTreeSet;
use std::path::Path;

use crate::command::{Ended, PLANNERS, apprentice, compare, file, folder, run, scenario, yard};
use apprentice::world::{Kind, Manner};
use serde_json::Value;

fn chapter(name: &str) -> String {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
    std::fs::read_to_string(book.join(name)).expect("it is there")
}

/// What the program says to a command line as the book writes it. What it prints may go to a file.
fn said(folder_name: &str, line: &str) -> String {
    let line = line.strip_prefix("$ apprentice ").expect("a command");
    let (words, to) = match line.split_once(" > ") {
        Some((words, to)) => (words, Some(to)),
        None => (line, None),
    };
    let output = apprentice()
        .current_dir(folder(folder_name))
        .args(words.split(' '))
        .output()
        .expect("it runs");
    match to {
        Some(name) => {
            file(folder_name, name, output.stdout);
            String::from_utf8(output.stderr).expect("text")
        }
        None => String::from_utf8([output.stderr, output.stdout].concat()).expect("text"),
    }
}

/// Whether a text is as expected, where a line `…` stands for any number of lines.
fn fits(text: &str, expected: &str) -> bool {
    let Some((before, after)) = expected.split_once("…\n") else {
        return text == expected;
    };
    let Some(rest) = text.strip_prefix(before) else {
        return false;
    };
    let ends = rest.match_indices('\n').map(|(end, _)| end + 1);
    std::iter::once(0)
        .chain(ends)
        .any(|end| fits(&rest[end..], after))
}

#[test]
fn what_teaching_says_is_right() {
    check_commands("teach.md", "the_book_on_teaching", 2);
}

#[test]
fn what_is_said_about_documents_is_right() {
    check_commands("documents.md", "the_book_on_documents", 2);
}

/// Runs the commands of a chapter on shipped scenarios, one in each block.
fn check_commands(of: &str, name: &str, expected_commands: usize) {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    std::fs::create_dir_all(folder(name).join("scenarios")).expect("a folder can be made");
    let mut commands = 0;
    for block in blocks(&chapter(of)).filter(|block| block.language == "console") {
        let (line, expected) = block
            .body
            .split_once('\n')
            .expect("a command and what it says");
        for word in line
            .split(' ')
            .filter(|word| word.starts_with("scenarios/"))
        {
            let text = std::fs::read(scenarios.join("..").join(word)).expect("it is there");
            file(name, word, text);
        }
        let said = said(name, line);
        assert!(fits(&said, expected), "{line} says\n{said}");
        commands += 1;
    }
    assert_eq!(commands, expected_commands);
}

/// The fields a chapter lists, below comments such as `<!-- fields=plan.steps -->`.
fn listed_fields(chapter: &str) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    for part in chapter.split("<!-- fields=").skip(1) {
        let (path, rest) = part.split_once(" -->").expect("the end of a comment");
        let rows = rest.trim_start().lines().skip(2);
        let rows = rows.take_while(|line| line.starts_with('|'));
        let cells = rows.map(|row| row.split('|').nth(1).expect("a first cell"));
        for name in cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
            assert!(
                fields.insert(format!("{path}.{name}")),
                "{path}.{name} is told twice"
            );
        }
    }
    fields
}

/// Whatever has names of its own: heuristics and gaits.
const NAMED_FREELY: [&str; 2] = ["plan.expanded_by", "inspect.gaits"];

/// Every field there is in a document, by its path.
fn note_fields(path: &str, value: &Value, met: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) if !NAMED_FREELY.contains(&path) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                note_fields(&path, value, met);
                met.insert(path);
            }
        }
        Value::Array(values) => {
            for value in values {
                note_fields(path, value, met);
            }
        }
        _ => {}
    }
}

/// Every field there may be in a document, by its path, as its schema says.
fn note_schema(path: &str, root: &Value, schema: &Value, met: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().expect("a name");
        note_schema(path, root, &root["$defs"][name], met);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        note_schema(&path, root, field, met);
        met.insert(path);
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            note_schema(path, root, one, met);
        }
    }
    if let Some(items) = schema.get("items") {
        note_schema(path, root, items, met);
    }
}

#[test]
fn schemas_are_listed_and_printed_and_unknown_ones_named() {
    let listed = run(&["schema"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    for line in listed.out.lines() {
        let name = line.split(' ').next().expect("a name");
        let schema = run(&["schema", name]).json();
        let words = ["type", "oneOf", "anyOf"];
        assert!(
            words.iter().any(|word| schema.get(word).is_some()),
            "{name}"
        );
    }
    let types = run(&["schema", "plan", "--format", "typescript"]);
    assert!(
        types.out.contains("export interface Plan {"),
        "{}",
        types.out
    );
    let unknown = run(&["schema", "plam"]);
    assert_eq!(unknown.code, 3);
    assert!(
        unknown.err.contains("no document `plam`"),
        "{}",
        unknown.err
    );
}

#[test]
fn every_field_of_every_document_is_told_and_no_other() {
    let name = "documents";
    let mut met = BTreeSet::new();
    let mut note = |what: &str, arguments: &[&str]| {
        let ended = run(&[arguments, &["--format", "json"]].concat());
        assert!(!ended.out.is_empty(), "{arguments:?}: {}", ended.err);
        note_fields(what, &ended.json(), &mut met);
    };
    let yard = yard(name);
    let compound = scenario("quest_compound");
    for planner in PLANNERS {
        note(
            "plan",
            &["plan", &compound, "--explain", "--planner", planner],
        );
    }
    for other in [&yard, &scenario("multi_demo"), &scenario("k1d1_far")] {
        note("plan", &["plan", other, "--explain"]);
    }
    note(
        "plan",
        &["plan", &compound, "--explain", "--expansions", "3"],
    );
    for at in ["3,3", "14,4,3"] {
        note(
            "heuristic",
            &["heuristic", &yard, "--kind", "path", "--at", at],
        );
    }
    let tasks = "task A() { { true; } } problem p { goal ordered(A()); }";
    note("htn", &["htn", "plan", &file(name, "night.htn", tasks)]);
    let domain = "(define (domain d) (:requirements :hierarchy) (:predicates (p)) (:task t :parameters ())\n\
                  (:method m :parameters () :task (t) :ordered-subtasks (a))\n\
                  (:action a :parameters () :effect (p)))";
    let problem = "(define (problem q) (:domain d) (:htn :ordered-subtasks (t)) (:init))";
    let domain = file(name, "domain.hddl", domain);
    note(
        "htn",
        &["htn", "plan", &domain, &file(name, "q.hddl", problem)],
    );
    let log = Path::new(env!("CARGO_MANIFEST_DIR"));
    let log = log.join("../../testdata/demonstrations/quest.jsonl");
    let log = log.to_str().expect("text");
    note("inspect", &["demo", "inspect", log]);
    note("lint", &["demo", "lint", &compound, log]);
    note("lint", &["demo", "lint", &scenario("far_demo")]);
    note("compare", &["demo", "compare", log, log]);
    let played = file(name, "played.csv", "winners,losers\na,b\nb,c\n");
    let asked = ["--predict", "a", "c", "--untried", "1"];
    note("rate", &[&["rate", &played], &asked[..]].concat());
    // Runs don't come by every field there may be; schemas do.
    for (what, document) in [
        ("plan", "plan"),
        ("heuristic", "heuristic"),
        ("htn", "htn-plan"),
        ("inspect", "demo-inspect"),
        ("lint", "demo-lint"),
    ] {
        let schema = run(&["schema", document]).json();
        note_schema(what, &schema, &schema, &mut met);
    }
    let told = listed_fields(&chapter("documents.md"));
    let missing: Vec<&String> = met.difference(&told).collect();
    assert!(
        missing.is_empty(),
        "tell in book/src/documents.md: {missing:?}"
    );
    let stale: Vec<&String> = told.difference(&met).collect();
    assert!(stale.is_empty(), "told, and in no document: {stale:?}");
}

#[test]
fn what_is_said_about_numbers_is_right() {
    let name = "the_book_on_numbers";
    let chapter = chapter("numbers.md");
    let mut commands = 0;
    for block in blocks(&chapter) {
        match block.language {
            "csv" => {
                file(name, "matches.csv", block.body);
            }
            "console" => {
                let (line, expected) = block.body.split_once('\n').expect("a command");
                let said = said(name, line);
                assert!(fits(&said, expected), "{line} says\n{said}");
                commands += 1;
            }
            _ => {}
        }
    }
    assert_eq!(commands, 3);
}

#[test]
fn what_designers_write_for_tasks_is_right() {
    let chapter = chapter("tasks.md");
    let mut commands = 0;
    for block in chapter.split("```").skip(1).step_by(2) {
        let (tag, body) = block.split_once('\n').expect("a tag and lines");
        match tag {
            "htn" => {
                let name = body
                    .lines()
                    .next()
                    .and_then(|line| line.strip_prefix("// "));
                file("the_book", name.expect("it begins with its name"), body);
            }
            "console" => {
                let (line, expected) = body.split_once('\n').expect("a command and what it says");
                assert_eq!(said("the_book", line), expected, "{line}");
                commands += 1;
            }
            _ => {}
        }
    }
    assert_eq!(commands, 6);
}

const LEVELS: &str = "the_book_on_levels";

fn level_file(name: &str) -> String {
    std::fs::read_to_string(folder(LEVELS).join(name)).expect("it was shown above")
}

fn must_be_valid(text: &str) {
    file(LEVELS, "tried.toml", text);
    let said = said(LEVELS, "$ apprentice verify tried.toml");
    assert!(said.starts_with("valid: "), "{said}\n{text}");
}

/// A block of a chapter, and what a comment in the line above it says about it.
struct Block<'a> {
    language: &'a str,
    /// As in `<!-- file=hall.toml -->`.
    about: Option<(&'a str, &'a str)>,
    body: &'a str,
}

fn blocks(chapter: &str) -> impl Iterator<Item = Block<'_>> {
    let parts: Vec<&str> = chapter.split("```").collect();
    let pairs: Vec<[&str; 2]> = parts
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    pairs.into_iter().map(|[before, block]| {
        let (language, body) = block.split_once('\n').expect("a language and lines");
        let above = before.lines().next_back().unwrap_or_default();
        let about = above
            .strip_prefix("<!-- ")
            .and_then(|above| above.strip_suffix(" -->"))
            .and_then(|about| about.split_once('='));
        Block {
            language,
            about,
            body,
        }
    })
}

/// Blocks called `file=NAME` are files, those called `add=NAME` belong at the end of one, and of
/// those called `instead=NAME` each line takes the place of the line with its key.
#[test]
fn what_designers_write_for_levels_is_right() {
    let chapter = chapter("levels.md");
    let (mut commands, mut tried) = (0, 0);
    for Block {
        language,
        about,
        body,
    } in blocks(&chapter)
    {
        match (language, about) {
            (_, Some(("file", name))) => {
                file(LEVELS, name, body);
                // Whoever types along has all of it in one file.
                file(LEVELS, &format!("typed_{name}"), body);
            }
            (_, Some(("add", name))) => {
                must_be_valid(&format!("{}\n{body}", level_file(name)));
                let typed = format!("typed_{name}");
                file(LEVELS, &typed, format!("{}\n{body}", level_file(&typed)));
                let said = said(LEVELS, &format!("$ apprentice plan {typed}"));
                assert!(said.contains("\nThe plan "), "{typed}: {said}\n{body}");
                tried += 1;
            }
            (_, Some(("instead", name))) => {
                let level = level_file(name);
                for line in body.lines() {
                    let key = line.split(' ').next().expect("a key");
                    let is_other = |line: &&str| line.split(' ').next() != Some(key);
                    let others: Vec<&str> = level.lines().filter(is_other).collect();
                    must_be_valid(&format!("{line}\n{}\n", others.join("\n")));
                    tried += 1;
                }
            }
            ("console", _) => {
                let (lines, expected): (Vec<&str>, Vec<&str>) =
                    body.lines().partition(|line| line.starts_with("$ "));
                let said: String = lines.iter().map(|line| said(LEVELS, line)).collect();
                let expected = expected.join("\n") + "\n";
                assert!(fits(&said, &expected), "{lines:?} says\n{said}");
                commands += 1;
            }
            ("rust", _) => {}
            _ => panic!("nobody tries {body}"),
        }
    }
    assert_eq!((commands, tried), (12, 29));
    compare(&level_file("hall.svg"), "../../book/src/pictures/hall.svg");
}

/// Asks the reader, by a key that is none, which keys it knows.
fn keys_known(text: &str) -> Vec<String> {
    file(LEVELS, "asked.toml", text);
    let said = said(LEVELS, "$ apprentice verify asked.toml");
    let known = said.split_once("; there is ").expect("an unknown key").1;
    let known = known.lines().next().expect("a line");
    known
        .split(", ")
        .map(|key| key.trim_matches('`').to_owned())
        .collect()
}

#[test]
fn every_key_of_a_level_is_in_its_chapter() {
    let chapter = chapter("levels.md");
    let top = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [1, 0] } }\n";
    let map = "map = { rows = [\"...\"] }\n";
    let spot = "id = \"it\"\nat = [1, 0]\nqqqqqq = 1\n";
    let sections = [
        ("qqqqqq = 1\n".to_owned(), map),
        ("goal = { qqqqqq = 1 }\n".to_owned(), map),
        ("goal = { within = { qqqqqq = 1 } }\n".to_owned(), map),
        ("goal = { agent_within = { qqqqqq = 1 } }\n".to_owned(), map),
        (String::new(), "[map]\nqqqqqq = 1\n"),
    ]
    .into_iter()
    .map(|(first, map)| {
        let others = top
            .lines()
            .filter(|line| !(first.starts_with("goal") && line.starts_with("goal")));
        format!("{first}{}\n{map}", others.collect::<Vec<_>>().join("\n"))
    });
    let things = ["key", "shield", "item", "pack", "lever", "enemy"];
    let things = things.map(|name| format!("{top}{map}[[{name}]]\n{spot}"));
    let tables = ["player", "rules", "margins", "kinds.own"];
    let tables = tables.map(|name| format!("{top}{map}[{name}]\nqqqqqq = 1\n"));
    let lists = ["door", "obstacle", "demonstration"];
    let lists = lists.map(|name| format!("{top}{map}[[{name}]]\nqqqqqq = 1\n"));
    let guard = format!("{top}{map}[kinds.own]\nlike = \"guard\"\nqqqqqq = 1\n");
    let cycle =
        format!("{top}{map}[[door]]\nid = \"it\"\nat = [[1, 0]]\ncycle = {{ qqqqqq = 1 }}\n");
    file(
        LEVELS,
        "yard.mesh",
        "mesh\n2\n4 1\n0 0 1 0\n3 0 1 0\n3 2 1 0\n0 2 1 0\n4 0 1 2 3 -1 -1 -1 -1\n",
    );
    let mesh = "map = { file = \"yard.mesh\" }\n";
    let on_mesh = ["ledge", "link"].map(|name| format!("{top}{mesh}[[{name}]]\nqqqqqq = 1\n"));
    let midway = ["midway", "midway.npc", "midway.player"].map(|name| format!("[{name}]"));
    let midway = midway.into_iter().chain(["[[midway.enemy]]".to_owned()]);
    let others = "[[enemy]]\nid = \"grey\"\nkind = \"wolf\"\nat = [2, 0]\n[player]\nat = [0, 0]\n";
    let midway = midway.map(|name| format!("{top}{map}{others}{name}\nqqqqqq = 1\n"));
    let asked = sections
        .chain(midway)
        .chain(things)
        .chain(tables)
        .chain(lists)
        .chain([guard, cycle])
        .chain(on_mesh);
    let mut count = 0;
    for text in asked {
        for key in keys_known(&text) {
            let is_shown = chapter.contains(&format!("`{key}`"))
                || chapter.contains(&format!("{key} = "))
                || chapter.contains(&format!("[{key}]"))
                || chapter.contains(&format!("[{key}."));
            assert!(is_shown, "`{key}` is not explained");
            count += 1;
        }
    }
    assert!(count > 110, "{count}");
}

#[test]
fn the_kinds_of_enemies_are_as_the_chapter_says() {
    let chapter = chapter("levels.md");
    for name in Kind::KNOWN {
        match Kind::known(name).expect("it is known").manner {
            Manner::Guard(guard) => {
                let said = format!(
                    "{} points of health for every second the step took, within {} cells of those who walk and {} of those who sneak",
                    guard.damage, guard.radius, guard.sneak_radius
                );
                assert!(chapter.contains(&said), "{said}");
            }
            Manner::Beast(beast) => {
                let sneaking = (beast.radius * 0.35 * 10.0).round() / 10.0;
                let row = format!(
                    "| `{name}` | {} | {} | {} | {sneaking} | {} | {} | {} | {} |",
                    beast.health,
                    beast.speed,
                    beast.radius,
                    beast.reach,
                    beast.damage,
                    beast.period,
                    beast.leash
                );
                assert!(chapter.contains(&row), "{row}");
            }
        }
    }
}

/// The names a chapter lists below a comment, such as `<!-- type=TickAsk -->`, by what it says.
fn listed_below(chapter: &str, comment: &str) -> Vec<(String, BTreeSet<String>)> {
    let mark = format!("<!-- {comment}=");
    let parts = chapter.split(&mark).skip(1);
    parts
        .map(|part| {
            let (name, rest) = part.split_once(" -->").expect("the end of a comment");
            let rows = rest.trim_start().lines().skip(2);
            let rows = rows.take_while(|line| line.starts_with('|'));
            let cells = rows.map(|row| row.split('|').nth(1).expect("a first cell"));
            let names = cells.map(|cell| cell.split('`').nth(1).expect("a name"));
            (name.to_owned(), names.map(str::to_owned).collect())
        })
        .collect()
}

/// What a schema says about a type, and about those it is made of, but for documents that have a
/// chapter of their own.
fn note_types(schema: &Value, types: &mut Vec<(String, BTreeSet<String>)>) {
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        let fields = definition["properties"].as_object();
        let fields: BTreeSet<String> = fields
            .into_iter()
            .flatten()
            .map(|it| it.0.clone())
            .collect();
        if !fields.is_empty() {
            types.push((name.clone(), fields));
        }
    }
}

#[test]
fn every_field_of_what_is_served_is_told_and_no_other() {
    let chapter = chapter("in_your_engine.md");
    let mut types = Vec::new();
    let question = run(&["schema", "serve-question"]).json();
    note_types(&question, &mut types);
    note_types(&run(&["schema", "serve-answer"]).json(), &mut types);
    // Told in the chapter on documents.
    let mut elsewhere = Vec::new();
    for document in ["plan", "htn-plan"] {
        let schema = run(&["schema", document]).json();
        note_types(&schema, &mut elsewhere);
    }
    elsewhere.extend([("PlanDocument".to_owned(), BTreeSet::new())]);
    elsewhere.extend([("TaskPlanDocument".to_owned(), BTreeSet::new())]);
    types.retain(|(name, _)| !elsewhere.iter().any(|(other, _)| other == name));
    let asked = question["oneOf"].as_array().expect("questions");
    let asked = asked.iter().map(|it| {
        let fields = it["properties"].as_object().expect("fields");
        let word = fields["do"]["const"].as_str().expect("a word");
        let names = fields.keys().filter(|name| *name != "do");
        (word.to_owned(), names.cloned().collect())
    });
    let asked: Vec<(String, BTreeSet<String>)> = asked.collect();
    types.extend(asked.iter().cloned());
    types.sort();
    types.dedup();
    let mut told = listed_below(&chapter, "type");
    told.sort();
    assert_eq!(told, types);

    let words = listed_below(&chapter, "words");
    let [(_, words)] = words.as_slice() else {
        panic!("one list of words");
    };
    let asked: BTreeSet<String> = asked.into_iter().map(|it| it.0).collect();
    assert_eq!(*words, asked);
}

#[test]
fn what_is_said_line_by_line_is_right() {
    let chapter = chapter("in_your_engine.md");
    let block = |what: &str| {
        let mark = format!("<!-- lines={what} -->");
        let after = chapter.split(&mark).nth(1).expect("the lines are marked");
        let block = after.split("```").nth(1).expect("a block");
        block.strip_prefix("json\n").expect("of JSON").to_owned()
    };
    let said = Ended::of_input(&["serve", "--stdio"], block("asked"));
    assert_eq!((said.code, &*said.err), (0, ""));
    assert_eq!(said.out, block("answered"));
}
