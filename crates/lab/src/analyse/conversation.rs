//! A conversation: the packets between two ports.

use std::net::SocketAddr;
use std::time::Duration;

use portreeve_lab_net::pcap::PcapFrame;
use portreeve_lab_net::{Packet, Transport};

use super::exchanges::Exchanges;
use super::snmp::{HeaderError, SnmpHeader};
use super::stream::Stream;
use super::{TCP, UDP};
use crate::frame_counts::FrameCounts;

/// The two ends of a conversation. The client has sent the first packet.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Endpoints {
    /// The number of TCP or UDP.
    pub(super) protocol: u8,
    pub(super) client: SocketAddr,
    pub(super) server: SocketAddr,
}

impl Endpoints {
    pub(super) fn swapped(self) -> Self {
        Self { client: self.server, server: self.client, ..self }
    }

    /// Returns the name of the protocol.
    pub(super) fn protocol_name(&self) -> &'static str {
        match self.protocol {
            TCP => "tcp",
            UDP => "udp",
            _ => "other",
        }
    }
}

/// A conversation and its counts.
pub(super) struct Conversation {
    pub(super) endpoints: Endpoints,
    pub(super) to_server: FrameCounts,
    pub(super) to_client: FrameCounts,
    /// The times of the first and the last frame.
    times: Option<(Duration, Duration)>,
    pub(super) exchanges: Exchanges,
    /// The streams of TCP to the server and to the client.
    streams: [Stream; 2],
}

impl Conversation {
    pub(super) fn new(endpoints: Endpoints) -> Self {
        Self {
            endpoints,
            to_server: FrameCounts::default(),
            to_client: FrameCounts::default(),
            times: None,
            exchanges: Exchanges::default(),
            streams: Default::default(),
        }
    }

    /// Adds a frame with a packet of this conversation.
    pub(super) fn add(&mut self, frame: &PcapFrame<'_>, packet: &Packet) {
        let (first, last) = self.times.unwrap_or((frame.at, frame.at));
        self.times = Some((first.min(frame.at), last.max(frame.at)));
        let Endpoints { client, server, .. } = self.endpoints;
        let is_to_server = match packet.ports() {
            Some((source, _)) => client == (packet.source, source).into(),
            // Only two programs on one machine have the same address.
            None => packet.destination == server.ip(),
        };
        let counts = if is_to_server { &mut self.to_server } else { &mut self.to_client };
        counts.add(Some(packet), frame.length);
        let payload = packet.payload(frame.octets);
        let Self { exchanges, streams: [to_server, to_client], .. } = self;
        match packet.transport {
            Transport::Udp { .. } => match SnmpHeader::read(payload) {
                Ok(header) => exchanges.add(&header, frame.at),
                Err(HeaderError::Incomplete | HeaderError::NotSnmp) => {}
            },
            Transport::Tcp(tcp) => {
                let stream = if is_to_server { to_server } else { to_client };
                stream.add(&tcp, payload, packet.payload_len, |header| exchanges.add(header, frame.at));
            }
            Transport::LaterFragment { .. } | Transport::Other { .. } => {}
        }
    }

    /// Returns the time from the first to the last frame.
    pub(super) fn duration(&self) -> Duration {
        self.times.map_or(Duration::ZERO, |(first, last)| last.saturating_sub(first))
    }
}
