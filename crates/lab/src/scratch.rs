//! A folder for configurations and state, gone at the end of an experiment.

use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Result};

/// A folder of this process, under the system's temporary one.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    /// Makes it.
    pub(crate) fn new() -> Result<Self> {
        let scratch = Self::ours();
        fs::create_dir(&scratch.0).context(scratch.0.display())?;
        Ok(scratch)
    }

    /// Removes what this process has made, when it is interrupted.
    pub(crate) fn remove() {
        drop(Self::ours());
    }

    fn ours() -> Self {
        Self(std::env::temp_dir().join(format!("portreeve-lab-{}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
