//! A log that accepts no lines until the test reads it.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Read, Write},
    os::unix::fs::OpenOptionsExt,
    process::Command,
};

use crate::site::{Site, await_true};

/// A named pipe that is full.
pub(crate) struct FullPipe {
    file: File,
}

impl FullPipe {
    /// Replaces the log of a receiver that has not been started.
    pub(crate) fn replace_log(site: &Site) -> Self {
        fs::remove_file(site.log()).unwrap();
        assert!(Command::new("mkfifo").arg(site.log()).status().unwrap().success());
        let mut options = OpenOptions::new();
        // A pipe that is open for reading and writing does not block the opening.
        let mut file = options.read(true).write(true).custom_flags(O_NONBLOCK).open(site.log()).unwrap();
        for block in [&[b'\n'; 4096][..], b"\n"] {
            while file.write_all(block).is_ok() {}
        }
        Self { file }
    }

    /// Reads until this number of notifications has been written, and returns their lines.
    pub(crate) fn read_lines(&mut self, count: usize) -> Vec<String> {
        let (mut text, mut octets) = (Vec::new(), [0; 4096]);
        await_true(&format!("{count} lines in the pipe"), || {
            match self.file.read(&mut octets) {
                Ok(length) => text.extend_from_slice(&octets[..length]),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            lines_of(&text).len() >= count
        });
        lines_of(&text)
    }
}

fn lines_of(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
    complete.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The flag of open(2) on Linux.
const O_NONBLOCK: i32 = 0o4000;
