//! What OpenSSL's bindings lack for DTLS: beginning after the cookie, the retransmission timer, and whether there is more.
//!
//! Most calls may read from and write to the stream's own ends, so they take the whole stream exclusively.

use std::io::{Read, Write};
use std::ptr;
use std::time::Duration;

use foreign_types::ForeignTypeRef;
use openssl::error::ErrorStack;
use openssl::ssl::SslStream;
use openssl::x509::X509VerifyResult;
use openssl_sys as ffi;

/// Has a server begin with the ClientHello that waits in its stream, whose cookie the context's callback confirms, and
/// repeat flights `INITIAL_RETRANSMIT_INTERVAL` after they were sent, then at doubling intervals. Returns whether the hello was accepted;
/// otherwise the stream is of no use.
pub fn dtls_listen<S: Read + Write>(stream: &mut SslStream<S>) -> bool {
    let ssl = stream.ssl().as_ptr();
    // SAFETY: the call only allocates; null is asked for below.
    let client = unsafe { BIO_ADDR_new() };
    if client.is_null() {
        return false;
    }
    // SAFETY: `ssl` is alive and ours alone while `stream` is borrowed, `client` is alive until freed here, once.
    let accepted = unsafe {
        let accepted = DTLSv1_listen(ssl, client);
        BIO_ADDR_free(client);
        accepted
    };
    set_retransmit_timer(stream);
    // Whatever went wrong has been said by the result; it must not be accepted for a later call's error.
    drop(ErrorStack::get());
    accepted > 0
}

/// Has flights repeated `INITIAL_RETRANSMIT_INTERVAL` after they were sent, then at doubling intervals.
pub fn set_retransmit_timer<S: Read + Write>(stream: &mut SslStream<S>) {
    // SAFETY: `ssl` is alive and ours alone while `stream` is borrowed; the callback is a plain function.
    unsafe { DTLS_set_timer_cb(stream.ssl().as_ptr(), Some(next_interval)) };
}

/// How long until [`dtls_handle_timeout`] is to be called; `None` while no flight waits for an answer.
pub fn dtls_timeout<S: Read + Write>(stream: &mut SslStream<S>) -> Option<Duration> {
    let mut left = libc::timeval { tv_sec: 0, tv_usec: 0 };
    // SAFETY: `ssl` is alive and ours alone while `stream` is borrowed, and this command writes one timeval.
    let running =
        unsafe { ffi::SSL_ctrl(stream.ssl().as_ptr(), DTLS_CTRL_GET_TIMEOUT, 0, (&raw mut left).cast()) };
    let seconds = u64::try_from(left.tv_sec).unwrap_or(0);
    let micros = u32::try_from(left.tv_usec).unwrap_or(0);
    (running > 0).then(|| Duration::new(seconds, micros * 1000))
}

/// Repeats the flight that was not answered in time, if there is one. Returns false when it was repeated too often.
pub fn dtls_handle_timeout<S: Read + Write>(stream: &mut SslStream<S>) -> bool {
    // SAFETY: `ssl` is alive and ours alone while `stream` is borrowed; this command takes no argument.
    let result =
        unsafe { ffi::SSL_ctrl(stream.ssl().as_ptr(), DTLS_CTRL_HANDLE_TIMEOUT, 0, ptr::null_mut()) };
    // As above.
    drop(ErrorStack::get());
    result >= 0
}

/// Whether something that was read from the stream's other end has not been read from the stream: part of a message, or
/// further records, whatever they turn out to be.
pub fn has_pending<S: Read + Write>(stream: &SslStream<S>) -> bool {
    let ssl = stream.ssl();
    // SAFETY: `ssl` is alive while `stream` is borrowed; the call only reads it.
    ssl.pending() > 0 || unsafe { SSL_has_pending(ssl.as_ptr()) } != 0
}

/// Why a verification callback refuses a chain; OpenSSL chooses its alert by it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChainRejectReason {
    /// Nobody trusted has signed it.
    UnknownIssuer = 20,
    /// Not valid yet.
    NotYetValid = 9,
    /// Not valid any more.
    Expired = 10,
    /// Taken back by its authority.
    Revoked = 23,
    /// Made for another use.
    WrongUsage = 26,
    /// Refused for another reason.
    OtherReason = 28,
}

impl From<ChainRejectReason> for X509VerifyResult {
    fn from(refused: ChainRejectReason) -> Self {
        // SAFETY: the number is one of X509_V_ERR_*, which `openssl/x509_vfy.h` never renumbers.
        unsafe { Self::from_raw(refused as libc::c_int) }
    }
}

/// OpenSSL asks with the interval that has previous, in microseconds, or 0 at first.
extern "C" fn next_interval(_: *mut ffi::SSL, previous: libc::c_uint) -> libc::c_uint {
    if previous == 0 {
        INITIAL_RETRANSMIT_INTERVAL
    } else {
        previous.saturating_mul(2).min(MAX_RETRANSMIT_INTERVAL)
    }
}

/// Microseconds until a flight is first repeated. RFC 6347 §4.2.4.1 suggests a second and allows less; peers of a
/// management network answer sooner.
const INITIAL_RETRANSMIT_INTERVAL: libc::c_uint = 250_000;

/// Microseconds (RFC 6347 §4.2.4.1).
const MAX_RETRANSMIT_INTERVAL: libc::c_uint = 60_000_000;

/// `openssl/ssl.h`.
const DTLS_CTRL_GET_TIMEOUT: libc::c_int = 73;
const DTLS_CTRL_HANDLE_TIMEOUT: libc::c_int = 74;

/// A `BIO_ADDR`, which OpenSSL does not show the inside of.
type BioAddress = libc::c_void;
type TimerCallback = extern "C" fn(*mut ffi::SSL, libc::c_uint) -> libc::c_uint;

// Their declarations in OpenSSL 1.1.1 and 3.x; `openssl-sys` links the libraries.
unsafe extern "C" {
    fn DTLSv1_listen(ssl: *mut ffi::SSL, client: *mut BioAddress) -> libc::c_int;
    fn DTLS_set_timer_cb(ssl: *mut ffi::SSL, callback: Option<TimerCallback>);
    fn SSL_has_pending(ssl: *const ffi::SSL) -> libc::c_int;
    fn BIO_ADDR_new() -> *mut BioAddress;
    fn BIO_ADDR_free(address: *mut BioAddress);
}
