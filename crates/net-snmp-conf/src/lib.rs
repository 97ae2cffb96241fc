//! Reads `snmp.conf`, `snmptrapd.conf` and files like them as text: files, sections, includes and
//! lines (snmp_config(5)).
//!
//! ```text
//! directories ── NAME.conf, NAME.local.conf ──▶ includes ──▶ [SECTION] lines ──▶ ConfEntry, …
//! ```
//!
//! Lines before the first section of a file belong to the section that is read.
//!
//! The meaning of a directive is up to the caller: this crate returns its name, its value and its
//! location. A malformed line also becomes an entry, so that the caller can report errors in the
//! order of the files.
//!
//! ```
//! use std::path::Path;
//!
//! use portreeve_net_snmp_conf::{EntryContent, Section, read_text};
//!
//! let text = "defVersion 2c\n[snmptrapd]\nnot read\n[snmp]\nretries \"3\"\n";
//! let entries = read_text(Section::SNMP, Path::new("snmp.conf"), text);
//! let directives: Vec<_> = entries.iter().filter_map(|entry| match &entry.content {
//!     EntryContent::Directive(directive) => Some((&*directive.name, &*directive.value)),
//!     EntryContent::Error(_) => None,
//! }).collect();
//! assert_eq!(directives, [("defVersion", "2c"), ("retries", "3")]);
//! ```

mod files;
mod line;
mod reader;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use files::{DiskFiles, FileSource, FileText};
pub use reader::{read, read_file, read_text};

/// A section of the files, which is named in brackets. The lines of other sections are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a>(&'a str);

impl Section<'static> {
    /// The section of the commands, such as `snmpget`.
    pub const SNMP: Self = Self("snmp");
    /// The section of the notification receiver.
    pub const SNMPTRAPD: Self = Self("snmptrapd");
}

impl<'a> Section<'a> {
    /// The section with a name. Letter case is ignored.
    pub const fn new(name: &'a str) -> Self {
        Self(name)
    }

    fn is(self, name: &str) -> bool {
        self.0.eq_ignore_ascii_case(name)
    }
}

/// The content and the location of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfEntry {
    /// The location of the line.
    pub location: ConfLocation,
    /// The directive, or the error if the line cannot be parsed.
    pub content: EntryContent,
}

/// A directive, or a line that could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryContent {
    /// A directive of a section that is read.
    Directive(Directive),
    /// The error message, in Net-SNMP's wording; begins with `Error: `.
    Error(String),
}

/// A directive: a name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The name as written in the file. Net-SNMP ignores letter case.
    pub name: String,
    /// The first value, without quotes and backslashes.
    pub value: String,
    /// The rest of the line as written, for directives whose value is the whole line.
    pub raw_value: String,
}

impl Directive {
    /// Returns all values, without quotes and backslashes.
    pub fn values(&self) -> Vec<String> {
        line::values(&self.raw_value)
    }
}

/// The location of a line: a file and a line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfLocation {
    /// The path of the file, as it was searched for.
    pub path: Arc<Path>,
    /// The line number, counted from 1; 0 if the error concerns the whole file.
    pub line: usize,
    /// The permission bits of the file.
    pub mode: u32,
}

impl ConfLocation {
    /// Returns true if users other than the owner may read the file.
    pub fn is_readable_by_others(&self) -> bool {
        self.mode & 0o044 != 0
    }
}

/// Formats as `FILE: line N`, or as the file alone.
impl fmt::Display for ConfLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if self.line > 0 {
            write!(f, ": line {}", self.line)?;
        }
        Ok(())
    }
}

/// Returns the name of the file with directives for one host, `hosts/NAME`, for [`read`].
///
/// Returns `None` if `host` is not a plain name: Net-SNMP does not read host files for addresses
/// that contain a colon, and a slash could lead to a file outside the directory.
pub fn host_file(host: &str) -> Option<String> {
    let plain = !host.is_empty() && !host.starts_with('.') && !host.contains([':', '/', '\0']);
    plain.then(|| format!("hosts/{host}"))
}

/// Returns the directories that are searched if `SNMPCONFPATH` is not set; the user's own directory
/// is last.
pub fn default_folders(home: Option<&Path>) -> Vec<PathBuf> {
    let system = ["/etc/snmp", "/usr/share/snmp", "/usr/lib/snmp"];
    system.iter().map(PathBuf::from).chain(home.map(|home| home.join(".snmp"))).collect()
}
