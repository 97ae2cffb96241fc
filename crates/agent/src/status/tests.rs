use std::time::UNIX_EPOCH;

use portreeve_datastore::Purpose;
use portreeve_netconf::{
    Counters, Datastore, DateTime, Lock, LockOwner, LockStatus, Peer, Phase, SessionStatus, TotalCounters,
    Transport,
};
use portreeve_notifier::TargetStatus;
use portreeve_smi::Timestamp;
use portreeve_snmp_apps::QueueStatus as InformStatus;

use super::*;
use crate::reload_thread::LoadEvent;

#[test]
fn text_shows_everything_at_a_glance() {
    assert_eq!(
        print::report(&status()),
        "portreeved 0.1.0, process 4711, running for 2 h 0 min

  engine ID      8000000005706f7274
  engine boots   7
  configuration  /etc/portreeve/portreeved.toml
  loaded         1970-01-01T00:00:00Z (start of the agent)
  needs restart  [agent] workers, [limits] idle
  reload         in progress since 1970-01-01T01:00:00Z (portreeved reload)
  failed reload  1970-01-01T00:10:00Z (SIGHUP)
    portreeved.toml:3: error: a
        hint: b
  generation     12

listeners
  transport  address               sessions  active
  udp        0.0.0.0:161                  -       -
  ssh        [::]:5161                    3       2
  sshd       /run/snmp\\u{1b}.sock         0       0

transaction lock
  held by ops@192.0.2.7\\n (set) for 12 s
  waiting: portreeved reload (reload) for 0.500 s
  failed because of an error in the agent: 1, last guest (set)
  queue of SETs: 3 (1200 octets), refused because it was full: 2, refused because of the limit for one user: 1

NETCONF
  session  user  address          access  since                 activity  requests
  7        ops   192.0.2.7:40112  write   1970-01-01T00:01:00Z  idle      12
  candidate locked by session 7 since 1970-01-01T00:02:00Z
  candidate has changes that are not committed
  errors in the server that have closed all sessions: 1

notifications
  target  address            open  traps  acknowledged  queued  octets  discarded
  noc     udp:192.0.2.9:162  no    2      5             4       480     12
  noc: discarded authenticationFailure notifications: 6
  noc: last error at 1970-01-01T00:02:00Z: no response\\n
  withheld by filters and views: 1
  discarded before a target was selected: 3
  unfinished writes: 2

data that does not fit the YANG modules (kept, but not served)
  /a:b/c: unknown node

state directory /var/lib/portreeve
  engine       46
  state.log  1200

drops, rejections and closed sessions
  sessions_refused  4
"
    );
}

#[test]
fn json_has_the_same_content() {
    assert_eq!(
        data::report(&status()).to_string(),
        concat!(
            r#"{"version":"0.1.0","process":4711,"engine-id":"8000000005706f7274","engine-boots":7,"uptime":7200.000,"#,
            r#""configuration":{"file":"/etc/portreeve/portreeved.toml","#,
            r#""loaded":{"time":"1970-01-01T00:00:00Z","owner":"start of the agent"},"#,
            r#""needs-restart":["[agent] workers","[limits] idle"],"#,
            r#""reload-in-progress":{"time":"1970-01-01T01:00:00Z","owner":"portreeved reload"},"#,
            r#""failed-reload":{"time":"1970-01-01T00:10:00Z","owner":"SIGHUP","reason":"portreeved.toml:3: error: a\n    hint: b"}},"#,
            r#""generation":12,"listeners":["#,
            r#"{"transport":"udp","address":"0.0.0.0:161","sessions":null,"active-sessions":null},"#,
            r#"{"transport":"ssh","address":"[::]:5161","sessions":3,"active-sessions":2},"#,
            r#"{"transport":"sshd","address":"/run/snmp\u001b.sock","sessions":0,"active-sessions":0}],"#,
            r#""transaction-lock":{"holder":{"owner":"ops@192.0.2.7\n","purpose":"set","held":12.000},"#,
            r#""waiters":[{"owner":"portreeved reload","purpose":"reload","waiting":0.500}],"#,
            r#""panics":1,"last-panic":{"owner":"guest","purpose":"set"}},"#,
            r#""set-queue":{"sets":3,"octets":1200,"refused":2,"refused-by-user-limit":1},"#,
            r#""netconf":{"sessions":[{"session":7,"user":"ops","address":"192.0.2.7:40112","access":"write","#,
            r#""since":"1970-01-01T00:01:00Z","activity":"idle","requests":12,"bad-requests":1,"errors":2}],"#,
            r#""locks":[{"datastore":"candidate","session":7,"since":"1970-01-01T00:02:00Z"}],"#,
            r#""candidate-modified":true,"counters":{"sessions":7,"bad-hellos":3,"dropped-sessions":4,"#,
            r#""requests":12,"bad-requests":1,"errors":2,"panics":1}},"#,
            r#""notifications":{"targets":[{"name":"noc","address":"udp:192.0.2.9:162","open":false,"#,
            r#""traps-sent":2,"traps-discarded":3,"informs":{"queued":4,"octets":480,"oldest-age":60.500,"#,
            r#""acknowledged":5,"discarded-queue-full":1,"discarded-age":1,"discarded-rejected":1,"#,
            r#""discarded-authentication-failures":6,"failures":2},"#,
            r#""last-error":{"time":"1970-01-01T00:02:00Z","reason":"no response\n"}}],"withheld":1,"discarded":3,"failed-writes":0,"waiting-writes":2},"#,
            r#""data-set-aside":[{"path":"/a:b/c","reason":"unknown node"}],"#,
            r#""store":{"directory":"/var/lib/portreeve","files":[{"name":"engine","size":46},{"name":"state.log","size":1200}],"#,
            r#""failed-writes":0,"last-failure":null},"#,
            r#""counters":[{"name":"sessions_refused","count":4}]}"#,
        )
    );
}

