//! Whatever the problem and whatever is asked for: the Rust that was generated from SimpleFPS plans
//! as the interpreter does. Same plans, costs, work, traces and explanations.

#![no_main]

#[path = "../../crates/htn/tests/alike/mod.rs"]
mod alike;
#[path = "../../crates/htn/tests/generated/simplefps.rs"]
mod generated;

use apprentice_htn::model::Model;
use apprentice_htn::simplefps::generate;
use apprentice_htn::{LoadedDomain, LoadedTask, Network};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    areas: u8,
    points: u8,
    seed: u64,
    edits: Vec<Edit>,
    goal: Vec<(u8, [u8; 4])>,
    is_unordered: bool,
}

/// A change of one of the facts.
#[derive(Arbitrary, Debug)]
enum Edit {
    Forget(u16),
    Deny(u16),
    /// The fact once more, with another word of the file in it.
    Bend(u16, u8, u16),
    /// A door, a key, a gun and so on that nobody made.
    Add(u16, u16),
}

fuzz_target!(|input: Input| {
    let text = problem(&input);
    let reading = generated::Simplefps::read("problem", &text);
    let Some(model) = reading.model else {
        // A bent fact was no fact any more.
        return;
    };
    let goal = goal(&model, &input);
    let loaded = LoadedDomain::new(model).expect("it loads");
    let compiled = generated::Simplefps::new(loaded.clone()).expect("the same version");
    let goal = goal.unwrap_or_else(|| loaded.goal());
    alike::compare(
        &text,
        &loaded,
        &compiled,
        &goal,
        generated::Task::of,
        generated::Task::parts,
    );
});

/// A generated problem, changed.
fn problem(input: &Input) -> String {
    let areas = 1 + u32::from(input.areas % 8);
    let text = generate(areas, u32::from(input.points % 32), input.seed);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let first = 1 + lines.iter().position(|line| line.contains("init {")).unwrap_or(0);
    let words: Vec<String> = lines[..first]
        .iter()
        .filter_map(|line| line.trim().strip_prefix("instance ")?.strip_suffix(';'))
        .filter_map(|line| Some(line.split_once(' ')?.1.to_owned()))
        .collect();
    for edit in input.edits.iter().take(40) {
        let facts = lines.len() - first - 3;
        if facts == 0 {
            break;
        }
        let place = |number: u16| first + usize::from(number) % facts;
        match *edit {
            Edit::Forget(line) => {
                lines.remove(place(line));
            }
            Edit::Deny(line) => {
                let line = place(line);
                lines[line] = lines[line].replace(":= true", ":= false");
            }
            Edit::Bend(line, part, word) => {
                let parts: Vec<&str> = lines[place(line)]
                    .split_inclusive(['(', ',', ' ', ')', ';'])
                    .collect();
                let part = usize::from(part) % parts.len();
                let old = parts[part].trim_end_matches(['(', ',', ' ', ')', ';']);
                let new = &words[usize::from(word) % words.len()];
                let bent: Vec<String> = parts
                    .iter()
                    .enumerate()
                    .map(|(at, text)| match at == part && !old.is_empty() {
                        true => text.replacen(old, new, 1),
                        false => (*text).to_owned(),
                    })
                    .collect();
                lines.insert(first, bent.concat());
            }
            Edit::Add(a, b) => {
                let [a, b] = [a, b].map(|number| &words[usize::from(number) % words.len()]);
                lines.insert(first, format!("    present({a}, {b}) := true;"));
            }
        }
    }
    lines.join("\n")
}

/// Any tasks, with any arguments they may have.
fn goal(model: &Model, input: &Input) -> Option<Network<LoadedTask>> {
    let mut tasks = Vec::new();
    for (task, args) in input.goal.iter().take(4) {
        let id = u32::from(*task) % model.tasks.len() as u32;
        let mut values = Vec::new();
        for (at, local) in model.tasks[id as usize].params.iter().enumerate() {
            let possible = model.values_of(local.ty);
            values.push(*possible.get(usize::from(args[at % 4]) % possible.len().max(1))?);
        }
        tasks.push(LoadedTask { id, args: values.into_iter().collect() });
    }
    match (tasks.is_empty(), input.is_unordered) {
        (true, _) => None,
        (false, true) => Some(Network::unordered(tasks)),
        (false, false) => Some(Network::ordered(tasks)),
    }
}
