//! Timeliness: is this authentic message recent? (RFC 3414 §3.2 step 7)
//!
//! Arithmetic on clock readings the caller hands in. That the message is authentic is proven when we get here.

use portreeve_smi::{ClockReading, Timestamp};

use super::failure::UsmFailure;
use super::peers::PeerClock;

/// Judges a message that was sent to us, `local` being our own clock.
pub(super) fn check_as_authoritative(local: ClockReading, msg: ClockReading) -> Result<(), UsmFailure> {
    //= rfc3414#3.2-7a
    let timely =
        !local.boots.is_latched() && msg.boots == local.boots && msg.time.abs_diff(local.time) <= WINDOW_SECS;
    if timely { Ok(()) } else { Err(UsmFailure::NotInTimeWindow) }
}

/// Judges a message of another authoritative engine, and learns from it what its clock reads.
pub(super) fn check_as_non_authoritative(
    peer: &mut PeerClock,
    msg: ClockReading,
    now: Timestamp,
) -> Result<(), UsmFailure> {
    //= rfc3414#3.2-7b1
    let notion = peer.reading(now);
    let newer =
        msg.boots > notion.boots || (msg.boots == notion.boots && msg.time > peer.latest_received_time());
    if newer {
        peer.synchronize(msg, now);
    }
    //= rfc3414#3.2-7b2
    let notion = peer.reading(now);
    let too_old = notion.boots.is_latched()
        || msg.boots < notion.boots
        || (msg.boots == notion.boots && msg.time.saturating_add(WINDOW_SECS) < notion.time);
    if too_old { Err(UsmFailure::PeerNotInTimeWindow) } else { Ok(()) }
}

/// The time window, in seconds (RFC 3414 §2.2.3).
const WINDOW_SECS: u32 = 150;

#[cfg(test)]
mod tests;
