//! How much to ask for at once: learned from how whole the answers are.

/// What an agent has been found to answer in one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appetite {
    /// Variables to ask for.
    most: usize,
    /// Above this answers have been cut short.
    ceiling: usize,
    /// Above this nothing came, or a refusal: never asked for again.
    limit: usize,
    /// The most variables that came in one answer.
    proven: usize,
}

impl Appetite {
    pub(super) fn new() -> Self {
        Self { most: FIRST, ceiling: LARGEST, limit: LARGEST, proven: 0 }
    }

    /// Variables to ask for in one request, at least one.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// All that was asked for came: `variables` in so many octets.
    pub(super) fn whole(&mut self, variables: usize, octets: usize) {
        self.proven = self.proven.max(variables);
        if variables < self.most {
            return;
        }
        // What was too much once may not be so with shorter values.
        self.ceiling = (self.ceiling + self.ceiling / 8 + 1).min(LARGEST);
        let fitting = ONE_FRAME * variables / octets.max(1);
        self.most = (self.most * 2).min(self.ceiling).min(self.limit).min(fitting.max(1));
    }

    /// Only so many came, though there are more.
    pub(super) fn cut_short(&mut self, variables: usize) {
        self.proven = self.proven.max(variables);
        self.ceiling = variables.max(1);
        self.most = self.ceiling;
    }

    /// Nothing came, or that it is too big.
    pub(super) fn refused(&mut self, asked: usize) {
        self.limit = (asked / 2).clamp(1, self.limit);
        self.most = self.most.min(self.limit);
    }

    /// Whether the agent has said less than this at once so far, so that its silence may be about the amount.
    pub(super) fn is_beyond_proof(&self, asked: usize) -> bool {
        self.proven > 0 && asked > self.proven
    }
}

/// What every agent should have room for.
const FIRST: usize = 16;
const LARGEST: usize = 512;
/// Octets of variable bindings in an answer that fits one Ethernet frame: what is lost then is one datagram.
const ONE_FRAME: usize = 1400;
