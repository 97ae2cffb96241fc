//! TAP interfaces, with which a program receives and sends the frames of a network interface.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;

use crate::interface_request::InterfaceRequest;

/// Creates the TAP interface `name` in the network namespace of the calling thread.
///
/// A read from the file returns one Ethernet frame that the kernel sends to the interface, and a
/// write makes the kernel receive one. Neither waits. The interface exists until the file is
/// closed.
///
/// # Errors
/// `InvalidInput` if the name is empty or too long; `NotFound` if the kernel has no TUN driver;
/// `PermissionDenied` without CAP_NET_ADMIN; `ResourceBusy` if the interface exists.
pub fn create_tap(name: &str) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(DEVICE)?;
    let mut request = InterfaceRequest::new(name)?;
    request.set_flags(libc::IFF_TAP | libc::IFF_NO_PI | libc::IFF_TUN_EXCL);
    // SAFETY: the request outlives the call, which reads the name and flags, and writes the name.
    if unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF, request.as_mut_ptr()) } == 0 {
        Ok(file)
    } else {
        Err(io::Error::last_os_error())
    }
}

const DEVICE: &str = "/dev/net/tun";

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read};
    use std::{io, thread};

    use super::create_tap;
    use crate::create_network_namespace;

    #[test]
    fn tap_interface_is_nonblocking_and_exists_until_its_file_is_closed() {
        let result = thread::spawn(|| -> io::Result<()> {
            let _namespace = create_network_namespace()?;
            let mut tap = create_tap("frames0")?;
            let interfaces = || std::fs::read_to_string("/proc/thread-self/net/dev").unwrap();
            assert!(interfaces().contains("frames0:"));
            assert_eq!(create_tap("frames0").unwrap_err().kind(), ErrorKind::ResourceBusy);
            // The interface is down, so there is nothing to read; the read does not wait.
            assert!(tap.read(&mut [0; 100]).is_err());
            drop(tap);
            assert!(!interfaces().contains("frames0:"));
            Ok(())
        });
        match result.join().unwrap() {
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::NotFound) => {
                println!("skipped: no TAP interface can be created: {error}");
            }
            result => result.unwrap(),
        }
    }

    #[test]
    fn interface_names_that_are_empty_or_too_long_are_rejected() {
        for name in ["", "0123456789abcdef", "zero\0byte"] {
            if let Err(error) = create_tap(name) {
                let expected = [ErrorKind::InvalidInput, ErrorKind::PermissionDenied, ErrorKind::NotFound];
                assert!(expected.contains(&error.kind()), "{name:?}: {error}");
            } else {
                panic!("{name:?} was accepted");
            }
        }
    }
}
