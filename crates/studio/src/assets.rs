//! The page and everything it needs, inside the program.

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! assets {
    ($path:expr; $($kind:expr => $($name:literal)+;)+) => {
        match $path {
            $($(concat!("/", $name) => Some(Asset {
                kind: $kind,
                text: include_str!(concat!("../web/", $name)),
            }),)+)+
            _ => None,
        }
    };
}

/// The file at a path of the page.
pub(crate) fn asset(path: &str) -> Option<Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    assets! { path;
        "text/html; charset=utf-8" => "index.html" "study.html" "study_notes.html";
        "text/css; charset=utf-8" => "style.css" "study.css";
        "image/svg+xml" => "icon.svg";
        SCRIPT =>
            "app.js" "broken_level.js" "browser_files.js" "connection.js" "document.js" "elements.js" "errand_part.js"
            "file_watch.js" "files.js" "floors.js" "hands.js" "history.js"
            "inspector.js" "level_import.js" "make_panel.js" "map_view.js" "people.js" "plan_panel.js" "planning.js" "play_panel.js" "recording.js" "shades.js" "strokes.js"
            "study.js" "study_game.js" "study_map.js" "study_notes.js"
            "symbols.js" "task_tree.js" "task_words.js" "tasks_panel.js" "teach_panel.js" "tests_panel.js" "theme.js" "tour.js" "transport.js" "underlay.js" "watch_panel.js"
            "ways.js" "why_card.js" "words.js";
    }
}
