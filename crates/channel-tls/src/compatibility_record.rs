//! The change_cipher_spec record that a TLS 1.3 client sends only for middleboxes (RFC 8446 §D.4).
//!
//! rustls queues it as soon as it has processed the ServerHello. Sent then, it costs a packet of
//! its own if the rest of the server's flight is still on its way. It also matters to SNMP4J before
//! 3.9.7, which leaves the first request unread if that arrives together with our Finished, unless
//! the change_cipher_spec record arrives with them. So the record waits for our last flight.

use std::io::{self, IoSlice, Write};

use rustls::Connection;

/// Returns `true` if exactly this record is waiting to be transmitted.
pub(crate) fn is_only_output(connection: &mut Connection) -> bool {
    let mut probe = Probe(false);
    // The probe writes nothing, so the output remains queued.
    let _ = connection.write_tls(&mut probe);
    probe.0
}

/// Compares the output with the record, and accepts none of it.
struct Probe(bool);

impl Write for Probe {
    fn write(&mut self, output: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(output)])
    }

    fn write_vectored(&mut self, output: &[IoSlice<'_>]) -> io::Result<usize> {
        self.0 = matches!(output, [record] if **record == CHANGE_CIPHER_SPEC);
        Err(io::ErrorKind::WouldBlock.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const CHANGE_CIPHER_SPEC: [u8; 6] = [20, 3, 3, 0, 1, 1];
