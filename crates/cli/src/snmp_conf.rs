//! `snmp.conf`: what holds where no flag says otherwise (snmp.conf(5), snmp_config(5)).
//!
//! A file that is wrong in one line is right in the others: what is wrong is told with file and line on standard
//! error, and reading goes on. [`words`] is the one list of what may stand there.

mod line;
mod words;

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::{environment::Variable, flags::Settings};
use line::Line;

pub(crate) use words::apply_token;

/// Reads all files there are, in order; a later word replaces an earlier one.
pub(crate) fn load(settings: &mut Settings) {
    let mut reader = Reader { settings, depth: 0, warnings: Vec::new() };
    for folder in folders() {
        reader.file(&folder.join("snmp.conf"));
        reader.file(&folder.join("snmp.local.conf"));
    }
    let Reader { warnings, settings, .. } = reader;
    let told = warnings.iter().filter(|warning| !settings.no_token_warnings || !warning.about_unknown_word);
    told.for_each(|warning| eprintln!("{}", warning.text));
}

struct Reader<'s> {
    settings: &'s mut Settings,
    /// How many files include each other.
    depth: usize,
    warnings: Vec<Warning>,
}

struct Warning {
    text: String,
    /// noTokenWarnings keeps these quiet.
    about_unknown_word: bool,
}

impl Reader<'_> {
    fn file(&mut self, path: &Path) {
        let (text, mode) = match read(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                let text = format!("{}: Error: {error}", path.display());
                return self.warnings.push(Warning { text, about_unknown_word: false });
            }
        };
        self.text(path, mode, &text);
    }

    fn text(&mut self, path: &Path, mode: u32, text: &str) {
        let (mut ours, mut told_of_mode) = (true, false);
        for (number, line) in (1..).zip(text.lines()) {
            let (section, line) = line::split_section(line);
            let here = section.map_or(ours, line::is_ours);
            match (section, Line::read(line)) {
                (Some(section), None) => ours = line::is_ours(section),
                (_, Some(line)) if here => {
                    if words::is_secret(line.word) && mode & OTHERS != 0 && !told_of_mode {
                        told_of_mode = true;
                        let mode = mode & 0o777;
                        let text =
                            format!("others can read this file, which has a pass phrase (mode {mode:04o})");
                        self.tell(path, number, &format!("Warning: {text}."), false);
                    }
                    self.line(path, number, &line);
                }
                _ => {}
            }
        }
    }

    fn line(&mut self, path: &Path, number: usize, line: &Line<'_>) {
        if line.word.eq_ignore_ascii_case("includeFile") {
            return self.include(path, number, &line.value, Self::file);
        }
        if line.word.eq_ignore_ascii_case("includeDir") {
            return self.include(path, number, &line.value, Self::folder);
        }
        match words::apply(self.settings, line.word, &line.value) {
            Ok(()) => {}
            Err(words::Wrong::Unknown) => {
                self.tell(path, number, &format!("Warning: Unknown token: {}.", line.word), true);
            }
            Err(words::Wrong::Value(why)) => self.tell(path, number, &format!("Error: {why}"), false),
        }
    }

    /// Reads what an include names, relative to the file that names it.
    fn include(&mut self, path: &Path, number: usize, named: &str, read: fn(&mut Self, &Path)) {
        if self.depth >= DEEPEST {
            return self.tell(path, number, "Error: files include each other too deeply", false);
        }
        self.depth += 1;
        read(self, &path.parent().unwrap_or(Path::new(".")).join(named));
        self.depth -= 1;
    }

    /// Every `*.conf` of a folder, in the order of their names.
    fn folder(&mut self, path: &Path) {
        let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension() == Some(OsStr::new("conf"))).collect();
        files.sort();
        files.iter().take(MOST_FILES).for_each(|path| self.file(path));
    }

    fn tell(&mut self, path: &Path, number: usize, what: &str, about_unknown_word: bool) {
        if self.warnings.len() < MOST_WARNINGS {
            let text = format!("{}: line {number}: {what}", path.display());
            self.warnings.push(Warning { text, about_unknown_word });
        }
    }
}

/// A file's text and mode.
fn read(path: &Path) -> io::Result<(String, u32)> {
    let file = File::open(path)?;
    let mode = file.metadata()?.permissions().mode();
    let mut octets = Vec::new();
    file.take(LARGEST_FILE).read_to_end(&mut octets)?;
    Ok((String::from_utf8_lossy(&octets).into_owned(), mode))
}

/// Where files are looked for; the user's own come last.
fn folders() -> Vec<PathBuf> {
    if let Some(path) = Variable::ConfPath.value() {
        return std::env::split_paths(&path).collect();
    }
    let home = Variable::Home.value().map(|home| Path::new(&home).join(".snmp"));
    FOLDERS.iter().map(PathBuf::from).chain(home).collect()
}

const FOLDERS: [&str; 3] = ["/etc/snmp", "/usr/share/snmp", "/usr/lib/snmp"];
/// Permissions of anybody but the owner to read.
const OTHERS: u32 = 0o044;
const DEEPEST: usize = 8;
const MOST_FILES: usize = 256;
const MOST_WARNINGS: usize = 100;
const LARGEST_FILE: u64 = 1 << 20;

#[cfg(test)]
mod tests;
