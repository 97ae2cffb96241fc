//! Receivers of SNMPv2c over UDP and TCP, which may not answer.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, UdpSocket},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::{ErrorStatus, Value};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType};

/// A receiver on a thread, which ends with the process.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

/// A message that a receiver has got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) request_id: i32,
    pub(crate) is_inform: bool,
    /// The number that the test gave to the notification.
    pub(crate) number: u32,
}

#[derive(Default)]
struct Shared {
    /// 0: informs are acknowledged; 255: they are not answered; others: the error-status.
    answer: AtomicU8,
    /// The number of the notification that is answered with genErr; 0 for none.
    refused: AtomicU32,
    messages: Mutex<Vec<Message>>,
}

impl Receiver {
    pub(crate) fn udp() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let (address, shared) = (socket.local_addr().unwrap(), Arc::<Shared>::default());
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            let mut buffer = [0; 65_535];
            loop {
                let (length, peer) = socket.recv_from(&mut buffer).unwrap();
                if let Some(answer) = of_thread.handle(&mut buffer[..length]) {
                    socket.send_to(answer, peer).unwrap();
                }
            }
        });
        Self { address, shared }
    }

    pub(crate) fn tcp() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, shared) = (listener.local_addr().unwrap(), Arc::<Shared>::default());
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, shared) = (stream.unwrap(), Arc::clone(&of_thread));
                thread::spawn(move || {
                    // The sender may close the connection at any time.
                    let mut head = [0; 4];
                    while stream.read_exact(&mut head).is_ok() {
                        // The messages of the tests have a length of 128 to 65 535 octets, or less.
                        let (start, length) = match head[1] {
                            0x82 => (4, usize::from(u16::from_be_bytes([head[2], head[3]]))),
                            0x81 => (3, head[2].into()),
                            short => (2, short.into()),
                        };
                        let mut message = head.to_vec();
                        message.resize(start + length, 0);
                        if stream.read_exact(&mut message[4..]).is_err() {
                            return;
                        }
                        if let Some(answer) = shared.handle(&mut message) {
                            let _ = stream.write_all(answer);
                        }
                    }
                });
            }
        });
        Self { address, shared }
    }

    /// Makes the receiver acknowledge informs.
    pub(crate) fn acknowledge(&self) {
        self.answer(ErrorStatus::NoError);
    }

    /// Makes the receiver answer informs with this error-status.
    pub(crate) fn answer(&self, status: ErrorStatus) {
        self.shared.answer.store(status as u8, Ordering::Relaxed);
    }

    /// Makes the receiver answer the inform with this number with genErr, and others as before; 0
    /// ends that.
    pub(crate) fn refuse(&self, number: u32) {
        self.shared.refused.store(number, Ordering::Relaxed);
    }

    /// Returns how often the notification with this number has arrived.
    pub(crate) fn arrivals_of(&self, number: u32) -> usize {
        self.messages().iter().filter(|message| message.number == number).count()
    }

    /// Makes the receiver answer nothing.
    pub(crate) fn be_silent(self) -> Self {
        self.ignore();
        self
    }

    /// Makes the receiver answer nothing from now on.
    pub(crate) fn ignore(&self) {
        self.shared.answer.store(SILENT, Ordering::Relaxed);
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        self.shared.messages.lock().unwrap().clone()
    }

    /// Returns the numbers of the notifications, in the order of their first messages.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for message in self.messages() {
            if !numbers.contains(&message.number) {
                numbers.push(message.number);
            }
        }
        numbers
    }

    pub(crate) fn await_count(&self, count: usize) {
        wait_until(&format!("{count} messages"), || self.messages().len() >= count);
    }
}

impl Shared {
    /// Records a message; returns the answer.
    fn handle<'m>(&self, message: &'m mut [u8]) -> Option<&'m [u8]> {
        let received = read(message);
        self.messages.lock().unwrap().push(received.clone());
        match self.answer.load(Ordering::Relaxed) {
            _ if !received.is_inform => None,
            _ if received.number != 0 && received.number == self.refused.load(Ordering::Relaxed) => {
                respond(message, ErrorStatus::GenErr as u8);
                Some(message)
            }
            SILENT => None,
            status => {
                respond(message, status);
                Some(message)
            }
        }
    }
}

/// Turns an inform into its response.
pub(crate) fn respond(message: &mut [u8], error_status: u8) {
    let pdu = message.iter().position(|octet| *octet == INFORM).unwrap();
    message[pdu] = RESPONSE;
    // The error-status follows the request-id.
    let length = if message[pdu + 1] > 0x80 { usize::from(message[pdu + 1] - 0x80) } else { 0 };
    let request_id = pdu + 2 + length;
    let status = request_id + 2 + usize::from(message[request_id + 1]);
    message[status + 2] = error_status;
}

pub(crate) fn read(message: &[u8]) -> Message {
    let mut message = CommunityMessage::parse(message).unwrap();
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    let number = match pdu.var_binds.iter().nth(2).map(|bind| bind.value) {
        Some(Value::Gauge32(number)) => number,
        _ => 0,
    };
    Message { request_id: pdu.request_id, is_inform: pdu.pdu_type == PduType::InformRequest, number }
}

/// Waits until the condition is true; fails with `what` after ten seconds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(10), "timed out waiting for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

const SILENT: u8 = 255;
const INFORM: u8 = 0xa6;
const RESPONSE: u8 = 0xa2;
