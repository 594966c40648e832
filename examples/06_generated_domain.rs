//! A domain that was compiled to Rust: a thousand characters plan from one domain, without a file
//! being interpreted. `apprentice htn compile domains/simplefps.htn -o simplefps.rs` wrote the code;
//! in a game a build script does, with `htn::language::compile_to_rust`.

#[rustfmt::skip]
#[path = "../crates/htn/tests/generated/simplefps.rs"]
mod simplefps;

use std::time::Instant;

use apprentice::htn::{Aim, LoadedDomain, Planner, simplefps::generate};
use apprentice::search::{Budget, Status};
use simplefps::{Simplefps, Task};

fn main() {
    // Problems are read at run time: other levels need no other program.
    let reading = Simplefps::read("level", &generate(10, 60, 7));
    let model = reading.model.expect("the problem has no mistakes");
    let loaded = LoadedDomain::new(model).expect("nothing is missing");
    let domain = Simplefps::new(loaded.clone()).expect("it is the same version of the domain");

    // Characters start in different areas.
    let starts: Vec<_> = (0..1000)
        .map(|number| {
            let mut state = loaded.initial_state();
            let area = format!("area{}", number % 10);
            assert!(loaded.write(&mut state, "npc_at", &[], &area));
            state
        })
        .collect();
    let mut planner = Planner::new(starts[0].clone(), Task::Behave).aim(Aim::First);
    let began = Instant::now();
    let (mut plans, mut steps) = (0, 0);
    for start in &starts {
        planner.restart(start.clone(), Task::Behave);
        if planner.run(&domain, &mut Budget::unlimited()) == Status::Finished {
            plans += 1;
            steps += planner.plan().expect("it is finished").len();
        }
    }
    println!(
        "{plans} of 1000 characters have a plan, {steps} steps in all, in {:?}",
        began.elapsed()
    );
    println!("the others are locked in: area9 has two doors, and their keycards lie outside");
    assert_eq!(plans, 900);
}
