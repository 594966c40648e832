//! The digest of a scenario is the same in every version, so that recordings find theirs again.
//!
//! If one of the numbers below changes although its level has not, recordings that were made with
//! it are orphaned. Look for a way that leaves it as it was; if there is none, follow the steps at
//! the top of `src/scenario/encoding.rs`. If a shipped level was changed on purpose, only the number
//! of that level changes: put the new one here, and write its recording under `testdata` anew.

use apprentice_world::Scenario;

/// Everything a scenario can say on a grid that makes a difference.
const HALL: &str = r#"format = 1
start = [0, 0]
goal = { all = [{ any = [{ dead = "grey" }, { lever = "crank" }] }, { not = { holds = "red" } }, { open = "gate" }, { within = { at = [4, 0], radius = 0.5 } }, { agent_within = { agent = "player", at = [5, 0], radius = 2.0 } }] }
map = { rows = ["......", "......", "......"] }
health = 50
seed = 3
undetectable_by = ["grey"]
door = [{ id = "gate", at = [[3, 0]], open = true, consume_key = true }, { id = "hatch", at = [[3, 1]], cycle = { open = 3.0, closed = 2.0, offset = 1.0 } }]
key = [{ id = "red", at = [1, 0], opens = ["gate"] }]
item = [{ id = "ring", at = [1, 1] }]
shield = [{ id = "round", at = [2, 0] }]
pack = [{ id = "herbs", at = [0, 1], health = 30 }]
lever = [{ id = "crank", at = [0, 2], opens = ["gate"], toggles = ["hatch"] }]
obstacle = [{ id = "cart", path = [[4, 2], [5, 2]], seconds = 1.5 }]
enemy = [{ id = "grey", kind = "cub", at = [5, 1] }, { id = "guard", kind = "guard", at = [5, 0] }]
player = { at = [2, 1], route = [[3, 2], [4, 2]], gait = "sneak" }
rules = { line_of_sight = true, block_slows = true, walk = 1.5, sneak = 0.75, run = 3.0 }
margins = { damage = 2.0, radius = 1.5 }
[kinds.cub]
like = "bear"
speed = 1.25
[midway]
time = 4.5
player = { stamina = 40, health = 60, memory = 2 }
[[midway.enemy]]
id = "grey"
at = [4.5, 1]
place = 10
health = 7
mode = "pursue"
after = "player"
"#;

/// The beasts of a cave that is a mesh, a while later.
const LATER: &str = r#"
[midway]
time = 2.5
[[midway.enemy]]
id = "grey"
at = [17, 30]
mode = "pursue"
"#;

fn shipped(name: &str) -> Scenario {
    shipped_with(name, "")
}

/// A shipped level with something added to its file.
fn shipped_with(name: &str, more: &str) -> Scenario {
    // Those that only tests need are elsewhere.
    let folders = ["scenarios", "testdata/scenarios"];
    let paths = folders.map(|it| crate::golden::root().join(format!("{it}/{name}.toml")));
    let path = &paths[usize::from(!paths[0].exists())];
    let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
    Scenario::parse_with(&(crate::golden::read(path) + more), beside).unwrap()
}

