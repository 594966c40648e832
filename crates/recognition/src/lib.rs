//! What somebody is after, from some of what they did.
