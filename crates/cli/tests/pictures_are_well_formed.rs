//! Pictures are XML whatever a scenario says, show what they should, and change only on purpose.

use std::path::Path;

use crate::command::{VAULT, compare, file, folder, run, scenario};
use apprentice::world::{NavMesh, Point, Scenario};

/// Draws with these arguments and returns the picture, which is well-formed.
#[track_caller]
fn draw(name: &str, arguments: &[&str]) -> String {
    let path = folder("pictures").join(name).with_extension("svg");
    let _ = std::fs::remove_file(&path);
    let svg = ["--svg", path.to_str().expect("text")];
    let ended = run(&[arguments, &svg].concat());
    assert!(ended.code <= 2, "{arguments:?}: {}", ended.err);
    let picture = std::fs::read_to_string(&path).expect("it was drawn");
    if let Err(error) = roxmltree::Document::parse(&picture) {
        panic!("{name}: {error}");
    }
    picture
}

/// All text in a picture, piece by piece.
fn words(picture: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(picture).expect("XML");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| node.text().map(str::to_owned))
        .collect()
}

#[test]
fn every_scenario_that_comes_with_apprentice_can_be_drawn() {
    let place = scenario("k1d1_close");
    let scenarios = Path::new(&place).parent().expect("a folder");
    for entry in std::fs::read_dir(scenarios).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_str().expect("text");
        let path = path.to_str().expect("text");
        let plan = draw(
            name,
            &["plan", path, "--planner", "wastar", "--show-expanded"],
        );
        let words = words(&plan);
        for word in ["start", "goal", "The plan", "Scale"] {
            assert!(words.iter().any(|text| text == word), "{name}: no {word}");
        }
        for kind in ["straight", "path"] {
            draw(
                &format!("{name}.{kind}"),
                &["heuristic", path, "--kind", kind],
            );
        }
    }
}

#[test]
fn walls_are_few_elements() {
    let picture = draw(
        "walls",
        &["plan", &scenario("bear_bypass"), "--planner", "astar"],
    );
    let document = roxmltree::Document::parse(&picture).expect("XML");
    let rectangles = document
        .descendants()
        .filter(|node| node.has_tag_name("rect"));
    assert!(rectangles.count() < 20);
}

#[test]
fn a_picture_is_drawn_also_when_there_is_no_plan() {
    let shut = VAULT.replace("opens = [\"vault\"]", "opens = []");
    let shut = file("pictures", "shut.toml", shut);
    let picture = draw("shut", &["plan", &shut]);
    assert!(!words(&picture).contains(&"The plan".to_owned()));
    draw(
        "spent",
        &[
            "plan",
            &scenario("quest_compound"),
            "--expansions",
            "5",
            "--show-expanded",
        ],
    );
}

#[test]
fn names_cannot_break_a_picture() {
    let name = "<script>alert(1)</script> & ]]> 'quoted' \\u0000 \\u202e ü";
    let text = VAULT
        .replace("The vault", &name.replace("\\u0000", ""))
        .replace("id = \"red\"", "id = \"<b>&amp;\"");
    let path = file("pictures", "names.toml", text);
    let picture = draw("names", &["plan", &path]);
    assert!(words(&picture).iter().any(|text| text == "<b>&amp;"));
    assert!(!picture.contains("<script"));
}

#[test]
fn one_small_picture_is_known_by_heart() {
    let path = file("pictures", "vault.toml", VAULT);
    let picture = draw("vault", &["plan", &path, "--planner", "astar"]);
    compare(&picture, "tests/golden/vault.svg");
}

#[test]
fn the_picture_in_the_book_is_what_plan_draws() {
    compare(&draw("book", &["plan"]), "../../book/src/pictures/plan.svg");
    let close = scenario("k1d1_close");
    compare(
        &draw("teach", &["plan", &close, "--explain"]),
        "../../book/src/pictures/teach.svg",
    );
    let far = scenario("far_demo");
    let tgraph = [
        "heuristic",
        &far,
        "--kind",
        "tgraph",
        "--epsilon",
        "10",
        "--projection",
        "consistent",
    ];
    compare(
        &draw("tgraph", &tgraph),
        "../../book/src/pictures/tgraph.svg",
    );
}

