//! How long learning takes.

fn main() {}
