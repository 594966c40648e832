//! A domain written by hand: three ways into a vault, best first, shared by all guards.

use apprentice::htn::{Aim, Domain, Label, Planner, Refinements};
use apprentice::search::{Budget, Cost, Status};

struct House;

/// What a guard knows: small and cheap to copy.
#[derive(Clone, Copy, PartialEq)]
struct Known {
    open: bool,
    key: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Task {
    EnterVault,
    TakeKey,
    Unlock,
    Walk,
}
use Task::{EnterVault, TakeKey, Unlock, Walk};

impl Domain for House {
    type State = Known;
    type Task = Task;

    fn refine(&self, task: &Task, known: &Known, out: &mut Refinements<Known, Task>) {
        let second = Cost::from_seconds(1.0);
        match (task, known) {
            // Done by other tasks: one line for each way, best first.
            (EnterVault, Known { open: true, .. }) => out.method("open").replace_by([Walk]),
            (EnterVault, Known { key: true, .. }) => out.method("key").replace_by([Unlock, Walk]),
            (EnterVault, _) => out.method("fetch").replace_by([TakeKey, EnterVault]),
            // Done by itself: the state afterwards, and the cost.
            (TakeKey, Known { key: false, .. }) => out.act(
                Known {
                    key: true,
                    ..*known
                },
                second,
            ),
            (Unlock, Known { key: true, .. }) => out.act(
                Known {
                    open: true,
                    ..*known
                },
                second,
            ),
            (Walk, Known { open: true, .. }) => out.act(*known, second),
            // Saying nothing means: it cannot be done here.
            _ => {}
        }
    }
}

fn main() {
    let (open, key) = (false, false);
    let mut planner = Planner::new(Known { open, key }, EnterVault).aim(Aim::First);
    // A little in every frame.
    while planner.run(&House, &mut Budget::units(2)) == Status::Paused {}

    let plan = planner.plan().expect("there is a way in");
    for (index, task) in plan.tasks().enumerate() {
        // The methods that led to it, from the last to the first.
        let why = plan.chain(index).filter_map(|part| match part.method {
            Label::Named(name) => Some(name),
            Label::Number(_) => None,
        });
        let why: Vec<&str> = why.collect();
        println!("{task:?} because of {}", why.join(", because of "));
    }
    assert_eq!(plan.tasks().collect::<Vec<_>>(), [&TakeKey, &Unlock, &Walk]);
}
