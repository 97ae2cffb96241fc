//! Arbitrary text as `snmp.conf`, and as every file that it includes.

use std::{
    io,
    path::{Path, PathBuf},
};

use portreeve_net_snmp_conf::{EntryContent, FileSource, FileText, Section, read, read_text};

/// Checks that reading terminates even if files include each other, that every entry refers to an
/// existing line, that no entry is empty or an include, and that errors are single lines.
pub fn snmp_conf(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    if text.len() > MAX_INPUT_LEN {
        return;
    }
    let lines = text.lines().count();
    let from_text = read_text(Section::SNMP, Path::new("snmp.conf"), text);
    let from_files = read(Section::SNMP, "snmp", &["/a".into()], &SameTextFiles(text));
    for entry in from_text.into_iter().chain(from_files) {
        assert!((1..=lines).contains(&entry.location.line), "{entry:?}");
        match entry.content {
            EntryContent::Directive(word) => {
                assert!(!word.name.is_empty() && !word.raw_value.is_empty(), "{word:?}");
                assert!(word.value.len() <= word.raw_value.len(), "{word:?}");
                assert!(!word.name.eq_ignore_ascii_case("includeFile"), "{word:?}");
            }
            EntryContent::Error(what) => {
                assert!(what.starts_with("Error: ") && !what.contains('\n'), "{what}")
            }
        }
    }
}

/// A file system in which every file contains the same text.
struct SameTextFiles<'t>(&'t str);

impl FileSource for SameTextFiles<'_> {
    fn text(&self, _: &Path) -> io::Result<FileText> {
        Ok(FileText { text: self.0.to_owned(), mode: 0o600 })
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(["x.conf", "y.conf"].map(|file| path.join(file)).into())
    }
}

const MAX_INPUT_LEN: usize = 16 << 10;
