//! The frames of one session: their labels, and the participant that closes first.

use std::time::Duration;

use portreeve_lab_net::{Captured, Direction, FrameRecord, Transport};
use portreeve_lab_report::sample::Message;

use super::decode::Decoder;
use crate::harness::Outcome;

/// The frames of one session with their labels.
#[derive(Debug)]
pub(super) struct Conversation {
    messages: Vec<Message>,
    /// The time from the first frame to the response.
    response: Duration,
    /// The participant that first closes the TCP connection, or the session of DTLS. Over UDP
    /// nothing is closed.
    closer: Option<Direction>,
}

impl Conversation {
    /// Decodes the frames of the session with a response. Repeated frames of earlier sessions are
    /// left out.
    pub(super) fn of(captured: &Captured) -> Result<Self, &'static str> {
        let mut decoder = Decoder::default();
        let (mut messages, mut response, mut closer) = (Vec::new(), None, None);
        let answered = captured.frames().iter().find(|frame| is_response(frame));
        let (_, port) = answered.and_then(|frame| frame.ports).ok_or(NO_RESPONSE)?;
        let mut start = None;
        for (frame, octets) in captured.with_octets().filter(|(frame, _)| frame.has_port(port)) {
            let Some(packet) = frame.packet else { continue };
            let start = *start.get_or_insert(frame.at);
            let at = frame.at.saturating_sub(start);
            if is_response(frame) {
                // A longer message after this would mean that this was part of the set-up.
                (response, closer) = (Some(at), None);
            } else if response.is_some() && closer.is_none() && is_close(frame) {
                closer = Some(frame.direction);
            }
            let (from, to) = match frame.direction {
                Direction::ToAgent => (MANAGER, AGENT),
                Direction::ToManager => (AGENT, MANAGER),
            };
            messages.push(Message {
                at: at.as_secs_f64(),
                from: from.into(),
                to: to.into(),
                octets: frame.octets as u64,
                label: decoder.label(frame.direction, &packet, packet.payload(octets)),
            });
        }
        Ok(Self { messages, response: response.ok_or(NO_RESPONSE)?, closer })
    }

    /// Returns the time from the first frame to the response.
    pub(super) fn response_time(&self) -> Duration {
        self.response
    }

    /// Returns the counts.
    pub(super) fn outcome(&self) -> Outcome {
        let octets: u64 = self.messages.iter().map(|message| message.octets).sum();
        let closer = self.closer.map(|from| f64::from(u8::from(from == Direction::ToAgent)));
        Outcome::default()
            .value("frames", self.messages.len() as f64)
            .value("octets", octets as f64)
            .value("response", self.response.as_secs_f64())
            .known("manager_closes", closer)
    }

    /// Returns the frames.
    pub(super) fn into_messages(self) -> Vec<Message> {
        self.messages
    }
}

/// Returns true if a frame can contain the response with sysDescr. The frames that close a session
/// are shorter.
fn is_response(frame: &FrameRecord) -> bool {
    let length = frame.packet.map_or(0, |packet| packet.payload_len);
    frame.direction == Direction::ToManager && length >= MIN_RESPONSE
}

/// Returns true if a frame after the response begins to close the session: a segment that closes
/// the connection of TCP, or any datagram.
fn is_close(frame: &FrameRecord) -> bool {
    match frame.packet.map(|packet| packet.transport) {
        Some(Transport::Tcp(tcp)) => tcp.flags.fin() || tcp.flags.rst(),
        Some(_) => true,
        None => false,
    }
}

const NO_RESPONSE: &str = "no response was captured";

/// The participants of a diagram.
pub(super) const MANAGER: &str = "manager";
pub(super) const AGENT: &str = "agent";

/// The minimum length of a response with sysDescr. The messages that close a session of SSH, TLS or
/// DTLS are shorter.
const MIN_RESPONSE: usize = 80;

#[cfg(test)]
mod tests;
