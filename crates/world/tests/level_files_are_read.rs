//! Levels come from the files of other programs: Tiled, Polyanya and modelling tools.

use apprentice_game::DistanceField;
use apprentice_search::{BestFirst, Budget, Search, Status};
use apprentice_world::{GridMap, Map, NavMeshParts, Point, Scenario, StraightLine, WalkProblem};

/// Files made by others are no part of the project.
fn foreign(name: &str) -> Option<String> {
    let path = crate::published_data::find_or_say(&format!("meshes/{name}"))?;
    Some(std::fs::read_to_string(path).expect("it can be read"))
}

/// How many places can be reached from the one nearest to a point.
fn reached(map: &Map, from: Point) -> usize {
    let mut field = DistanceField::to(map, map.place_at(from), 1.0);
    field.sweep(map, &mut Budget::unlimited());
    (0..map.places())
        .filter(|place| field.at(*place).is_finite())
        .count()
}

#[test]
fn the_arena_of_polyanya() {
    let Some(text) = foreign("arena.mesh") else {
        return;
    };
    let mesh = NavMeshParts::from_polyanya(&text).unwrap().build().unwrap();
    assert_eq!(mesh.polygons(), 120);
    let map = Map::Mesh(mesh);
    assert_eq!(reached(&map, Point::new(25.0, 25.0)), map.places());
}

#[cfg(feature = "obj")]
#[test]
fn geometry_becomes_a_navmesh_and_always_the_same() {
    for (name, near) in [("dungeon.obj", 1000), ("nav_test.obj", 1000)] {
        let Some(text) = foreign(name) else { return };
        let parts = NavMeshParts::from_obj(&text).unwrap();
        assert_eq!(parts, NavMeshParts::from_obj(&text).unwrap(), "{name}");
        let mesh = parts
            .build()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let map = Map::Mesh(mesh);
        assert!(map.places() > near, "{name}: {}", map.places());
        let largest = (0..map.places())
            .step_by(97)
            .map(|place| reached(&map, map.point_of(place)));
        let largest = largest.max().unwrap();
        assert!(
            largest * 3 > map.places(),
            "{name}: {largest} of {}",
            map.places()
        );
    }
}

#[cfg(feature = "obj")]
#[test]
fn a_wall_of_triangles_is_in_the_way() {
    // A floor of ten by six metres with a wall across it that leaves two metres free.
    let mut text = String::new();
    for [x, y, z] in [
        [0.0, 0.0, 0.0],
        [10.0, 0.0, 0.0],
        [10.0, 0.0, 6.0],
        [0.0, 0.0, 6.0],
        [4.8, 0.0, 0.0],
        [5.2, 0.0, 0.0],
        [5.2, 0.0, 4.0],
        [4.8, 0.0, 4.0],
        [4.8, 3.0, 0.0],
        [5.2, 3.0, 0.0],
        [5.2, 3.0, 4.0],
        [4.8, 3.0, 4.0],
    ] {
        text += &format!("v {x} {y} {z}\n");
    }
    text += "f 1 4 3 2\nf 9 12 11 10\nf 5/1 6/2 10/3 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\n";
    let scenario = Scenario::parse_with(
        "format = 1\nstart = [2, 1]\ngoal = { within = { at = [8, 1] } }\nmap = { file = \"hall.obj\" }",
        |_| Ok(text.clone()),
    )
    .unwrap();
    let start = scenario.map().place_at(Point::new(2.0, 1.0)).unwrap();
    let walk = WalkProblem::new(&scenario, start, Point::new(8.0, 1.0), 0.0);
    let mut search = BestFirst::astar(StraightLine);
    assert_eq!(
        search.run(&walk, &mut Budget::unlimited()),
        Status::Finished
    );
    let path = search.path().unwrap();
    // Round the end of the wall: twice the hypotenuse of about 3 by 3.5 metres, at two a second.
    let seconds = path.cost.as_seconds();
    assert!((4.2..5.5).contains(&seconds), "{seconds}");
}

