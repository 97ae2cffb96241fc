//! IANAifType: the type of an interface.

use super::{Link, LinkKind};

/// Returns the IANAifType number that describes this link best.
pub(super) fn if_type(link: &Link) -> i32 {
    match (link.kind, link.hardware) {
        (LinkKind::Vlan, _) => L2_VLAN,
        (LinkKind::Bridge, _) => BRIDGE,
        (LinkKind::Aggregate, _) => LAG,
        (LinkKind::Overlay, _) => TUNNEL,
        (_, 1) => ETHERNET_CSMACD,
        (_, 6 | 800) => TOKEN_RING,
        (_, 19) => ATM,
        (_, 24) => IEEE1394,
        (_, 32) => INFINIBAND,
        (_, 256..=260) => SLIP,
        (_, 512) => PPP,
        (_, 513) => HDLC,
        (_, 15 | 770) => FRAME_RELAY,
        (_, 768 | 769 | 776 | 778 | 823) => TUNNEL,
        (_, 772) => SOFTWARE_LOOPBACK,
        (_, 774) => FDDI,
        (_, 801..=803) => IEEE80211,
        // ARPHRD_NONE and ARPHRD_RAWIP: IP packets without a link-layer header, for example of tun
        // or WireGuard.
        (_, 0xfffe | 519) => TUNNEL,
        _ => OTHER,
    }
}

/// Returns true if the link's address in the kernel is a station address. The address of a tunnel
/// is an IP address, and the address of loopback is all zeros.
pub(super) fn has_physical_address(link: &Link) -> bool {
    !matches!(link.hardware, 256..=260 | 512 | 513 | 519 | 768 | 769 | 772 | 776 | 778 | 823 | 0xfffe)
}

const OTHER: i32 = 1;
const ETHERNET_CSMACD: i32 = 6;
const TOKEN_RING: i32 = 9;
const FDDI: i32 = 15;
const PPP: i32 = 23;
const SOFTWARE_LOOPBACK: i32 = 24;
const SLIP: i32 = 28;
const FRAME_RELAY: i32 = 32;
const ATM: i32 = 37;
const IEEE80211: i32 = 71;
const HDLC: i32 = 118;
const TUNNEL: i32 = 131;
const L2_VLAN: i32 = 135;
const IEEE1394: i32 = 144;
const LAG: i32 = 161;
const INFINIBAND: i32 = 199;
const BRIDGE: i32 = 209;

#[cfg(test)]
mod tests;
