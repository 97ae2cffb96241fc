//! The limit on open file descriptors, which also limits the number of sessions, and descriptors
//! inherited from the parent process.

use std::{fs, io};

/// Raises the soft limit on open descriptors to the hard limit and returns it.
///
/// # Errors
/// The error of getrlimit(2) or setrlimit(2); the limit is then unchanged.
pub fn raise_descriptor_limit() -> io::Result<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure to fill outlives the call.
    check(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) })?;
    limit.rlim_cur = limit.rlim_max;
    // SAFETY: the structure to read outlives the call.
    check(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) })?;
    Ok(limit.rlim_cur)
}

/// Closes the descriptors that this process has inherited, except standard input, output and error.
///
/// Inherited descriptors lack the close-on-exec flag. The standard library and the libraries of
/// this project set it on each descriptor that they open, so no descriptor in use is closed.
///
/// # Errors
/// Fails if the list of open descriptors cannot be read from `/proc`.
pub fn close_inherited_descriptors() -> io::Result<()> {
    let names = fs::read_dir("/proc/self/fd")?.flatten().map(|entry| entry.file_name());
    let numbers: Vec<libc::c_int> = names.filter_map(|name| name.to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > libc::STDERR_FILENO) {
        // SAFETY: reads the flags of a descriptor, and fails if it is not open.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
        if flags >= 0 && flags & libc::FD_CLOEXEC == 0 {
            // SAFETY: nothing in this process owns the descriptor: owners set close-on-exec.
            unsafe { libc::close(number) };
        }
    }
    Ok(())
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use std::{fs::File, os::fd::AsRawFd};

    use super::*;

    #[test]
    fn inherited_descriptors_are_closed_and_own_ones_stay_open() {
        let own = File::open("/dev/null").unwrap();
        // SAFETY: duplicates an open descriptor; like an inherited one, the copy has no flags.
        let inherited = unsafe { libc::dup(own.as_raw_fd()) };
        close_inherited_descriptors().unwrap();
        // SAFETY: reads the flags of a descriptor, and fails if it is not open.
        let is_open = |number| unsafe { libc::fcntl(number, libc::F_GETFD) } >= 0;
        assert!(is_open(own.as_raw_fd()) && is_open(libc::STDERR_FILENO));
        assert!(!is_open(inherited), "descriptor {inherited}");
    }

    #[test]
    fn raising_descriptor_limit_twice_returns_same_limit() {
        let limit = raise_descriptor_limit().unwrap();
        assert!(limit > 0);
        assert_eq!(raise_descriptor_limit().unwrap(), limit);
    }
}
