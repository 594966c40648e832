//! Pictures of ratings are XML whatever players are called, and show everybody whom there is room for.

use apprentice_ratings::{Chart, Evaluation, Matches, Played, Procedure, SystemKind};

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| node.text().map(str::to_owned))
        .collect()
}

#[test]
fn whatever_players_are_called() {
    let hostile = [
        "<b>&\"'",
        "\u{0}\u{7}\u{202e}x\u{ffff}",
        "an exceedingly long name that goes on and on \
                    and never seems to come to an end",
        "ü→漢字",
    ];
    let mut matches = Matches::new();
    for pair in hostile.windows(2) {
        matches.add(&Played::won(&pair[..1], &pair[1..])).unwrap();
    }
    for name in SystemKind::NAMES {
        let kind = name.parse().unwrap();
        let evaluation = Evaluation::of(&matches, kind, &Procedure::default());
        let shown = texts(&Chart::of(&evaluation, "<&>").svg());
        assert_eq!(shown[0], "<&>");
        assert!(shown.iter().any(|text| text == hostile[0]), "{shown:?}");
        assert!(shown.iter().any(|text| text.ends_with('…')), "{shown:?}");
    }
}

#[test]
fn nobody_one_and_very_many() {
    let mut matches = Matches::new();
    let drawn = |matches: &Matches| {
        let evaluation = Evaluation::of(matches, SystemKind::default(), &Procedure::default());
        texts(&Chart::of(&evaluation, "Ratings").svg())
    };
    assert!(
        drawn(&matches)
            .iter()
            .any(|text| text == "Nobody has played.")
    );
    for number in 0..120 {
        let (one, other) = (format!("p{number}"), format!("p{}", number + 1));
        matches.add(&Played::won(&[&one], &[&other])).unwrap();
    }
    let shown = drawn(&matches);
    assert!(
        shown
            .iter()
            .any(|text| text == "and 21 more that are not drawn"),
        "{shown:?}"
    );
}
