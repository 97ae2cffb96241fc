//! Writes and reads schema files.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use portreeve_yang::{MAX_FILE, Schema};

use crate::Problem;

/// Returns the octets of a schema file, if the agent accepts them.
pub(crate) fn encode(schema: &Schema) -> Result<Vec<u8>, Problem> {
    let octets = schema.encode();
    match Schema::decode(&octets) {
        Ok(_) => Ok(octets),
        Err(error) => Err(Problem::new(format!("the agent would refuse the schema: {error}"))),
    }
}

/// Replaces a file with a schema, if the agent accepts it.
pub(crate) fn save(path: &Path, schema: &Schema) -> Result<(), Problem> {
    write(path, &encode(schema)?)
}

/// Replaces a file with new content, atomically and durably. If it fails, the old file stays.
pub(crate) fn write(path: &Path, octets: &[u8]) -> Result<(), Problem> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".new-{}", std::process::id()));
    let temporary = path.with_file_name(name);
    // A previous process with the same ID may not have removed its file.
    let _ = fs::remove_file(&temporary);
    let written = create(&temporary, octets).and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(Problem::in_file(path, format!("cannot be written: {error}")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| Problem::in_file(path, format!("cannot be made durable: {error}")))
}

fn create(path: &Path, octets: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(path)?;
    file.write_all(octets)?;
    file.sync_all()
}

/// Reads a schema file.
pub(crate) fn read(path: &Path) -> Result<Schema, Problem> {
    let mut octets = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE as u64 + 1).read_to_end(&mut octets))
        .map_err(|error| Problem::in_file(path, format!("cannot be read: {error}")))?;
    Schema::decode(&octets).map_err(|error| Problem::in_file(path, error.to_string()))
}

/// All users may read the file.
const MODE: u32 = 0o644;

#[cfg(test)]
mod tests;
