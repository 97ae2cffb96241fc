//! How much to ask for at once: learned from how whole the answers are.

/// What an agent has been found to answer in one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSizer {
    /// Variables to ask for.
    size: usize,
    /// Above this answers have been cut short.
    ceiling: usize,
    /// Above this nothing came, or a refusal: never asked for again.
    limit: usize,
    /// The most variables that came in one answer.
    max_received: usize,
}

impl BatchSizer {
    pub(super) fn new() -> Self {
        Self { size: INITIAL_SIZE, ceiling: MAX_SIZE, limit: MAX_SIZE, max_received: 0 }
    }

    /// Variables to ask for in one request, at least one.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// All that was asked for came: `variables` in so many octets.
    pub(super) fn on_complete(&mut self, variables: usize, octets: usize) {
        self.max_received = self.max_received.max(variables);
        if variables < self.size {
            return;
        }
        // What was too much once may not be so with shorter values.
        self.ceiling = (self.ceiling + self.ceiling / 8 + 1).min(MAX_SIZE);
        let fitting = FRAME_OCTETS * variables / octets.max(1);
        self.size = (self.size * 2).min(self.ceiling).min(self.limit).min(fitting.max(1));
    }

    /// Only so many came, though there are more.
    pub(super) fn on_truncated(&mut self, variables: usize) {
        self.max_received = self.max_received.max(variables);
        self.ceiling = variables.max(1);
        self.size = self.ceiling;
    }

    /// Nothing came, or that it is too big.
    pub(super) fn on_rejected(&mut self, asked: usize) {
        self.limit = (asked / 2).clamp(1, self.limit);
        self.size = self.size.min(self.limit);
    }

    /// Whether the agent has said less than this at once so far, so that its silence may be about the amount.
    pub(super) fn exceeds_max_received(&self, asked: usize) -> bool {
        self.max_received > 0 && asked > self.max_received
    }
}

/// What every agent should have room for.
const INITIAL_SIZE: usize = 16;
const MAX_SIZE: usize = 512;
/// Octets of variable bindings in an answer that fits one Ethernet frame: what is lost then is one datagram.
const FRAME_OCTETS: usize = 1400;
