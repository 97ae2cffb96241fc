//! `portreeved check FILE`: everything `run` does with the file, but binding.

use std::path::Path;

use crate::{failure::Failure, prepared};

/// Prints every problem with its place; fails where one is an error.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    prepared::check(path)?;
    println!("{}: good", path.display());
    Ok(())
}
