use std::collections::BTreeMap;

use super::*;

/// Files in memory.
struct Shelf(BTreeMap<PathBuf, String>);

impl Shelf {
    fn new(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect())
    }

    /// What is told of each line, shortly.
    fn read(&self, name: &str, folders: &[&str]) -> Vec<String> {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        read(name, &folders, self).iter().map(told).collect()
    }
}

impl Files for Shelf {
    fn text(&self, path: &Path) -> io::Result<Text> {
        let text = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Text { text: text.clone(), mode: 0o600 })
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let inside: Vec<_> = self.0.keys().filter(|file| file.parent() == Some(path)).cloned().collect();
        if inside.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(inside) }
    }
}

fn told(entry: &Entry) -> String {
    match &entry.found {
        Found::Word(word) => format!("{} {}", word.name, word.value),
        Found::Mistake(what) => format!("{}: {what}", entry.place),
    }
}

#[test]
fn a_folders_local_file_is_read_before_the_next_folder() {
    let shelf = Shelf::new(&[
        ("/b/snmp.conf", "retries 3"),
        ("/a/snmp.local.conf", "retries 2"),
        ("/a/snmp.conf", "retries 1"),
        ("/a/other.conf", "retries 9"),
    ]);
    assert_eq!(shelf.read("snmp", &["/a", "/nowhere", "/b"]), ["retries 1", "retries 2", "retries 3"]);
    assert_eq!(shelf.read("snmp", &["/b", "/a"]), ["retries 3", "retries 1", "retries 2"]);
}

#[test]
fn includes_stand_where_they_are_named_and_are_relative_to_their_file() {
    let shelf = Shelf::new(&[
        ("/a/snmp.conf", "one 1\nincludeFile more/x.conf\nincludeDir /a/more\nINCLUDESEARCH site\nfour 4"),
        ("/a/more/x.conf", "two 2\nincludeFile y.conf"),
        ("/a/more/y.conf", "three 3"),
        ("/b/site.local.conf", "site b"),
        ("/a/site.conf", "site a"),
    ]);
    let expected = ["one 1", "two 2", "three 3", "two 2", "three 3", "three 3", "site a", "site b", "four 4"];
    assert_eq!(shelf.read("snmp", &["/a", "/b"]), expected);
}

#[test]
fn a_host_has_files_of_its_own() {
    let shelf =
        Shelf::new(&[("/a/hosts/r1.conf", "transport udp:x"), ("/a/hosts/r1.local.conf", "retries 1")]);
    let name = crate::host_file("r1").unwrap();
    assert_eq!(shelf.read(&name, &["/a"]), ["transport udp:x", "retries 1"]);
    for no_name in ["", "udp:r1", "../r1", "/etc/r1", ".r1"] {
        assert_eq!(crate::host_file(no_name), None, "{no_name}");
    }
}

#[test]
fn what_is_not_there_is_told_where_it_was_included() {
    let shelf = Shelf::new(&[("/a/snmp.conf", "includeFile x.conf\nincludeDir /y\nincludeFile\nretries 1")]);
    let expected = [
        "/a/snmp.conf: line 1: Error: Included file '/a/x.conf' not found.",
        "/a/snmp.conf: line 2: Error: Can't open include dir '/y'.",
        "/a/snmp.conf: line 3: Error: Blank line following includeFile token.",
        "retries 1",
    ];
    assert_eq!(shelf.read("snmp", &["/a"]), expected);
}

#[test]
fn files_that_include_each_other_end() {
    let twice = "includeFile snmp.conf\nincludeFile snmp.conf\nretries 1\n";
    let entries = Shelf::new(&[("/a/snmp.conf", twice)]).read("snmp", &["/a"]);
    assert!(entries.iter().any(|entry| entry.contains("nested include depth > 16")), "{entries:?}");
    assert!(entries.len() <= 3 * MOST_FILES, "{}", entries.len());
}

#[test]
fn sections_of_other_programs_are_passed_over() {
    let text =
        "[snmpd]\na x\n[snmp]\nb 1\n[snmpd] c 1\nd 2\n[snmpd] # a comment\ne 1\n[SNMP] f 1\ng 1\n[snmp";
    let words: Vec<String> = read_text(text).iter().map(told).collect();
    assert_eq!(words, ["b 1", "d 2", "f 1", "snmp.conf: line 11: Error: no matching ']' for type snmp."]);
}

#[test]
fn any_text_is_read_without_harm() {
    let words =
        ["[", "]", "snmp", "\"", "\\", "'", "#", "\n", " ", "defVersion", "includeFile", "-1", "é", "\0"];
    let mut state: u32 = 7;
    for _ in 0..2000 {
        let mut text = String::new();
        for _ in 0..20 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text += words[usize::try_from(state >> 16).unwrap() % words.len()];
        }
        assert!(read_text(&text).len() <= text.lines().count());
    }
}
