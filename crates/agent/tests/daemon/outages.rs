//! A receiver that is stopped for a minute while notifications are submitted, and a sender that is
//! killed.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use portreeve_control_protocol::{Request, Response, SOCKET_NAME, SubmittedNotification, send};
use portreeve_mib::modules::snmpv2_mib::SNMP_TRAP_OID;
use portreeve_smi::{OidRef, TransportDomain, Value};
use portreeve_snmp_manager::Operation;

use crate::fixture::NotificationSite;

/// The receiver is stopped for a minute. It returns, and the sender is killed while it sends what
/// has waited. Everything that was acknowledged as durable arrives, in its order. A notification
/// arrives again only if the sender has lost the acknowledgement: at the end of a session, or when
/// it was killed.
#[test]
fn acknowledged_informs_arrive_in_order_after_an_outage_and_sigkill() {
    let site = NotificationSite::new("outage");
    let mut receiver = site.receiver();
    let user = "user = \"traps\"\n";
    let targets: String = TARGETS
        .iter()
        .map(|(name, domain)| {
            let more = if domain.is_secure() { "" } else { user };
            site.target(name, &receiver, *domain, &format!("timeout = 2\nretries = 0\n{more}"))
        })
        .collect();
    let agent = site.run(&targets);
    let socket = site.agent.home.state().join(SOCKET_NAME);
    let is_over = AtomicBool::new(false);
    let (acknowledged, _agent) = thread::scope(|scope| {
        // A submitter would wait forever for the end of a test that has failed.
        let end = SetOnDrop(&is_over);
        let submitters = (0..SUBMITTERS).map(|series| {
            let (socket, is_over) = (&socket, &is_over);
            scope.spawn(move || submit_until(is_over, series, socket))
        });
        let submitters: Vec<_> = submitters.collect();
        receiver.await_count(300);
        receiver.stop();
        thread::sleep(OUTAGE);
        receiver.start_again(&site.receiver_file());
        // A reload makes the targets try again at once.
        agent.reload_and_wait();
        let before = receiver.arrivals().len();
        receiver.await_count(before + 1000);
        agent.kill();
        let agent = site.agent.run();
        receiver.await_count(before + 2000);
        drop(end);
        let acknowledged = submitters.into_iter().map(|submitter| submitter.join().unwrap());
        (acknowledged.collect::<Vec<_>>(), agent)
    });
    await_empty_queues(&site);
    let arrivals = receiver.arrivals();
    for (name, domain) in TARGETS {
        let of_target = arrivals.iter().filter(|arrival| arrival.domain == domain && arrival.name == NAME);
        let numbers: Vec<u32> = of_target.map(|arrival| arrival.up_time).collect();
        for (series, acknowledged) in (0..).zip(&acknowledged) {
            let arrived = numbers.iter().copied().filter(|number| number % SUBMITTERS == series);
            check(name, acknowledged, &arrived.collect::<Vec<_>>());
        }
    }
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Checks that what was acknowledged has arrived, in its order.
fn check(target: &str, acknowledged: &[u32], arrived: &[u32]) {
    let mut first = Vec::new();
    // The number of times that the sender has begun again with earlier notifications.
    let mut returns = 0;
    let mut last = None;
    for number in arrived {
        if first.last().is_none_or(|greatest| number > greatest) {
            first.push(*number);
        }
        returns += u32::from(last.is_some_and(|last| *number < last));
        last = Some(*number);
    }
    let missing: Vec<_> = acknowledged.iter().filter(|number| first.binary_search(number).is_err()).collect();
    assert!(
        missing.is_empty(),
        "{target}: {} of {} did not arrive, or not in order: {missing:?}",
        missing.len(),
        acknowledged.len()
    );
    let repeated = arrived.len() - first.len();
    println!(
        "{target}: {} acknowledged, {} arrived, {repeated} again, {returns} returns",
        acknowledged.len(),
        arrived.len()
    );
    assert!(returns <= MAX_RETURNS, "{target}: the sender has begun again {returns} times");
    assert!(repeated < acknowledged.len() / 10, "{target}: {repeated} arrived again");
}

/// Submits notifications with increasing numbers, and returns those that were acknowledged.
fn submit_until(is_over: &AtomicBool, series: u32, socket: &Path) -> Vec<u32> {
    let mut acknowledged = Vec::new();
    let start = Instant::now();
    for round in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let number = round * SUBMITTERS + series;
        match send(socket, &Request::Notify(notification(number)), Duration::from_secs(20)) {
            Ok(Response::Submitted(outcome)) => {
                assert_eq!(outcome.informs as usize, TARGETS.len());
                acknowledged.push(number);
            }
            // The agent was killed. This notification may arrive, or not.
            Ok(Response::Interrupted { .. }) | Err(_) => thread::sleep(Duration::from_millis(10)),
            Ok(other) => panic!("{other:?}"),
        }
        let due = start + INTERVAL * (round + 1);
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
    acknowledged
}

fn notification(number: u32) -> SubmittedNotification {
    let mut request = portreeve_snmp_manager::Request::new(Operation::Inform);
    let name = [SNMP_TRAP_OID.arcs(), &[0]].concat();
    request.push(&name, Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 9])));
    let variables = request.variables().encoded().to_vec();
    SubmittedNotification { context_name: Vec::new(), up_time: Some(number), variables }
}

fn await_empty_queues(site: &NotificationSite) {
    let start = Instant::now();
    while site.status().matches(r#""queued":0,"#).count() < TARGETS.len() {
        assert!(start.elapsed() < MAX_FLUSH_TIME, "{}", site.status());
        thread::sleep(Duration::from_millis(100));
    }
}

/// The end of the snmpTrapOID.
const NAME: &str = "1.5.9";
const TARGETS: [(&str, TransportDomain); 3] =
    [("udp", TransportDomain::Udp), ("ssh", TransportDomain::Ssh), ("tls", TransportDomain::Tls)];
/// The number of threads that submit, and the time between two notifications of one thread: 200
/// notifications per second.
const SUBMITTERS: u32 = 2;
const INTERVAL: Duration = Duration::from_millis(10);
const OUTAGE: Duration = Duration::from_secs(60);
/// The sender begins again after the end of a session, after each lost response over UDP, and after
/// a restart.
const MAX_RETURNS: u32 = 5;
const MAX_FLUSH_TIME: Duration = Duration::from_secs(120);
