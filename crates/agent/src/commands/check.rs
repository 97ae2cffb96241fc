//! `portreeved check FILE`: does everything that `run` does with the file, except binding sockets.

use std::path::Path;

use crate::{error::CommandError, prepared};

/// Prints every problem and note with its location; fails if one of them is an error.
pub(crate) fn check(path: &Path) -> Result<(), CommandError> {
    prepared::print_problems(&prepared::check(path)?.notes);
    println!("{}: no errors", path.display());
    Ok(())
}
