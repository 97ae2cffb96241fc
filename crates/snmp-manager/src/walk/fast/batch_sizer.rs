//! Adapts the number of variables per request to the completeness of the responses.

/// The known capacity of an agent's responses, as numbers of variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSizer {
    /// The number of variables to request.
    size: usize,
    /// The number of variables above which responses were truncated.
    ceiling: usize,
    /// The number of variables above which requests were rejected or timed out. Such a request is
    /// never sent again.
    limit: usize,
    /// The maximum number of variables received in one response.
    max_received: usize,
}

impl BatchSizer {
    pub(super) fn new() -> Self {
        Self { size: INITIAL_SIZE, ceiling: MAX_SIZE, limit: MAX_SIZE, max_received: 0 }
    }

    /// Returns the number of variables for one request, at least one.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Records a complete response with this number of variables in this number of octets.
    pub(super) fn on_complete(&mut self, variables: usize, octets: usize) {
        self.max_received = self.max_received.max(variables);
        if variables < self.size {
            return;
        }
        // A number of variables that did not fit before may fit if the values are shorter.
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

    /// Returns true if every response so far had fewer variables than `requested`, so that this
    /// number may have caused the timeout.
    pub(super) fn exceeds_max_received(&self, requested: usize) -> bool {
        self.max_received > 0 && requested > self.max_received
    }
}

/// The number of variables in the first request. Every agent should be able to return as many.
const INITIAL_SIZE: usize = 16;
const MAX_SIZE: usize = 512;
/// The number of octets of variable bindings that fit into one Ethernet frame. If a larger response
/// were fragmented, a loss would cost several datagrams.
const FRAME_OCTETS: usize = 1400;
