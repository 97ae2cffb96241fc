//! Arbitrary text as a configuration file.

use std::path::Path;

use portreeve_config::{NoFiles, parse};

/// Checks that a file that is not accepted has at least one problem, and that every problem can be
/// printed with its location.
pub fn configuration(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    let path = Path::new("portreeved.toml");
    if let Err(rejected) = parse(text, path, &NoFiles) {
        assert!(!rejected.0.is_empty(), "the file is rejected, but no problem is listed");
        for problem in &rejected.0 {
            assert!(problem.to_string().starts_with("portreeved.toml"), "{problem}");
        }
    }
}