#[test]
fn floors_above_each_other_can_be_told_apart() {
    // A yard, and a bridge three metres above it.
    let level = "v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8\nf 1 4 3 2\n\
        v 2 3 3\nv 2 3 5\nv 18 3 5\nv 18 3 3\nf 5 6 7 8\n";
    file("pictures", "bridge.obj", level);
    let text = "format = 1\nstart = [3, 4, 3]\n\
        goal = { within = { at = [17, 4, 3], radius = 0.5 } }\nmap = { file = \"bridge.obj\" }\n";
    let path = file("pictures", "bridge.toml", text);
    let picture = draw("bridge", &["plan", &path, "--planner", "astar"]);
    assert!(picture.contains("floors: the lower, the darker"));
    let yard = picture.find("fill=\"#d6d2c4\"").expect("the lowest floor");
    let bridge = picture.find("fill=\"#faf9f5\"").expect("the highest floor");
    assert!(yard < bridge, "what is above is drawn last");
    let flat = draw(
        "flat",
        &["plan", &scenario("cave_left"), "--expansions", "10"],
    );
    assert!(!flat.contains("floors:"));
}

/// The lines of a picture whose look contains this, each a list of points.
fn lines(picture: &str, look: &str) -> Vec<Vec<Point>> {
    let document = roxmltree::Document::parse(picture).expect("XML");
    let paths = document
        .descendants()
        .filter(|node| node.has_tag_name("path"));
    let looks_so = |node: &roxmltree::Node<'_, '_>| {
        picture[node.range()]
            .split_once('>')
            .is_some_and(|(tag, _)| tag.contains(look))
    };
    let points = |data: &str| -> Vec<Point> {
        let numbers = data.split(['M', 'L', ' ']).filter(|part| !part.is_empty());
        let numbers: Vec<f64> = numbers
            .map(|part| part.parse().expect("a number"))
            .collect();
        let pairs = numbers.chunks_exact(2);
        pairs.map(|pair| Point::new(pair[0], pair[1])).collect()
    };
    paths
        .filter(looks_so)
        .map(|node| points(node.attribute("d").expect("a path has data")))
        .collect()
}

fn is_on(mesh: &NavMesh, at: Point) -> bool {
    // Pixels are rounded.
    let nearly = 0.01;
    (0..mesh.polygons()).any(|polygon| {
        let corners: Vec<[f64; 3]> = mesh.polygon(polygon).collect();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).all(|([ax, ay, _], [bx, by, _])| {
            let length = Point::new(*ax, *ay).distance_to(Point::new(*bx, *by));
            (bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax) >= -nearly * length
        })
    })
}

#[test]
fn plans_in_caves_are_drawn_where_they_lead_with_what_they_follow() {
    for name in ["cave_left", "cave_offgraph", "coop_cave", "grotto"] {
        let path = scenario(name);
        let picture = draw(&format!("{name}.way"), &["plan", &path]);
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        let beside = |other: &str| Ok(read(&Path::new(&path).with_file_name(other)));
        let level = Scenario::parse_with(&read(Path::new(&path)), beside).expect("a scenario");
        let mesh = level.map().mesh().expect("a cave");
        let plan = lines(&picture, "stroke-width=\"7\"").remove(0);
        // From pixels back to metres.
        let (first, last) = level.map().bounds();
        let cell = (800.0 / ((last.x - first.x).max(last.y - first.y) + 4.0)).min(36.0);
        let start = level.actors()[0].start;
        let metres = |at: &Point| {
            let (x, y) = ((at.x - plan[0].x) / cell, (at.y - plan[0].y) / cell);
            Point::new(start.x + x, start.y + y)
        };
        let way: Vec<Point> = plan.iter().map(metres).collect();
        let leaps = mesh.links().len();
        let mut off = 0;
        for pair in way.windows(2) {
            let middle = Point::new((pair[0].x + pair[1].x) / 2.0, (pair[0].y + pair[1].y) / 2.0);
            off += usize::from(!is_on(mesh, pair[1]) || !is_on(mesh, middle));
        }
        assert!(off <= leaps, "{name}: {off} pieces lead through rock");
        // One is the legend's.
        let bands = lines(&picture, "stroke=\"#e0b7db\"");
        assert!(bands.len() > 1, "{name}: nothing shows what is followed");
    }
}

