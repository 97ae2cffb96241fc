//! The path of the socket.

use std::{
    fs::File,
    io,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

/// The name of the socket in the state directory of the agent.
pub const SOCKET_NAME: &str = "control.sock";

/// The socket of an agent with the default state directory.
pub const DEFAULT_SOCKET: &str = "/var/lib/portreeve/control.sock";

/// Calls `use_path` with a path of `socket` that fits into a socket address.
///
/// # Errors
/// The error of `use_path`, or that of opening the socket's directory.
pub fn with_short_path<T>(socket: &Path, use_path: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    if socket.as_os_str().len() <= MAX_SOCKET_PATH_LEN {
        return use_path(socket);
    }
    let name = socket.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let directory = File::open(directory(socket))?;
    let descriptor = directory.as_raw_fd().to_string();
    use_path(
        &[Path::new("/proc/self/fd"), Path::new(&descriptor), Path::new(name)].iter().collect::<PathBuf>(),
    )
}

/// Returns the directory of a socket.
pub(crate) fn directory(socket: &Path) -> &Path {
    match socket.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}

/// The maximum length of a path in a socket address, in octets (unix(7)).
const MAX_SOCKET_PATH_LEN: usize = 107;
