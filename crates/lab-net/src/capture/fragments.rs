//! The ports of fragments, which only the first fragment of a packet contains.

use std::collections::HashMap;
use std::net::IpAddr;

use crate::packet::Packet;

/// The ports of fragmented packets. It remembers those of at most 4096 packets.
#[derive(Debug, Default)]
pub struct FragmentPorts(HashMap<(IpAddr, IpAddr, u32), (u16, u16)>);

impl FragmentPorts {
    /// Returns the source and destination port of a packet or of a fragment of it. For a fragment
    /// that is not the first, the first one must have been given before.
    pub fn ports(&mut self, packet: &Packet) -> Option<(u16, u16)> {
        let Some(fragment) = packet.fragment else { return packet.ports() };
        let key = (packet.source, packet.destination, fragment.identification);
        if fragment.offset != 0 {
            return self.0.get(&key).copied();
        }
        let ports = packet.ports()?;
        if self.0.len() >= MAX_PACKETS {
            self.0.clear();
        }
        self.0.insert(key, ports);
        Some(ports)
    }
}

/// The maximum number of packets whose ports are remembered.
const MAX_PACKETS: usize = 4096;

#[cfg(test)]
mod tests;
