//! The frames of one server on the loopback interface.
//!
//! As root, only the frames from and to the server's port count. Other users cannot see frames: for
//! them, the counters of the interface include the frames of all programs.

use std::fs;
use std::io::ErrorKind;

use portreeve_lab_net::{FragmentPorts, LinkType, Packet};
use portreeve_sys::PacketSocket;

use crate::error::Result;

/// A number of frames, and their octets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// The number.
    pub packets: f64,
    /// All their octets.
    pub octets: f64,
}

impl Frames {
    /// Returns the smaller number of each kind.
    pub fn min(self, other: Self) -> Self {
        Self { packets: self.packets.min(other.packets), octets: self.octets.min(other.octets) }
    }
}

/// Counts the frames of one server from its start.
pub struct FrameCounter(Source);

enum Source {
    /// Receives all frames, and counts those from and to a port.
    OfPort { socket: PacketSocket, interface: u32, port: u16 },
    /// The counters of the interface at the start.
    OfAllPrograms(Frames),
}

impl FrameCounter {
    /// Starts to count; `None` if the system does not count frames.
    pub fn start(port: u16) -> Option<Self> {
        match PacketSocket::open(SOCKET_BUFFER, HEADER_SLOT) {
            Ok(socket) => Some(Self(Source::OfPort { socket, interface: interface()?, port })),
            Err(_) => counters().map(Source::OfAllPrograms).map(Self),
        }
    }

    /// Returns the frames since the start.
    pub fn finish(self) -> Result<Option<Frames>> {
        let (mut socket, interface, port) = match self.0 {
            Source::OfPort { socket, interface, port } => (socket, interface, port),
            Source::OfAllPrograms(before) => {
                return Ok(counters().map(|after| Frames {
                    packets: after.packets - before.packets,
                    octets: after.octets - before.octets,
                }));
            }
        };
        let (mut fragments, mut sum) = (FragmentPorts::default(), Frames { packets: 0.0, octets: 0.0 });
        loop {
            let received = socket.receive(|frame| {
                let packet = Packet::decode(LinkType::Ethernet, frame.octets, frame.length).ok();
                let ports = packet.and_then(|packet| fragments.ports(&packet));
                if frame.interface == interface && ports.is_some_and(|(from, to)| [from, to].contains(&port))
                {
                    sum.packets += 1.0;
                    sum.octets += frame.length as f64;
                }
            });
            match received {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        let is_complete = socket.statistics()?.dropped == 0;
        Ok(is_complete.then_some(sum))
    }

    /// Returns true if frames of other programs are counted, too.
    pub fn includes_other_programs() -> bool {
        PacketSocket::open(SOCKET_BUFFER, HEADER_SLOT).is_err()
    }
}

/// Returns the index of the loopback interface.
fn interface() -> Option<u32> {
    fs::read_to_string(format!("{LOOPBACK}/ifindex")).ok()?.trim().parse().ok()
}

/// Returns the interface's counters since system start.
fn counters() -> Option<Frames> {
    let read = |counter: &str| -> Option<f64> {
        fs::read_to_string(format!("{LOOPBACK}/statistics/{counter}")).ok()?.trim().parse().ok()
    };
    Some(Frames { packets: read("tx_packets")?, octets: read("tx_bytes")? })
}

const LOOPBACK: &str = "/sys/class/net/lo";
/// Room for the frames of a walk. The kernel counts about a kilobyte for each small frame.
const SOCKET_BUFFER: usize = 64 << 20;
/// Room for Ethernet, IPv6 with an extension header, and TCP with options.
const HEADER_SLOT: usize = 160;

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::FrameCounter;

    #[test]
    fn only_frames_of_the_port_are_counted() {
        if FrameCounter::includes_other_programs() {
            eprintln!("only_frames_of_the_port_are_counted: skipped: frames cannot be received");
            return;
        }
        let open = || UdpSocket::bind("127.0.0.1:0").unwrap();
        let (server, other, client) = (open(), open(), open());
        let counter = FrameCounter::start(server.local_addr().unwrap().port()).unwrap();
        for _ in 0..3 {
            client.send_to(&[0; 100], server.local_addr().unwrap()).unwrap();
            client.send_to(&[0; 100], other.local_addr().unwrap()).unwrap();
        }
        server.send_to(&[0; 10], client.local_addr().unwrap()).unwrap();
        let frames = counter.finish().ok().unwrap().unwrap();
        // Each frame has 14 octets of Ethernet, 20 of IP and 8 of UDP.
        assert_eq!((frames.packets, frames.octets), (4.0, 3.0 * 142.0 + 52.0));
    }
}
