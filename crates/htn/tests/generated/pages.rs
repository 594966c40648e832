// One module for each domain of the pages in testdata/htn.
#[rustfmt::skip]
#[path = "methods_and_branches_a.rs"]
pub(crate) mod methods_and_branches_a;
#[rustfmt::skip]
#[path = "methods_and_branches_b.rs"]
pub(crate) mod methods_and_branches_b;
#[rustfmt::skip]
#[path = "methods_and_branches_c.rs"]
pub(crate) mod methods_and_branches_c;
#[rustfmt::skip]
#[path = "binders_a.rs"]
pub(crate) mod binders_a;
#[rustfmt::skip]
#[path = "binders_b.rs"]
pub(crate) mod binders_b;
#[rustfmt::skip]
#[path = "binders_c.rs"]
pub(crate) mod binders_c;
#[rustfmt::skip]
#[path = "binders_d.rs"]
pub(crate) mod binders_d;
#[rustfmt::skip]
#[path = "effects_and_values_a.rs"]
pub(crate) mod effects_and_values_a;
#[rustfmt::skip]
#[path = "effects_and_values_b.rs"]
pub(crate) mod effects_and_values_b;
#[rustfmt::skip]
#[path = "effects_and_values_c.rs"]
pub(crate) mod effects_and_values_c;
#[rustfmt::skip]
#[path = "effects_and_values_d.rs"]
pub(crate) mod effects_and_values_d;
#[rustfmt::skip]
#[path = "effects_and_values_e.rs"]
pub(crate) mod effects_and_values_e;
#[rustfmt::skip]
#[path = "effects_and_values_f.rs"]
pub(crate) mod effects_and_values_f;
#[rustfmt::skip]
#[path = "effects_and_values_g.rs"]
pub(crate) mod effects_and_values_g;
#[rustfmt::skip]
#[path = "names_a.rs"]
pub(crate) mod names_a;
#[rustfmt::skip]
#[path = "names_b.rs"]
pub(crate) mod names_b;

/// Calls a macro with the names of all modules.
#[macro_export]
macro_rules! for_all_pages {
    ($call:ident) => {
        $call!(methods_and_branches_a);
        $call!(methods_and_branches_b);
        $call!(methods_and_branches_c);
        $call!(binders_a);
        $call!(binders_b);
        $call!(binders_c);
        $call!(binders_d);
        $call!(effects_and_values_a);
        $call!(effects_and_values_b);
        $call!(effects_and_values_c);
        $call!(effects_and_values_d);
        $call!(effects_and_values_e);
        $call!(effects_and_values_f);
        $call!(effects_and_values_g);
        $call!(names_a);
        $call!(names_b);
    };
}
