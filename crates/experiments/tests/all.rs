//! Everything that `experiments` promises, in one program: linking one takes longer than running most of it.

mod charts_and_reports_are_well_formed;
mod definitions_are_read;
mod nothing_is_lost_or_done_twice;
mod the_papers_hold;
