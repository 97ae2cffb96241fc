//! `lab clean`: removes what earlier runs have left.
//!
//! Runs remove everything themselves, even if they are killed. Something is left only if their
//! clean-up process was killed as well.

use portreeve_lab_net::Leftovers;

use crate::error::Result;

/// Prints and removes everything that has been left.
pub(crate) fn clean() -> Result<()> {
    let leftovers = Leftovers::find();
    if leftovers.is_empty() {
        println!("nothing to remove");
        return Ok(());
    }
    print!("{leftovers}");
    Ok(leftovers.remove()?)
}
