//! Offloads of a network interface: work that the kernel leaves to the device, such as splitting a
//! large segment into frames. While they are enabled, a capture contains frames that would never be
//! on a wire.

use std::io;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;

use crate::interface_request::InterfaceRequest;

/// Disables all offloads of the interface `name` in the network namespace of the calling thread.
/// Offloads that the device does not have, or cannot disable, are unchanged:
/// [`enabled_offloads`] returns the latter.
///
/// # Errors
/// `PermissionDenied` without CAP_NET_ADMIN; otherwise the error of the first call, for example
/// if no interface has the name.
pub fn disable_offloads(name: &str) -> io::Result<()> {
    enabled_offloads(name)?;
    for offload in OFFLOADS {
        match ethtool(name, offload.set, 0) {
            Err(error) if is_unsupported(&error) => {}
            result => drop(result?),
        }
    }
    Ok(())
}

/// Returns the names of the offloads that are enabled on the interface `name` in the network
/// namespace of the calling thread, as `ethtool -k` prints them.
///
/// # Errors
/// The error of the first call, for example if no interface has the name.
pub fn enabled_offloads(name: &str) -> io::Result<Vec<&'static str>> {
    let mut enabled = Vec::new();
    for offload in OFFLOADS {
        match ethtool(name, offload.get, 0) {
            Err(error) if is_unsupported(&error) => {}
            result => enabled.extend((result? != 0).then_some(offload.name)),
        }
    }
    Ok(enabled)
}

/// The argument of the calls: `struct ethtool_value` of `linux/ethtool.h`.
#[repr(C)]
struct EthtoolValue {
    command: u32,
    data: u32,
}

struct Offload {
    name: &'static str,
    get: u32,
    set: u32,
}

/// Returns the value that the kernel has written.
fn ethtool(name: &str, command: u32, data: u32) -> io::Result<u32> {
    // Any socket of the namespace will do.
    let socket = UdpSocket::bind(("127.0.0.1", 0)).or_else(|_| UdpSocket::bind(("0.0.0.0", 0)))?;
    let mut value = EthtoolValue { command, data };
    let mut request = InterfaceRequest::new(name)?;
    request.set_data(&raw mut value);
    // SAFETY: the request and the value to which it points outlive the call. For these commands,
    // the kernel reads and writes one `ethtool_value`.
    if unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCETHTOOL, request.as_mut_ptr()) } == 0 {
        Ok(value.data)
    } else {
        Err(io::Error::last_os_error())
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EOPNOTSUPP)
}

/// The offloads, in the order in which they are disabled: some depend on later ones, and the
/// kernel would enable none again.
const OFFLOADS: [Offload; 6] = [
    Offload { name: "generic-receive-offload", get: 0x2b, set: 0x2c },
    Offload { name: "tcp-segmentation-offload", get: 0x1e, set: 0x1f },
    Offload { name: "generic-segmentation-offload", get: 0x23, set: 0x24 },
    Offload { name: "scatter-gather", get: 0x18, set: 0x19 },
    Offload { name: "tx-checksumming", get: 0x16, set: 0x17 },
    Offload { name: "rx-checksumming", get: 0x14, set: 0x15 },
];

#[cfg(test)]
mod tests {
    use std::{io, process::Command, thread};

    use super::{disable_offloads, enabled_offloads};
    use crate::create_network_namespace;

    #[test]
    fn offloads_of_virtual_ethernet_pair_are_disabled() {
        let result = thread::spawn(|| -> io::Result<bool> {
            let _namespace = create_network_namespace()?;
            let arguments = ["link", "add", "left", "type", "veth", "peer", "name", "right"];
            if !Command::new("ip").args(arguments).status()?.success() {
                return Ok(false);
            }
            assert!(enabled_offloads("left")?.contains(&"tcp-segmentation-offload"));
            disable_offloads("left")?;
            assert_eq!(enabled_offloads("left")?, Vec::<&str>::new());
            Ok(true)
        });
        if !result.join().unwrap().unwrap_or(false) {
            println!("skipped: no virtual Ethernet pair can be created");
        }
    }

    #[test]
    fn offloads_of_unknown_interface_return_error() {
        assert!(enabled_offloads("none0").is_err());
        assert!(disable_offloads("none0").is_err());
    }
}
