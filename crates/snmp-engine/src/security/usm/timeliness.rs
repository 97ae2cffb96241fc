//! The time window check for authentic messages (RFC 3414 §3.2 step 7).
//!
//! The functions only compare clock readings that the caller passes in. The caller has already
//! verified that the message is authentic.

use portreeve_smi::{ClockReading, Timestamp};

use super::peers::PeerClock;
use super::reject_reason::UsmRejectReason;

/// Checks a message for which this engine is authoritative. `local` is the clock of this engine.
pub(super) fn check_as_authoritative(local: ClockReading, msg: ClockReading) -> Result<(), UsmRejectReason> {
    //= rfc3414#3.2-7a
    let is_timely =
        !local.boots.is_latched() && msg.boots == local.boots && msg.time.abs_diff(local.time) <= WINDOW_SECS;
    if is_timely { Ok(()) } else { Err(UsmRejectReason::NotInTimeWindow) }
}

/// Checks a message from another authoritative engine, and updates the stored clock of that engine.
pub(crate) fn check_as_non_authoritative(
    peer: &mut PeerClock,
    msg: ClockReading,
    now: Timestamp,
) -> Result<(), UsmRejectReason> {
    //= rfc3414#3.2-7b1
    let expected = peer.reading(now);
    let is_newer =
        msg.boots > expected.boots || (msg.boots == expected.boots && msg.time > peer.latest_received_time());
    if is_newer {
        peer.synchronize(msg, now);
    }
    //= rfc3414#3.2-7b2
    let expected = peer.reading(now);
    let is_too_old = expected.boots.is_latched()
        || msg.boots < expected.boots
        || (msg.boots == expected.boots && msg.time.saturating_add(WINDOW_SECS) < expected.time);
    if is_too_old { Err(UsmRejectReason::PeerNotInTimeWindow) } else { Ok(()) }
}

/// The time window, in seconds (RFC 3414 §2.2.3).
const WINDOW_SECS: u32 = 150;

#[cfg(test)]
mod tests;
