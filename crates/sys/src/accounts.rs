//! Names and numbers of accounts and groups, from wherever this system keeps them: files, a directory service, systemd.

use std::ffi::{CStr, CString, c_char, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// What the account with this number is called; `None` where there is none, or its name is no UTF-8. Asks whom the
/// system asks, so it may take seconds.
///
/// # Errors
/// When nobody could be asked, which says nothing of the account.
pub fn account_name(uid: u32) -> io::Result<Option<String>> {
    let mut entry = MaybeUninit::<libc::passwd>::uninit();
    ask(
        |buffer, length, found| {
            // SAFETY: the entry and the buffer of the length given are ours; `found` is where the outcome goes.
            unsafe { libc::getpwuid_r(uid, entry.as_mut_ptr(), buffer, length, found) }
        },
        |entry: &libc::passwd| {
            // SAFETY: the entry was found, so its name is a string that ends in the buffer, which is still there.
            unsafe { CStr::from_ptr(entry.pw_name) }.to_str().ok().map(str::to_owned)
        },
    )
}

/// The number of the group of that name; `None` where there is none.
///
/// # Errors
/// When nobody could be asked, which says nothing of the group.
pub fn group_number(name: &str) -> io::Result<Option<u32>> {
    // No group is called what no C string can be.
    let Ok(name) = CString::new(name) else { return Ok(None) };
    let mut entry = MaybeUninit::<libc::group>::uninit();
    ask(
        |buffer, length, found| {
            // SAFETY: the name is a C string; the entry and the buffer of the length given are ours; `found` is where the
            // outcome goes.
            unsafe { libc::getgrnam_r(name.as_ptr(), entry.as_mut_ptr(), buffer, length, found) }
        },
        |entry: &libc::group| Some(entry.gr_gid),
    )
}

/// The number of the account that this process acts as.
pub fn effective_user() -> u32 {
    // SAFETY: it takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}

/// Asks with buffers of growing size, and takes what is wanted out of an entry that was found.
fn ask<E, T>(
    mut call: impl FnMut(*mut c_char, libc::size_t, *mut *mut E) -> c_int,
    take: impl FnOnce(&E) -> Option<T>,
) -> io::Result<Option<T>> {
    let mut buffer: Vec<c_char> = vec![0; FIRST_BUFFER];
    loop {
        let mut found = ptr::null_mut();
        match call(buffer.as_mut_ptr(), buffer.len(), &raw mut found) {
            // SAFETY: where the call found something, this points to the caller's entry, which it has filled.
            0 => return Ok(unsafe { found.as_ref() }.and_then(take)),
            libc::ERANGE if buffer.len() < LARGEST_BUFFER => buffer.resize(buffer.len() * 4, 0),
            // Ways in which some systems say that there is none.
            libc::ENOENT | libc::ESRCH => return Ok(None),
            error => return Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Octets for the texts of one entry: what suffices nearly always, and what a group with very many members may take.
const FIRST_BUFFER: usize = 1024;
const LARGEST_BUFFER: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_and_its_group_are_known_by_name_and_number() {
        assert_eq!(account_name(0).unwrap().as_deref(), Some("root"));
        assert_eq!(group_number("root").unwrap(), Some(0));
    }

    #[test]
    fn nobody_has_a_number_or_name_that_was_never_given() {
        assert_eq!(account_name(3_999_999_999).unwrap(), None);
        for name in ["no such group", "", "ro\0ot"] {
            assert_eq!(group_number(name).unwrap(), None, "{name:?}");
        }
    }

    #[test]
    fn a_large_entry_is_read_with_a_larger_buffer() {
        let mut lengths = Vec::new();
        let entry = 7_u8;
        let found = ask(
            |_, length, found: *mut *mut u8| {
                lengths.push(length);
                if length < 10_000 {
                    return libc::ERANGE;
                }
                // SAFETY: `found` is the caller's, and nobody writes through what it then points to.
                unsafe { *found = (&raw const entry).cast_mut() };
                0
            },
            |entry| Some(*entry),
        );
        assert_eq!(found.unwrap(), Some(7));
        assert_eq!(lengths, [1024, 4096, 16_384]);
    }

    #[test]
    fn an_entry_without_end_is_given_up() {
        let found = ask(|_, _, _: *mut *mut u8| libc::ERANGE, |entry| Some(*entry));
        assert_eq!(found.unwrap_err().raw_os_error(), Some(libc::ERANGE));
    }
}
