//! Labels of frames: the flags of TCP, and the messages of SNMP, TLS, DTLS and SSH that begin in a
//! frame.

mod dtls;
mod snmp;
mod ssh;
mod tls;

use portreeve_lab_net::{Direction, Packet, Transport};

/// The protocol inside TCP or UDP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Snmp,
    Ssh,
    Tls,
}

/// The state of one session.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The protocol inside TCP, from the first octet.
    protocol: Option<Protocol>,
    to_agent: Stream,
    to_manager: Stream,
    /// True if the manager has sent an encrypted record of TLS.
    manager_encrypts: bool,
}

/// One direction of a TCP connection.
#[derive(Debug, Default)]
struct Stream {
    /// The octets of a message that is not complete.
    pending: Vec<u8>,
    /// The sequence number of the next octet.
    next: Option<u32>,
    /// True if all later messages are encrypted.
    is_encrypted: bool,
    /// True if TLS 1.2 has completed the handshake in this direction: later data is of the
    /// application.
    is_tls12_complete: bool,
    /// True if the line with the version of SSH is complete.
    has_version: bool,
}

impl Decoder {
    /// Returns the label of the next frame. `payload` is all that the frame contains above TCP or
    /// UDP.
    pub(super) fn label(&mut self, direction: Direction, packet: &Packet, payload: &[u8]) -> String {
        let tcp = match packet.transport {
            Transport::Tcp(tcp) => tcp,
            Transport::Udp { .. } => return label_datagram(payload),
            Transport::LaterFragment { .. } | Transport::Other { .. } => return "IP fragment".into(),
        };
        // PSH does not matter to the session.
        let flags = tcp.flags.to_string().replace("PSH ", "");
        if payload.is_empty() {
            return flags;
        }
        let mut labels = if self.stream(direction).is_repeated(tcp.sequence, payload.len()) {
            vec!["retransmission".to_owned()]
        } else {
            self.label_stream(direction, payload)
        };
        if tcp.flags.fin() || tcp.flags.rst() {
            labels.push(flags);
        }
        join(labels)
    }

    fn stream(&mut self, direction: Direction) -> &mut Stream {
        match direction {
            Direction::ToAgent => &mut self.to_agent,
            Direction::ToManager => &mut self.to_manager,
        }
    }

    fn label_stream(&mut self, direction: Direction, payload: &[u8]) -> Vec<String> {
        let protocol = *self.protocol.get_or_insert(match payload {
            [b'S', b'S', b'H', ..] => Protocol::Ssh,
            [tls::HANDSHAKE, 3, ..] => Protocol::Tls,
            _ => Protocol::Snmp,
        });
        let is_setup = direction == Direction::ToManager && !self.manager_encrypts;
        let stream = self.stream(direction);
        let begins = stream.pending.is_empty();
        stream.pending.extend_from_slice(payload);
        let mut labels = match protocol {
            Protocol::Snmp => snmp::take(&mut stream.pending),
            Protocol::Ssh => ssh::take(stream),
            Protocol::Tls => tls::take(stream, is_setup),
        };
        let encrypts = stream.is_encrypted;
        if labels.is_empty() {
            labels.push(if begins { "begin of a message" } else { "continuation" }.to_owned());
        }
        self.manager_encrypts |= encrypts && direction == Direction::ToAgent;
        labels
    }
}

impl Stream {
    /// Returns true if these octets were sent before.
    fn is_repeated(&mut self, sequence: u32, length: usize) -> bool {
        let ahead = self.next.map_or(0, |next| sequence.wrapping_sub(next) as i32);
        if ahead < 0 {
            return true;
        }
        self.next = Some(sequence.wrapping_add(length as u32));
        false
    }
}

fn label_datagram(payload: &[u8]) -> String {
    match payload.first() {
        Some(0x30) => snmp::label(payload),
        Some(_) => join(dtls::labels(payload)),
        None => "empty datagram".into(),
    }
}

/// Joins labels; repeated ones are counted.
fn join(labels: Vec<String>) -> String {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for label in labels {
        match counted.last_mut() {
            Some((last, count)) if *last == label => *count += 1,
            _ => counted.push((label, 1)),
        }
    }
    let text =
        |(label, count): (String, usize)| if count > 1 { format!("{count} × {label}") } else { label };
    counted.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Removes the first `length` octets, if there are so many.
fn take(pending: &mut Vec<u8>, length: usize) -> Option<Vec<u8>> {
    if pending.len() < length {
        return None;
    }
    let rest = pending.split_off(length);
    Some(std::mem::replace(pending, rest))
}

/// Returns the big-endian number in octets.
fn number(octets: &[u8]) -> usize {
    octets.iter().fold(0, |number, octet| number << 8 | usize::from(*octet))
}

#[cfg(test)]
mod tests;
