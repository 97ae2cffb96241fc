//! How a connection's octets travel: what a listener and a client can each choose, to see what it costs.

/// How a connection's octets travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficSettings {
    /// Whether what is made in one go leaves together and at once. Off, each packet of SSH leaves by itself; the socket's
    /// own TCP_NODELAY is its owner's to switch.
    pub nodelay: bool,
    /// When the other side is told that it may send more.
    pub window: WindowPolicy,
}

impl TrafficSettings {
    /// Whether what is made in one go leaves together.
    pub(crate) fn coalesces_writes(self) -> bool {
        self.nodelay && self.window != WindowPolicy::EveryMessage
    }
}

impl Default for TrafficSettings {
    /// As it should be: nothing is delayed, and windows are opened when needed.
    fn default() -> Self {
        Self { nodelay: true, window: WindowPolicy::default() }
    }
}

/// When a channel's window is opened again (RFC 4254 §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowPolicy {
    /// When half of a large window is used up.
    #[default]
    WhenNeeded,
    /// After every message, in a packet of its own, through a window that has room for hardly more than one message: of
    /// eighty octets, which a server's grows from to the longest. Messages of under forty octets share one.
    EveryMessage,
}

impl WindowPolicy {
    /// Octets of the window of a new channel, where `wide` is a large one.
    pub(crate) fn initial_size(self, wide_size: u32) -> u32 {
        match self {
            Self::WhenNeeded => wide_size,
            Self::EveryMessage => INITIAL_NARROW_WINDOW,
        }
    }
}

/// A server's window on one connection, which russh opens when it is less than half open.
#[derive(Debug)]
pub(crate) struct ReceiveWindow {
    policy: WindowPolicy,
    /// Octets: how far it is opened.
    target: u32,
    /// A piece has filled it, so a message was longer.
    is_filled: bool,
}

impl ReceiveWindow {
    pub(crate) fn new(policy: WindowPolicy, wide_size: u32) -> Self {
        Self { policy, target: policy.initial_size(wide_size), is_filled: false }
    }

    pub(crate) fn policy(&self) -> WindowPolicy {
        self.policy
    }

    /// So many octets have come in one piece.
    pub(crate) fn on_data(&mut self, octets: usize) {
        self.is_filled |= self.policy == WindowPolicy::EveryMessage && octets >= self.target as usize;
    }

    /// How far it is opened the next time.
    pub(crate) fn next_target(&mut self) -> u32 {
        if std::mem::take(&mut self.is_filled) {
            self.target = self.target.saturating_mul(2).min(MAX_NARROW_WINDOW);
        }
        self.target
    }
}

/// Whether a peer has opened its window further than a window can be open (RFC 4254 §5.2), of which `size` octets are told.
///
/// russh adds up no further than to the largest window, so what is told then is just that. A peer may have a window of
/// exactly this size; one that fills it up again to the last octet is taken for one that goes beyond.
pub(crate) fn is_window_overflow(size: u32) -> bool {
    size == u32::MAX
}

/// What is said of that, to the other end too.
pub(crate) const WINDOW_OVERFLOW: &str = "a window of more than 2^32-1 octets";
/// Octets: a short message is more than half of it.
const INITIAL_NARROW_WINDOW: u32 = 80;
/// Octets: two of the longest messages.
const MAX_NARROW_WINDOW: u32 = 256 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_window_keeps_its_size() {
        let mut window = ReceiveWindow::new(WindowPolicy::WhenNeeded, 1000);
        window.on_data(1000);
        assert_eq!(window.next_target(), 1000);
    }

    #[test]
    fn narrow_window_grows_to_the_longest_message_only() {
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
