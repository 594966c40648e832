//! Everything that `capi` promises, in one program.

mod c_programs_run;
mod declarations_are_up_to_date;
mod threads_are_told_apart;
