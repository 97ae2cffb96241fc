//! The location of a user's broker socket, and checks that it belongs to that user.

use std::{
    env, fs, io,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_channel::{ChannelError, ChannelStep};
use rustix::{
    net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
        sockopt::{Timeout, set_socket_timeout, socket_peercred},
    },
    process::geteuid,
};

/// A directory that is private to the user and contains the broker's socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketPath(PathBuf);

impl SocketPath {
    /// Returns the directory of the current user: in `XDG_RUNTIME_DIR` if that is an absolute path,
    /// else in the user's directory in `/run/user` if that exists, else in `/tmp`. The directory
    /// itself need not exist.
    pub fn for_current_user() -> Self {
        let uid = geteuid().as_raw();
        let configured = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
        let default = || Some(PathBuf::from(format!("/run/user/{uid}"))).filter(|path| path.is_dir());
        Self(match configured.or_else(default) {
            Some(directory) => directory.join("portreeve"),
            None => PathBuf::from(format!("/tmp/portreeve-{uid}")),
        })
    }

    /// Returns the path of a socket in the given directory.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// Creates the directory if it does not exist, and checks that other users cannot have written
    /// to it.
    ///
    /// # Errors
    /// If it is not a directory, belongs to another user, or is accessible to others.
    pub fn prepare(&self) -> Result<(), ChannelError> {
        match fs::DirBuilder::new().mode(0o700).create(&self.0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let cause =
                    format!("cannot create the session broker's directory {}: {error}", self.0.display());
                return Err(ChannelError::at(ChannelStep::Connect, cause)
                    .with_hint("set XDG_RUNTIME_DIR to another directory, or omit --persist"));
            }
        }
        self.check()
    }

    /// Checks the directory without creating it.
    ///
    /// # Errors
    /// Those of [`Self::prepare`], or if it does not exist.
    pub fn check(&self) -> Result<(), ChannelError> {
        // Symbolic links are not followed: another user could have created one.
        let metadata = fs::symlink_metadata(&self.0).map_err(|error| self.unusable(&error.to_string()))?;
        if !metadata.is_dir() {
            return Err(self.unusable("not a directory"));
        }
        if metadata.uid() != geteuid().as_raw() {
            return Err(self.unusable(&format!("the directory belongs to user ID {}", metadata.uid())));
        }
        if metadata.mode() & 0o077 != 0 {
            return Err(self.unusable(&format!(
                "other users have access to the directory (mode {:04o})",
                metadata.mode() & 0o7777
            )));
        }
        Ok(())
    }

    /// Connects to the broker that listens there.
    ///
    /// # Errors
    /// If no broker listens, or it does not belong to the user. The kind is `NotFound` or
    /// `ConnectionRefused` if there is no broker, and `WouldBlock` if so many commands wait for it
    /// that it must be stopped.
    pub fn connect(&self) -> io::Result<UnixStream> {
        if !fs::exists(self.socket())? {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.check().map_err(|error| io::Error::new(io::ErrorKind::PermissionDenied, error))?;
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        // Also limits the time of connecting: a process that is stopped accepts no connections, and
        // connecting blocks when its queue is full.
        set_socket_timeout(&socket, Timeout::Send, Some(SEND_TIMEOUT))?;
        connect(&socket, &SocketAddrUnix::new(self.socket())?)?;
        let stream = UnixStream::from(socket);
        check_peer(&stream)?;
        Ok(stream)
    }

    /// The path of the broker's socket.
    pub fn socket(&self) -> PathBuf {
        self.0.join("broker")
    }

    /// The path of the lock file. The process that holds the lock is the broker.
    pub fn lock(&self) -> PathBuf {
        self.0.join("broker.lock")
    }

    /// The directory that contains the socket and the lock file.
    pub fn directory(&self) -> &Path {
        &self.0
    }

    fn unusable(&self, reason: &str) -> ChannelError {
        ChannelError::at(
            ChannelStep::Connect,
            format!("cannot use the session broker's directory {}: {reason}", self.0.display()),
        )
        .with_hint(
            "make the directory private with chmod 700, or remove it; the next command creates it again",
        )
    }
}

/// Checks that the peer process belongs to the same user.
///
/// # Errors
/// `PermissionDenied` if it does not.
pub fn check_peer(stream: &impl std::os::fd::AsFd) -> io::Result<()> {
    let peer = socket_peercred(stream)?.uid;
    if peer == geteuid() {
        return Ok(());
    }
    let message = format!("the peer process belongs to user ID {}, not to the current user", peer.as_raw());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

/// The time for which the broker may accept no connection and no data.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests;
