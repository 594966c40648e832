//! Reads goal-recognition problems on grids with keys, one JSON object a line.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::{Deed, Key, KeyGrid, Lock};

/// A world, places that may be somebody's goal, which of them is, and what was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridProblem {
    /// Its name.
    pub id: String,
    /// Which share of the deeds was observed, in percent.
    pub observed_percent: u32,
    /// The world.
    pub grid: KeyGrid,
    /// The places that may be the goal.
    pub goals: Vec<usize>,
    /// Which of them is.
    pub real: usize,
    /// What was observed, in order.
    pub observations: Vec<Deed>,
}

/// Why a line is no such problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGridProblem(String);

impl fmt::Display for BadGridProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; a problem has `init`, `hypotheses`, `real`, `observations` and `observed_percent`",
            self.0
        )
    }
}

impl std::error::Error for BadGridProblem {}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: String,
    #[serde(default)]
    observed_percent: u32,
    init: Vec<Vec<String>>,
    hypotheses: Vec<Vec<Vec<String>>>,
    real: usize,
    observations: Vec<Vec<String>>,
}

/// Reads one line.
pub fn read_grid_problem(line: &str) -> Result<GridProblem, BadGridProblem> {
    let bad = |why: String| BadGridProblem(why);
    let line: Line = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
    let mut names = Names::default();
    let mut start = None;
    let mut ways = Vec::new();
    let mut key_places = BTreeMap::new();
    let mut key_shapes = BTreeMap::new();
    let mut locked: Vec<usize> = Vec::new();
    let mut lock_shapes = BTreeMap::new();
    for fact in &line.init {
        let words: Vec<&str> = fact.iter().map(String::as_str).collect();
        match words[..] {
            ["at-robot", place] => start = Some(names.place(place)),
            ["conn", from, to] => ways.push((names.place(from), names.place(to))),
            ["open", place] => {
                names.place(place);
            }
            ["locked", place] => locked.push(names.place(place)),
            ["lock-shape", place, shape] => {
                lock_shapes.insert(names.place(place), names.shape(shape));
            }
            ["at", key, place] => {
                key_places.insert(key.to_owned(), names.place(place));
            }
            ["key-shape", key, shape] => {
                key_shapes.insert(key.to_owned(), names.shape(shape));
            }
            _ => {
                return Err(bad(format!(
                    "nobody knows what `{}` means",
                    words.join(" ")
                )));
            }
        }
    }
    let start = start.ok_or_else(|| bad("`init` has no `at-robot`".to_owned()))?;
    let mut connected = vec![Vec::new(); names.places.len()];
    for (from, to) in ways {
        connected[from].push(to as u16);
    }
    let keys: Vec<Key> = key_places
        .into_iter()
        .filter_map(|(name, place)| {
            let shape = *key_shapes.get(&name)?;
            Some(Key { name, place, shape })
        })
        .collect();
    let mut locks = Vec::new();
    let mut lock_of = vec![None; names.places.len()];
    for place in locked {
        let shape = lock_shapes.get(&place).copied();
        let shape =
            shape.ok_or_else(|| bad(format!("`{}` has no `lock-shape`", names.places[place])))?;
        lock_of[place] = Some(locks.len() as u16);
        locks.push(Lock { place, shape });
    }
    let (most, places) = (keys.len().max(locks.len()), names.places.len());
    if most > 64 || places > usize::from(u16::MAX) {
        return Err(bad(format!(
            "{most} keys or locks and {places} places are too many; 64 and 65,535 are allowed"
        )));
    }
    let mut goals = Vec::new();
    for hypothesis in &line.hypotheses {
        let facts: Vec<Vec<&str>> = hypothesis
            .iter()
            .map(|fact| fact.iter().map(String::as_str).collect())
            .collect();
        match facts.iter().map(|fact| &fact[..]).collect::<Vec<_>>()[..] {
            [["at-robot", place]] => goals.push(names.known(place).map_err(bad)?),
            _ => return Err(bad("a hypothesis is one `at-robot` and a place".to_owned())),
        }
    }
    if line.real >= goals.len() {
        return Err(bad(format!(
            "`real` is {}, and there are {} goals",
            line.real,
            goals.len()
        )));
    }
    let key_named = |name: &str| {
        let key = keys.iter().position(|key| key.name == name);
        key.map(|key| key as u16)
            .ok_or_else(|| bad(format!("there is no key `{name}`")))
    };
    let mut observations = Vec::new();
    for observed in &line.observations {
        let words: Vec<&str> = observed.iter().map(String::as_str).collect();
        observations.push(match words[..] {
            ["move", from, to] => Deed::Move {
                from: names.known(from).map_err(bad)? as u16,
                to: names.known(to).map_err(bad)? as u16,
            },
            ["pickup", _, key] => Deed::PickUp {
                key: key_named(key)?,
            },
            ["unlock", from, place, key, ..] => Deed::Unlock {
                from: names.known(from).map_err(bad)? as u16,
                lock: lock_of[names.known(place).map_err(bad)?]
                    .ok_or_else(|| bad(format!("`{place}` is not locked")))?,
                key: key_named(key)?,
            },
            _ => return Err(bad(format!("nobody knows how to `{}`", words.join(" ")))),
        });
    }
    Ok(GridProblem {
        id: line.id,
        observed_percent: line.observed_percent,
        grid: KeyGrid {
            places: names.places,
            connected,
            keys,
            locks,
            start,
            goal: goals[line.real],
            lock_of,
        },
        goals,
        real: line.real,
        observations,
    })
}

#[derive(Default)]
struct Names {
    places: Vec<String>,
    numbers: BTreeMap<String, usize>,
    shapes: BTreeMap<String, usize>,
}

impl Names {
    fn place(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.places.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.places.len() - 1);
        self.places.len() - 1
    }

    fn known(&self, name: &str) -> Result<usize, String> {
        let place = self.numbers.get(name).copied();
        place.ok_or_else(|| format!("there is no place `{name}`"))
    }

    fn shape(&mut self, name: &str) -> usize {
        let next = self.shapes.len();
        *self.shapes.entry(name.to_owned()).or_insert(next)
    }
}
