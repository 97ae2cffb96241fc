//! Loads a configuration, or reports everything that is wrong with it.

use std::{
    error::Error,
    fmt,
    path::{Path, PathBuf},
};

use crate::{
    Agent, Config, DiskFiles, Files, Problem, Severity,
    build::build,
    document::{self, Document},
    options,
    raw::{Raw, RawAgent},
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
    read.map(loaded).map_err(|rejected| with_missing_file_hint(rejected, path))
}

/// Reads only the state directory from the file `path`, even if other sections contain errors. The
/// directory is resolved relative to the file.
///
/// # Errors
/// If the file cannot be read or is not valid TOML, or if `[agent]` contains an error.
pub fn load_state_dir(path: &Path) -> Result<PathBuf, ConfigError> {
    let read = document::read(path, |document| document.read_table(&options::AGENT, RawAgent::read));
    let (agent, _) = read.map_err(|rejected| with_missing_file_hint(rejected, path))?;
    let named = agent.and_then(|agent| agent.state_dir).map(|named| PathBuf::from(named.value));
    let state_dir = named.unwrap_or_else(|| Agent::default().state_dir);
    Ok(path.parent().unwrap_or(Path::new("")).join(state_dir))
}

fn with_missing_file_hint(mut rejected: ConfigError, path: &Path) -> ConfigError {
    if !path.exists() {
        rejected.0.iter_mut().for_each(|problem| {
            problem.hint("create a configuration file with `portreeved init DIR`, or specify another file with --config");
        });
    }
    rejected
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
