//! Adapts the number of variables per request to the completeness of the responses.

/// The known capacity of an agent's responses.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSizer {
    /// The number of variables to request.
    size: usize,
    /// Responses above this size were truncated.
    ceiling: usize,
    /// Requests above this size were rejected or timed out; they are never repeated.
    limit: usize,
    /// The maximum number of variables received in one response.
    max_received: usize,
}

impl BatchSizer {
    pub(super) fn new() -> Self {
        Self { size: INITIAL_SIZE, ceiling: MAX_SIZE, limit: MAX_SIZE, max_received: 0 }
    }

    /// The number of variables for one request, at least one.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Records a complete response: `variables` in this number of octets.
    pub(super) fn on_complete(&mut self, variables: usize, octets: usize) {
        self.max_received = self.max_received.max(variables);
        if variables < self.size {
            return;
        }
        // A size that was too large before may fit with shorter values.
        self.ceiling = (self.ceiling + self.ceiling / 8 + 1).min(MAX_SIZE);
        let fitting = FRAME_OCTETS * variables / octets.max(1);
        self.size = (self.size * 2).min(self.ceiling).min(self.limit).min(fitting.max(1));
    }

    /// Records a truncated response with this number of variables.
    pub(super) fn on_truncated(&mut self, variables: usize) {
        self.max_received = self.max_received.max(variables);
        self.ceiling = variables.max(1);
        self.size = self.ceiling;
    }

    /// Records a timeout or tooBig.
    pub(super) fn on_rejected(&mut self, requested: usize) {
        self.limit = (requested / 2).clamp(1, self.limit);
        self.size = self.size.min(self.limit);
    }

    /// Returns true if no response was as large as this so far, so that the size may have caused
    /// the timeout.
    pub(super) fn exceeds_max_received(&self, requested: usize) -> bool {
        self.max_received > 0 && requested > self.max_received
    }
}

/// A number that every agent should be able to return.
const INITIAL_SIZE: usize = 16;
const MAX_SIZE: usize = 512;
/// The size of variable bindings, in octets, that fits into one Ethernet frame: then a loss costs
/// one datagram only.
const FRAME_OCTETS: usize = 1400;
