use std::{sync::mpsc::channel, time::Instant};

use super::*;

#[test]
fn files_are_listed_with_their_sizes_in_order_of_names() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("state.log"), [0; 12]).unwrap();
    fs::write(directory.path().join("engine"), [0; 46]).unwrap();
    fs::create_dir(directory.path().join("directory")).unwrap();
    let files = StateFiles::start(directory.path()).unwrap();
    let expected = [("engine".to_owned(), 46), ("state.log".to_owned(), 12)];
    assert_eq!(files.read().unwrap(), expected);
    assert_eq!(files.read().unwrap(), expected);
}

#[test]
fn no_files_are_returned_while_the_disk_does_not_respond() {
    let (started, starts) = channel();
    let (disk, responds) = channel::<()>();
    let files = StateFiles::start_with(Path::new("/"), Duration::from_millis(10), move |_| {
        started.send(()).unwrap();
        let _ = responds.recv();
        vec![("engine".to_owned(), 46)]
    })
    .unwrap();
    assert_eq!(files.read(), None);
    starts.recv().unwrap();
    for _ in 0..5 {
        assert_eq!(files.read(), None);
    }
    assert!(starts.try_recv().is_err(), "the directory is read twice at a time");
    // The disk responds again: to the first request, the one that waited, and new ones.
    drop(disk);
    starts.recv().unwrap();
    let start = Instant::now();
    while files.read().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "the thread does not continue");
    }
}
