//! Generated Rust plans as the interpreter does: the same plans, costs, work and explanations.

#[rustfmt::skip]
#[path = "generated/simplefps.rs"]
mod generated;
#[rustfmt::skip]
#[path = "generated/option.rs"]
mod option;
#[rustfmt::skip]
#[path = "generated/pages.rs"]
mod pages;
/// As a build script's output is taken in, where the crate has another name.
mod included {
    mod facade {
        pub(super) use apprentice_htn as htn;
    }
    use facade::htn as apprentice_htn;
    include!("generated/effects_and_values_c.rs");
}
mod alike;
mod semantics;
mod simplefps;

use alike::compare;
use apprentice_htn::LoadedDomain;

#[test]
fn simplefps_plans_alike() {
    let mut problems = simplefps::instances();
    for seed in 0..30 {
        let text = apprentice_htn::simplefps::generate(10, 20 + seed as u32 * 4, seed);
        problems.push((format!("generated with seed {seed}"), text));
    }
    for (name, problem) in problems {
        let reading = generated::Simplefps::read(&name, &problem);
        let model = reading
            .model
            .as_ref()
            .unwrap_or_else(|| panic!("{}", reading.report()));
        let loaded = LoadedDomain::new(model.clone()).expect("it loads");
        let compiled = generated::Simplefps::new(loaded.clone()).expect("the same version");
        compare(
            &name,
            &loaded,
            &compiled,
            &loaded.goal(),
            generated::Task::of,
            generated::Task::parts,
        );
    }
}

#[test]
fn every_page_plans_alike() {
    let cases = semantics::cases();
    macro_rules! check {
        ($page:ident) => {
            let case = cases
                .iter()
                .find(|case| case.name == stringify!($page))
                .expect("the page exists");
            let reading = pages::$page::Page::read("page", &case.problem);
            let model = reading
                .model
                .as_ref()
                .unwrap_or_else(|| panic!("{}", reading.report()));
            let loaded = LoadedDomain::new(model.clone()).expect("it loads");
            let compiled = pages::$page::Page::new(loaded.clone()).expect("the same version");
            compare(
                &case.name,
                &loaded,
                &compiled,
                &loaded.goal(),
                pages::$page::Task::of,
                pages::$page::Task::parts,
            );
        };
    }
    for_all_pages!(check);
}

#[test]
fn a_domain_may_be_called_as_a_type_of_rust() {
    let problem = "problem p { goal ordered(Take(rope)); }";
    let reading = option::OptionDomain::read("problem", problem);
    let loaded = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
    let compiled = option::OptionDomain::new(loaded.clone()).expect("the same version");
    compare(
        "option",
        &loaded,
        &compiled,
        &loaded.goal(),
        option::Task::of,
        option::Task::parts,
    );
}

#[test]
fn objects_have_their_types() {
    let problem = apprentice_htn::simplefps::generate(10, 20, 1);
    let reading = generated::Simplefps::read("problem", &problem);
    let loaded = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
    let hall = generated::objects::Area::named(&loaded, "area3").expect("it exists");
    let lamp = generated::objects::ControlBox::named(&loaded, "box3").expect("it exists");
    assert_eq!((hall.name(&loaded), lamp.name(&loaded)), ("area3", "box3"));
    assert_eq!(generated::objects::Area::named(&loaded, "box3"), None);
    assert_eq!(generated::objects::Area::named(&loaded, "area99"), None);
    // A switch is a place of interest, too.
    let poi = generated::objects::Poi::named(&loaded, "box3");
    assert_eq!(poi, Some(lamp.into()));
    let walk = generated::Task::Walk { a: hall };
    let same = loaded.task("Walk", &["area3"]).expect("it exists");
    assert_eq!(walk.parts(), (same.id, same.args.clone()));
    assert_eq!(generated::Task::of(same.id, &same.args), Some(walk));
}

#[test]
fn objects_of_the_domain_are_enums() {
    use pages::effects_and_values_b::{Page, objects::Light};
    let light = |problem: &str, name: &str| {
        let model = Page::read("problem", problem).model.expect("no errors");
        let loaded = LoadedDomain::new(model).expect("it loads");
        let light = Light::named(&loaded, name)?;
        assert_eq!(light.name(&loaded), name);
        Some(light)
    };
    let ours = "problem p { goal ordered(Go()); }";
    assert_eq!(light(ours, "green"), Some(Light::Green));
    assert_eq!(light(ours, "amber"), None);
    // Problems may have more.
    let more = "problem p { instance Light amber; goal ordered(Go()); }";
    assert_eq!(light(more, "red"), Some(Light::Red));
    assert_eq!(light(more, "amber"), Some(Light::Other(2)));
}

#[test]
fn generated_code_can_be_included_anywhere() {
    let problem = "problem p { init { broken(a) := true; } goal ordered(AllOn(), Count()); }";
    let reading = included::Page::read("problem", problem);
    let loaded = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
    let domain = included::Page::new(loaded).expect("the same version");
    let goal = [included::Task::AllOn, included::Task::Count];
    let goal = apprentice_htn::Network::ordered(goal);
    let mut planner = apprentice_htn::Planner::new(domain.source().initial_state(), goal);
    let mut budget = apprentice_search::Budget::unlimited();
    let status = planner.run(&domain, &mut budget);
    assert_eq!(status, apprentice_search::Status::Improved);
    let plan: Vec<_> = planner.plan().expect("it is there").tasks().collect();
    let see = included::Task::See {
        l: included::objects::Lamp::B,
    };
    assert_eq!(plan, [&included::Task::AllOn, &see]);
}

#[test]
fn code_for_other_objects_is_refused() {
    use pages::effects_and_values_b::{Page, SOURCE};
    for (domain, is_same) in [
        (SOURCE.to_owned(), true),
        // The same tasks about another object, at the same places.
        (SOURCE.replace("red", "rot"), false),
    ] {
        let problem = ("problem", "problem p { goal ordered(Go()); }");
        let files = [("domain.htn", domain.as_str()), problem];
        let model = apprentice_htn::language::read_files(&files, &|_| None).model;
        let loaded = LoadedDomain::new(model.expect("no errors")).expect("it loads");
        assert_eq!(Page::new(loaded).is_ok(), is_same, "{domain}");
    }
}
