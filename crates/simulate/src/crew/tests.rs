use super::*;

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

#[test]
fn every_agent_is_served_once_and_no_thread_has_many_more_than_another() {
    for (agents, recordings, count) in
        [(1000, 1, 2), (1000, 2, 2), (1000, 3, 2), (7, 7, 4), (5, 2, 8), (2, 1, 2)]
    {
        let shares = deal(agents, recordings, threads(count));
        let mut served: Vec<usize> = shares.iter().flat_map(|share| share.agents.clone()).collect();
        served.sort_unstable();
        assert_eq!(served, (0..agents).collect::<Vec<_>>());
        let lengths = || shares.iter().map(|share| share.agents.len());
        let most_apart = recordings.min(count);
        assert!(lengths().max().unwrap() - lengths().min().unwrap() <= most_apart, "{shares:?}");
        assert!(shares.iter().all(|share| share.threads == NonZeroUsize::MIN));
    }
}

#[test]
fn every_thread_plays_every_recording() {
    for share in deal(1000, 2, threads(2)) {
        let first = share.agents.iter().filter(|agent| *agent % 2 == 0).count();
        assert_eq!((first, share.agents.len()), (250, 500));
    }
}

#[test]
fn a_single_agent_has_all_threads() {
    assert_eq!(deal(1, 1, threads(4)), [Share { agents: vec![0], threads: threads(4) }]);
}