#[test]
fn what_is_no_level_is_refused_with_its_line() {
    let mesh = |text: &str| NavMeshParts::from_polyanya(text).unwrap_err();
    for (text, line, reason) in [
        ("", 1, "ends where mesh"),
        ("mash\n2\n", 1, "begins with `mesh`"),
        ("mesh\n7\n", 2, "version 7"),
        ("mesh\n2\n1 x\n", 3, "\"x\" is no whole number"),
        ("mesh\n2\n-1 2\n", 3, "-1 makes no sense"),
        ("mesh\n2\n9999999999 1\n0 0 0", 3, "makes no sense"),
        ("mesh\n2\n3 1\n0 0 0\n1 0 0\n1 inf 0\n", 6, "no number"),
        (
            "mesh\n2\n3 1\n0 0 0\n1 0 0\n1 1 0\n3 0 1 9 -1 -1 -1",
            7,
            "no vertex 9",
        ),
        (
            "mesh\n2\n3 1\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2 -1 -1 -1\n5",
            8,
            "follows the last",
        ),
    ] {
        let error = mesh(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
    #[cfg(feature = "obj")]
    for (text, line, reason) in [
        ("", 1, "no faces"),
        ("v 1 2\n", 1, "three coordinates"),
        ("v 0 0 0\nf 1 2 3\n", 2, "\"2\" is no vertex"),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", 3, "at least three"),
        ("v 0 0 0\nv 9e4 0 0\nv 0 0 9e4\nf 1 3 2\n", 4, "too large"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 1, "nobody can walk"),
    ] {
        let error = NavMeshParts::from_obj(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_tiled_map_is_a_level() {
    let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { file = \"level.tmx\" }";
    let level = "<map width=\"3\" height=\"2\"><layer name=\"Walls\"><data encoding=\"csv\">0,1,0,0,0,0</data></layer></map>";
    let scenario = Scenario::parse_with(text, |_| Ok(level.to_owned())).unwrap();
    let rows: Vec<String> = scenario.grid().map(GridMap::rows).unwrap().collect();
    assert_eq!(rows, [".#.", "..."]);
}

/// Tiled names a tileset as seen from the map, and scenarios a map as seen from themselves.
#[test]
fn a_tileset_is_looked_for_beside_its_map() {
    let xml = |source: &str| {
        format!(
            "<map width=\"3\" height=\"1\"><tileset firstgid=\"1\" source=\"{source}\"/>\
             <layer name=\"ground\"><data encoding=\"csv\">1,2,1</data></layer></map>"
        )
    };
    let json = |source: &str| {
        format!(
            "{{ \"width\": 3, \"height\": 1, \"tilesets\": [{{ \"firstgid\": 1, \"source\": \"{source}\" }}],\
             \"layers\": [{{ \"type\": \"tilelayer\", \"name\": \"ground\", \"data\": [1, 2, 1] }}] }}"
        )
    };
    let set = "<tileset><tile id=\"1\" class=\"wall\"/></tileset>";
    for (map, source, expected) in [
        ("a.tmx", "set.tsx", "set.tsx"),
        ("a.tmx", "sets/set.tsx", "sets/set.tsx"),
        ("maps/a.tmx", "set.tsx", "maps/set.tsx"),
        ("maps/a.tmj", "set.tsx", "maps/set.tsx"),
        ("maps/b/a.tmx", "./c/set.tsx", "maps/b/c/set.tsx"),
        ("maps/a.tmx", "../sets/set.tsx", "sets/set.tsx"),
        ("maps/b/a.tmx", "../../sets/set.tsx", "sets/set.tsx"),
        ("maps/a.tmx", "../../sets/set.tsx", "../sets/set.tsx"),
        ("../a.tmx", "../set.tsx", "../../set.tsx"),
        ("maps/a.tmx", "/sets/set.tsx", "/sets/set.tsx"),
    ] {
        let text = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ file = \"{map}\" }}"
        );
        let scenario = Scenario::parse_with(&text, |name| match name {
            name if name == map && map.ends_with("tmx") => Ok(xml(source)),
            name if name == map => Ok(json(source)),
            name if name == expected => Ok(set.to_owned()),
            name => Err(format!("nobody has {name}")),
        });
        let scenario = scenario.unwrap_or_else(|error| panic!("{map} and {source}: {error}"));
        let rows: Vec<String> = scenario.grid().map(GridMap::rows).unwrap().collect();
        assert_eq!(rows, [".#."], "{map} and {source}");
    }
}
