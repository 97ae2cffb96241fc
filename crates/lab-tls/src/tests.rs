use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::thread;

use super::*;

/// A stream that records what is written, and can change an octet of it.
struct Recorder {
    stream: UnixStream,
    written: Arc<Mutex<Vec<u8>>>,
    /// Inverts a bit in each write that contains the message.
    corrupts: bool,
}

impl Read for Recorder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Recorder {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut octets = octets.to_vec();
        if let Some(place) = find(&octets, MESSAGE).filter(|_| self.corrupts) {
            octets[place] ^= 1;
        }
        self.written.lock().unwrap().extend(&octets);
        self.stream.write_all(&octets)?;
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn find(octets: &[u8], part: &[u8]) -> Option<usize> {
    octets.windows(part.len()).position(|window| window == part)
}

/// Sends the message to a server that echoes it; returns the result of reading the answer, and the
/// octets that the client has written.
fn exchange(protection: Protection, corrupts: bool) -> (io::Result<Vec<u8>>, Vec<u8>) {
    let ends = Ends::new(protection).unwrap();
    let (own, peer) = UnixStream::pair().unwrap();
    let server = ends.clone();
    let echo = thread::spawn(move || -> io::Result<()> {
        let mut stream = server.accept(peer).unwrap();
        let mut message = [0; MESSAGE.len()];
        stream.read_exact(&mut message)?;
        stream.write_all(&message)?;
        stream.flush()
    });
    let written = Arc::<Mutex<Vec<u8>>>::default();
    let recorder = Recorder { stream: own, written: Arc::clone(&written), corrupts };
    let mut stream = ends.connect(recorder).unwrap();
    complete_handshake(&mut stream).unwrap();
    let suite = stream.conn.negotiated_cipher_suite().unwrap().suite();
    assert_eq!(suite, protection.provider().unwrap().cipher_suites[0].suite());
    let mut answer = vec![0; MESSAGE.len()];
    let result = stream.write_all(MESSAGE).and_then(|()| stream.flush());
    let result = result.and_then(|()| stream.read_exact(&mut answer)).map(|()| answer);
    let _ = echo.join().unwrap();
    let written = written.lock().unwrap().clone();
    (result, written)
}

#[test]
fn only_encryption_hides_the_message() {
    for protection in Protection::ALL {
        let is_readable = matches!(protection, Protection::None | Protection::Integrity);
        let (answer, written) = exchange(protection, false);
        assert_eq!(answer.unwrap(), MESSAGE, "{protection:?}");
        assert_eq!(find(&written, MESSAGE).is_some(), is_readable, "{protection:?}");
    }
}

#[test]
fn changed_message_is_rejected_with_integrity_and_accepted_without() {
    let (answer, _) = exchange(Protection::None, true);
    assert_ne!(answer.unwrap(), MESSAGE);
    let (answer, _) = exchange(Protection::Integrity, true);
    assert!(answer.is_err());
}

#[test]
fn records_have_the_lengths_of_their_protection() {
    // A header of five octets, the message, the type, and the code of 32 or 16 octets.
    for (protection, overhead) in [
        (Protection::None, 0),
        (Protection::Integrity, 32),
        (Protection::Both, 16),
        (Protection::ChaCha20, 16),
    ] {
        let (_, written) = exchange(protection, false);
        let length = u16::try_from(MESSAGE.len() + 1 + overhead).unwrap().to_be_bytes();
        let header = [23, 3, 3, length[0], length[1]];
        assert_eq!(written[written.len() - 5 - usize::from(u16::from_be_bytes(length))..][..5], header);
    }
}

#[test]
fn ends_with_different_protections_do_not_connect() {
    let (own, peer) = UnixStream::pair().unwrap();
    let server = Ends::new(Protection::Both).unwrap();
    let echo = thread::spawn(move || {
        let mut stream = server.accept(peer).unwrap();
        stream.read(&mut [0; 1]).is_err()
    });
    let mut client = Ends::new(Protection::None).unwrap().connect(own).unwrap();
    assert!(complete_handshake(&mut client).is_err());
    assert!(echo.join().unwrap());
}

const MESSAGE: &[u8] = b"a message that everyone on the path can read unless it is encrypted";
