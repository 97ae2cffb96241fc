//! Which thread serves which agents: each has its own, and every recording is played on all of them.

use std::num::NonZeroUsize;

/// What one thread serves, or several where there is one agent only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkerAgents {
    /// The agents' numbers.
    pub(crate) agents: Vec<usize>,
    /// How many threads share them.
    pub(crate) threads: NonZeroUsize,
}

/// Deals `agents` out, of which every `recordings`-th plays the same.
///
/// Recordings differ in how much work they are, so that each is dealt out by itself, beginning with another thread.
pub(crate) fn assign_agents(agents: usize, recordings: usize, threads: NonZeroUsize) -> Vec<WorkerAgents> {
    if agents == 1 {
        return vec![WorkerAgents { agents: vec![0], threads }];
    }
    let recordings = recordings.max(1);
    let mut workers = vec![WorkerAgents { agents: Vec::new(), threads: NonZeroUsize::MIN }; threads.get()];
    for agent in 0..agents {
        let thread = (agent / recordings + agent % recordings) % threads;
        if let Some(worker) = workers.get_mut(thread) {
            worker.agents.push(agent);
        }
    }
    workers.retain(|worker| !worker.agents.is_empty());
    workers
}

#[cfg(test)]
mod tests;
