//! Conversion between std socket addresses and the kernel's sockaddr layout.

use std::mem;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// A buffer for any address that the kernel returns. All zeros means "no address".
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct RawAddress(libc::sockaddr_storage);

impl RawAddress {
    /// Returns an empty address for the kernel to fill.
    pub(crate) fn empty() -> Self {
        // SAFETY: sockaddr_storage consists of integers only, for which all zeros is a valid value.
        Self(unsafe { mem::zeroed() })
    }

    /// Converts `address` to the kernel's layout.
    pub(crate) fn new(address: SocketAddr) -> Self {
        let mut raw = Self::empty();
        let target = (&raw mut raw.0).cast::<libc::c_void>();
        match address {
            SocketAddr::V4(v4) => {
                let value = libc::sockaddr_in {
                    sin_family: family(libc::AF_INET),
                    sin_port: v4.port().to_be(),
                    sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(v4.ip().octets()) },
                    sin_zero: [0; 8],
                };
                // SAFETY: sockaddr_storage is larger than every other sockaddr and at least as
                // aligned.
                unsafe { target.cast::<libc::sockaddr_in>().write(value) };
            }
            SocketAddr::V6(v6) => {
                let value = libc::sockaddr_in6 {
                    sin6_family: family(libc::AF_INET6),
                    sin6_port: v6.port().to_be(),
                    sin6_flowinfo: v6.flowinfo(),
                    sin6_addr: libc::in6_addr { s6_addr: v6.ip().octets() },
                    sin6_scope_id: v6.scope_id(),
                };
                // SAFETY: sockaddr_storage is larger than sockaddr_in6 and at least as aligned.
                unsafe { target.cast::<libc::sockaddr_in6>().write(value) };
            }
        }
        raw
    }

    /// Returns the address that the kernel wrote, if it is an Internet address.
    pub(crate) fn get(&self) -> Option<SocketAddr> {
        let source = &raw const self.0;
        match libc::c_int::from(self.0.ss_family) {
            libc::AF_INET => {
                // SAFETY: every bit pattern is a valid sockaddr_in; the size and alignment are
                // sufficient, as explained in `new`.
                let v4 = unsafe { source.cast::<libc::sockaddr_in>().read() };
                let ip = Ipv4Addr::from(v4.sin_addr.s_addr.to_ne_bytes());
                Some(SocketAddrV4::new(ip, u16::from_be(v4.sin_port)).into())
            }
            libc::AF_INET6 => {
                // SAFETY: every bit pattern is a valid sockaddr_in6; the size and alignment are
                // sufficient, as explained in `new`.
                let v6 = unsafe { source.cast::<libc::sockaddr_in6>().read() };
                let ip = Ipv6Addr::from(v6.sin6_addr.s6_addr);
                let port = u16::from_be(v6.sin6_port);
                Some(SocketAddrV6::new(ip, port, v6.sin6_flowinfo, v6.sin6_scope_id).into())
            }
            _ => None,
        }
    }

    /// Returns the size of the address structure in bytes.
    pub(crate) fn len(&self) -> libc::socklen_t {
        let size = match libc::c_int::from(self.0.ss_family) {
            libc::AF_INET => size_of::<libc::sockaddr_in>(),
            libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
            _ => 0,
        };
        // The cast does not truncate: the largest size is 28.
        size as libc::socklen_t
    }

    /// Returns a pointer for calls that accept any kind of address.
    pub(crate) fn as_ptr(&self) -> *const libc::sockaddr {
        (&raw const self.0).cast()
    }

    /// Returns a pointer for `msg_name`.
    pub(crate) fn as_mut_ptr(&mut self) -> *mut libc::c_void {
        (&raw mut self.0).cast()
    }
}

/// The maximum number of bytes that the kernel may write to a [`RawAddress`].
pub(crate) const CAPACITY: libc::socklen_t = size_of::<libc::sockaddr_storage>() as libc::socklen_t;

/// Converts an address family constant, which C declares as `int`.
fn family(value: libc::c_int) -> libc::sa_family_t {
    value as libc::sa_family_t
}

#[cfg(test)]
mod tests {
    use super::RawAddress;

    #[test]
    fn addresses_converted_to_sockaddr_and_back_are_unchanged() {
        for text in ["127.0.0.1:161", "255.255.255.255:65535", "[::1]:161", "[fe80::1%7]:10161"] {
            let address = text.parse().unwrap();
            assert_eq!(RawAddress::new(address).get(), Some(address), "{text}");
        }
        assert_eq!(RawAddress::empty().get(), None);
    }
}
