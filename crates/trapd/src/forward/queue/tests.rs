use std::{
    net::{TcpListener, UdpSocket},
    sync::mpsc::{Receiver as Reports, channel},
};

use portreeve_secret::Secret;
use portreeve_snmp_manager::PeerAddress;

use super::*;
use crate::{
    ForwardCredentials,
    forward::tests::{Receiver, forward, forwarder, options, own_id, v2_trap},
    samples::cold_start,
};

fn limits() -> ForwardQueueLimits {
    ForwardQueueLimits { retry_interval: Duration::from_millis(1), ..ForwardQueueLimits::default() }
}

/// Starts a queue whose errors are sent to the receiver.
fn start(address: PeerAddress, limits: ForwardQueueLimits) -> (ForwardQueue, Reports<String>) {
    let destination = ForwardDestination {
        address,
        credentials: ForwardCredentials::AsReceived,
        is_confirmed: false,
        options: options(),
    };
    let (sender, errors) = channel();
    let report = move |error: &ForwardError| drop(sender.send(format!("{error:?}")));
    (ForwardQueue::start(destination, own_id(), limits, ClockReading::default, report).unwrap(), errors)
}

/// Returns a notification that was received from the network.
fn received() -> Arc<ReceivedNotification> {
    let mut receiver = Receiver::start("authCommunity net public\n");
    let octets = cold_start();
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, false);
    forward(&mut forwarder, &v2_trap(&octets)).unwrap();
    Arc::new(receiver.receive().unwrap())
}

/// Returns the address of a port on which no receiver listens.
fn free_address() -> PeerAddress {
    format!("tcp:{}", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()).parse().unwrap()
}

#[test]
fn submitted_notifications_are_forwarded_with_their_community() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let (queue, _errors) = start(receiver.address(), limits());
    let notification = received();
    for _ in 0..3 {
        queue.submit(Arc::clone(&notification)).unwrap();
        let forwarded = receiver.receive().unwrap();
        assert_eq!(forwarded.var_binds().encoded(), notification.var_binds().encoded());
        assert_eq!(forwarded.community.as_ref().map(Secret::expose), Some(&b"public"[..]));
    }
}

#[test]
fn notifications_wait_while_the_destination_cannot_be_reached() {
    let (queue, errors) = start(free_address(), limits());
    let notification = received();
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification)).unwrap());
    assert!(errors.recv().unwrap().starts_with("Unreachable"));
    assert_eq!(errors.recv().unwrap(), "Paused");
    assert_eq!(errors.recv().unwrap(), "Paused");
    assert_eq!(queue.shared.lock().waiting.len(), 2);
}

#[test]
fn notification_is_refused_when_the_queue_is_full() {
    let notification = received();
    let (queue, _errors) = start(free_address(), ForwardQueueLimits { max_waiting: 2, ..limits() });
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification)).unwrap());
    assert_eq!(queue.submit(Arc::clone(&notification)), Err(ForwardQueueFullError));

    let max_waiting_octets = 2 * length(&notification);
    let (queue, _errors) = start(free_address(), ForwardQueueLimits { max_waiting_octets, ..limits() });
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification)).unwrap());
    assert_eq!(queue.submit(notification), Err(ForwardQueueFullError));
}

#[test]
fn forwarded_notifications_make_room_for_others() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let notification = received();
    let max_waiting_octets = length(&notification);
    let (queue, _errors) = start(receiver.address(), ForwardQueueLimits { max_waiting_octets, ..limits() });
    for _ in 0..3 {
        // The thread removes a notification a moment after it has sent it.
        while queue.submit(Arc::clone(&notification)).is_err() {
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
        is_confirmed: false,
        options: portreeve_snmp_manager::SessionOptions { max_message_size: 20, ..options() },
    };
    let (sender, errors) = channel();
    let report = move |error: &ForwardError| drop(sender.send(format!("{error:?}")));
    let queue = ForwardQueue::start(destination, own_id(), limits(), ClockReading::default, report).unwrap();
    let notification = received();
    (0..2).for_each(|_| queue.submit(Arc::clone(&notification)).unwrap());
    assert!(errors.recv().unwrap().starts_with("Unsendable"));
    assert!(errors.recv().unwrap().starts_with("Unsendable"));
    while !queue.shared.lock().waiting.is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn queue_for_an_invalid_destination_does_not_start() {
    let destination = ForwardDestination {
        address: "ssh:h".parse().unwrap(),
        credentials: ForwardCredentials::AsReceived,
        is_confirmed: false,
        options: options(),
    };
    let error =
        ForwardQueue::start(destination, own_id(), limits(), ClockReading::default, |_| {}).err().unwrap();
    assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn dropped_queue_does_not_wait_for_the_destination() {
    let retry_interval = Duration::from_secs(100_000);
    let (queue, errors) = start(free_address(), ForwardQueueLimits { retry_interval, ..limits() });
    queue.submit(received()).unwrap();
    assert!(errors.recv().unwrap().starts_with("Unreachable"));
    drop(queue);
    assert!(errors.recv().is_err());
}
