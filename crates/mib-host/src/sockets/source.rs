//! The source of the socket files: the kernel, or a test.

use std::io;

use crate::proc_file;

/// A source of the files that list sockets.
pub trait SocketSource: Send + 'static {
    /// Appends a file to `text`.
    ///
    /// # Errors
    /// Returns `NotFound` if this kernel does not have the file, and other errors if it cannot be
    /// read.
    fn read(&mut self, which: SocketFile, text: &mut String) -> io::Result<()>;
}

/// A file in `/proc/net` that lists sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SocketFile {
    /// The file `tcp`: TCP sockets over IPv4.
    Tcp,
    /// The file `tcp6`: TCP sockets over IPv6.
    Tcp6,
    /// The file `udp`: UDP sockets over IPv4.
    Udp,
    /// The file `udp6`: UDP sockets over IPv6.
    Udp6,
}

impl SocketFile {
    /// Returns the path of the file.
    pub fn path(self) -> &'static str {
        match self {
            Self::Tcp => "/proc/net/tcp",
            Self::Tcp6 => "/proc/net/tcp6",
            Self::Udp => "/proc/net/udp",
            Self::Udp6 => "/proc/net/udp6",
        }
    }
}

/// The sockets of this machine, read from its kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelSocketSource;

impl SocketSource for KernelSocketSource {
    fn read(&mut self, which: SocketFile, text: &mut String) -> io::Result<()> {
        proc_file::append(which.path(), text)
    }
}
