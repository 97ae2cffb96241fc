//! Network namespaces, which the lab creates for a measurement.

use std::fs::File;
use std::io;

/// Moves the calling thread into a new network namespace, which contains only an inactive loopback
/// interface, and returns a reference to the namespace.
///
/// Other threads stay in their namespaces; threads and processes that the calling thread starts
/// later begin in the new one. The kernel removes the namespace with its interfaces when no thread,
/// process, socket or open file refers to it.
///
/// # Errors
/// `PermissionDenied` without CAP_SYS_ADMIN; `InvalidInput` if the kernel has no network
/// namespaces.
pub fn create_network_namespace() -> io::Result<File> {
    // SAFETY: with this flag alone, the call changes the network namespace of the calling thread.
    // It accesses no memory, and open descriptors stay as they are.
    if unsafe { libc::unshare(libc::CLONE_NEWNET) } != 0 {
        return Err(io::Error::last_os_error());
    }
    File::open("/proc/thread-self/ns/net")
}

#[cfg(test)]
mod tests {
    use std::{fs, io, thread};

    use super::create_network_namespace;

    #[test]
    fn new_network_namespace_belongs_to_one_thread_and_contains_only_loopback() {
        let before = fs::read_link("/proc/self/ns/net").unwrap();
        let result = thread::spawn(|| {
            let namespace = create_network_namespace()?;
            // The first two lines are a heading.
            let interfaces = fs::read_to_string("/proc/thread-self/net/dev")?.lines().skip(2).count();
            Ok::<_, io::Error>((namespace, fs::read_link("/proc/thread-self/ns/net")?, interfaces))
        });
        match result.join().unwrap() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                println!("skipped: only root can create network namespaces");
            }
            result => {
                let (_, inside, interfaces) = result.unwrap();
                assert_ne!(inside, before);
                assert_eq!(interfaces, 1);
            }
        }
        assert_eq!(fs::read_link("/proc/thread-self/ns/net").unwrap(), before);
    }
}
