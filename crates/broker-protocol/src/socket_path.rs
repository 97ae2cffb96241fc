//! Where a user's broker is found, and that it is that user's.

use std::{
    env, fs, io,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
};

use portreeve_channel::{ChannelError, ChannelStep};
use rustix::{net::sockopt::socket_peercred, process::geteuid};

/// A directory that is the user's alone, with the broker's socket in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketPath(PathBuf);

impl SocketPath {
    /// The directory of this process's user: in `XDG_RUNTIME_DIR`, in `/run/user`, or in `/tmp`, whichever is first
    /// there. It need not exist.
    pub fn for_current_user() -> Self {
        let uid = geteuid().as_raw();
        let configured = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
        let default = || Some(PathBuf::from(format!("/run/user/{uid}"))).filter(|path| path.is_dir());
        Self(match configured.or_else(default) {
            Some(folder) => folder.join("portreeve"),
            None => PathBuf::from(format!("/tmp/portreeve-{uid}")),
        })
    }

    /// Another directory.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// Makes the directory where it does not exist, and checks that nobody else can have put anything there.
    ///
    /// # Errors
    /// When it is no directory, another user's, or open to others.
    pub fn prepare(&self) -> Result<(), ChannelError> {
        match fs::DirBuilder::new().mode(0o700).create(&self.0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(self.unusable(&error.to_string())),
        }
        self.check()
    }

    /// Checks the directory without making it.
    ///
    /// # Errors
    /// As [`Self::prepare`], or when it does not exist.
    pub fn check(&self) -> Result<(), ChannelError> {
        // Not through a link: that could be anybody's.
        let found = fs::symlink_metadata(&self.0).map_err(|error| self.unusable(&error.to_string()))?;
        if !found.is_dir() {
            return Err(self.unusable("it is no directory"));
        }
        if found.uid() != geteuid().as_raw() {
            return Err(self.unusable(&format!("it belongs to the user with number {}", found.uid())));
        }
        if found.mode() & 0o077 != 0 {
            return Err(self.unusable(&format!("others may use it (mode {:04o})", found.mode() & 0o7777)));
        }
        Ok(())
    }

    /// Connects to the broker that listens there.
    ///
    /// # Errors
    /// When none does, or it is not the user's own; the kind is `NotFound` or `ConnectionRefused` where there is
    /// simply none.
    pub fn connect(&self) -> io::Result<UnixStream> {
        if !fs::exists(self.socket())? {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.check().map_err(|error| io::Error::new(io::ErrorKind::PermissionDenied, error))?;
        let stream = UnixStream::connect(self.socket())?;
        check_peer(&stream)?;
        Ok(stream)
    }

    /// The broker's socket.
    pub fn socket(&self) -> PathBuf {
        self.0.join("broker")
    }

    /// Whoever has this file locked is the broker.
    pub fn lock(&self) -> PathBuf {
        self.0.join("broker.lock")
    }

    /// The directory.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn unusable(&self, why: &str) -> ChannelError {
        ChannelError::at(
            ChannelStep::Connect,
            format!("sessions cannot be kept in {}: {why}", self.0.display()),
        )
        .with_hint("the directory has to be yours alone: chmod 700, or remove it and it is made anew")
    }
}

/// Whether the process at the other end is the same user's.
///
/// # Errors
/// `PermissionDenied` when it is not.
pub fn check_peer(stream: &impl std::os::fd::AsFd) -> io::Result<()> {
    let peer = socket_peercred(stream)?.uid;
    if peer == geteuid() {
        return Ok(());
    }
    let message =
        format!("the process at the other end is of the user with number {}, not ours", peer.as_raw());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

#[cfg(test)]
mod tests;
