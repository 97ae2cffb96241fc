//! Names and IDs of accounts and groups, from every source that the system is configured to use:
//! files, a directory service, systemd.

use std::ffi::{CStr, CString, c_char, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// Returns the name of the account with this user ID; `None` if the account does not exist or its
/// name is not UTF-8. Queries the sources configured in nsswitch.conf, so the call may take
/// seconds.
///
/// # Errors
/// Returns an error if the lookup failed; the account may exist.
pub fn account_name(uid: u32) -> io::Result<Option<String>> {
    let mut entry = MaybeUninit::<libc::passwd>::uninit();
    look_up_entry(
        |buffer, length, result| {
            // SAFETY: the entry and the buffer of the given length belong to this function;
            // `result` receives the outcome.
            unsafe { libc::getpwuid_r(uid, entry.as_mut_ptr(), buffer, length, result) }
        },
        |entry: &libc::passwd| {
            // SAFETY: the entry was found, so its name is a NUL-terminated string in the buffer,
            // which is still alive.
            unsafe { CStr::from_ptr(entry.pw_name) }.to_str().ok().map(str::to_owned)
        },
    )
}

/// Returns the user ID of the account with this name; `None` if the account does not exist. Queries
/// the sources configured in nsswitch.conf, so the call may take seconds.
///
/// # Errors
/// Returns an error if the lookup failed; the account may exist.
pub fn account_id(name: &str) -> io::Result<Option<u32>> {
    // An account name cannot contain NUL.
    let Ok(name) = CString::new(name) else { return Ok(None) };
    let mut entry = MaybeUninit::<libc::passwd>::uninit();
    look_up_entry(
        |buffer, length, result| {
            // SAFETY: the name is a C string; the entry and the buffer of the given length belong
            // to this function; `result` receives the outcome.
            unsafe { libc::getpwnam_r(name.as_ptr(), entry.as_mut_ptr(), buffer, length, result) }
        },
        |entry: &libc::passwd| Some(entry.pw_uid),
    )
}

/// Returns the ID of the group with this name; `None` if the group does not exist.
///
/// # Errors
/// Returns an error if the lookup failed; the group may exist.
pub fn group_id(name: &str) -> io::Result<Option<u32>> {
    // A group name cannot contain NUL.
    let Ok(name) = CString::new(name) else { return Ok(None) };
    let mut entry = MaybeUninit::<libc::group>::uninit();
    look_up_entry(
        |buffer, length, result| {
            // SAFETY: the name is a C string; the entry and the buffer of the given length belong
            // to this function; `result` receives the outcome.
            unsafe { libc::getgrnam_r(name.as_ptr(), entry.as_mut_ptr(), buffer, length, result) }
        },
        |entry: &libc::group| Some(entry.gr_gid),
    )
}

/// Returns the effective user ID of this process.
pub fn effective_uid() -> u32 {
    // SAFETY: the call takes no arguments and cannot fail.
    unsafe { libc::geteuid() }
}

/// Calls the lookup function with increasing buffer sizes and extracts a value from the entry that
/// it finds.
fn look_up_entry<E, T>(
    mut call: impl FnMut(*mut c_char, libc::size_t, *mut *mut E) -> c_int,
    extract: impl FnOnce(&E) -> Option<T>,
) -> io::Result<Option<T>> {
    let mut buffer: Vec<c_char> = vec![0; INITIAL_BUFFER_LEN];
    loop {
        let mut result = ptr::null_mut();
        match call(buffer.as_mut_ptr(), buffer.len(), &raw mut result) {
            // SAFETY: if the call found an entry, `result` points to the caller's entry, which the
            // call has filled.
            0 => return Ok(unsafe { result.as_ref() }.and_then(extract)),
            libc::ERANGE if buffer.len() < MAX_BUFFER_LEN => buffer.resize(buffer.len() * 4, 0),
            // Some systems return these error codes if the entry does not exist.
            libc::ENOENT | libc::ESRCH => return Ok(None),
            error => return Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// The initial size in bytes of the buffer for the strings of one entry; nearly always sufficient.
const INITIAL_BUFFER_LEN: usize = 1024;
/// The maximum size in bytes of the buffer for the strings of one entry; sufficient for groups with
/// very many members.
const MAX_BUFFER_LEN: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_user_and_group_are_found() {
        assert_eq!(account_name(0).unwrap().as_deref(), Some("root"));
        assert_eq!(group_id("root").unwrap(), Some(0));
        assert_eq!(account_id("root").unwrap(), Some(0));
    }

    #[test]
    fn unknown_account_ids_and_names_are_not_found() {
        assert_eq!(account_name(3_999_999_999).unwrap(), None);
        for name in ["no such group", "", "ro\0ot"] {
            assert_eq!(group_id(name).unwrap(), None, "{name:?}");
            assert_eq!(account_id(name).unwrap(), None, "{name:?}");
        }
    }

    #[test]
    fn lookup_buffer_grows_for_large_account_entry() {
        let mut lengths = Vec::new();
        let entry = 7_u8;
        let result = look_up_entry(
            |_, length, result: *mut *mut u8| {
                lengths.push(length);
                if length < 10_000 {
                    return libc::ERANGE;
                }
                // SAFETY: `result` points to the caller's variable, and nothing writes through the
                // stored pointer.
                unsafe { *result = (&raw const entry).cast_mut() };
                0
            },
            |entry| Some(*entry),
        );
        assert_eq!(result.unwrap(), Some(7));
        assert_eq!(lengths, [1024, 4096, 16_384]);
    }

    #[test]
    fn account_lookup_fails_when_entry_exceeds_maximum_buffer() {
        let result = look_up_entry(|_, _, _: *mut *mut u8| libc::ERANGE, |entry| Some(*entry));
        assert_eq!(result.unwrap_err().raw_os_error(), Some(libc::ERANGE));
    }
}
