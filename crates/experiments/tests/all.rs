//! Everything that `experiments` promises, in one program: linking one takes longer than running most of it.
