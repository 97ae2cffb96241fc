//! The compiled YANG modules that the agent serves.
//!
//! ```text
//! no modules in the configuration:  libexec/portreeve/shipped.schema ──────────────▶ Schema
//! [yang] modules:                   portreeve-yang ─ octets ─▶ decode ─▶ STATE/yang.schema
//!                                   (child process)              └─────────────────▶ Schema
//! ```
//! The file is not trusted: it is decoded with all checks. If modules of the operator cannot be
//! compiled, the file of the last successful start is used, and the reason is reported.

mod compiler;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use portreeve_sys::find_own_file;
use portreeve_yang::{MAX_FILE, Schema, SchemaError};

pub(crate) use compiler::CompileError;
use compiler::{Limits, compile};

/// A schema that was loaded when the agent started.
#[derive(Debug)]
pub(crate) struct LoadedSchema {
    pub(crate) schema: Schema,
    /// The file that it comes from.
    pub(crate) file: PathBuf,
    /// The reason why the modules of the configuration could not be compiled. The schema is that
    /// of the last successful start then.
    pub(crate) failure: Option<SchemaFileError>,
    /// The reason why the compiled schema could not be kept for the next start.
    pub(crate) not_kept: Option<SchemaFileError>,
}

/// Loads the shipped modules or, if the configuration names modules, compiles them together with
/// the shipped ones. May take as long as [`Limits`] permits.
///
/// # Errors
/// The schema file is missing or invalid. A hint says how to create it.
pub(crate) fn load(modules: &[PathBuf], state_dir: &Path) -> Result<LoadedSchema, SchemaFileError> {
    if modules.is_empty() {
        let file = find_own_file(SHIPPED).ok_or(SchemaFileError::NotInstalled(SHIPPED))?;
        return Ok(LoadedSchema { schema: read(&file)?, file, failure: None, not_kept: None });
    }
    load_with(modules, state_dir, &|| compile_with_program(modules))
}

fn load_with(
    modules: &[PathBuf],
    state_dir: &Path,
    compile: &dyn Fn() -> Result<Vec<u8>, SchemaFileError>,
) -> Result<LoadedSchema, SchemaFileError> {
    let file = state_dir.join(COMPILED);
    let compiled = compile().and_then(|octets| Ok((decode(&describe(modules), &octets)?, octets)));
    match compiled {
        Ok((schema, octets)) => {
            let is_same = fs::read(&file).is_ok_and(|known| known == octets);
            let kept = if is_same { Ok(()) } else { replace(&file, &octets) };
            Ok(LoadedSchema { schema, file, failure: None, not_kept: kept.err() })
        }
        Err(failure) => match read(&file) {
            Ok(schema) => Ok(LoadedSchema { schema, file, failure: Some(failure), not_kept: None }),
            Err(_) => Err(failure),
        },
    }
}

/// Returns the schema that [`load`] would return at a successful start, and changes no file.
///
/// # Errors
/// A module cannot be compiled or served, or no schema file is installed.
pub(crate) fn check(modules: &[PathBuf]) -> Result<Schema, SchemaFileError> {
    match modules {
        [] => read(&find_own_file(SHIPPED).ok_or(SchemaFileError::NotInstalled(SHIPPED))?),
        _ => decode(&describe(modules), &compile_with_program(modules)?),
    }
}

/// Returns true if the shipped modules are installed.
pub(crate) fn is_installed() -> bool {
    find_own_file(SHIPPED).is_some()
}

fn compile_with_program(modules: &[PathBuf]) -> Result<Vec<u8>, SchemaFileError> {
    let program = find_own_file(COMPILER).ok_or(SchemaFileError::NotInstalled(COMPILER))?;
    compile(&program, modules, Limits::default()).map_err(SchemaFileError::Compile)
}

fn read(path: &Path) -> Result<Schema, SchemaFileError> {
    let mut octets = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE as u64 + 1).read_to_end(&mut octets))
        .map_err(|error| SchemaFileError::Unreadable { file: path.to_owned(), error })?;
    decode(&path.display().to_string(), &octets)
}

fn decode(source: &str, octets: &[u8]) -> Result<Schema, SchemaFileError> {
    Schema::decode(octets).map_err(|error| SchemaFileError::Invalid { source: source.to_owned(), error })
}

fn describe(modules: &[PathBuf]) -> String {
    let names: Vec<_> = modules.iter().map(|module| module.display().to_string()).collect();
    names.join(", ")
}

/// Replaces a file durably; after an error, the old one is unchanged.
fn replace(path: &Path, octets: &[u8]) -> Result<(), SchemaFileError> {
    let temporary = path.with_extension("schema.new");
    let write = || -> io::Result<()> {
        let _ = fs::remove_file(&temporary);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(&temporary)?;
        file.write_all(octets)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        SchemaFileError::NotWritten { file: path.to_owned(), error }
    })
}

/// The reason why a schema is not available.
#[derive(Debug)]
pub(crate) enum SchemaFileError {
    /// The file or program of this name exists neither beside this program nor in libexec.
    NotInstalled(&'static str),
    Unreadable {
        file: PathBuf,
        error: io::Error,
    },
    Invalid {
        source: String,
        error: SchemaError,
    },
    NotWritten {
        file: PathBuf,
        error: io::Error,
    },
    Compile(CompileError),
}

impl fmt::Display for SchemaFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(name) => write!(
                f,
                "{name} is not installed in libexec/portreeve\nhint: `make build` and `make install` create \
                 it; NETCONF needs it, SNMP does not"
            ),
            Self::Unreadable { file, error } => write!(f, "{}: cannot be read: {error}", file.display()),
            Self::Invalid { source, error } => {
                write!(f, "{source}: {error}\nhint: `make build` and `make install` replace the file")
            }
            Self::NotWritten { file, error } => write!(f, "{}: cannot be written: {error}", file.display()),
            Self::Compile(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SchemaFileError {}

/// The compiled modules that are part of an installation.
const SHIPPED: &str = "shipped.schema";
/// The program that compiles modules.
const COMPILER: &str = "portreeve-yang";
/// The name of the compiled modules in the state directory.
const COMPILED: &str = "yang.schema";
/// Modules are public, so that all users may read the file.
const MODE: u32 = 0o644;
