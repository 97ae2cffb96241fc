//! Loads a configuration, or reports everything that is wrong with it.

use std::{error::Error, fmt, path::Path};

use crate::{
    Config, DiskFiles, Files, Problem, Severity,
    build::build,
    document::{self, Document},
    raw::Raw,
};

/// A configuration and its warnings.
pub struct LoadedConfig {
    /// The configuration.
    pub config: Config,
    /// Problems of severity [`Severity::Warning`], ordered by line.
    pub warnings: Vec<Problem>,
    /// Problems of severity [`Severity::Note`], ordered by line.
    pub notes: Vec<Problem>,
}

/// The problems of a file that cannot be used: at least one error, and all warnings, ordered by
/// line.
#[derive(Debug)]
pub struct ConfigError(pub Vec<Problem>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for problem in &self.0 {
            write!(f, "{separator}{problem}")?;
            separator = "\n";
        }
        Ok(())
    }
}

impl Error for ConfigError {}

/// Reads the file `path` and the files that it refers to.
///
/// # Errors
/// If the file cannot be read or contains an error.
pub fn load(path: &Path) -> Result<LoadedConfig, ConfigError> {
    let read = document::read(path, |document| build_config(document, path, &DiskFiles::beside(path)));
    read.map(loaded).map_err(|mut rejected| {
        if !path.exists() {
            rejected.0.iter_mut().for_each(|problem| {
                problem.hint("create a configuration file with `portreeved init DIR`, or specify another file with --config");
            });
        }
        rejected
    })
}

/// Parses `text` as the content of `file`; files that it refers to are read from `files`.
///
/// # Errors
/// If the text contains an error.
pub fn parse(text: &str, file: &Path, files: &dyn Files) -> Result<LoadedConfig, ConfigError> {
    document::read_text(text, file, |document| build_config(document, file, files)).map(loaded)
}

fn build_config(document: &mut Document<'_, '_>, file: &Path, files: &dyn Files) -> Config {
    let raw = Raw::read(document);
    build(&raw, file, files, document.problems)
}

fn loaded((config, problems): (Config, Vec<Problem>)) -> LoadedConfig {
    let (notes, warnings) = problems.into_iter().partition(|problem| problem.severity == Severity::Note);
    LoadedConfig { config, warnings, notes }
}
