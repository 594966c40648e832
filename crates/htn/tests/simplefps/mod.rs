//! SimpleFPS instances made by others, as problems in our language.

// Every test file uses a part of this.
#![allow(dead_code)]

#[path = "../../../search/tests/published_data/mod.rs"]
pub(crate) mod published_data;

use std::collections::BTreeMap;
use std::fmt::Write;

/// What is published of the domain; absent on most machines.
pub(crate) const PUBLISHED: &str = "htn/simplefps";

fn folder() -> Option<std::path::PathBuf> {
    published_data::find(PUBLISHED)
}

pub(crate) fn domain() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../domains/simplefps.htn");
    std::fs::read_to_string(path).expect("the domain is part of the project")
}

/// The instances by name, each as the text of a problem.
pub(crate) fn instances() -> Vec<(String, String)> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder.join("instances")).expect("it is a folder");
    for entry in entries.flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("it can be read");
            found.push((name.to_string(), problem(&text)));
        }
    }
    found.sort_by_key(|(name, _)| {
        let numbers: Vec<u32> = name
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect();
        numbers
    });
    found
}

/// JSHOP2's plan lengths, where it found a plan.
pub(crate) fn jshop_lengths() -> BTreeMap<String, (usize, f64)> {
    let Some(folder) = folder() else {
        return BTreeMap::new();
    };
    let table = std::fs::read_to_string(folder.join("jshop2.tsv")).expect("it is there");
    let rows = table.lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next()?.to_owned();
        let length = columns.next()?.parse().ok()?;
        Some((name, (length, columns.next()?.parse().ok()?)))
    });
    rows.collect()
}

/// Facts of the other domain as a problem of ours.
fn problem(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
    let facts: Vec<Vec<String>> = value["facts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|fact| {
            let words = fact.as_array().expect("a list").iter();
            words
                .map(|word| word.as_str().expect("a word").replace('-', "_"))
                .collect()
        })
        .collect();
    let areas = value["areas"].as_u64().expect("a number");
    let mut types: BTreeMap<String, &str> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for fact in &facts {
        let ty = match fact[0].as_str() {
            "player" => "Player",
            "waypoint" => "Waypoint",
            "control_box" => "ControlBox",
            "cover_point" => "CoverPoint",
            "keycard" => "Keycard",
            "medikit" => "Medikit",
            "knife" => "Knife",
            "gun" => "Gun",
            "ammo" => "Ammo",
            _ => continue,
        };
        if types.insert(fact[1].clone(), ty).is_none() {
            order.push(fact[1].clone());
        }
    }
    let mut out = String::from("problem simplefps_instance {\n");
    for area in 0..areas {
        let _ = writeln!(out, "  instance Area area{area};");
    }
    for name in &order {
        let _ = writeln!(out, "  instance {} {name};", types[name]);
    }
    out.push_str("  init {\n");
    for fact in &facts {
        let args = fact[1..].join(", ");
        let line = match fact[0].as_str() {
            "npc_at" => format!("npc_at := {args};"),
            "npc_injured" => "injured := true;".to_owned(),
            "point_of_interest" => format!("present({args}) := true;"),
            "connected" => format!("connected({args}) := true;"),
            "open" => format!("open({args}) := true;"),
            "keycard" => format!("unlocks({args}) := true;"),
            "ammo" => format!("fits({args}) := true;"),
            "has_nightvision" => format!("nightvision({args}) := true;"),
            "loaded" => format!("loaded({args}) := true;"),
            "lighted" => format!("lighted({args}) := true;"),
            _ => continue,
        };
        let _ = writeln!(out, "    {line}");
    }
    let rows = value["dist"].as_array().expect("a list");
    for (from, row) in rows.iter().enumerate() {
        for (to, distance) in row.as_array().expect("a list").iter().enumerate() {
            let _ = writeln!(out, "    distance(area{from}, area{to}) := {distance};");
        }
    }
    out.push_str("  }\n  goal ordered(Behave());\n}\n");
    out
}
