//! The counts of frames and bytes of paper 003, which its capture program got wrong.
//!
//! Both errors follow from the printed figures alone.

use super::{TABLE_1, TABLE_2};
use crate::document::Prose;

/// Octets of a full first IP fragment without the IP header, which the paper does not count.
pub const FIRST_FRAGMENT: usize = MTU - IP_HEADER;

/// Returns the number of Ethernet frames that carry a UDP datagram with this payload.
///
/// The payload of each fragment but the last one is a multiple of 8 octets.
pub fn fragments(payload: usize) -> usize {
    let datagram = payload.saturating_add(UDP_HEADER);
    datagram.div_ceil(FIRST_FRAGMENT / 8 * 8).max(1)
}

/// Explains the two errors of counting, with the figures of the paper that show them.
pub fn counting_artefact() -> Prose {
    let [.., last_frames] = TABLE_1;
    let [.., last_bytes] = TABLE_2;
    let snmp = last_bytes.snmp.mean.value() / last_frames.snmp.mean.value();
    let netconf = last_bytes.netconf.mean.value() / last_frames.netconf.mean.value();
    let frames = 2 * fragments(SET_OF_36);
    Prose::new()
        .text(format!(
            "The paper's frames of SNMP have {snmp:.0} octets each at M = 100 000, the size of a full first IP \
             fragment: only the first fragment of each datagram was counted. A SET of 36 values and its response \
             take {frames} frames, not 2. "
        ))
        .text(format!(
            "Its frames of NETCONF have {netconf:.0} octets each, more than the {MTU} that Ethernet allows: the \
             network card divided them into frames after they had been captured. "
        ))
        .text("Here every fragment and every frame is counted, with segmentation by the network card off.")
}

/// Payload of a SET with 36 values of 255 octets: each has 4 octets of header, an identifier of
/// about 13 octets with its header, and the header of the binding; the message adds about 40.
const SET_OF_36: usize = 36 * (255 + 4 + 13 + 4) + 40;

const MTU: usize = 1500;
const IP_HEADER: usize = 20;
const UDP_HEADER: usize = 8;
