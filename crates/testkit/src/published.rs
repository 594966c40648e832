//! Maps that others have made and published. They are no part of the project; CONTRIBUTING.md says
//! where they come from.

use std::path::{Path, PathBuf};

use apprentice_world::{GridMap, Map, NavMeshParts};

use crate::shape::Terrain;

/// The variable that says where the folder is. Without it, it is looked for beside the project.
pub const VARIABLE: &str = "APPRENTICE_DATA";

/// The folders in which maps are looked for: published ones, and those that come with the tests.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = root.join("../shared/data");
    let data = std::env::var_os(VARIABLE).map_or(beside, PathBuf::from);
    vec![
        data.join("maps"),
        data.join("meshes"),
        root.join("testdata"),
    ]
}

/// All of them, by name, and what to say about those that are not there or cannot be read.
pub fn terrains() -> (Vec<Terrain>, Vec<String>) {
    let mut terrains = Vec::new();
    let mut notes = Vec::new();
    for folder in folders() {
        let Ok(files) = std::fs::read_dir(&folder) else {
            notes.push(format!(
                "SKIPPED: there are no published maps in {}; CONTRIBUTING.md says where they come from, and {VARIABLE} in which folder to look",
                folder.display()
            ));
            continue;
        };
        let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        paths.sort();
        for path in paths {
            match read(&path) {
                Some(Ok(terrain)) => terrains.push(terrain),
                Some(Err(why)) => notes.push(format!("SKIPPED: {}: {why}", path.display())),
                None => {}
            }
        }
    }
    (terrains, notes)
}

/// The map in a file, if it is of a kind that has one.
fn read(path: &Path) -> Option<Result<Terrain, String>> {
    let kind = path.extension()?.to_str()?;
    let file = path.file_name()?.to_str()?.to_owned();
    let read: fn(&str) -> Result<Map, String> = match kind {
        "map" => |text| {
            let grid = GridMap::from_movingai(text);
            grid.map(Map::Grid).map_err(|error| error.to_string())
        },
        "tmx" => |text| {
            let grid = GridMap::from_tmx(text, |_| Err("in a file of its own".to_owned()));
            grid.map(Map::Grid).map_err(|error| error.to_string())
        },
        "tmj" => |text| {
            let grid = GridMap::from_tmj(text, |_| Err("in a file of its own".to_owned()));
            grid.map(Map::Grid).map_err(|error| error.to_string())
        },
        "mesh" => |text| built(NavMeshParts::from_polyanya(text)),
        "obj" => |text| built(NavMeshParts::from_obj(text)),
        _ => return None,
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return Some(Err(error.to_string())),
    };
    Some(read(&text).map(|map| Terrain {
        name: file.clone(),
        map,
        table: format!("[map]\nfile = \"{file}\"\n"),
        files: vec![(file, text)],
    }))
}

fn built(parts: Result<NavMeshParts, impl ToString>) -> Result<Map, String> {
    let parts = parts.map_err(|error| error.to_string())?;
    parts
        .build()
        .map(Map::Mesh)
        .map_err(|error| error.to_string())
}
