//! Which thread serves which agents: each has its own, and every recording is played on all of them.

use std::num::NonZeroUsize;

/// What one thread serves, or several where there is one agent only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// The agents' numbers.
    pub(crate) agents: Vec<usize>,
    /// How many threads share them.
    pub(crate) threads: NonZeroUsize,
}

/// Deals `agents` out, of which every `recordings`-th plays the same.
///
/// Recordings differ in how much work they are, so that each is dealt out by itself, beginning with another thread.
pub(crate) fn deal(agents: usize, recordings: usize, threads: NonZeroUsize) -> Vec<Share> {
    if agents == 1 {
        return vec![Share { agents: vec![0], threads }];
    }
    let recordings = recordings.max(1);
    let mut shares = vec![Share { agents: Vec::new(), threads: NonZeroUsize::MIN }; threads.get()];
    for agent in 0..agents {
        let thread = (agent / recordings + agent % recordings) % threads;
        if let Some(share) = shares.get_mut(thread) {
            share.agents.push(agent);
        }
    }
    shares.retain(|share| !share.agents.is_empty());
    shares
}

#[cfg(test)]
mod tests;
