//! Ancillary data: the local address and interface at which a datagram was received and from which
//! its reply is sent (RFC 3542 §6, ip(7)).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{mem, ptr};

/// The local end of an exchange: the address and interface at which a datagram was received and
/// from which its reply is sent.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct LocalAddress {
    /// The destination address of the datagram; for IPv4 broadcast and multicast, our address on
    /// the receiving interface.
    pub address: IpAddr,
    /// The interface index; if 0, the routing table selects the interface.
    pub interface: u32,
}

/// A buffer for one control message of either address family, aligned as `cmsghdr` requires.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct ControlBuffer([u8; CAPACITY]);

impl ControlBuffer {
    pub(crate) const fn empty() -> Self {
        Self([0; CAPACITY])
    }

    /// Returns a pointer for `msg_control`.
    pub(crate) fn as_mut_ptr(&mut self) -> *mut libc::c_void {
        self.0.as_mut_ptr().cast()
    }

    /// Writes the control message that selects `local` as the source, and returns its length in
    /// bytes for `msg_controllen`.
    pub(crate) fn write_local_address(&mut self, local: LocalAddress) -> usize {
        match local.address {
            IpAddr::V4(address) => {
                let info = libc::in_pktinfo {
                    // The kernel declares the index as a signed int; real indices are small.
                    ipi_ifindex: local.interface as libc::c_int,
                    ipi_spec_dst: libc::in_addr { s_addr: u32::from_ne_bytes(address.octets()) },
                    ipi_addr: libc::in_addr { s_addr: 0 },
                };
                self.write(libc::IPPROTO_IP, libc::IP_PKTINFO, info)
            }
            IpAddr::V6(address) => {
                let info = libc::in6_pktinfo {
                    ipi6_addr: libc::in6_addr { s6_addr: address.octets() },
                    ipi6_ifindex: local.interface,
                };
                self.write(libc::IPPROTO_IPV6, libc::IPV6_PKTINFO, info)
            }
        }
    }

    fn write<T: Copy>(&mut self, level: libc::c_int, kind: libc::c_int, value: T) -> usize {
        // SAFETY: CMSG_LEN and CMSG_SPACE only do arithmetic on their argument.
        let (length, space) = unsafe {
            (libc::CMSG_LEN(size_of::<T>() as u32) as usize, libc::CMSG_SPACE(size_of::<T>() as u32) as usize)
        };
        const { assert!(size_of::<T>() + size_of::<libc::cmsghdr>() + 8 <= CAPACITY) };
        let header = self.as_mut_ptr().cast::<libc::cmsghdr>();
        // SAFETY: the buffer is aligned for cmsghdr and, by the assertion above, has room for
        // header and value. The value is written unaligned, so its address needs no alignment.
        unsafe {
            (*header).cmsg_level = level;
            (*header).cmsg_type = kind;
            (*header).cmsg_len = length as _;
            ptr::write_unaligned(libc::CMSG_DATA(header).cast::<T>(), value);
        }
        space
    }
}

/// Returns the local address in a header that the kernel has just filled, if there is one.
///
/// # Safety
/// `header.msg_control` must point to `msg_controllen` readable bytes that the kernel wrote.
pub(crate) unsafe fn read_local_address(header: &libc::msghdr) -> Option<LocalAddress> {
    // SAFETY: the caller guarantees the control pointer and length; the macros read nothing else.
    let mut message = unsafe { libc::CMSG_FIRSTHDR(header) };
    while !message.is_null() {
        // SAFETY: CMSG_FIRSTHDR and CMSG_NXTHDR return only headers within the buffer. The header
        // is followed by a pktinfo structure because the kernel wrote a message of that type; the
        // structure is read unaligned.
        unsafe {
            match ((*message).cmsg_level, (*message).cmsg_type) {
                (libc::IPPROTO_IP, libc::IP_PKTINFO) => {
                    let info: libc::in_pktinfo = ptr::read_unaligned(libc::CMSG_DATA(message).cast());
                    return Some(LocalAddress {
                        address: Ipv4Addr::from(info.ipi_spec_dst.s_addr.to_ne_bytes()).into(),
                        interface: u32::try_from(info.ipi_ifindex).unwrap_or(0),
                    });
                }
                (libc::IPPROTO_IPV6, libc::IPV6_PKTINFO) => {
                    let info: libc::in6_pktinfo = ptr::read_unaligned(libc::CMSG_DATA(message).cast());
                    return Some(LocalAddress {
                        address: Ipv6Addr::from(info.ipi6_addr.s6_addr).into(),
                        interface: info.ipi6_ifindex,
                    });
                }
                _ => message = libc::CMSG_NXTHDR(header, message),
            }
        }
    }
    None
}

/// The size of a control buffer in bytes; one in6_pktinfo needs 40 bytes.
pub(crate) const CAPACITY: usize = 64;

const _: () = assert!(mem::align_of::<ControlBuffer>() >= mem::align_of::<libc::cmsghdr>());

#[cfg(test)]
mod tests {
    use super::{ControlBuffer, LocalAddress, read_local_address};

    #[test]
    fn local_address_written_to_control_message_is_read_back() {
        for address in ["127.0.0.2", "fe80::1"] {
            let local = LocalAddress { address: address.parse().unwrap(), interface: 7 };
            let mut control = ControlBuffer::empty();
            // SAFETY: msghdr consists of integers and pointers, for which all-zero is a valid
            // value.
            let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
            header.msg_controllen = control.write_local_address(local) as _;
            header.msg_control = control.as_mut_ptr();
            // SAFETY: the control buffer was filled by `write_local_address` and outlives the call.
            assert_eq!(unsafe { read_local_address(&header) }, Some(local));
        }
    }
}
