//! Names of hosts and services, from every source that the system is configured to use.

use std::ffi::{CStr, c_char};
use std::net::{IpAddr, SocketAddr};

use crate::address::RawAddress;

/// Returns the name of a host; `None` if the host has no name. The domain is omitted if this host
/// has the same domain. Queries the sources configured in nsswitch.conf, so the call may take
/// seconds.
pub fn host_name(address: IpAddr) -> Option<String> {
    let mut name = [0; MAX_HOST_NAME_LEN];
    look_up(SocketAddr::new(address, 0), &mut name, &mut [], libc::NI_NAMEREQD | libc::NI_NOFQDN)?;
    parse_c_string(&name)
}

/// Returns the name of a TCP or UDP port, or its number as text if it has no name; `None` if the
/// lookup fails.
pub fn service_name(port: u16, udp: bool) -> Option<String> {
    let mut name = [0; MAX_HOST_NAME_LEN];
    let flags = libc::NI_NUMERICHOST | if udp { libc::NI_DGRAM } else { 0 };
    look_up(SocketAddr::new(IpAddr::from([0; 4]), port), &mut [], &mut name, flags)?;
    parse_c_string(&name)
}

fn look_up(address: SocketAddr, host: &mut [u8], service: &mut [u8], flags: libc::c_int) -> Option<()> {
    let raw = RawAddress::new(address);
    let pointer = |name: &mut [u8]| if name.is_empty() { std::ptr::null_mut() } else { name.as_mut_ptr() };
    let length = |name: &[u8]| libc::socklen_t::try_from(name.len()).unwrap_or_default();
    let (host_length, service_length) = (length(host), length(service));
    // SAFETY: the address is a complete sockaddr of the given length; each buffer has the given
    // length, or is null with length 0.
    let error = unsafe {
        libc::getnameinfo(
            raw.as_ptr(),
            raw.len(),
            pointer(host).cast::<c_char>(),
            host_length,
            pointer(service).cast::<c_char>(),
            service_length,
            flags,
        )
    };
    (error == 0).then_some(())
}

fn parse_c_string(name: &[u8]) -> Option<String> {
    CStr::from_bytes_until_nul(name).ok()?.to_str().ok().map(str::to_owned)
}

/// The buffer size for names: `NI_MAXHOST`.
const MAX_HOST_NAME_LEN: usize = 1025;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_port_is_named_by_its_number_and_unknown_host_returns_none() {
        assert_eq!(service_name(0, true).as_deref(), Some("0"));
        assert_eq!(service_name(65_432, false).as_deref(), Some("65432"));
        let localhost = host_name(IpAddr::from([127, 0, 0, 1]));
        assert!(localhost.is_none_or(|name| !name.is_empty() && !name.contains('\0')));
        // Addresses of TEST-NET-1 have no names.
        assert_eq!(host_name(IpAddr::from([192, 0, 2, 77])), None);
    }
}
