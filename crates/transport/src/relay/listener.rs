//! The socket's file: made so that at no moment anybody reaches it who may not, put in slot of one that nobody listens
//! at any more, and taken away in the end.

use std::fs::{self, Metadata, Permissions};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::{fmt, io, process};

use portreeve_sys::effective_uid;
use socket2::{Domain, SockAddr, Socket, Type};

use super::{AccountPolicy, AllowedAccounts};

/// Where the relays of sshd's subsystem find us.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RelayListener {
    /// The socket. Its directory is made where there is none.
    pub path: PathBuf,
    /// The number of the group whose members reach it. `None`: only our own account and root do, or, where other accounts
    /// are let in, everybody.
    pub group: Option<u32>,
    /// Whose processes are let in, of those that reach it.
    pub accounts: AllowedAccounts,
}

impl RelayListener {
    /// Binds it.
    pub(crate) fn bind(&self) -> Result<(UnixListener, SocketFile, AccountPolicy), RelayBindError> {
        let us = effective_uid();
        let directory = make_directory(&self.path).map_err(|error| self.bind_error(error))?;
        check_directory(&directory, us).map_err(|error| self.bind_error(error))?;
        let path = directory.join(self.path.file_name().unwrap_or_default());
        check_existing_socket(&path).map_err(|error| self.bind_error(error))?;
        let (listener, file) = self.listen(path).map_err(|error| self.bind_error(error))?;
        Ok((listener, file, AccountPolicy::new(self.accounts.clone(), us)))
    }

    /// Listens under a name of its own first, which becomes the real one when all is right with it.
    fn listen(&self, path: PathBuf) -> io::Result<(UnixListener, SocketFile)> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", process::id()));
        let preliminary = path.with_file_name(name);
        let _ = fs::remove_file(&preliminary);
        let socket = new_socket()?;
        socket.bind(&SockAddr::unix(&preliminary)?)?;
        let mut file = SocketFile::new(preliminary)?;
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

/// The file of a socket that we listen at; dropping it takes the file away, unless another one is there now.
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
            // Left behind it does no harm: the next start finds that nobody listens there.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A socket that could not be made. Its message says where and what helps.
#[derive(Debug)]
pub struct RelayBindError {
    /// Where.
    pub path: PathBuf,
    /// Why not.
    pub cause: io::Error,
}

impl fmt::Display for RelayBindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, cause } = self;
        write!(f, "cannot listen at {}: {cause}", path.display())?;
        match cause.kind() {
            io::ErrorKind::PermissionDenied => f.write_str(
                "; the directory has to be ours (systemd: RuntimeDirectory=portreeve), and a group one of which we are a \
                 member",
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

/// The socket's directory by its real name, made where there is none: others may pass through it, and nothing else.
fn make_directory(path: &Path) -> io::Result<PathBuf> {
    let directory = path.parent().filter(|directory| directory.is_absolute());
    let directory = directory.ok_or_else(|| io::Error::other("that is no absolute path of a file"))?;
    match fs::DirBuilder::new().mode(0o700).create(directory) {
        // Whatever the umask says.
        Ok(()) => fs::set_permissions(directory, Permissions::from_mode(0o755))?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    directory.canonicalize()
}

/// Whoever can put another socket there could pretend to be the agent. So the directory and those above it belong to root
/// or to us, and nobody else writes to them; to one like /tmp, where everybody replaces only what is his own, others may,
/// if it is not the directory itself.
fn check_directory(directory: &Path, us: u32) -> io::Result<()> {
    for (height, part) in directory.ancestors().enumerate() {
        let metadata = fs::metadata(part)?;
        let sticky = height > 0 && metadata.mode() & 0o1000 != 0;
        let what = if metadata.uid() != 0 && metadata.uid() != us {
            "belongs to another user"
        } else if metadata.mode() & 0o022 != 0 && !sticky {
            "may be written to by others"
        } else {
            continue;
        };
        let found = format!("{} {what}, who could put a socket of their own there", part.display());
        return Err(io::Error::other(found));
    }
    Ok(())
}

/// Nothing is there, or a socket at which nobody listens any more.
fn check_existing_socket(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.file_type().is_socket() => {
            let found = "what is there is no socket; remove it, or choose another slot";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, found));
        }
        Ok(_) => {}
    }
    match new_socket()?.connect(&SockAddr::unix(path)?) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // A full backlog has somebody who listens, too.
        Ok(()) => Err(in_use_error(path)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(in_use_error(path)),
        Err(error) => Err(error),
    }
}

fn in_use_error(path: &Path) -> io::Error {
    let found = format!("somebody listens there already; `ss -xlp src {}` shows who", path.display());
    io::Error::new(io::ErrorKind::AddrInUse, found)
}

fn new_socket() -> io::Result<Socket> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Connections the kernel holds while we are busy; lowered to net.core.somaxconn.
const BACKLOG: i32 = 1024;

#[cfg(test)]
mod tests;
