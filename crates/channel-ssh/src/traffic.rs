//! Traffic settings of a connection, which a listener and a client can choose independently, for
//! example to measure their cost.

/// Packet and window behavior of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficSettings {
    /// Combines messages that are ready together into one packet, and sends it at once. If false,
    /// each SSH packet is sent separately. The owner of the socket sets TCP_NODELAY.
    pub nodelay: bool,
    /// Determines when the peer's send window is extended.
    pub window: WindowPolicy,
}

impl TrafficSettings {
    /// Returns true if messages that are ready together are sent in one packet.
    pub(crate) fn coalesces_writes(self) -> bool {
        self.nodelay && self.window != WindowPolicy::EveryMessage
    }
}

impl Default for TrafficSettings {
    /// Returns the recommended settings: no delays, and windows extended when needed.
    fn default() -> Self {
        Self { nodelay: true, window: WindowPolicy::default() }
    }
}

/// Determines when a channel's window is extended (RFC 4254 §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowPolicy {
    /// The window is large, and is extended when half of it is used up.
    #[default]
    WhenNeeded,
    /// The window is extended after nearly every message, in a separate packet, because it has room
    /// for hardly more than one message. A server's window starts at eighty octets, and doubles
    /// when a message fills it. It is not extended after a message that leaves at least half of it.
    EveryMessage,
}

impl WindowPolicy {
    /// Returns the window size in octets of a new channel; `wide_size` is the size of a large
    /// window.
    pub(crate) fn initial_size(self, wide_size: u32) -> u32 {
        match self {
            Self::WhenNeeded => wide_size,
            Self::EveryMessage => INITIAL_NARROW_WINDOW,
        }
    }
}

/// A server's receive window on one connection. russh extends it when less than half of it is left.
#[derive(Debug)]
pub(crate) struct ReceiveWindow {
    policy: WindowPolicy,
    /// Size in octets to which the window is extended the next time.
    target: u32,
    /// Set when received data has filled the window, that is, when a message was longer than the
    /// window.
    is_filled: bool,
}

impl ReceiveWindow {
    pub(crate) fn new(policy: WindowPolicy, wide_size: u32) -> Self {
        Self { policy, target: policy.initial_size(wide_size), is_filled: false }
    }

    /// Records that data of this many octets was received at once.
    pub(crate) fn on_data(&mut self, octets: usize) {
        self.is_filled |= self.policy == WindowPolicy::EveryMessage && octets >= self.target as usize;
    }

    /// Returns the size to which the window is extended the next time.
    pub(crate) fn next_target(&mut self) -> u32 {
        if std::mem::take(&mut self.is_filled) {
            self.target = self.target.saturating_mul(2).min(MAX_NARROW_WINDOW);
        }
        self.target
    }
}

/// Returns true if a peer has extended its window beyond the maximum size (RFC 4254 §5.2). `size`
/// is the resulting size in octets as reported by russh.
///
/// russh caps the sum at the maximum size and reports exactly that. A peer whose window is
/// legitimately of the maximum size and is refilled to the last octet is treated as if it had
/// exceeded it.
pub(crate) fn is_window_overflow(size: u32) -> bool {
    size == u32::MAX
}

/// Text that names a window overflow as the cause, in the log and in the message to the peer.
pub(crate) const WINDOW_OVERFLOW: &str = "a window of more than 2^32-1 octets";
/// Initial size in octets of a narrow window: a short message fills more than half of it.
const INITIAL_NARROW_WINDOW: u32 = 80;
/// Maximum size in octets of a narrow window: two of the longest messages.
const MAX_NARROW_WINDOW: u32 = 256 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_needed_policy_keeps_receive_window_size_constant() {
        let mut window = ReceiveWindow::new(WindowPolicy::WhenNeeded, 1000);
        window.on_data(1000);
        assert_eq!(window.next_target(), 1000);
    }

    #[test]
    fn every_message_policy_doubles_receive_window_up_to_its_maximum() {
        let mut window = ReceiveWindow::new(WindowPolicy::EveryMessage, 1 << 20);
        let mut filled_by = |octets| {
            window.on_data(octets);
            window.next_target()
        };
        assert_eq!(filled_by(43), 80);
        assert_eq!(filled_by(80), 160);
        assert_eq!(filled_by(100), 160);
        for _ in 0..40 {
            filled_by(usize::MAX);
        }
        assert_eq!(filled_by(usize::MAX), MAX_NARROW_WINDOW);
    }
}
