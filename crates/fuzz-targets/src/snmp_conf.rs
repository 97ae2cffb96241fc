//! Any text as `snmp.conf`, and as every file that it includes.

use std::{
    io,
    path::{Path, PathBuf},
};

use portreeve_net_snmp_conf::{Files, Found, Text, read, read_text};

/// Promises: reading ends however files include each other, every entry names its line, a word is never empty nor one
/// that includes, and a mistake is one line.
pub fn snmp_conf(octets: &[u8]) {
    let Ok(text) = std::str::from_utf8(octets) else { return };
    if text.len() > LONGEST {
        return;
    }
    let lines = text.lines().count();
    for entry in read_text(text).into_iter().chain(read("snmp", &["/a".into()], &Mirrors(text))) {
        assert!((1..=lines).contains(&entry.place.line), "{entry:?}");
        match entry.found {
            Found::Word(word) => {
                assert!(!word.name.is_empty() && !word.whole.is_empty(), "{word:?}");
                assert!(word.value.len() <= word.whole.len(), "{word:?}");
                assert!(!word.name.eq_ignore_ascii_case("includeFile"), "{word:?}");
            }
            Found::Mistake(what) => assert!(what.starts_with("Error: ") && !what.contains('\n'), "{what}"),
        }
    }
}

/// A disk on which every file has the same text.
struct Mirrors<'t>(&'t str);

impl Files for Mirrors<'_> {
    fn text(&self, _: &Path) -> io::Result<Text> {
        Ok(Text { text: self.0.to_owned(), mode: 0o600 })
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(["x.conf", "y.conf"].map(|file| path.join(file)).into())
    }
}

const LONGEST: usize = 16 << 10;
