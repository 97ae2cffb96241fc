//! Counts of frames and octets, with all fragments or without those that have no transport header.

use portreeve_lab_net::{Packet, Transport};

/// The numbers of frames and octets of some packets.
///
/// A capture program that recognizes packets by their ports, as that of paper 003 did, does not see
/// the fragments after the first one: only the first one has the ports. Both counts are kept here,
/// so that a report can compare them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct FrameCounts {
    /// All frames.
    pub(crate) frames: u64,
    /// The octets of all frames with their link layer.
    pub(crate) octets: u64,
    /// The octets of TCP and UDP in all frames, with the headers of TCP and UDP.
    pub(crate) transport_octets: u64,
    /// The frames that contain a header of TCP or UDP.
    pub(crate) frames_with_ports: u64,
    /// The octets of TCP and UDP in these frames, with the headers of TCP and UDP.
    pub(crate) transport_octets_with_ports: u64,
}

impl FrameCounts {
    /// Adds a frame of `octets` octets. `packet` is `None` if it contains no IP packet.
    pub(crate) fn add(&mut self, packet: Option<&Packet>, octets: usize) {
        self.frames += 1;
        self.octets += octets as u64;
        let Some(packet) = packet else { return };
        let header = match packet.transport {
            Transport::Tcp(tcp) => tcp.header_len,
            Transport::Udp { .. } => UDP_HEADER,
            Transport::LaterFragment { .. } => 0,
            Transport::Other { .. } => return,
        };
        let octets = (header + packet.payload_len) as u64;
        self.transport_octets += octets;
        if header > 0 {
            self.frames_with_ports += 1;
            self.transport_octets_with_ports += octets;
        }
    }
}

const UDP_HEADER: usize = 8;

#[cfg(test)]
mod tests;
