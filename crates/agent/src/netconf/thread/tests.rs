use portreeve_datastore::TransactionLimits;
use portreeve_lcd::{Lcd, Tables};
use portreeve_netconf::{Peer, Transport};

use super::*;
use crate::netconf::{
    pipe::{NoOutput, Pipe},
    sessions::MAX_LOCK_WAIT,
};

/// A running thread, and the datastore that its sessions use.
struct TestThread {
    thread: NetconfThread,
    datastore: Datastore,
}

impl TestThread {
    fn start() -> Self {
        let datastore = Datastore::without_yang(Lcd::compile(Tables::default()));
        let jobs = JobQueue::new(TransactionLimits { transactions: 16, octets: 1 << 20 });
        let settings = NetconfSettings {
            recovery: ["ops".into()].into(),
            lock_idle: Duration::from_secs(600),
            max_sessions: 10,
        };
        Self { thread: NetconfThread::start(datastore.clone(), jobs, settings).unwrap(), datastore }
    }

    /// Opens a session, and returns its pipe and the hello of the server.
    fn open(&self, number: u64) -> (Pipe, String) {
        let pipe = Pipe::new(|| {});
        let peer = Peer { user: "ops".into(), transport: Transport::Ssh, address: "192.0.2.7:1".into() };
        self.thread.events.push(Event::Opened { session: number, peer, pipe: pipe.clone() });
        let hello = receive(&pipe);
        self.send(
            number,
            &pipe,
            "<hello xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\"><capabilities>\
             <capability>urn:ietf:params:netconf:base:1.0</capability></capabilities></hello>",
        );
        (pipe, hello)
    }

    fn send(&self, number: u64, pipe: &Pipe, message: &str) {
        let message = format!("{message}]]>]]>");
        let (count, must_schedule) = pipe.write(message.as_bytes());
        assert_eq!(count, message.len());
        if must_schedule {
            self.thread.events.push(Event::Ready(number));
        }
    }

    fn lock_running(&self, number: u64, pipe: &Pipe) -> String {
        self.request_lock(number, pipe);
        receive(pipe)
    }

    fn request_lock(&self, number: u64, pipe: &Pipe) {
        self.send(
            number,
            pipe,
            "<rpc xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\" message-id=\"1\">\
             <lock><target><running/></target></lock></rpc>",
        );
    }
}

/// Waits for a message.
fn receive(pipe: &Pipe) -> String {
    let mut message = Vec::new();
    wait_until("a message", || match pipe.take_output() {
        Ok((piece, _)) => {
            message.extend(piece);
            message.ends_with(b"]]>]]>")
        }
        Err(NoOutput::None) => false,
        Err(NoOutput::Closed(reason)) => panic!("the session was closed: {reason:?}"),
    });
    String::from_utf8(message).unwrap()
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "waiting for {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn panic_closes_all_sessions_and_new_sessions_are_served() {
    let server = TestThread::start();
    let (first, _) = server.open(1);
    let (second, hello) = server.open(2);
    assert!(hello.contains("<session-id>2</session-id>"), "{hello}");
    assert!(server.lock_running(1, &first).contains("<ok/>"));
    assert!(server.datastore.running_lock().holder().is_some());
    server.thread.handle().kill(99, |_| panic!("a defect"));
    for pipe in [&first, &second] {
        wait_until("the end of the session", || {
            matches!(pipe.take_output(), Err(NoOutput::Closed(CloseReason::Panic)))
        });
    }
    let (third, hello) = server.open(3);
    assert!(hello.contains("<session-id>3</session-id>"), "{hello}");
    assert!(server.datastore.running_lock().holder().is_none());
    // The transport reports the closed sessions; that must not affect the new one.
    server.thread.events.push(Event::Closed(1));
    server.thread.events.push(Event::Closed(2));
    assert!(server.lock_running(3, &third).contains("<ok/>"));
    let status = server.thread.handle().status(Duration::from_secs(60)).unwrap();
    assert_eq!((status.panics, status.server.sessions.len()), (1, 1));
}

#[test]
fn lock_is_answered_only_after_a_change_that_is_being_stored() {
    let server = TestThread::start();
    let (pipe, _) = server.open(1);
    let start = Instant::now();
    let lock = server.datastore.running_lock();
    let change = lock.begin_change();
    server.request_lock(1, &pipe);
    wait_until("the lock", || lock.holder().is_some());
    let output = pipe.take_output();
    // The thread waits at most this long.
    if start.elapsed() < MAX_LOCK_WAIT {
        assert!(matches!(output, Err(NoOutput::None)), "answered too early");
        drop(change);
        assert!(receive(&pipe).contains("<ok/>"));
    }
}

#[test]
fn events_that_follow_a_panic_in_the_same_turn_are_handled() {
    let server = TestThread::start();
    let (events, (sender, receiver)) = (&server.thread.events, mpsc::channel());
    // The thread is kept busy, so that it takes the other events together.
    let (entered, busy) = mpsc::channel();
    let (release, wait) = mpsc::channel::<()>();
    server.thread.handle().kill(97, move |_| {
        entered.send(()).unwrap();
        let _ = wait.recv();
    });
    busy.recv().unwrap();
    server.thread.handle().kill(98, |_| panic!("a defect"));
    events.push(Event::Status(Box::new(move |status| sender.send(status.panics).unwrap())));
    drop(release);
    assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(1));
}
