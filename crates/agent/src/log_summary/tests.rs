use portreeve_channel_ssh::server::{LoginRefusalReason, SshStatisticsSnapshot as SshStatistics};
use portreeve_transport::StatisticsReading as SessionStatistics;

use super::{LogSummary, ROUTINE_COUNTERS};

#[test]
fn log_summary_contains_each_counter_increase_once() {
    let mut log_summary = LogSummary::default();
    let mut sessions =
        SessionStatistics { closed_no_message: 3, handshakes_dropped: 1, ..SessionStatistics::default() };
    let mut logins =
        SshStatistics { refused: vec![(LoginRefusalReason::KeyRevoked, 2)], ..SshStatistics::default() };
    let changes = log_summary.changes(&sessions, Some(&logins)).unwrap();
    assert_eq!(changes, "handshakes_dropped +1, closed_no_message +3, ssh_logins_refused{KeyRevoked} +2");
    assert_eq!(log_summary.changes(&sessions, Some(&logins)), None);
    sessions.closed_no_message += 4;
    logins.requests_rejected += 1;
    logins.login_delays += 2;
    let changes = log_summary.changes(&sessions, Some(&logins)).unwrap();
    assert_eq!(changes, "closed_no_message +4, ssh_requests_refused +1, ssh_logins_delayed +2");
}

#[test]
fn log_summary_omits_routine_counters() {
    let mut log_summary = LogSummary::default();
    let sessions = SessionStatistics {
        sessions_opened: 9,
        closed_by_peer: 8,
        closed_idle: 1,
        ..SessionStatistics::default()
    };
    assert_eq!(log_summary.changes(&sessions, None), None);
}

#[test]
fn names_of_routine_counters_exist_in_session_statistics() {
    let names: Vec<_> = SessionStatistics::default().named().map(|(name, _)| name).collect();
    assert!(ROUTINE_COUNTERS.iter().all(|name| names.contains(name)), "{names:?}");
}
