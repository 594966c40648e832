//! Whatever is wrong with a scenario file is an error that names the line and column and says what
//! to do. The corpus under `testdata/scenarios/malformed` says in its first lines what is expected.

use apprentice_world::Scenario;
use proptest::prelude::*;

const FOLDER: &str = "testdata/scenarios/malformed";

/// The files that scenarios of the corpus name.
fn files(name: &str) -> Result<String, String> {
    match name {
        "billion.map" => Ok("type octile\nheight 100000\nwidth 10000\nmap\n".to_owned()),
        "short.map" => Ok("type octile\nheight 3\nwidth 3\nmap\n...\n".to_owned()),
        // Names come from damaged texts too: only plain ones are looked for.
        _ if name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter)) =>
        {
            let path = crate::golden::root().join(FOLDER).join(name);
            std::fs::read_to_string(path).map_err(|_| "there is no such file".to_owned())
        }
        _ => Err("there is no such file".to_owned()),
    }
}

#[test]
fn every_file_of_the_corpus_is_refused_as_expected() {
    let paths = crate::golden::files(FOLDER, "toml");
    assert!(paths.len() >= 50, "only {} files", paths.len());
    for path in paths {
        let text = crate::golden::read(&path);
        let name = crate::golden::stem(&path);
        let error = match Scenario::parse_with(&text, files) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{name} is read without complaint"),
        };
        let (first, rest) = text
            .split_once('\n')
            .expect("the first line says what is expected");
        if crate::golden::is_updating() {
            std::fs::write(&path, format!("# expects {error}\n{rest}")).expect("a file");
            continue;
        }
        let expected = first
            .strip_prefix("# expects ")
            .expect("it begins with `# expects `");
        assert_eq!(error, expected, "{name}");
        assert!(expected.starts_with("line "), "{name}");
    }
}

fn compound() -> String {
    crate::golden::read(&crate::golden::root().join("scenarios/quest_compound.toml"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}") {
        let _ = Scenario::parse_with(&text, files);
    }

    #[test]
    fn no_damage_to_a_good_file_makes_the_reader_panic(
        at in 0usize..6000,
        removed in 0usize..40,
        inserted in prop::sample::select(vec![
            "", "[", "]", "{", "}", "\"", "'", "#", "=", ",", "nan", "-1", "1e400", "inf", "9999999999999999999",
            "[[enemy]]", "[map]", "\n", "\\u0000", "true", "1979-05-27", "0x7fffffffffffffff", "é", ".", "rows",
        ]),
    ) {
        let mut text = compound();
        let boundary = |text: &str, mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(&text, at);
        let end = boundary(&text, start + removed);
        text.replace_range(start..end, inserted);
        if let Err(error) = Scenario::parse_with(&text, files) {
            let lines = text.lines().count() + 1;
            assert!((1..=lines).contains(&error.line), "line {} of {lines}", error.line);
            assert!(error.column >= 1);
        }
    }
}

#[test]
fn every_prefix_of_a_good_file_is_read_or_refused() {
    let text = compound();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let _ = Scenario::parse(&text[..end]);
    }
}
