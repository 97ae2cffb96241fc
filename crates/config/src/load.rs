//! From text to a configuration, or to everything that is wrong with it.

use std::{error::Error, fmt, path::Path};

use portreeve_secret::Secret;
use toml::de::DeTable;

use crate::{
    Config, Disk, Files, Problem, Severity,
    build::build,
    problem::{Place, Problems},
    raw::Raw,
};

/// A configuration, and what about it is worth a warning.
pub struct Loaded {
    /// The configuration.
    pub config: Config,
    /// Problems of severity [`Severity::Warning`], in the order of their lines.
    pub warnings: Vec<Problem>,
}

/// Why a file cannot be used: at least one error, and the warnings, in the order of their lines.
#[derive(Debug)]
pub struct Rejected(pub Vec<Problem>);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for problem in &self.0 {
            write!(f, "{separator}{problem}")?;
            separator = "\n";
        }
        Ok(())
    }
}

impl Error for Rejected {}

/// Reads the file `path` and the files it names.
pub fn load(path: &Path) -> Result<Loaded, Rejected> {
    let octets = match std::fs::read(path) {
        Ok(octets) => Secret::new(octets),
        Err(error) => {
            let mut problems = Problems::new(path, "");
            problems.whole_file(Severity::Error, format!("cannot be read: {error}"));
            return Err(Rejected(problems.into_list()));
        }
    };
    match std::str::from_utf8(octets.expose()) {
        Ok(text) => parse(text, path, &Disk::beside(path)),
        Err(error) => {
            let readable = octets.expose().get(..error.valid_up_to()).unwrap_or_default();
            let mut problems = Problems::new(path, &String::from_utf8_lossy(readable));
            problems
                .error(Place(readable.len()), "found octets that are not UTF-8")
                .hint("save the file as UTF-8 text; octets that are none are written as hexadecimal digits");
            Err(Rejected(problems.into_list()))
        }
    }
}

/// Reads `text`, which stands in `file`; files that it names are read from `files`.
pub fn parse(text: &str, file: &Path, files: &dyn Files) -> Result<Loaded, Rejected> {
    let mut problems = Problems::new(file, text);
    let (document, faults) = DeTable::parse_recoverable(text);
    for fault in &faults {
        let place = fault.span().map_or(text.len(), |span| span.start);
        problems.error(Place(place), format!("not TOML: {}", fault.message()));
    }
    if problems.has_errors() {
        // What was meant can only be guessed; guesses would report what is not there.
        return Err(Rejected(problems.into_list()));
    }
    let raw = Raw::read(document.get_ref(), &mut problems);
    let config = build(&raw, file, files, &mut problems);
    if problems.has_errors() {
        return Err(Rejected(problems.into_list()));
    }
    Ok(Loaded { config, warnings: problems.into_list() })
}
