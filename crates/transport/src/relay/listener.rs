//! The socket file of a relay listener. No process can connect before the file has its final owner
//! and mode. It replaces a stale socket, and is removed when the listener stops.

use std::fs::{self, Metadata, Permissions};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::{fmt, io, process};

use portreeve_sys::effective_uid;
use socket2::{Domain, SockAddr, Socket, Type};

use super::{AccountPolicy, AllowedAccounts};

/// The Unix socket that relays of sshd's subsystem connect to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RelayListener {
    /// The path of the socket. Its directory is created if it does not exist.
    pub path: PathBuf,
    /// The ID of the group whose members may open the socket. If `None`, the file mode depends on
    /// `accounts`: if it allows other accounts, all accounts may open the socket; otherwise only
    /// our own account and root may open it.
    pub group: Option<u32>,
    /// The accounts that are accepted if the file mode allows them to open the socket.
    pub accounts: AllowedAccounts,
}

impl RelayListener {
    /// Binds the socket.
    pub(crate) fn bind(&self) -> Result<(UnixListener, SocketFile, AccountPolicy), RelayBindError> {
        let our_uid = effective_uid();
        let directory = make_directory(&self.path).map_err(|error| self.bind_error(error))?;
        check_directory(&directory, our_uid).map_err(|error| self.bind_error(error))?;
        let path = directory.join(self.path.file_name().unwrap_or_default());
        check_existing_socket(&path).map_err(|error| self.bind_error(error))?;
        let (listener, file) = self.listen(path).map_err(|error| self.bind_error(error))?;
        Ok((listener, file, AccountPolicy::new(self.accounts.clone(), our_uid)))
    }

    /// Listens at a temporary path and renames the file after the socket is fully set up.
    fn listen(&self, path: PathBuf) -> io::Result<(UnixListener, SocketFile)> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", process::id()));
        let temporary = path.with_file_name(name);
        let _ = fs::remove_file(&temporary);
        let socket = new_socket()?;
        socket.bind(&SockAddr::unix(&temporary)?)?;
        let mut file = SocketFile::new(temporary)?;
        fs::set_permissions(&file.path, Permissions::from_mode(self.mode()))?;
        if let Some(group) = self.group {
            chown(&file.path, None, Some(group))?;
        }
        socket.listen(BACKLOG)?;
        fs::rename(&file.path, &path)?;
        file.path = path;
        Ok((UnixListener::from(std::os::fd::OwnedFd::from(socket)), file))
    }

    fn mode(&self) -> u32 {
        match (self.group, &self.accounts) {
            (Some(_), _) => 0o660,
            (None, AllowedAccounts::OwnAndRoot) => 0o600,
            (None, AllowedAccounts::Named(_) | AllowedAccounts::All) => 0o666,
        }
    }

    fn bind_error(&self, cause: io::Error) -> RelayBindError {
        RelayBindError { path: self.path.clone(), cause }
    }
}

/// The file of a listening socket. Dropping it removes the file, unless it has been replaced.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl SocketFile {
    fn new(path: PathBuf) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(&path)?;
        Ok(Self { path, device: metadata.dev(), inode: metadata.ino() })
    }

    fn is_same_file(&self, metadata: &Metadata) -> bool {
        (metadata.dev(), metadata.ino()) == (self.device, self.inode)
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|metadata| self.is_same_file(&metadata)) {
            // Ignore errors: if the file remains, the next start detects that it is stale.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A socket that could not be created. The error text contains the path and a hint.
#[derive(Debug)]
pub struct RelayBindError {
    /// The path of the socket.
    pub path: PathBuf,
    /// The error of the system call.
    pub cause: io::Error,
}

impl fmt::Display for RelayBindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, cause } = self;
        write!(f, "cannot listen at {}: {cause}", path.display())?;
        match cause.kind() {
            io::ErrorKind::PermissionDenied => f.write_str(
                "; the directory must belong to the account that runs the agent (systemd: \
                 RuntimeDirectory=portreeve), and this account must be a member of `group`",
            ),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for RelayBindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Returns the canonical path of the socket's directory, which is created with mode 755 if it does
/// not exist.
fn make_directory(path: &Path) -> io::Result<PathBuf> {
    let directory = path.parent().filter(|directory| directory.is_absolute());
    let directory = directory.ok_or_else(|| io::Error::other("expected the absolute path of a file"))?;
    match fs::DirBuilder::new().mode(0o700).create(directory) {
        // Set the mode explicitly, because create_dir applies the umask.
        Ok(()) => fs::set_permissions(directory, Permissions::from_mode(0o755))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    directory.canonicalize()
}

/// Checks that no other user can replace the socket and impersonate the agent: the directory and
/// its ancestors must belong to root or to us and must not be writable by others. Exception: an
/// ancestor (not the directory itself) may be writable by others if it has the sticky bit, like
/// /tmp, because users can then replace only their own files.
fn check_directory(directory: &Path, our_uid: u32) -> io::Result<()> {
    for (height, ancestor) in directory.ancestors().enumerate() {
        let metadata = fs::metadata(ancestor)?;
        let sticky = height > 0 && metadata.mode() & 0o1000 != 0;
        let problem = if metadata.uid() != 0 && metadata.uid() != our_uid {
            "is owned by another user"
        } else if metadata.mode() & 0o022 != 0 && !sticky {
            "is writable by others"
        } else {
            continue;
        };
        let message = format!("{} {problem}, so other users could replace the socket", ancestor.display());
        return Err(io::Error::other(message));
    }
    Ok(())
}

/// Checks that the path does not exist or is a socket without a listener.
fn check_existing_socket(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.file_type().is_socket() => {
            let message = "the path exists and is not a socket; remove it or choose another path";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(_) => {}
    }
    match new_socket()?.connect(&SockAddr::unix(path)?) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // If connecting succeeds, or fails because the backlog is full, a process is listening.
        Ok(()) => Err(in_use_error(path)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(in_use_error(path)),
        Err(error) => Err(error),
    }
}

fn in_use_error(path: &Path) -> io::Error {
    let message =
        format!("another process is listening there; run `ss -xlp src {}` to find it", path.display());
    io::Error::new(io::ErrorKind::AddrInUse, message)
}

fn new_socket() -> io::Result<Socket> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The number of connections that the kernel queues until they are accepted; limited by
/// net.core.somaxconn.
const BACKLOG: i32 = 1024;

#[cfg(test)]
mod tests;
