//! `snmp.conf` as text: files, sections, includes and lines (snmp_config(5)).
//!
//! ```text
//! folders ── snmp.conf, snmp.local.conf of each ──▶ includes ──▶ [snmp] lines ──▶ ConfEntry, …
//! ```
//!
//! What a word means is its reader's business: here it is a word with a value and a place. A line that is wrong is an
//! entry, too, so that whatever is told comes in the order of the files.
//!
//! ```
//! use portreeve_net_snmp_conf::{EntryContent, read_text};
//!
//! let entries = read_text("defVersion 2c\n[snmptrapd]\nnot ours\n[snmp]\nretries \"3\"\n");
//! let directives: Vec<_> = entries.iter().filter_map(|entry| match &entry.content {
//!     EntryContent::Directive(directive) => Some((directive.name.as_str(), directive.value.as_str())),
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
pub use reader::{read, read_text};

/// One line's outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfEntry {
    /// Where the line is.
    pub location: ConfLocation,
    /// What it says.
    pub content: EntryContent,
}

/// A word that some reader may know, or a line that nobody can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryContent {
    /// A word of a section that is read.
    Directive(Directive),
    /// What is wrong, in Net-SNMP's wording, beginning with `Error: `.
    Error(String),
}

/// A word and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// As written; letter case does not matter to Net-SNMP.
    pub name: String,
    /// The first value, without quotes and backslashes.
    pub value: String,
    /// All that follows the word, as written, for words whose value is the whole line.
    pub raw_value: String,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfLocation {
    /// The file, as it was looked for.
    pub path: Arc<Path>,
    /// From 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// The file's permission bits.
    pub mode: u32,
}

impl ConfLocation {
    /// Whether others than the owner may read the file.
    pub fn is_readable_by_others(&self) -> bool {
        self.mode & 0o044 != 0
    }
}

/// `FILE: line N`, or the file alone.
impl fmt::Display for ConfLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if self.line > 0 {
            write!(f, ": line {}", self.line)?;
        }
        Ok(())
    }
}

/// The file a host's own words are in, as a name for [`read`]: `hosts/NAME`.
///
/// `None` for what is no plain name: Net-SNMP looks for no file of an address with a colon, and a slash would lead out
/// of the folder.
pub fn host_file(host: &str) -> Option<String> {
    let plain = !host.is_empty() && !host.starts_with('.') && !host.contains([':', '/', '\0']);
    plain.then(|| format!("hosts/{host}"))
}

/// The folders that are searched where `SNMPCONFPATH` names none, the user's own last.
pub fn default_folders(home: Option<&Path>) -> Vec<PathBuf> {
    let system = ["/etc/snmp", "/usr/share/snmp", "/usr/lib/snmp"];
    system.iter().map(PathBuf::from).chain(home.map(|home| home.join(".snmp"))).collect()
}
