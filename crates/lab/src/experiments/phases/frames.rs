//! Recognizes the phases and messages of one session in its captured frames.
//!
//! Requests and responses may be encrypted, but all of a session have about the same length, and
//! there are more of them than of any other frame. So this works for every transport.

use std::collections::BTreeMap;
use std::time::Duration;

use portreeve_lab_net::{Direction, FrameRecord};

/// The phases and messages that an observer sees, in seconds.
#[derive(Debug, PartialEq)]
pub(super) struct Observed {
    /// From the first frame to the last one of the set-up. Over UDP there is none.
    pub(super) transport_setup: Option<f64>,
    /// From the last frame of the set-up to the first request, if this has a frame of its own.
    pub(super) snmp_setup: Option<f64>,
    /// From each request to the next one; from the last request to its response.
    pub(super) messages: Vec<f64>,
    /// From each request to its response.
    pub(super) responses: Vec<f64>,
    /// From the last response to the last frame. Over UDP there is none.
    pub(super) close: Option<f64>,
    /// From the first frame to the last one.
    pub(super) total: f64,
}

impl Observed {
    /// Finds `count` exchanges in the frames of one session.
    pub(super) fn of(frames: &[FrameRecord], count: usize) -> Result<Self, &'static str> {
        let requests = alike(frames.iter(), Direction::ToAgent, count)?;
        let begun = requests.first().map_or(Duration::MAX, |first| first.at);
        let responses = alike(frames.iter().filter(|frame| frame.at >= begun), Direction::ToManager, count)?;
        let in_turn = requests.iter().zip(&responses).all(|(request, response)| request.at <= response.at)
            && requests.iter().skip(1).zip(&responses).all(|(next, response)| response.at <= next.at);
        let ends = (frames.first(), frames.last(), requests.first(), responses.last());
        let (Some(start), Some(end), Some(first), Some(last)) = ends else { return Err(NOT_FOUND) };
        if !in_turn {
            return Err(NOT_FOUND);
        }
        let setup = || frames.iter().take_while(|frame| frame.at < first.at);
        // The end of the set-up and the first request can share a frame, for example with TLS 1.3.
        let is_shared = requests.get(1).is_some_and(|second| payload(first) > payload(second) + TOLERANCE);
        // An acknowledgment of TCP may come late. Without TLS or SSH, there is nothing else.
        let setup_end = match is_shared {
            true => Some(*first),
            false => setup().filter(|frame| payload(frame) > 0).last().or_else(|| setup().last()),
        };
        let next = requests.iter().skip(1).chain([last]);
        Ok(Self {
            transport_setup: setup_end.map(|frame| between(start.at, frame.at)),
            snmp_setup: setup_end.filter(|_| !is_shared).map(|frame| between(frame.at, first.at)),
            messages: requests.iter().zip(next).map(|(from, to)| between(from.at, to.at)).collect(),
            responses: requests.iter().zip(&responses).map(|(from, to)| between(from.at, to.at)).collect(),
            close: (end.at > last.at).then(|| between(last.at, end.at)),
            total: between(start.at, end.at),
        })
    }
}

/// Returns the frames from and to the manager's port of the last session.
pub(super) fn of_last_session(frames: &[FrameRecord]) -> Vec<FrameRecord> {
    let last = frames.iter().rfind(|frame| frame.direction == Direction::ToAgent && payload(frame) > 0);
    let Some((port, _)) = last.and_then(|frame| frame.ports) else { return Vec::new() };
    frames.iter().filter(|frame| frame.has_port(port)).copied().collect()
}

/// Returns the last `count` frames of a direction with about the most frequent length. The first of
/// them may be longer, if the end of the set-up is in the same frame.
fn alike<'f>(
    frames: impl Iterator<Item = &'f FrameRecord>,
    direction: Direction,
    count: usize,
) -> Result<Vec<&'f FrameRecord>, &'static str> {
    let sent: Vec<&FrameRecord> =
        frames.filter(|frame| frame.direction == direction && payload(frame) > 0).collect();
    let mut lengths = BTreeMap::new();
    for frame in &sent {
        *lengths.entry(payload(frame)).or_insert(0_usize) += 1;
    }
    let (usual, _) = lengths.into_iter().max_by_key(|(_, number)| *number).ok_or(NOT_FOUND)?;
    let is_alike = |frame: &FrameRecord| payload(frame).abs_diff(usual) <= TOLERANCE;
    let mut found: Vec<&FrameRecord> = sent.iter().copied().filter(|frame| is_alike(frame)).collect();
    if found.len() + 1 == count {
        let before = sent.into_iter().take_while(|frame| !is_alike(frame)).last();
        found.insert(0, before.filter(|frame| payload(frame) > usual).ok_or(NOT_FOUND)?);
    }
    let surplus = found.len().checked_sub(count).ok_or(NOT_FOUND)?;
    Ok(found.split_off(surplus))
}

fn payload(frame: &FrameRecord) -> usize {
    frame.packet.map_or(0, |packet| packet.payload_len)
}

fn between(start: Duration, end: Duration) -> f64 {
    end.saturating_sub(start).as_secs_f64()
}

/// The lengths of request IDs and sequence numbers vary.
const TOLERANCE: usize = 4;

const NOT_FOUND: &str = "the messages cannot be recognized in the captured frames";

#[cfg(test)]
mod tests;
