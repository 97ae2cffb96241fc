use super::*;

/// A directory with a file `lines`, and an empty directory for others.
struct Files {
    directory: tempfile::TempDir,
    path: PathBuf,
}

impl Files {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("log")).unwrap();
        let path = directory.path().join("log/lines");
        Self { directory, path }
    }

    fn open(&self) -> OutputFile {
        OutputFile::open(Some(&self.path)).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }
}

/// Writes a group.
fn write(file: &mut OutputFile, lines: &str) {
    file.prepare().unwrap();
    file.append(lines.as_bytes()).unwrap();
    file.sync().unwrap();
    file.commit();
}

#[test]
fn lines_that_are_undone_are_removed_and_those_before_stay() {
    let files = Files::new();
    fs::write(&files.path, "0\n").unwrap();
    let mut file = files.open();
    write(&mut file, "1\n");
    // The next group fails before it is appended, and another one after it.
    file.undo();
    file.append(b"2\n").unwrap();
    file.undo();
    file.append(b"").unwrap();
    file.undo();
    assert_eq!(files.text(), "0\n1\n");
}

#[test]
fn lines_are_undone_in_a_file_that_was_not_opened_for_appending() {
    let files = Files::new();
    let file = File::create(&files.path).unwrap();
    let mut same = file.try_clone().unwrap();
    let mut file =
        OutputFile { path: None, file, is_regular: true, appended: None, reopen: Reopen::NotRequested };
    write(&mut file, "1\n");
    file.append(b"2\n").unwrap();
    file.undo();
    same.write_all(b"standard error\n").unwrap();
    write(&mut file, "3\n");
    assert_eq!(files.text(), "1\nstandard error\n3\n");
}

#[test]
fn lines_of_another_program_are_not_removed() {
    let files = Files::new();
    let mut file = files.open();
    file.append(b"1\n").unwrap();
    append_to(&files.path).unwrap().write_all(b"2\n").unwrap();
    file.undo();
    assert_eq!(files.text(), "1\n2\n");
}

#[test]
fn sync_reaches_the_file() {
    let files = Files::new();
    // The kernel accepts a write to this file, and rejects a sync.
    let unsynced = "/proc/self/oom_score_adj";
    std::os::unix::fs::symlink(unsynced, &files.path).unwrap();
    let mut file = files.open();
    file.append(fs::read(unsynced).unwrap().as_slice()).unwrap();
    let error = file.sync().unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", files.path.display())), "{error}");
}

#[test]
fn file_that_is_opened_again_is_the_one_at_the_path() {
    let files = Files::new();
    let old = files.directory.path().join("old");
    let mut file = files.open();
    write(&mut file, "1\n");
    fs::rename(&files.path, &old).unwrap();
    write(&mut file, "2\n");
    file.request_reopen();
    write(&mut file, "3\n");
    // It is the same file.
    file.request_reopen();
    write(&mut file, "4\n");
    assert!(file.reopen == Reopen::NotRequested);
    assert_eq!((fs::read_to_string(&old).unwrap().as_str(), files.text().as_str()), ("1\n2\n", "3\n4\n"));
}

#[test]
fn file_that_cannot_be_opened_again_is_tried_before_each_group() {
    let files = Files::new();
    let (directory, old) = (files.path.parent().unwrap(), files.directory.path().join("old"));
    let mut file = files.open();
    fs::rename(directory, &old).unwrap();
    file.request_reopen();
    for lines in ["1\n", "2\n"] {
        write(&mut file, lines);
        assert!(file.reopen == Reopen::Failed);
    }
    assert_eq!(fs::read_to_string(old.join("lines")).unwrap(), "1\n2\n");
    fs::create_dir(directory).unwrap();
    write(&mut file, "3\n");
    assert_eq!(files.text(), "3\n");
}

#[test]
fn removed_file_is_written_again_and_accepts_nothing_until_then() {
    let files = Files::new();
    let directory = files.path.parent().unwrap();
    let mut file = files.open();
    fs::remove_file(&files.path).unwrap();
    write(&mut file, "1\n");
    assert_eq!(files.text(), "1\n");
    fs::remove_dir_all(directory).unwrap();
    for _ in 0..2 {
        let error = file.prepare().unwrap_err().to_string();
        assert!(error.contains("lines: removed, and cannot be opened again: No such file"), "{error}");
    }
    fs::create_dir(directory).unwrap();
    write(&mut file, "2\n");
    assert_eq!(files.text(), "2\n");
}

#[test]
fn file_is_locked_until_it_is_closed() {
    let files = Files::new();
    let file = files.open();
    let error = OutputFile::open(Some(&files.path)).err().unwrap().to_string();
    assert!(error.starts_with("locked by another program"), "{error}");
    drop(file);
    files.open();
}

#[test]
fn pipe_is_refused_at_once_while_no_program_reads_it() {
    let files = Files::new();
    let made = std::process::Command::new("mkfifo").arg(&files.path).status().unwrap();
    assert!(made.success());
    let error = OutputFile::open(Some(&files.path)).err().unwrap().to_string();
    assert_eq!(error, "a pipe that no program reads: start its reader first");
    let reader = fs::OpenOptions::new().read(true).write(true).open(&files.path).unwrap();
    let file = files.open();
    assert!(!fcntl_getfl(&file.file).unwrap().contains(OFlags::NONBLOCK), "writing waits for the reader");
    drop(reader);
}
