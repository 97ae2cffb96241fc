//! A temporary directory for configurations and state, removed after the experiment.

use std::fs;
use std::path::PathBuf;

use crate::error::{Context, Result};

/// The temporary directory of this process.
pub(crate) struct ScratchDir(pub(crate) PathBuf);

impl ScratchDir {
    /// Creates the temporary directory.
    pub(crate) fn new() -> Result<Self> {
        let scratch = Self::of_this_process();
        fs::create_dir(&scratch.0).context(scratch.0.display())?;
        Ok(scratch)
    }

    /// Removes the directory of this process after an interrupt.
    pub(crate) fn remove() {
        drop(Self::of_this_process());
    }

    fn of_this_process() -> Self {
        Self(std::env::temp_dir().join(format!("portreeve-lab-{}", std::process::id())))
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
