//! Charts are SVG that other programs read, with gaps where the budget ran out; reports are one page that needs no
//! other file.

use apprentice_experiments::chart::{Chart, Line, Origin, Scale};
use apprentice_experiments::{
    Catalogue, Cell, Definition, Extent, Header, Journal, Pictures, Report, Results, Runner,
};
use proptest::prelude::*;

fn chart(points: Vec<(f64, Option<f64>)>, across_scale: Scale, up_scale: Scale) -> Chart {
    Chart {
        title: "one < two & \"three\"".to_owned(),
        across: "bound".to_owned(),
        up: "expansions".to_owned(),
        across_scale,
        up_scale,
        lines: vec![Line {
            label: "a & b".to_owned(),
            points,
            origin: Origin::Measured,
        }],
    }
}

#[test]
fn what_is_beyond_the_limit_is_a_gap_with_a_cross() {
    let points = vec![
        (1.0, Some(10.0)),
        (10.0, None),
        (100.0, Some(20.0)),
        (1000.0, Some(5.0)),
    ];
    let svg = chart(points, Scale::Logarithmic, Scale::Logarithmic)
        .svg()
        .expect("points");
    assert!(svg.contains("beyond the limit"), "{svg}");
    let whole = vec![(1.0, Some(10.0)), (10.0, Some(9.0))];
    let svg = chart(whole, Scale::Logarithmic, Scale::Logarithmic)
        .svg()
        .expect("points");
    assert!(!svg.contains("beyond the limit"));
}

#[test]
fn nothing_to_draw_is_an_error() {
    let error = chart(vec![(1.0, None)], Scale::Linear, Scale::Linear)
        .svg()
        .unwrap_err();
    assert!(error.to_string().contains("there is no point in it"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_chart_can_be_read(
        points in prop::collection::vec((0.001..1e9f64, prop::option::weighted(0.8, 1e-6..1e12f64)), 1..12),
        logarithmic in any::<(bool, bool)>(),
    ) {
        let scale = |it| if it { Scale::Logarithmic } else { Scale::Linear };
        let chart = chart(points.clone(), scale(logarithmic.0), scale(logarithmic.1));
        match chart.svg() {
            Ok(svg) => {
                let document = roxmltree::Document::parse(&svg);
                prop_assert!(document.is_ok(), "{:?}", document.err());
                prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
            Err(_) => prop_assert!(points.iter().all(|(_, y)| y.is_none())),
        }
    }
}

#[test]
fn a_report_is_one_page() {
    let text = "format = 1\nid = 'mine'\ntitle = 'Mine & yours'\nabout = 'a < b'\nasserts = ['A1']\n\
                [[grid]]\nscenarios = ['empty_tutorial']\nbounds = [1, 10]\nplanners = [{ planner = 'wastar' }, { planner = 'tgraph' }]\n\
                [[chart]]\ntitle = 'all'\nx = 'bound'\ny = 'expansions'\nlog = ['x', 'y']\n\
                [[picture]]\ntitle = 'there'\nscenario = 'empty_tutorial'\nplanner = { planner = 'auto' }\n\
                [[form]]\ncaption = 'both'\ncolumns = ['', 'plans', 'beside']\nrows = [['theirs', '7', '']]\n\
                [[form.measured]]\nscenario = 'empty_tutorial'\nplanner = { planner = 'wastar', bound = 10 }\n\
                beside = { planner = 'tgraph', bound = 10 }\ncells = ['ours', '{found} of {count}', '{beside.found}']\n\
                [[published]]\nscenario = 'empty_tutorial'\nlabel = 'wastar'\nbound = 10\nexpansions = 12\n";
    let definition = Definition::parse(text).expect("it is well written");
    let catalogue = Catalogue::shipped();
    let levels = catalogue.levels();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut journal = Journal::open(folder.path()).expect("it can be written");
    let cells = definition
        .cells(levels, Extent::Quick, 1)
        .expect("its level is there");
    let cells: Vec<&Cell> = cells.iter().map(|it| &it.cell).collect();
    let runner = Runner { levels, threads: 2 };
    // Half of it first: what is missing is said.
    for (part, is_whole) in [(2, false), (4, true)] {
        runner
            .run(&cells[..part], &mut journal, |_| {})
            .unwrap_or_else(|error| panic!("{error}"));
        let header = Header {
            command: "apprentice <experiment>".to_owned(),
            seed: 1,
            machine: "a machine".to_owned(),
        };
        let results = Results::of(
            &[&definition],
            levels,
            Extent::Quick,
            journal.rows(),
            header,
        );
        let report = Report::of(&results.expect("levels"), levels, Pictures::Drawn);
        assert_eq!(report.html.contains("are not there yet"), !is_whole);
        assert!(report.html.contains("Mine &amp; yours") && report.html.contains("a &lt; b"));
        assert!(report.html.contains("apprentice &lt;experiment&gt;"));
        let beside = if is_whole { "1" } else { "–" };
        let ours = format!("<td>ours</td><td>1 of 1</td><td>{beside}</td>");
        assert!(report.html.contains("<td>theirs</td>") && report.html.contains(&ours));
        assert!(!report.html.contains("<script") && !report.html.contains("href=\"http"));
        assert_eq!(report.charts.len(), 2, "a chart and a picture");
        assert!(
            report
                .csv
                .starts_with("# command: apprentice <experiment>\n# seed: 1\n# version: ")
        );
        let lines = report.verdicts_markdown();
        assert_eq!(lines.lines().count(), report.verdicts.len() + 2);
        assert!(lines.lines().nth(2).is_some_and(|line| {
            line.starts_with(
                "| A1 | with ε = 1 a T-Graph has the expansions and costs of weighted A\\*,",
            )
        }));
        let ids: Vec<&str> = report.verdicts.iter().map(|it| &*it.id).collect();
        assert_eq!(&ids[..3], ["A1", "A2", "A3"]);
        assert_eq!(
            ids.iter().filter(|id| id.starts_with(['A', 'B'])).count(),
            44
        );
        assert!(
            report
                .verdicts
                .iter()
                .all(|it| it.holds.is_none() && !it.why.is_empty())
        );
    }
    drop(journal);
}
