//! Everything that is promised about playstyles, in one program.

mod published_vectors;