fn parse(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn digest(text: &str) -> u64 {
    parse(text).digest()
}

#[test]
fn digests_are_what_they_were() {
    let found = [
        ("a hall", digest(HALL)),
        ("quest_compound", shipped("quest_compound").digest()),
        ("bear_lever", shipped("bear_lever").digest()),
        ("multi_demo", shipped("multi_demo").digest()),
        ("lured_bear", shipped("lured_bear").digest()),
        ("later", shipped_with("lured_bear", LATER).digest()),
    ];
    let expected = [
        ("a hall", 0x5A1C_17A8_99AB_5860),
        ("quest_compound", 0x925A_CF3E_5C21_E4FB),
        ("bear_lever", 0xD3D3_3BFA_DDAD_DA2E),
        ("multi_demo", 0xDE5C_DDEA_4F80_8F49),
        ("lured_bear", 0x80A6_F04A_EE40_03CB),
        ("later", 0x1DAD_1D9C_FED8_619A),
    ];
    let listed =
        |digests: [(&str, u64); 6]| digests.map(|(name, digest)| format!("{name} {digest:#018x}"));
    assert_eq!(listed(found), listed(expected), "read the top of this file");
}

#[test]
fn whatever_makes_a_difference_makes_another_digest() {
    // What no plan is prepared for makes none to the layout.
    let dangers = ["seed = 4", "radius = 1.25"];
    let layout = parse(HALL).layout_digest();
    let changes = [
        ("start = [0, 0]", "start = [1, 2]"),
        ("{ lever = \"crank\" }", "{ all = [] }"),
        ("{ not = { holds = \"red\" } }", "{ holds = \"red\" }"),
        ("{ open = \"gate\" }", "{ open = \"hatch\" }"),
        ("at = [4, 0], radius = 0.5", "at = [4, 1], radius = 0.5"),
        ("radius = 0.5", "radius = 0.25"),
        (
            "\"......\", \"......\", \"......\"",
            "\"......\", \"......\", \"..#...\"",
        ),
        ("health = 50", "health = 51"),
        ("seed = 3", "seed = 4"),
        ("undetectable_by = [\"grey\"]", ""),
        ("open = true", "open = false"),
        ("consume_key = true", "consume_key = false"),
        ("offset = 1.0", "offset = 1.5"),
        ("cycle = { open = 3.0", "cycle = { open = 3.5"),
        ("at = [1, 0], opens = [\"gate\"]", "at = [1, 0], opens = []"),
        ("at = [1, 0]", "at = [2, 0]"),
        ("health = 30", "health = 31"),
        ("id = \"ring\"", "id = \"rung\""),
        ("toggles = [\"hatch\"]", "toggles = []"),
        ("seconds = 1.5", "seconds = 1.6"),
        ("path = [[4, 2], [5, 2]]", "path = [[5, 2], [4, 2]]"),
        ("kind = \"cub\", at = [5, 1]", "kind = \"cub\", at = [5, 2]"),
        ("kind = \"cub\"", "kind = \"wolf\""),
        ("speed = 1.25", "speed = 1.5"),
        ("route = [[3, 2], [4, 2]]", "route = [[3, 2]]"),
        ("gait = \"sneak\"", "gait = \"walk\""),
        ("line_of_sight = true", "line_of_sight = false"),
        ("block_slows = true", "block_slows = false"),
        ("run = 3.0", "run = 3.5"),
        ("radius = 1.5", "radius = 1.25"),
        ("time = 4.5", "time = 4.6"),
        ("stamina = 40", "stamina = 41"),
        ("memory = 2", "memory = 3"),
        ("health = 60", "health = 61"),
        ("at = [4.5, 1]", "at = [4.25, 1]"),
        ("place = 10", "place = 11"),
        ("health = 7", "health = 8"),
        ("mode = \"pursue\"", "mode = \"return\""),
        ("after = \"player\"", "after = \"npc\""),
        (&HALL[HALL.find("[midway]").unwrap()..], ""),
    ];
    let mut met = vec![("nothing", digest(HALL))];
    let mut layouts = vec![("nothing", layout)];
    for (from, to) in changes {
        let changed = HALL.replacen(from, to, 1);
        assert_ne!(changed, HALL, "{from}");
        let changed = parse(&changed);
        let note = |met: &mut Vec<(&'static str, u64)>, digest: u64| {
            if let Some((other, _)) = met.iter().find(|(_, known)| *known == digest) {
                panic!("`{to}` makes the same digest as {other}");
            }
            met.push((to, digest));
        };
        note(&mut met, changed.digest());
        if dangers.contains(&to) {
            assert_eq!(changed.layout_digest(), layout, "{to}");
        } else {
            note(&mut layouts, changed.layout_digest());
        }
    }
}

#[test]
fn whatever_makes_none_makes_none() {
    let all = digest(HALL);
    for (from, to) in [
        ("format = 1", "format = 1 # a comment"),
        ("format = 1", "format = 1\nname = \"A hall\""),
        ("format = 1", "format = 1\nsolvable = false"),
        ("format = 1", "format = 1\nneeds = [\"red\"]"),
        ("format = 1", "format = 1\nevents = [\"red\"]"),
        (
            "format = 1",
            "format = 1\ndemonstration = [{ points = [[0, 0], [4, 0]] }]",
        ),
        ("radius = 0.5", "radius = 0.50"),
        ("start = [0, 0]", "start = [-0.0, 0.0]"),
    ] {
        assert_eq!(digest(&HALL.replacen(from, to, 1)), all, "{to}");
    }
}
