//! DTLS calls that the `openssl` crate lacks: accepting a ClientHello after the cookie exchange,
//! the retransmission timer, and a check for pending input.
//!
//! Most calls may read from or write to the transport below the stream, so they borrow the whole
//! stream exclusively.

use std::io::{Read, Write};
use std::ptr;
use std::time::Duration;

use foreign_types::ForeignTypeRef;
use openssl::error::ErrorStack;
use openssl::ssl::SslStream;
use openssl::x509::X509VerifyResult;
use openssl_sys as ffi;

/// Starts the server handshake with the ClientHello in the stream, whose cookie is verified by the
/// callback of the context. Flights are retransmitted `INITIAL_RETRANSMIT_INTERVAL` after they were
/// sent, then at doubling intervals. Returns whether the ClientHello was accepted; if not, the
/// stream cannot be used.
pub fn dtls_listen<S: Read + Write>(stream: &mut SslStream<S>) -> bool {
    let ssl = stream.ssl().as_ptr();
    // SAFETY: the call only allocates; null is checked below.
    let client = unsafe { BIO_ADDR_new() };
    if client.is_null() {
        return false;
    }
    // SAFETY: `ssl` is alive and exclusively borrowed through `stream`; `client` is alive until it
    // is freed here, once.
    let accepted = unsafe {
        let accepted = DTLSv1_listen(ssl, client);
        BIO_ADDR_free(client);
        accepted
    };
    set_retransmit_timer(stream);
    // The result already reports the failure. The queued error must not be attributed to a later
    // call.
    drop(ErrorStack::get());
    accepted > 0
}

/// Retransmits flights `INITIAL_RETRANSMIT_INTERVAL` after they were sent, then at doubling
/// intervals.
pub fn set_retransmit_timer<S: Read + Write>(stream: &mut SslStream<S>) {
    // SAFETY: `ssl` is alive and exclusively borrowed through `stream`; the callback is a plain
    // function.
    unsafe { DTLS_set_timer_cb(stream.ssl().as_ptr(), Some(next_interval)) };
}

/// Returns the time until [`dtls_handle_timeout`] must be called; `None` while no flight awaits a
/// response.
pub fn dtls_timeout<S: Read + Write>(stream: &mut SslStream<S>) -> Option<Duration> {
    let mut left = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: `ssl` is alive and exclusively borrowed through `stream`; this command writes one
    // timeval.
    let running =
        unsafe { ffi::SSL_ctrl(stream.ssl().as_ptr(), DTLS_CTRL_GET_TIMEOUT, 0, (&raw mut left).cast()) };
    let seconds = u64::try_from(left.tv_sec).unwrap_or(0);
    let micros = u32::try_from(left.tv_usec).unwrap_or(0);
    (running > 0).then(|| Duration::new(seconds, micros * 1000))
}

/// Retransmits the flight that was not answered in time, if there is one. Returns false if the
/// flight has already been retransmitted too often.
pub fn dtls_handle_timeout<S: Read + Write>(stream: &mut SslStream<S>) -> bool {
    // SAFETY: `ssl` is alive and exclusively borrowed through `stream`; this command takes no
    // argument.
    let result =
        unsafe { ffi::SSL_ctrl(stream.ssl().as_ptr(), DTLS_CTRL_HANDLE_TIMEOUT, 0, ptr::null_mut()) };
    // As in `dtls_listen`, the queued error must not be attributed to a later call.
    drop(ErrorStack::get());
    result >= 0
}

/// Returns whether the stream holds received data that has not been read: the rest of a message, or
/// further records of any kind.
pub fn has_pending<S: Read + Write>(stream: &SslStream<S>) -> bool {
    let ssl = stream.ssl();
    // SAFETY: `ssl` is alive while `stream` is borrowed; the call only reads it.
    ssl.pending() > 0 || unsafe { SSL_has_pending(ssl.as_ptr()) } != 0
}

/// The reason why a verification callback rejects a certificate chain; OpenSSL derives the alert
/// from this reason.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChainRejectReason {
    /// The certificate was not signed by a trusted authority.
    UnknownIssuer = 20,
    /// The certificate is not valid yet.
    NotYetValid = 9,
    /// The certificate has expired.
    Expired = 10,
    /// The certificate was revoked by its authority.
    Revoked = 23,
    /// The certificate was issued for another usage.
    WrongUsage = 26,
    /// Any other reason.
    OtherReason = 28,
}

impl From<ChainRejectReason> for X509VerifyResult {
    fn from(refused: ChainRejectReason) -> Self {
        // SAFETY: the number is one of X509_V_ERR_*, which `openssl/x509_vfy.h` never renumbers.
        unsafe { Self::from_raw(refused as libc::c_int) }
    }
}

/// Returns the next retransmission interval. OpenSSL passes the previous interval in microseconds,
/// or 0 for the first one.
extern "C" fn next_interval(_: *mut ffi::SSL, previous: libc::c_uint) -> libc::c_uint {
    if previous == 0 {
        INITIAL_RETRANSMIT_INTERVAL
    } else {
        previous.saturating_mul(2).min(MAX_RETRANSMIT_INTERVAL)
    }
}

/// Microseconds until a flight is first retransmitted. RFC 6347 §4.2.4.1 recommends one second and
/// allows less; peers in a management network respond sooner.
const INITIAL_RETRANSMIT_INTERVAL: libc::c_uint = 250_000;

/// The maximum retransmission interval in microseconds (RFC 6347 §4.2.4.1).
const MAX_RETRANSMIT_INTERVAL: libc::c_uint = 60_000_000;

/// Command numbers of `openssl/ssl.h`.
const DTLS_CTRL_GET_TIMEOUT: libc::c_int = 73;
const DTLS_CTRL_HANDLE_TIMEOUT: libc::c_int = 74;

/// An opaque `BIO_ADDR`.
type BioAddress = libc::c_void;
type TimerCallback = extern "C" fn(*mut ffi::SSL, libc::c_uint) -> libc::c_uint;

// Declarations as in OpenSSL 1.1.1 and 3.x; `openssl-sys` links the libraries.
unsafe extern "C" {
    fn DTLSv1_listen(ssl: *mut ffi::SSL, client: *mut BioAddress) -> libc::c_int;
    fn DTLS_set_timer_cb(ssl: *mut ffi::SSL, callback: Option<TimerCallback>);
    fn SSL_has_pending(ssl: *const ffi::SSL) -> libc::c_int;
    fn BIO_ADDR_new() -> *mut BioAddress;
    fn BIO_ADDR_free(address: *mut BioAddress);
}
