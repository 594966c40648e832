//! Plans for characters whose designers say how things are done: tasks, the methods that do them,
//! and a planner that can be paused, improved and asked why.

pub mod model;
