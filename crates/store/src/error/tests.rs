use std::error::Error;
use std::io;
use std::path::PathBuf;

use super::{GroupError, OpenError, StoreError, UnsafeDirectoryReason};

#[test]
fn errors_of_opening_contain_the_path_and_the_way_out() {
    let path = || PathBuf::from("/var/lib/state");
    let refused = |reason| OpenError::Unsafe { path: path(), reason };
    for (error, text) in [
        (
            OpenError::Directory { path: path(), source: broken() },
            "cannot use the state directory /var/lib/state: broken disk",
        ),
        (
            refused(UnsafeDirectoryReason::ForeignOwner(7)),
            "the state directory /var/lib/state belongs to user ID 7; run chown on the directory",
        ),
        (
            refused(UnsafeDirectoryReason::WritableByOthers(0o777)),
            "the state directory /var/lib/state can be written by other users (mode 0777); \
             run chmod 700 on the directory",
        ),
        (
            refused(UnsafeDirectoryReason::ForeignParent(7)),
            "other users can replace the state directory: its parent /var/lib/state \
             belongs to user ID 7, who can replace it; choose another directory",
        ),
        (
            refused(UnsafeDirectoryReason::WritableParent(0o020)),
            "other users can replace the state directory: its parent /var/lib/state \
             can be written by other users (mode 0020); run chmod go-w on the parent",
        ),
        (
            refused(UnsafeDirectoryReason::ForeignLink(7)),
            "other users can replace the state directory: the part of its path /var/lib/state \
             is a symbolic link of user ID 7; choose another directory",
        ),
        (
            OpenError::Locked { path: path(), pid: Some(9) },
            "the state directory /var/lib/state is in use by process 9",
        ),
        (
            OpenError::Locked { path: path(), pid: None },
            "the state directory /var/lib/state is in use by another process",
        ),
        (OpenError::Unreadable { path: path(), source: broken() }, "cannot read /var/lib/state: broken disk"),
        (
            OpenError::NewerFormat { path: path(), version: 3 },
            "/var/lib/state has format version 3, written by a newer version of this program; \
             this version supports 2",
        ),
    ] {
        assert_eq!(error.to_string(), text);
        assert_eq!(error.source().is_some(), text.contains("broken disk"), "{text}");
    }
}

#[test]
fn errors_of_writing_contain_the_error_of_the_disk() {
    let closed = "the state files are not written any more after an internal error";
    let failed = "cannot write the state: broken disk";
    let not_undone = "cannot write the state: broken disk; cannot undo the write: broken disk; \
                      the change may be in effect after a restart";
    let not_undone_error = StoreError::NotUndone { error: broken().into(), undo_error: broken().into() };
    for (error, text) in
        [(StoreError::from(broken()), failed), (not_undone_error, not_undone), (StoreError::Closed, closed)]
    {
        assert_eq!(error.may_reappear(), text == not_undone);
        let group = GroupError { durable: 0, error: error.clone() };
        assert_eq!((error.to_string(), group.to_string()), (text.to_owned(), text.to_owned()));
        let expected = text.contains("broken disk").then(|| "broken disk".to_owned());
        assert_eq!(error.source().map(ToString::to_string), expected);
        assert_eq!(group.source().map(ToString::to_string), expected);
    }
}

fn broken() -> io::Error {
    io::Error::other("broken disk")
}
