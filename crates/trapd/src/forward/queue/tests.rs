use std::{
    net::{TcpListener, UdpSocket},
    sync::mpsc::{Receiver as Reports, channel},
};

use portreeve_secret::Secret;
use portreeve_smi::{OidRef, Value};
use portreeve_snmp_apps::StoreResult;
use portreeve_snmp_manager::{PeerAddress, RetryPolicy, SessionOptions};

use super::*;
use crate::{
    ForwardCredentials, ForwardKind,
    forward::tests::{Receiver, forward, forwarder, options, own_id, v2_trap},
    samples::{cold_start, encode},
};

fn limits() -> ForwardQueueLimits {
    let pause = Duration::from_millis(1);
    ForwardQueueLimits { min_pause: pause, max_pause: pause, ..ForwardQueueLimits::default() }
}

/// Starts a queue whose reports are sent to the receiver.
fn start(address: PeerAddress, limits: ForwardQueueLimits) -> (ForwardQueue, Reports<String>) {
    let destination = ForwardDestination {
        address,
        credentials: ForwardCredentials::AsReceived,
        kind: ForwardKind::AsReceived,
        options: options(),
    };
    let (sender, reports) = channel();
    let report = move |report: ForwardReport<'_>| drop(sender.send(format!("{report:?}")));
    (ForwardQueue::start(destination, own_id(), limits, ClockReading::default, report).unwrap(), reports)
}

/// Returns a notification that was received from the network.
pub(super) fn received() -> ReceivedNotification {
    received_with(&cold_start())
}

/// Returns a notification with these variables.
fn received_with(variables: &[u8]) -> ReceivedNotification {
    let mut receiver = Receiver::start("authCommunity net public\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    forward(&mut forwarder, &v2_trap(variables)).unwrap();
    receiver.receive().unwrap()
}

/// Returns the address of a port on which no receiver listens.
fn free_address() -> PeerAddress {
    format!("tcp:{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()).parse().unwrap()
}

#[test]
fn submitted_notifications_are_forwarded_with_their_community() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let (queue, _reports) = start(receiver.address(), limits());
    let notification = Arc::new(received());
    for _ in 0..3 {
        queue.submit(Arc::clone(&notification), false).unwrap();
        let forwarded = receiver.receive().unwrap();
        assert_eq!(forwarded.var_binds().encoded(), notification.var_binds().encoded());
        assert_eq!(forwarded.community.as_ref().map(Secret::expose), Some(&b"public"[..]));
    }
}

#[test]
fn notifications_wait_until_the_destination_can_be_reached() {
    let address = free_address();
    let (queue, reports) = start(address.clone(), limits());
    let notification = Arc::new(received());
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification), false).unwrap());
    for _ in 0..3 {
        assert!(reports.recv().unwrap().starts_with("Waiting { error: Unreachable"));
    }
    assert_eq!(queue.shared.lock().queues.len(), 2);
    let _listener = TcpListener::bind((address.host.as_str(), address.port)).unwrap();
    let forwarded = reports.iter().skip_while(|report| report.starts_with("Waiting")).take(2);
    assert_eq!(forwarded.collect::<Vec<_>>(), ["Resumed", "Forwarded"]);
    assert_eq!(queue.finish(Instant::now() + LONG), 0);
}

#[test]
fn inform_that_is_not_confirmed_waits_and_is_sent_again() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    receiver.result = StoreResult::Failed;
    let (queue, reports) = start(receiver.address(), limits());
    let notification = Arc::new(received());
    queue.submit(Arc::clone(&notification), true).unwrap();
    for is_first in [true, false] {
        receiver.receive().unwrap();
        let expected = format!("Waiting {{ error: Refused(5), is_first: {is_first} }}");
        assert_eq!(reports.recv().unwrap(), expected);
    }
    receiver.result = StoreResult::Stored;
    receiver.receive().unwrap();
    assert_eq!(reports.recv().unwrap(), "Resumed");
}

