//! Distributes the agents over threads.

use std::num::NonZeroUsize;

/// The agents of one thread, or a single agent served by several threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkerAgents {
    /// The numbers of the agents.
    pub(crate) agents: Vec<usize>,
    /// The number of threads that serve these agents.
    pub(crate) threads: NonZeroUsize,
}

/// Distributes `agents` over `threads`. The agents are assigned to the recordings in rotation.
///
/// Recordings differ in processing time, so the agents of each recording are distributed
/// separately, each time beginning with another thread.
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
