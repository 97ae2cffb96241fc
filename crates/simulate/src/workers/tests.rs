use super::*;

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

#[test]
fn simulated_agents_are_distributed_evenly_over_workers() {
    for (agents, recordings, count) in
        [(1000, 1, 2), (1000, 2, 2), (1000, 3, 2), (7, 7, 4), (5, 2, 8), (2, 1, 2)]
    {
        let workers = assign_agents(agents, recordings, threads(count));
        let mut served: Vec<usize> = workers.iter().flat_map(|worker| worker.agents.clone()).collect();
        served.sort_unstable();
        assert_eq!(served, (0..agents).collect::<Vec<_>>());
        let lengths = || workers.iter().map(|worker| worker.agents.len());
        let max_difference = recordings.min(count);
        assert!(lengths().max().unwrap() - lengths().min().unwrap() <= max_difference, "{workers:?}");
        assert!(workers.iter().all(|worker| worker.threads == NonZeroUsize::MIN));
    }
}

#[test]
fn each_worker_serves_each_recording_equally_often() {
    for worker in assign_agents(1000, 2, threads(2)) {
        let first = worker.agents.iter().filter(|agent| *agent % 2 == 0).count();
        assert_eq!((first, worker.agents.len()), (250, 500));
    }
}

#[test]
fn single_agent_is_served_by_all_threads() {
    assert_eq!(assign_agents(1, 1, threads(4)), [WorkerAgents { agents: vec![0], threads: threads(4) }]);
}
