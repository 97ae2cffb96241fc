use std::{cell::RefCell, future::pending, io::Read, net::TcpListener, time};

use portreeve_channel::NoObserver;
use tokio::io::AsyncWriteExt;

use super::*;

#[tokio::test(flavor = "current_thread")]
async fn next_address_is_tried_after_the_attempt_delay_if_the_first_is_silent() {
    let started = time::Instant::now();
    let reached = try_all(&["silent", "connects"]).await;
    assert_eq!(reached, (Some(1), vec![]));
    let elapsed = started.elapsed();
    assert!(elapsed >= SHORT && elapsed < SHORT * 20, "{elapsed:?}");
}

#[tokio::test(flavor = "current_thread")]
async fn first_address_is_tried_without_delay() {
    let addresses = three_addresses();
    let mut race = pin!(race(&addresses, SHORT, |address| simulate("connects", address), |_, _| {}));
    let at_once = poll_fn(|context| Poll::Ready(race.as_mut().poll(context).is_ready())).await;
    assert!(at_once);
}

#[tokio::test(flavor = "current_thread")]
async fn next_address_is_tried_at_once_when_the_first_refuses() {
    let started = time::Instant::now();
    let reached =
        race(&three_addresses(), Duration::from_secs(60), |address| simulate("refuses", address), |_, _| {})
            .await;
    assert_eq!(reached.unwrap_err().unwrap().0, three_addresses()[2], "the last error is returned");
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(try_all(&["refuses", "refuses", "connects"]).await, (Some(2), vec![0, 1]));
}

#[tokio::test(flavor = "current_thread")]
async fn earlier_attempt_is_used_when_it_connects_first() {
    assert_eq!(try_all(&["connects", "connects"]).await, (Some(0), vec![]));
    assert_eq!(try_all(&["slow", "silent", "silent"]).await, (Some(0), vec![]));
}

#[tokio::test(flavor = "current_thread")]
async fn addresses_beyond_the_maximum_number_are_not_tried() {
    let many: Vec<_> = (0..5000).map(address).collect();
    let tried = RefCell::new(0);
    let none =
        race(&many, SHORT, |address| simulate("refuses", address), |_, _| *tried.borrow_mut() += 1).await;
    assert!(none.is_err());
    assert_eq!(tried.into_inner(), MAX_ADDRESSES);
}

#[tokio::test(flavor = "current_thread")]
async fn connect_skips_addresses_that_refuse_or_returns_the_last_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listening = listener.local_addr().unwrap();
    let stream = connect(&[closed, listening], Some(Duration::from_secs(5)), &NoObserver).await.unwrap();
    assert_eq!(stream.peer_addr().unwrap(), listening);
    let (failed, error) = connect(&[closed], None, &NoObserver).await.unwrap_err().unwrap();
    assert_eq!((failed, error.kind()), (closed, io::ErrorKind::ConnectionRefused));
    assert!(connect(&[], None, &NoObserver).await.unwrap_err().is_none());
}

#[tokio::test(flavor = "current_thread")]
async fn octets_held_back_by_tcp_cork_are_sent_on_close() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut stream = connect(&[address], None, &NoObserver).await.unwrap();
    let (mut peer, _) = listener.accept().unwrap();
    peer.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    cork_until_close(&stream);
    stream.write_all(b"bye").await.unwrap();
    let mut buffer = [0; 10];
    assert_eq!(peer.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    drop(stream);
    peer.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(peer.read(&mut buffer).unwrap(), 3);
    assert_eq!(peer.read(&mut buffer).unwrap(), 0);
}

/// Returns the index of the address that was reached, and the indices of those that had failed by
/// then.
async fn try_all(behaviors: &[&'static str]) -> (Option<usize>, Vec<usize>) {
    let addresses: Vec<_> = (0..behaviors.len()).map(address).collect();
    let place = |found: SocketAddr| addresses.iter().position(|address| *address == found).unwrap();
    let failures = RefCell::new(Vec::new());
    let attempt = |address| simulate(behaviors[place(address)], address);
    let reached =
        race(&addresses, SHORT, attempt, |address, _| failures.borrow_mut().push(place(address))).await;
    (reached.ok().map(|(address, ())| place(address)), failures.into_inner())
}

async fn simulate(behavior: &str, _: SocketAddr) -> io::Result<()> {
    match behavior {
        "connects" => Ok(()),
        "slow" => {
            sleep(SHORT * 3).await;
            Ok(())
        }
        "refuses" => Err(io::ErrorKind::ConnectionRefused.into()),
        _ => pending().await,
    }
}

fn three_addresses() -> [SocketAddr; 3] {
    [0, 1, 2].map(address)
}

fn address(number: usize) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], u16::try_from(number).unwrap() + 1))
}

const SHORT: Duration = Duration::from_millis(50);
