//! `portreeved check FILE`: does everything that `run` does with the file, except binding sockets.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{error::CommandError, prepared, yang_modules};

/// Prints every problem and note with its location; fails if one of them is an error.
pub(crate) fn check(path: &Path) -> Result<(), CommandError> {
    let checked = prepared::check(path)?;
    prepared::print_problems(&checked.notes);
    if let Some(schema) = yang_modules::check(&checked.config).map_err(CommandError::new)? {
        // stderr may be closed, which is not an error.
        for node in yang_modules::check_objects(&schema).map_err(CommandError::new)? {
            let _ = writeln!(io::stderr(), "{node}");
        }
    }
    println!("{}: no errors", path.display());
    Ok(())
}
