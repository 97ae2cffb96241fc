//! `portreeve-manual DIR`: writes the manual pages and completions into DIR/man and
//! DIR/completions.

use std::{env, fs, io, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let Some(directory) = env::args_os().nth(1) else {
        eprintln!("usage: portreeve-manual DIR");
        return ExitCode::from(EXIT_USAGE);
    };
    match write(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portreeve-manual: {}: {error}", Path::new(&directory).display());
            ExitCode::FAILURE
        }
    }
}

/// Writes every file, and removes pages that are no longer generated.
fn write(directory: &Path) -> io::Result<()> {
    for output in ["man", "completions"].map(|name| directory.join(name)) {
        if output.is_dir() {
            fs::remove_dir_all(output)?;
        }
    }
    for (path, text) in portreeve_manual::files() {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Exit status for an invalid command line.
const EXIT_USAGE: u8 = 2;
