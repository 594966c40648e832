//! Everything that `studio` promises, in one program: linking one takes longer than running most of it.
//! Tests that count allocations have programs of their own.

mod hostile_clients;
mod the_protocol_is_documented;
