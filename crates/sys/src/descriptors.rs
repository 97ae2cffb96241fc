//! The limit on open file descriptors, which also limits the number of sessions.

use std::io;

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

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::raise_descriptor_limit;

    #[test]
    fn raising_descriptor_limit_twice_returns_same_limit() {
        let limit = raise_descriptor_limit().unwrap();
        assert!(limit > 0);
        assert_eq!(raise_descriptor_limit().unwrap(), limit);
    }
}
