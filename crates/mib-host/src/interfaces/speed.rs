//! The speeds of links, from ethtool's netlink family.
//!
//! One dump returns the speeds of all links in this network namespace. `/sys/class/net` is not
//! used, because it may belong to another namespace.

use std::io;

use super::Links;
use crate::netlink::{Attributes, NetlinkFamily, NetlinkRequest, NetlinkSocket, u16_at, u32_at};

/// Requests the speeds of all links.
pub(super) struct Speeds {
    socket: NetlinkSocket,
    all_modes: NetlinkRequest,
}

impl Speeds {
    /// Requests the ID of the family. Fails with `NotFound` if the kernel does not have it.
    pub(super) fn open() -> io::Result<Self> {
        let mut socket = NetlinkSocket::open(NetlinkFamily::Generic)?;
        let mut find = NetlinkRequest::one(GENL_ID_CTRL, &[CTRL_CMD_GETFAMILY, 1, 0, 0])
            .with_attribute(CTRL_ATTR_FAMILY_NAME, b"ethtool\0");
        let mut family = None;
        socket.request(&mut find, |message| {
            let attributes = Attributes(message.payload.get(GENERIC_HEADER..).unwrap_or_default());
            family = family.or(number_in(attributes, CTRL_ATTR_FAMILY_ID, u16_at));
        })?;
        let family = family.ok_or(io::ErrorKind::NotFound)?;
        let all_modes = NetlinkRequest::dump(family, &[ETHTOOL_MSG_LINKMODES_GET, 1, 0, 0])
            .with_attribute(ETHTOOL_A_LINKMODES_HEADER | NLA_F_NESTED, &compact_bitset_header());
        Ok(Self { socket, all_modes })
    }

    /// Sets the speed of each link that has one.
    pub(super) fn read(&mut self, links: &mut Links<'_>) -> io::Result<()> {
        self.socket.request(&mut self.all_modes, |message| {
            let content = message.payload.get(GENERIC_HEADER..).unwrap_or_default();
            let header = Attributes(content).find(|(kind, _)| *kind == ETHTOOL_A_LINKMODES_HEADER);
            let index = header
                .and_then(|(_, header)| number_in(Attributes(header), ETHTOOL_A_HEADER_DEV_INDEX, u32_at));
            let megabits = number_in(Attributes(content), ETHTOOL_A_LINKMODES_SPEED, u32_at)
                .filter(|&megabits| megabits != SPEED_UNKNOWN);
            if let (Some(index), Some(megabits)) = (index, megabits)
                && let Some(link) = links.get_mut(index)
            {
                link.speed = u64::from(megabits) * 1_000_000;
            }
        })?;
        Ok(())
    }
}

/// Returns the number in the first attribute of this type.
fn number_in<T>(
    mut attributes: Attributes<'_>,
    kind: u16,
    read: impl Fn(&[u8], usize) -> Option<T>,
) -> Option<T> {
    attributes.find(|(attribute, _)| *attribute == kind).and_then(|(_, content)| read(content, 0))
}

/// Returns a generic netlink header that requests bit sets in compact form. By default they are
/// lists of names, which are fifty times as long.
fn compact_bitset_header() -> Vec<u8> {
    let flags = [8u16.to_ne_bytes(), ETHTOOL_A_HEADER_FLAGS.to_ne_bytes()].concat();
    [flags, ETHTOOL_FLAG_COMPACT_BITSETS.to_ne_bytes().to_vec()].concat()
}

/// The size of `struct genlmsghdr` in bytes.
const GENERIC_HEADER: usize = 4;
const GENL_ID_CTRL: u16 = 0x10;
const CTRL_CMD_GETFAMILY: u8 = 3;
const CTRL_ATTR_FAMILY_ID: u16 = 1;
const CTRL_ATTR_FAMILY_NAME: u16 = 2;
const NLA_F_NESTED: u16 = 0x8000;
const ETHTOOL_MSG_LINKMODES_GET: u8 = 4;
const ETHTOOL_A_LINKMODES_HEADER: u16 = 1;
const ETHTOOL_A_LINKMODES_SPEED: u16 = 5;
const ETHTOOL_A_HEADER_DEV_INDEX: u16 = 1;
const ETHTOOL_A_HEADER_FLAGS: u16 = 3;
const ETHTOOL_FLAG_COMPACT_BITSETS: u32 = 1;
const SPEED_UNKNOWN: u32 = u32::MAX;