#[test]
fn inform_that_the_destination_ignores_does_not_stop_the_others() {
    let mut receiver = Receiver::start("authCommunity log public 127.0.0.0/8 .1.3.6.1.6.3.1.1.5.3\n");
    let (sender, reports) = channel();
    let destination = ForwardDestination {
        address: receiver.address(),
        credentials: ForwardCredentials::AsReceived,
        kind: ForwardKind::Inform,
        options: SessionOptions { retry: RetryPolicy::fixed(Duration::from_millis(300), 0), ..options() },
    };
    let report = move |report: ForwardReport<'_>| drop(sender.send(format!("{report:?}")));
    let queue = ForwardQueue::start(destination, own_id(), limits(), ClockReading::default, report).unwrap();
    thread::spawn(move || {
        loop {
            let _ = receiver.receive();
        }
    });
    let link_down = Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 3]));
    let up_time = (&[1, 3, 6, 1, 2, 1, 1, 3, 0][..], Value::TimeTicks(1));
    let permitted = encode(&[up_time, (&[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], link_down)]);
    let permitted = Arc::new(received_with(&permitted));
    queue.submit(Arc::new(received()), false).unwrap();
    (0..3).for_each(|_| queue.submit(Arc::clone(&permitted), false).unwrap());
    // The first one fails three times before another one is tried.
    let first = reports.iter().take(20).filter(|report| !report.starts_with("Waiting")).take(3);
    assert_eq!(first.collect::<Vec<_>>(), ["Forwarded", "Resumed", "Forwarded"]);
    while queue.shared.lock().queues.len() > 1 {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn notification_that_waits_too_long_is_discarded() {
    let limits = ForwardQueueLimits { max_age: Duration::from_millis(20), ..limits() };
    let (queue, reports) = start(free_address(), limits);
    queue.submit(Arc::new(received()), false).unwrap();
    let last = reports.iter().find(|report| !report.starts_with("Waiting"));
    assert_eq!(last.as_deref(), Some("Expired"));
    assert_eq!(queue.finish(Instant::now() + LONG), 0);
}

#[test]
fn notification_is_refused_when_the_queue_is_full() {
    let notification = Arc::new(received());
    // One community occupies half of the memory at most.
    let max_octets = 4 * size_of_one(&notification);
    let (queue, _reports) = start(free_address(), ForwardQueueLimits { max_octets, ..limits() });
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification), false).unwrap());
    assert_eq!(queue.submit(notification, false), Err(ForwardQueueFullError));
}

#[test]
fn forwarded_notifications_make_room_for_others() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let notification = Arc::new(received());
    let max_octets = size_of_one(&notification);
    let (queue, _reports) = start(receiver.address(), ForwardQueueLimits { max_octets, ..limits() });
    for _ in 0..3 {
        // The thread removes a notification a moment after it has sent it.
        while queue.submit(Arc::clone(&notification), false).is_err() {
            thread::sleep(Duration::from_millis(1));
        }
        receiver.receive().unwrap();
    }
}

#[test]
fn notification_that_cannot_be_sent_is_discarded() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("udp:{}", socket.local_addr().unwrap()).parse().unwrap();
    let destination = ForwardDestination {
        address,
        credentials: ForwardCredentials::AsReceived,
        kind: ForwardKind::AsReceived,
        options: SessionOptions { max_message_size: 20, ..options() },
    };
    let (sender, reports) = channel();
    let report = move |report: ForwardReport<'_>| drop(sender.send(format!("{report:?}")));
    let queue = ForwardQueue::start(destination, own_id(), limits(), ClockReading::default, report).unwrap();
    let notification = Arc::new(received());
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification), false).unwrap());
    assert!(reports.recv().unwrap().starts_with("Discarded(Unsendable"));
    assert!(reports.recv().unwrap().starts_with("Discarded(Unsendable"));
    while !queue.shared.lock().queues.len() == 0 {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn queue_for_an_invalid_destination_does_not_start() {
    let destination = ForwardDestination {
        address: "ssh:h".parse().unwrap(),
        credentials: ForwardCredentials::AsReceived,
        kind: ForwardKind::AsReceived,
        options: options(),
    };
    let error =
        ForwardQueue::start(destination, own_id(), limits(), ClockReading::default, |_| {}).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn dropped_queue_does_not_wait_for_the_destination() {
    let min_pause = Duration::from_secs(100_000);
    let (queue, reports) = start(free_address(), ForwardQueueLimits { min_pause, ..limits() });
    queue.submit(Arc::new(received()), false).unwrap();
    assert!(reports.recv().unwrap().starts_with("Waiting { error: Unreachable"));
    drop(queue);
    assert!(reports.recv().is_err());
}

#[test]
fn queue_that_is_finished_counts_what_it_discards() {
    let (queue, _reports) = start(free_address(), limits());
    (0..3).for_each(|_| queue.submit(Arc::new(received()), false).unwrap());
    assert_eq!(queue.finish(Instant::now() + Duration::from_millis(20)), 3);
}

/// A time that no test reaches.
const LONG: Duration = Duration::from_secs(600);
