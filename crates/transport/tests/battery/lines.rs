//! A second protocol: echoes messages that end with a fixed text. It is asked for output, so it
//! tests what SNMP does not use.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portreeve_transport::{
    Awaited, CloseReason, Progress, Received, SessionOutput, SessionProtocol, SessionService, SessionSource,
    SessionWaker,
};

use super::fixture::{
    ACCEPT, DEFERRED, DROP, IDENTITY, LARGE, LAST, LAST_LATER, ON_WAKE, PANIC, STALE, WAIT, WAIT_ANY,
    WAIT_REST, WAIT_SHORT, content_of_sized_response,
};
use super::wire::{END, Wire, end_of_message};

/// Starts the protocol in new sessions.
#[derive(Default)]
pub struct LineService {
    timer: Arc<Timer>,
    /// The outboxes of messages that wait until the test wakes the worker.
    on_wake: Arc<Mutex<Vec<Delayed>>>,
}

impl LineService {
    pub fn new() -> Self {
        let service = Self::default();
        let timer = Arc::downgrade(&service.timer);
        thread::spawn(move || {
            while let Some(timer) = timer.upgrade() {
                timer.release_due();
            }
        });
        service
    }

    /// Sends the responses that wait until the test wakes the worker.
    pub fn wake(&self) {
        self.on_wake.lock().unwrap().drain(..).for_each(Delayed::release);
    }
}

impl SessionService for LineService {
    fn open(
        &self,
        source: &SessionSource,
        waker: SessionWaker,
    ) -> Result<Box<dyn SessionProtocol>, CloseReason> {
        let user = source.security_name.as_deref().unwrap_or_default().to_vec();
        Ok(Box::new(LineProtocol {
            user,
            waker,
            timer: Arc::clone(&self.timer),
            on_wake: Arc::clone(&self.on_wake),
            ready: Arc::default(),
            output: VecDeque::new(),
            unanswered: 0,
            wait: 0,
            is_receiving: false,
            last_at: None,
        }))
    }
}

struct LineProtocol {
    user: Vec<u8>,
    waker: SessionWaker,
    timer: Arc<Timer>,
    on_wake: Arc<Mutex<Vec<Delayed>>>,
    /// Delayed responses that can be sent.
    ready: Ready,
    /// Output that is sent in pieces.
    output: VecDeque<u8>,
    /// The number of delayed messages that are not answered.
    unanswered: usize,
    wait: u8,
    is_receiving: bool,
    /// The number of unanswered messages with which the session ends.
    last_at: Option<usize>,
}

type Ready = Arc<Mutex<VecDeque<Vec<u8>>>>;

impl LineProtocol {
    fn delay(&mut self, response: Vec<u8>) -> Delayed {
        self.unanswered += 1;
        Delayed { response, ready: Arc::clone(&self.ready), waker: self.waker.clone() }
    }
}

impl SessionProtocol for LineProtocol {
    fn receive(
        &mut self,
        _: &SessionSource,
        input: &mut [u8],
        output: &mut SessionOutput<'_>,
    ) -> Result<Received, CloseReason> {
        let end = end_of_message(input);
        self.is_receiving = end.is_none();
        let Some(octets) = end else {
            let is_too_long = input.len() > MAX_MESSAGE_LEN;
            return if is_too_long {
                Err(CloseReason::MessageTooLong)
            } else {
                Ok(Received { octets: 0, progress: Progress::None })
            };
        };
        let message = &input[..octets];
        let mut progress = Progress::Accepted;
        match message[0] {
            DROP => progress = Progress::Message,
            ACCEPT => {}
            PANIC => panic!("requested by the test"),
            LAST => {
                output.send(message);
                progress = Progress::Last;
            }
            LAST_LATER => {
                self.last_at = Some(self.unanswered);
                let delayed = self.delay(message.to_vec());
                self.timer.add(Duration::from_millis(50), delayed);
                progress = Progress::Message;
            }
            WAIT => {
                self.wait = message[1];
                output.send(message);
            }
            LARGE => self.output.extend(Wire::Lines.frame(LARGE, &[7; 60_000])),
            IDENTITY => output.send(&Wire::Lines.frame(IDENTITY, &self.user)),
            DEFERRED => {
                let delayed = self.delay(message.to_vec());
                self.timer.add(Duration::from_millis(50), delayed);
            }
            STALE => {
                let content = content_of_sized_response(&message[1..octets - END.len()]);
                let delayed = self.delay(Wire::Lines.frame(STALE, &content));
                self.timer.add(Duration::from_micros(500), delayed);
            }
            ON_WAKE => {
                let delayed = self.delay(message.to_vec());
                self.on_wake.lock().unwrap().push(delayed);
            }
            _ => output.send(message),
        }
        Ok(Received { octets, progress })
    }

    fn wants_input(&self) -> bool {
        self.unanswered < MAX_UNANSWERED
    }

    fn produce(&mut self, output: &mut SessionOutput<'_>) -> Result<bool, CloseReason> {
        if let Some(response) = self.ready.lock().unwrap().pop_front() {
            self.unanswered -= 1;
            self.output.extend(response);
        }
        let piece: Vec<u8> = self.output.drain(..self.output.len().min(PIECE_SIZE)).collect();
        output.send(&piece);
        Ok(!piece.is_empty())
    }

    fn take_progress(&mut self) -> Progress {
        if self.last_at == Some(self.unanswered) && self.output.is_empty() {
            self.last_at = None;
            return Progress::Last;
        }
        Progress::None
    }

    fn awaited(&self) -> Awaited {
        match self.wait {
            WAIT_ANY => Awaited::Any,
            WAIT_SHORT => Awaited::MessageWithin(Duration::from_millis(100)),
            WAIT_REST if self.is_receiving => Awaited::RestOfMessage,
            WAIT_REST => Awaited::Any,
            _ => Awaited::Message,
        }
    }

    fn has_unanswered_messages(&self) -> bool {
        self.unanswered > 0
    }
}

/// A response that can be sent later.
struct Delayed {
    response: Vec<u8>,
    ready: Ready,
    waker: SessionWaker,
}

impl Delayed {
    fn release(self) {
        self.ready.lock().unwrap().push_back(self.response);
        self.waker.wake();
    }
}

/// Releases delayed responses on its own thread.
#[derive(Default)]
struct Timer {
    waiting: Mutex<Vec<(Instant, Delayed)>>,
    added: Condvar,
}

impl Timer {
    fn add(&self, delay: Duration, delayed: Delayed) {
        self.waiting.lock().unwrap().push((Instant::now() + delay, delayed));
        self.added.notify_one();
    }

    /// Waits for the next response that is due, but only for a limited time.
    fn release_due(&self) {
        let mut waiting = self.waiting.lock().unwrap();
        let next = waiting.iter().map(|(due, _)| *due).min();
        let left = next.map_or(MAX_WAIT, |due| due.saturating_duration_since(Instant::now()).min(MAX_WAIT));
        if !left.is_zero() {
            waiting = self.added.wait_timeout(waiting, left).unwrap().0;
        }
        let now = Instant::now();
        waiting.extract_if(.., |(due, _)| *due <= now).for_each(|(_, delayed)| delayed.release());
    }
}

/// The maximum length of a message.
const MAX_MESSAGE_LEN: usize = 100_000;
/// The number of unanswered messages at which no more are handled.
const MAX_UNANSWERED: usize = 8;
const PIECE_SIZE: usize = 7000;
/// The time after which the thread checks whether the service has ended.
const MAX_WAIT: Duration = Duration::from_millis(100);
