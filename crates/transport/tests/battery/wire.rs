//! The protocols that the sessions of the tests carry, and the framing of their messages.

use portreeve_transport::message_length;

use super::fixture::frame;

/// A protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Wire {
    /// SNMP framing, answered by the `EchoHandler`.
    #[default]
    Snmp,
    /// Messages that end with [`END`], answered by the `LineService`.
    Lines,
}

impl Wire {
    /// Returns a message that selects the action `what`.
    pub fn frame(self, what: u8, content: &[u8]) -> Vec<u8> {
        match self {
            Self::Snmp => frame(what, content),
            Self::Lines => [&[what], content, END].concat(),
        }
    }

    /// Returns the length of the first message in `octets`, if it is complete.
    fn complete_length(self, octets: &[u8]) -> Option<usize> {
        match self {
            Self::Snmp => {
                message_length(octets, usize::MAX).unwrap().filter(|length| *length <= octets.len())
            }
            Self::Lines => end_of_message(octets),
        }
    }
}

/// The octets that a peer has received but not returned as messages.
#[derive(Default)]
pub struct Inbox {
    wire: Wire,
    octets: Vec<u8>,
    /// The number of octets that contain no complete message, so that they are not searched again.
    searched: usize,
}

impl Inbox {
    pub fn new(wire: Wire) -> Self {
        Self { wire, ..Self::default() }
    }

    pub fn push(&mut self, octets: &[u8]) {
        self.octets.extend_from_slice(octets);
    }

    /// Removes the first message, if it is complete.
    pub fn next_message(&mut self) -> Option<Vec<u8>> {
        if self.octets.is_empty() || (self.wire == Wire::Lines && self.searched == self.octets.len()) {
            return None;
        }
        let Some(length) = self.wire.complete_length(&self.octets) else {
            self.searched = self.octets.len();
            return None;
        };
        self.searched = 0;
        let rest = self.octets.split_off(length);
        Some(std::mem::replace(&mut self.octets, rest))
    }
}

/// Returns the length of the first message that ends with [`END`].
pub fn end_of_message(octets: &[u8]) -> Option<usize> {
    octets.windows(END.len()).position(|window| window == END).map(|start| start + END.len())
}

/// The end of a message.
pub const END: &[u8] = b"]]>]]>";
