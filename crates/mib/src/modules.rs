//! All modules of definitions.
