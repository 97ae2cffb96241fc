use std::path::Path;

use super::ModuleFiles;
use crate::{
    fixture::Fixture,
    libyang::{ModuleRequest, ModuleSource},
};

const OLD: &str = "module a { prefix a; revision 2001-01-01; }";
const NEW: &str = "module a { prefix a; revision 2002-02-02; }";

/// Returns the text that is found for a module.
fn found(files: &ModuleFiles, revision: Option<&'static str>) -> Option<String> {
    let request = ModuleRequest { name: "a", revision, submodule_of: None };
    files.text(request).map(|text| text.into_string().unwrap())
}

#[test]
fn newest_revision_is_found_without_revision() {
    for files in [
        [("a@2001-01-01.yang", OLD), ("a@2002-02-02.yang", NEW)],
        [("a.yang", OLD), ("a@2002-02-02.yang", NEW)],
        [("a.yang", NEW), ("a@2001-01-01.yang", OLD)],
    ] {
        let fixture = Fixture::new(&files);
        let files = ModuleFiles::new(vec![fixture.directory.path().to_owned()]);
        assert_eq!(found(&files, None).as_deref(), Some(NEW));
        assert_eq!(found(&files, Some("2001-01-01")).as_deref(), Some(OLD));
        assert_eq!(found(&files, Some("2002-02-02")).as_deref(), Some(NEW));
        assert_eq!(found(&files, Some("2003-03-03")), None);
    }
}

#[test]
fn earlier_directory_takes_precedence() {
    let (first, second) = (Fixture::new(&[("a.yang", OLD)]), Fixture::new(&[("a.yang", NEW)]));
    let directories = vec![first.directory.path().to_owned(), second.directory.path().to_owned()];
    let files = ModuleFiles::new(directories);
    assert_eq!(found(&files, None).as_deref(), Some(OLD));
    assert_eq!(found(&files, Some("2002-02-02")).as_deref(), Some(NEW));
}

#[test]
fn given_file_takes_precedence_over_directories() {
    let (first, second) = (Fixture::new(&[("a.yang", NEW)]), Fixture::new(&[("other-name.yang", OLD)]));
    let mut files = ModuleFiles::new(vec![first.directory.path().to_owned()]);
    assert_eq!(files.add_file(&second.path("other-name.yang")).unwrap(), "a");
    assert_eq!(found(&files, None).as_deref(), Some(OLD));
    assert_eq!(found(&files, Some("2002-02-02")).as_deref(), Some(NEW));
}

#[test]
fn names_that_only_begin_alike_are_other_modules() {
    let fixture = Fixture::new(&[("a-b.yang", NEW), ("ab@2002-02-02.yang", NEW), ("a@x.yin", NEW)]);
    let files = ModuleFiles::new(vec![fixture.directory.path().to_owned()]);
    assert_eq!(found(&files, None), None);
}

#[test]
fn unusable_files_are_rejected_with_line() {
    let fixture = Fixture::new(&[
        ("sub.yang", "\n// comment\nsubmodule s { belongs-to a; }"),
        ("empty.yang", ""),
        ("nul.yang", "module a {\n\0}"),
        ("leaf.yang", "leaf x;"),
    ]);
    std::fs::write(fixture.path("latin.yang"), b"module a {\n\n // \xe9\n}").unwrap();
    let mut files = ModuleFiles::new(Vec::new());
    for (name, expected) in [
        ("sub.yang", ":3: a submodule: specify the module that includes it"),
        ("empty.yang", ":1: not a YANG module"),
        ("leaf.yang", ":1: not a YANG module"),
        ("nul.yang", ":2: contains a NUL character"),
        ("latin.yang", ":3: not UTF-8 text"),
        ("missing.yang", ": cannot be opened: No such file or directory (os error 2)"),
    ] {
        let path = fixture.path(name);
        let problem = files.add_file(&path).unwrap_err();
        assert_eq!(problem.to_string(), format!("{}{expected}", path.display()));
    }
}

#[test]
fn two_files_of_same_module_are_rejected() {
    let fixture = Fixture::new(&[("one.yang", OLD), ("two.yang", NEW)]);
    let mut files = ModuleFiles::new(Vec::new());
    files.add_file(&fixture.path("one.yang")).unwrap();
    let problem = files.add_file(&fixture.path("two.yang")).unwrap_err();
    assert!(problem.to_string().contains("two.yang: the module a is in "), "{problem}");
    assert!(problem.to_string().ends_with("one.yang as well"), "{problem}");
}

#[test]
fn file_longer_than_maximum_is_rejected() {
    let fixture = Fixture::new(&[]);
    let path = fixture.path("long.yang");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(super::MAX_TEXT + 1).unwrap();
    let problem = super::ModuleFile::read(&path).unwrap_err();
    assert!(problem.to_string().ends_with("longer than 16777216 octets"), "{problem}");
}

#[test]
fn file_in_current_directory_is_found() {
    let files = ModuleFiles::new(Vec::new());
    assert!(files.revisions(Path::new(""), "no-such-module").is_empty());
}

#[test]
fn file_is_read_once() {
    let fixture = Fixture::new(&[("a.yang", NEW)]);
    let files = ModuleFiles::new(vec![fixture.directory.path().to_owned()]);
    assert_eq!(found(&files, Some("2001-01-01")), None);
    std::fs::write(fixture.path("a.yang"), OLD).unwrap();
    assert_eq!(found(&files, None).as_deref(), Some(NEW));
}

#[test]
fn named_pipe_is_rejected_and_not_waited_for() {
    let fixture = Fixture::new(&[]);
    let path = fixture.path("pipe.yang");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(super::ModuleFile::read(&path).unwrap_err().to_string()));
    let problem = receiver.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
    assert!(problem.ends_with("pipe.yang: not a regular file"), "{problem}");
}
