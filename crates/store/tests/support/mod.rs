//! A test program that runs itself as the process under test, the victim.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Runs the victim if this process has its directory in [`VICTIM_ENV`], and the test otherwise.
pub fn run(victim: fn(&Path), test: fn()) {
    match env::var_os(VICTIM_ENV) {
        Some(directory) => victim(Path::new(&directory)),
        None => test(),
    }
}

/// A new directory, removed when dropped.
pub struct TempDir(pub PathBuf);

impl TempDir {
    pub fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("portreeve-store-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The environment variable with the victim's directory.
pub const VICTIM_ENV: &str = "PORTREEVE_VICTIM";