/// The words of a picture in a row, however lines were broken.
fn told(picture: &str) -> String {
    words(picture).join(" ")
}

#[test]
fn legends_say_who_notices_nobody_and_what_plans_reckon_with() {
    let ignored = draw("ignored", &["plan", &scenario("bear_lever")]);
    let text = told(&ignored);
    assert!(text.contains("but it does not notice the agent"), "{text}");
    assert!(!text.contains("its zone for those who walk"), "{text}");
    // With the leash of its kind the bear gives up in time to be worth a blow.
    let careful = std::fs::read_to_string(scenario("multi_demo")).unwrap();
    let bold = careful.replace("leash = 60", "leash = 15");
    assert_ne!(careful, bold);
    let feared = draw("feared", &["plan", &file("pictures", "bold.toml", &bold)]);
    let text = told(&feared);
    assert!(text.contains("75 lost"), "{text}");
    let reckoned = "50 damage every 1 s; plans reckon with 75, 1.5 times as much";
    assert!(text.contains(reckoned), "{text}");
}

#[test]
fn what_moves_is_seen_before_the_doors_it_passes() {
    let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [3, 0], radius = 0.0 } }\n\
        map = { rows = ['....', '....'] }\n[[door]]\nid = 'gate'\nat = [[2, 1]]\n\
        [[obstacle]]\nid = 'cart'\npath = [[2, 1], [1, 1]]\nseconds = 1.0\n";
    let path = file("pictures", "cart.toml", text);
    let picture = draw("cart", &["plan", &path, "--planner", "astar"]);
    let gate = picture.find("fill=\"#d9d9d9\"").expect("a door");
    let cart = "fill=\"#55565a\" stroke=\"#1c1c1c\"";
    let cart = picture.find(cart).expect("a cart");
    assert!(gate < cart);
}

#[test]
fn many_reasons_are_a_list() {
    let ended = run(&["plan", &scenario("k5d5"), "--explain"]);
    let why = ended.out.split("Why\n").nth(1).expect("a reason");
    let why: Vec<&str> = why.lines().take_while(|line| !line.is_empty()).collect();
    let fetches = why.iter().filter(|line| line.contains("fetch key"));
    assert_eq!(fetches.count(), 5, "{why:?}");
    assert!(
        why.iter().all(|line| line.matches(" key `").count() <= 1),
        "{why:?}"
    );
}

#[test]
fn simplefps_plans_can_be_drawn() {
    let domain = concat!(env!("CARGO_MANIFEST_DIR"), "/../../domains/simplefps.htn");
    for (areas, points, seed) in [(1, 0, 1), (10, 40, 7), (10, 60, 28), (30, 20, 3)] {
        let [a, p, s] = [areas, points, seed].map(|number: u32| number.to_string());
        let made = run(&[
            "htn",
            "simplefps",
            "--areas",
            &a,
            "--points",
            &p,
            "--seed",
            &s,
        ]);
        let name = format!("simplefps_{a}_{p}_{s}");
        let problem = file("pictures", &format!("{name}.htn"), made.out);
        let arguments = ["htn", "plan", domain, &problem];
        let steps = run(&arguments).out;
        let steps = steps.lines().filter_map(|line| {
            let (number, step) = line.trim().split_once("  ")?;
            number.parse::<usize>().ok().map(|_| step.to_owned())
        });
        let picture = draw(&name, &arguments);
        assert_eq!(picture, draw(&name, &arguments));
        let words = words(&picture);
        let shown = words
            .iter()
            .filter(|word| word.contains('(') && word.ends_with(')'));
        let shown: Vec<&String> = shown.filter(|word| !word.contains(" (")).collect();
        assert_eq!(shown, steps.collect::<Vec<_>>().iter().collect::<Vec<_>>());
        for area in 0..areas {
            let area = format!("area{area}");
            assert!(words.contains(&area), "{name}: no {area}");
        }
    }
}

#[test]
fn other_domains_are_not_drawn() {
    let text = "task Nap() { { true; } } problem p { goal ordered(Nap()); }";
    let nap = file("pictures", "nap.htn", text);
    let ended = run(&["htn", "plan", &nap, "--svg", "nap.svg"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(ended.err.contains("`npc_at()` is missing"), "{}", ended.err);
    assert!(!Path::new("nap.svg").exists());
}
