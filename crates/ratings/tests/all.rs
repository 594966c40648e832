//! Everything that `ratings` promises, in one program: linking one takes longer than running it.

mod bad_matches_are_errors;
mod charts_are_well_formed;
mod published_vectors;
mod ratings_are_fair;
mod refits_are_the_most_likely;
mod same_as_the_closed_form;
