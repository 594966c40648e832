//! Every run comes back, however much there is to look through, and has counted what it did. Those of
//! tasks that contain themselves are held against the planner for HDDL, in its crate.

use apprentice_htn::LoadedDomain;
use apprentice_htn::language::read;
use apprentice_search::{Budget, Status};

/// Forty objects, and a task that looks at combinations of seven of them.
fn combinations(method: &str) -> String {
    let things: Vec<String> = (0..40).map(|number| format!("o{number}")).collect();
    format!(
        "type Thing;
         instance Thing {};
         fluent bool near(Thing x, Thing y);
         fluent bool done;
         task Go() {{ method m {{ {method} }} }}
         task Stop() {{ {{ done == false :-> true; }} }}
         problem p {{ goal ordered(Go()); }}",
        things.join(", ")
    )
}

#[test]
fn more_combinations_than_anybody_could_look_through_are_a_fault_of_the_domain() {
    let variables = "(Thing x, Thing y, Thing z, Thing u, Thing v, Thing w, Thing t)";
    let cases = [
        // None will do.
        format!("exists {variables} {{ near(x, y) != near(w, t); ordered(Stop()); }}"),
        // All will do.
        format!("exists {variables} {{ near(x, y) == near(w, t); ordered(Stop()); }}"),
        // A condition of its own.
        format!(
            "(exists {variables} (near(x, y) != near(w, t) and near(u, v) and near(z, x))); ordered(Stop());"
        ),
    ];
    for method in cases {
        let text = combinations(&method);
        let reading = read("p.htn", &text);
        let report = reading.report();
        let domain = LoadedDomain::new(reading.model.expect(&report)).expect("it loads");
        let mut planner = apprentice_htn::Planner::new(domain.initial_state(), domain.goal());
        let status = planner.run(&domain, &mut Budget::units(2));
        assert_eq!(status, Status::GaveUp, "{method}");
        let fault = planner.fault().expect("it is one");
        assert!(fault.message.contains("16 million combinations"), "{fault}");
        let place = domain.model().place(fault.span.expect("it has a place"));
        assert_eq!(place.expect("it is in the file").line, 5);
        // What was looked through is counted, whoever goes on with it.
        while planner.run(&domain, &mut Budget::units(1000)) == Status::Paused {}
        assert!(planner.statistics().iterations > 200);
    }
}

#[test]
fn more_combinations_than_anybody_could_look_through_are_a_mistake_in_a_problem() {
    let text = combinations("ordered(Stop());").replace(
        "problem p {",
        "problem p { init { forall (Thing x, Thing y, Thing z, Thing u, Thing v, Thing w) { near(x, y) := near(z, u) or near(v, w); } }",
    );
    let reading = read("p.htn", &text);
    assert!(reading.model.is_none());
    let report = reading.report();
    assert!(report.contains("4 million combinations"), "{report}");
    assert!(report.contains("p.htn:7:"), "{report}");
}
