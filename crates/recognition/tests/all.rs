//! Everything that is promised about goal recognition, in one program.
