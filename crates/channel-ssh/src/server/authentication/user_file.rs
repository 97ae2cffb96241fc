//! Opens files whose paths a user may control.
//!
//! A path may lead to a device, and opening a device can have side effects: a terminal could become
//! the agent's controlling terminal. So a file is opened for reading only after it is known to be a
//! regular file. Files below a home directory are opened with the rights of their user, on a
//! separate thread.

use std::{
    fs::{File, Metadata},
    io,
    os::fd::AsRawFd,
    path::Path,
    thread,
};

use rustix::{
    fs::{CWD, Gid, Mode, OFlags, ResolveFlags, Uid, openat2},
    thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid},
};

use super::users::PasswdEntry;
use crate::server::cpu_time::{add_cpu_time, thread_cpu_time};

/// A file that was found but not opened for reading yet.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// Opened with the flag `O_PATH`, which gives access to the metadata only.
    handle: File,
    pub(super) metadata: Metadata,
    /// The kernel has confirmed that the path contains no symbolic links.
    pub(super) has_no_links: bool,
}

impl FoundFile {
    /// Finds a file. Symbolic links are followed.
    pub(super) fn find(path: &Path) -> io::Result<Self> {
        let opened = openat2(CWD, path, FIND_FLAGS, Mode::empty(), ResolveFlags::NO_SYMLINKS);
        let (handle, has_no_links) = match opened {
            Ok(handle) => (File::from(handle), true),
            Err(_) => (rustix::fs::open(path, FIND_FLAGS, Mode::empty())?.into(), false),
        };
        let metadata = handle.metadata()?;
        Ok(Self { handle, metadata, has_no_links })
    }

    /// Opens the file for reading. The caller has checked that it is a regular file.
    pub(super) fn open(&self) -> io::Result<File> {
        let path = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        Ok(rustix::fs::open(path, READ_FLAGS, Mode::empty())?.into())
    }
}

/// Runs `work` on a thread that has only the user's rights to files. If the user is root, or the
/// agent does not run as root, runs `work` on the calling thread.
pub(super) fn with_rights_of<T: Send>(user: &PasswdEntry, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if !rustix::process::geteuid().is_root() || user.uid == 0 {
        return Ok(work());
    }
    thread::scope(|scope| {
        // The thread ends after this work, so that other work can never run with this identity.
        let run = || {
            take_identity(user)?;
            let result = work();
            Ok((result, thread_cpu_time()))
        };
        let thread = thread::Builder::new().name("user-files".into()).spawn_scoped(scope, run)?;
        let result = thread.join();
        let (result, cpu_time) =
            result.unwrap_or_else(|_| Err(io::Error::other("internal error: reading panicked")))?;
        add_cpu_time(cpu_time);
        Ok(result)
    })
}

/// Gives the calling thread the user's effective identity. The real and the saved user ID do not
/// change, so that the user cannot send signals to the thread.
fn take_identity(user: &PasswdEntry) -> io::Result<()> {
    let groups: Vec<_> = user.groups().into_iter().map(Gid::from_raw).collect();
    set_thread_groups(&groups)?;
    set_thread_res_gid(None, Gid::from_raw(user.gid), None)?;
    set_thread_res_uid(None, Uid::from_raw(user.uid), None)?;
    Ok(())
}

/// Flags that find a file without opening it.
const FIND_FLAGS: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
/// Flags that open a file for reading: `NONBLOCK`, so that opening a file never blocks.
const READ_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, chown},
        path::PathBuf,
    };

    use rustix::process::geteuid;

    use super::{super::tests::can_use_rights_of_others, *};

    #[test]
    fn review_h2_files_in_a_home_directory_are_read_with_its_users_rights() {
        if !can_use_rights_of_others() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let user = PasswdEntry { name: "ops".into(), uid: 65_534, gid: 65_534, home: PathBuf::from("/") };
        let file = folder.path().join("keys");
        fs::write(&file, "text").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let read = || {
            let found = with_rights_of(&user, || FoundFile::find(&file)?.open()).unwrap();
            found.map(|_| ()).map_err(|error| error.kind())
        };
        assert_eq!(read(), Err(io::ErrorKind::PermissionDenied), "a file of root");
        chown(&file, Some(65_534), None).unwrap();
        assert_eq!(read(), Ok(()), "a file of the user");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(read(), Err(io::ErrorKind::PermissionDenied), "a directory of root");
        assert!(geteuid().is_root(), "the calling thread has changed");
        assert!(fs::read(&file).is_ok());
    }

    #[test]
    fn review_h2_files_of_a_user_are_read_without_the_agents_privileges() {
        if !can_use_rights_of_others() {
            return;
        }
        let user = PasswdEntry { name: "ops".into(), uid: 65_534, gid: 65_533, home: PathBuf::from("/") };
        let status =
            with_rights_of(&user, || fs::read_to_string("/proc/thread-self/status")).unwrap().unwrap();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(field("Uid:"), ["0", "65534", "0", "65534"]);
        assert_eq!(field("Gid:"), ["0", "65533", "0", "65533"]);
        assert_eq!(field("Groups:"), ["65533"]);
        assert_eq!(field("CapEff:"), ["0000000000000000"]);
    }
}
