//! The files, plans and messages in the book's chapter for designers are what the program says.

mod command;

use command::{apprentice, file, folder};

#[test]
fn the_chapter_for_designers_is_right() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let chapter = std::fs::read_to_string(root.join("book/src/tasks.md")).expect("it is there");
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
                let words: Vec<&str> = line.split(' ').skip(2).collect();
                let output = apprentice()
                    .current_dir(folder("the_book"))
                    .args(&words)
                    .output()
                    .expect("it runs");
                let said = String::from_utf8([output.stderr, output.stdout].concat());
                assert_eq!(said.expect("text"), expected, "{line}");
                commands += 1;
            }
            _ => {}
        }
    }
    assert_eq!(commands, 6);
}
