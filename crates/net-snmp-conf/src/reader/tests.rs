use std::collections::BTreeMap;

use super::*;

/// A source of files that are in memory.
struct MemoryFiles(BTreeMap<PathBuf, String>);

impl MemoryFiles {
    fn new(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect())
    }

    /// Reads the files and returns a short description of each entry.
    fn read(&self, name: &str, folders: &[&str]) -> Vec<String> {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        read(Section::SNMP, name, &folders, self).iter().map(describe).collect()
    }
}

impl FileSource for MemoryFiles {
    fn text(&self, path: &Path) -> io::Result<FileText> {
        let text = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(FileText { text: text.clone(), mode: 0o600 })
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let inside: Vec<_> = self.0.keys().filter(|file| file.parent() == Some(path)).cloned().collect();
        if inside.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(inside) }
    }
}

fn describe(entry: &ConfEntry) -> String {
    match &entry.content {
        EntryContent::Directive(directive) => format!("{} {}", directive.name, directive.value),
        EntryContent::Error(message) => format!("{}: {message}", entry.location),
    }
}

#[test]
fn local_conf_file_is_read_before_files_of_next_directory() {
    let files = MemoryFiles::new(&[
        ("/b/snmp.conf", "retries 3"),
        ("/a/snmp.local.conf", "retries 2"),
        ("/a/snmp.conf", "retries 1"),
        ("/a/other.conf", "retries 9"),
    ]);
    assert_eq!(files.read("snmp", &["/a", "/nowhere", "/b"]), ["retries 1", "retries 2", "retries 3"]);
    assert_eq!(files.read("snmp", &["/b", "/a"]), ["retries 3", "retries 1", "retries 2"]);
}

#[test]
fn included_files_are_read_in_place_relative_to_including_file() {
    let files = MemoryFiles::new(&[
        ("/a/snmp.conf", "one 1\nincludeFile more/x.conf\nincludeDir /a/more\nINCLUDESEARCH site\nfour 4"),
        ("/a/more/x.conf", "two 2\nincludeFile y.conf"),
        ("/a/more/y.conf", "three 3"),
        ("/b/site.local.conf", "site b"),
        ("/a/site.conf", "site a"),
    ]);
    let expected = ["one 1", "two 2", "three 3", "two 2", "three 3", "three 3", "site a", "site b", "four 4"];
    assert_eq!(files.read("snmp", &["/a", "/b"]), expected);
}

#[test]
fn host_conf_files_are_read_for_plain_host_names_only() {
    let files =
        MemoryFiles::new(&[("/a/hosts/r1.conf", "transport udp:x"), ("/a/hosts/r1.local.conf", "retries 1")]);
    let name = crate::host_file("r1").unwrap();
    assert_eq!(files.read(&name, &["/a"]), ["transport udp:x", "retries 1"]);
    for no_name in ["", "udp:r1", "../r1", "/etc/r1", ".r1"] {
        assert_eq!(crate::host_file(no_name), None, "{no_name}");
    }
}

#[test]
fn missing_included_file_or_file_name_is_reported_with_its_line() {
    let files =
        MemoryFiles::new(&[("/a/snmp.conf", "includeFile x.conf\nincludeDir /y\nincludeFile\nretries 1")]);
    let expected = [
        "/a/snmp.conf: line 1: Error: Included file '/a/x.conf' not found.",
        "/a/snmp.conf: line 2: Error: Can't open include dir '/y'.",
        "/a/snmp.conf: line 3: Error: Blank line following includeFile token.",
        "retries 1",
    ];
    assert_eq!(files.read("snmp", &["/a"]), expected);
}

#[test]
fn recursive_includes_stop_at_limit_of_depth_or_files() {
    let twice = "includeFile snmp.conf\nincludeFile snmp.conf\nretries 1\n";
    let entries = MemoryFiles::new(&[("/a/snmp.conf", twice)]).read("snmp", &["/a"]);
    assert!(entries.iter().any(|entry| entry.contains("nested include depth > 16")), "{entries:?}");
    assert!(entries.len() <= 3 * MAX_FILES, "{}", entries.len());
}

#[test]
fn conf_sections_of_other_programs_are_ignored() {
    let text =
        "[snmpd]\na x\n[snmp]\nb 1\n[snmpd] c 1\nd 2\n[snmpd] # a comment\ne 1\n[SNMP] f 1\ng 1\n[snmp";
    assert_eq!(
        words(Section::SNMP, text),
        ["b 1", "d 2", "f 1", "snmp.conf: line 11: Error: no matching ']' for type snmp."]
    );
}

#[test]
fn only_the_named_section_is_read() {
    let text = "a 1\n[snmp]\nb 1\n[snmptrapd] c 1\n[SnmpTrapd]\nd 1\n[snmpd] e 1\nf\n";
    let expected = ["a 1", "c 1", "d 1", "snmp.conf: line 8: Error: Blank line following f token."];
    assert_eq!(words(Section::SNMPTRAPD, text), expected);
    assert_eq!(words(Section::new("snmpd"), text), ["a 1", "e 1"]);
    assert_eq!(words(Section::SNMP, text), ["a 1", "b 1"]);
}

#[test]
fn lines_of_one_file_and_its_includes_are_read() {
    let files = MemoryFiles::new(&[
        ("/a/traps.conf", "[snmp]\nx 1\n[snmptrapd]\nincludeFile y.conf\nz 1"),
        ("/a/y.conf", "y 1\n[snmp] no 1"),
    ]);
    let read = |path: &str| read_file(Section::SNMPTRAPD, Path::new(path), &files);
    let words: Vec<String> = read("/a/traps.conf").unwrap().iter().map(describe).collect();
    assert_eq!(words, ["y 1", "z 1"]);
    assert_eq!(read("/a/missing.conf").unwrap_err().kind(), io::ErrorKind::NotFound);
}

fn words(section: Section<'_>, text: &str) -> Vec<String> {
    read_text(section, Path::new("snmp.conf"), text).iter().map(describe).collect()
}

#[test]
fn reader_never_panics_on_arbitrary_text() {
    let words =
        ["[", "]", "snmp", "\"", "\\", "'", "#", "\n", " ", "defVersion", "includeFile", "-1", "é", "\0"];
    let mut state: u32 = 7;
    for _ in 0..2000 {
        let mut text = String::new();
        for _ in 0..20 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text += words[usize::try_from(state >> 16).unwrap() % words.len()];
        }
        assert!(read_text(Section::SNMP, Path::new("snmp.conf"), &text).len() <= text.lines().count());
    }
}
