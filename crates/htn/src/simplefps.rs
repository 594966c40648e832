//! Makes problems of the SimpleFPS domain, whose text is `domains/simplefps.htn`.

use std::fmt::Write;

/// A number sequence that looks random and is the same everywhere (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.roll()) * u128::from(limit)) >> 64) as u32
    }

    fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }
}

/// A problem with that many areas and points of interest. The same numbers give the same text.
///
/// Areas form a connected graph; of its waypoints six in ten are open and the others have a
/// keycard somewhere, which may be behind the very waypoint it opens: not every problem has a plan.
///
/// ```
/// use apprentice_htn::simplefps::generate;
///
/// assert_eq!(generate(10, 50, 1), generate(10, 50, 1));
/// assert!(generate(10, 50, 1).contains("goal ordered(Behave());"));
/// ```
pub fn generate(areas: u32, points: u32, seed: u64) -> String {
    let areas = areas.max(1);
    let mut dice = Dice(seed ^ (u64::from(areas) << 48) ^ (u64::from(points) << 32));
    let mut objects: Vec<(&str, String)> = Vec::new();
    let mut facts: Vec<String> = Vec::new();
    for area in 0..areas {
        objects.push(("Area", format!("area{area}")));
    }
    facts.push(format!("npc_at := area{};", dice.below(areas)));
    if dice.percent(70) {
        facts.push("injured := true;".to_owned());
    }
    objects.push(("Player", "player".to_owned()));
    facts.push(format!(
        "present(player, area{}) := true;",
        dice.below(areas)
    ));

    let far = areas * areas;
    let mut distances = vec![vec![far; areas as usize]; areas as usize];
    let mut connect = |a: u32, b: u32, dice: &mut Dice| {
        distances[a as usize][b as usize] = 1;
        distances[b as usize][a as usize] = 1;
        let door = format!("door{a}_{b}");
        for (x, y) in [(a, b), (b, a)] {
            facts.push(format!("present({door}, area{x}) := true;"));
            facts.push(format!("connected(area{x}, area{y}, {door}) := true;"));
        }
        if dice.percent(60) {
            facts.push(format!("open({door}) := true;"));
        } else {
            let key = format!("keycard{a}_{b}");
            facts.push(format!("unlocks({key}, {door}) := true;"));
            let place = dice.below(areas);
            facts.push(format!("present({key}, area{place}) := true;"));
            objects.push(("Keycard", key));
        }
        objects.push(("Waypoint", door));
    };
    let mut tree = Vec::new();
    // A random tree keeps the graph connected; then some more.
    for area in 1..areas {
        let other = dice.below(area);
        tree.push((area, other));
        connect(area, other, &mut dice);
    }
    for a in 0..areas {
        for b in 0..a {
            if !tree.contains(&(a, b)) && dice.percent(20) {
                connect(a, b, &mut dice);
            }
        }
    }
    for area in 0..areas {
        distances[area as usize][area as usize] = 0;
        if dice.percent(10) {
            facts.push(format!("lighted(area{area}) := true;"));
        }
        objects.push(("ControlBox", format!("box{area}")));
        facts.push(format!("present(box{area}, area{area}) := true;"));
    }
    for point in 0..points {
        let (ty, name) = match dice.below(4) {
            0 => ("Gun", format!("gun{point}")),
            1 => ("Knife", format!("knife{point}")),
            2 => ("Medikit", format!("medikit{point}")),
            _ => ("CoverPoint", format!("cover{point}")),
        };
        let place = dice.below(areas);
        facts.push(format!("present({name}, area{place}) := true;"));
        if ty == "Gun" {
            if dice.percent(20) {
                facts.push(format!("nightvision({name}) := true;"));
            }
            if dice.percent(40) {
                facts.push(format!("loaded({name}) := true;"));
            } else {
                let ammo = format!("ammo{point}");
                let place = dice.below(areas);
                facts.push(format!("fits({ammo}, {name}) := true;"));
                facts.push(format!("present({ammo}, area{place}) := true;"));
                objects.push(("Ammo", ammo));
            }
        }
        objects.push((ty, name));
    }
    for through in 0..areas as usize {
        for from in 0..areas as usize {
            for to in 0..areas as usize {
                let way = distances[from][through] + distances[through][to];
                distances[from][to] = distances[from][to].min(way);
            }
        }
    }
    let mut text = format!("problem simplefps_{areas}_{points}_{seed} {{\n");
    for (ty, name) in &objects {
        let _ = writeln!(text, "  instance {ty} {name};");
    }
    text.push_str("  init {\n");
    for fact in &facts {
        let _ = writeln!(text, "    {fact}");
    }
    for (from, row) in distances.iter().enumerate() {
        for (to, distance) in row.iter().enumerate() {
            let _ = writeln!(text, "    distance(area{from}, area{to}) := {distance};");
        }
    }
    text.push_str("  }\n  goal ordered(Behave());\n}\n");
    text
}