#[test]
fn files_are_unknown_while_the_disk_does_not_respond() {
    let status = Status { state_files: None, ..status() };
    let text = print::report(&status);
    assert!(text.contains("\nstate directory /var/lib/portreeve\n  the disk does not respond\n"), "{text}");
    let data = data::report(&status).to_string();
    assert!(data.contains(r#""files":null,"#), "{data}");
}

fn status() -> Status {
    let load = |seconds, owner| LoadEvent { time: UNIX_EPOCH + Duration::from_secs(seconds), owner };
    let listener = |transport, address: &str| ListenerName { transport, address: address.to_owned() };
    let ticket = |owner: &str, purpose| Ticket::new(owner, purpose, Timestamp::ZERO);
    let sessions = |open, active| Some(SessionCount { open, active });
    Status {
        process: 4711,
        engine_id: "8000000005706f7274".to_owned(),
        engine_boots: Some(7),
        running: Duration::from_secs(7200),
        file: "/etc/portreeve/portreeved.toml".into(),
        loads: LoadRecord {
            loaded: load(0, "start of the agent"),
            restart_only: vec!["[agent] workers".to_owned(), "[limits] idle".to_owned()],
            in_progress: Some(load(3600, "portreeved reload")),
            failure: Some((load(600, "SIGHUP"), "portreeved.toml:3: error: a\n    hint: b".to_owned())),
        },
        generation: 12,
        listeners: vec![
            (listener(TransportDomain::Udp, "0.0.0.0:161"), None),
            (listener(TransportDomain::Ssh, "[::]:5161"), sessions(3, 2)),
            (listener(TransportDomain::Unix, "/run/snmp\u{1b}.sock"), sessions(0, 0)),
        ],
        lock: LockHolders {
            holder: Some((ticket("ops@192.0.2.7\n", Purpose::Set), Duration::from_secs(12))),
            waiters: vec![(ticket("portreeved reload", Purpose::Reload), Duration::from_millis(500))],
            panics: 1,
            last_panic: Some(ticket("guest", Purpose::Set)),
        },
        set_queue: QueueStatus { transactions: 3, octets: 1200, refused: 2, refused_by_share: 1 },
        state_dir: "/var/lib/portreeve".into(),
        state_files: Some(vec![("engine".to_owned(), 46), ("state.log".to_owned(), 1200)]),
        write_failures: WriteFailures::default(),
        netconf: NetconfAnswer::Status(netconf_status()),
        notifier: NotifierAnswer::Status(notifier_status()),
        set_aside: vec![DataSetAside { path: "/a:b/c".to_owned(), reason: "unknown node".to_owned() }],
        counters: vec![("sessions_refused".to_owned(), 4)],
    }
}

fn notifier_status() -> NotifierStatus {
    let queue = InformStatus {
        entries: 4,
        octets: 480,
        oldest: Some(Duration::from_millis(60_500)),
        acknowledged: 5,
        refused: 1,
        expired: 1,
        rejected: 1,
        failures: 2,
    };
    let target = TargetStatus {
        name: b"noc".to_vec(),
        address: "udp:192.0.2.9:162".to_owned(),
        traps_sent: 2,
        traps_discarded: 3,
        authentication_failures_discarded: 6,
        queue,
        last_error: Some((120, "no response\n".to_owned())),
        ..TargetStatus::default()
    };
    NotifierStatus { targets: vec![target], withheld: 1, discarded: 3, write_failures: 0, waiting_writes: 2 }
}

fn netconf_status() -> NetconfStatus {
    let messages = Counters { requests: 12, bad_requests: 1, errors: 2 };
    let session = SessionStatus {
        id: 7,
        peer: Peer { user: "ops".into(), transport: Transport::Ssh, address: "192.0.2.7:40112".into() },
        login_time: DateTime::from_unix_seconds(60),
        access: "write",
        phase: Some(Phase::Idle),
        counters: messages,
    };
    let lock = Lock { owner: LockOwner::Session(7), since: DateTime::from_unix_seconds(120) };
    let server = portreeve_netconf::Status {
        sessions: vec![session],
        locks: vec![LockStatus { datastore: Datastore::Candidate, lock }],
        is_candidate_modified: true,
        totals: TotalCounters { bad_hellos: 3, sessions: 7, dropped_sessions: 4, messages },
    };
    NetconfStatus { server, panics: 1 }
}
