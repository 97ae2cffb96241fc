use std::fs;

use super::SamplesFile;

#[test]
fn incomplete_last_line_is_removed_and_replaced_by_next_record() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.jsonl");
    fs::write(&path, "{\"a\":1}\n{\"b\":2}\n{\"c\":").unwrap();
    let (mut file, text) = SamplesFile::open(&path).ok().unwrap();
    assert_eq!(text, "{\"a\":1}\n{\"b\":2}\n");
    assert!(fs::read_to_string(&path).unwrap().ends_with("{\"c\":"), "the lines have not been checked");
    file.keep(&path, &text).ok().unwrap();
    file.append("{\"d\":4}").ok().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"b\":2}\n{\"d\":4}\n");
}

#[test]
fn record_is_in_the_file_while_it_is_still_open() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.jsonl");
    let (mut file, text) = SamplesFile::open(&path).ok().unwrap();
    assert_eq!(text, "");
    file.append("{}").ok().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
}

#[test]
fn file_with_only_an_incomplete_line_becomes_empty() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.jsonl");
    fs::write(&path, "{\"kind\":\"sam").unwrap();
    let (mut file, text) = SamplesFile::open(&path).ok().unwrap();
    assert_eq!(text, "");
    file.keep(&path, &text).ok().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"");
}

#[test]
fn records_are_appended_to_what_others_have_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.jsonl");
    let (mut one, _) = SamplesFile::open(&path).ok().unwrap();
    let (mut other, _) = SamplesFile::open(&path).ok().unwrap();
    one.append("{\"a\":1}").ok().unwrap();
    other.append("{\"b\":2}").ok().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"b\":2}\n");
}

#[test]
fn lines_that_are_not_kept_are_removed_and_records_follow_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("samples.jsonl");
    fs::write(&path, "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n{\"d").unwrap();
    let (mut file, _) = SamplesFile::open(&path).ok().unwrap();
    file.keep(&path, "{\"a\":1}\n{\"c\":3}\n").ok().unwrap();
    file.append("{\"e\":5}").ok().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"c\":3}\n{\"e\":5}\n");
}
