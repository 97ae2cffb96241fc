//! Arbitrary octets in a session's stream, split into messages.

use portreeve_transport::{FramingError, message_length};

/// Checks that messages are the same regardless of how reads split them, that none is empty or
/// longer than allowed, and that further octets never change a length that is already known.
pub fn stream_framing(octets: &[u8]) {
    for max in [484, 65_535] {
        let whole = cut(octets, max);
        let mut known_length = Ok(None);
        for end in 0..=octets.len().min(HEADER) {
            let now = message_length(&octets[..end], max);
            assert!(
                known_length == Ok(None) || known_length == now,
                "{known_length:?} became {now:?}: {octets:?}"
            );
            known_length = now;
        }
        for piece in [1, 3, 100] {
            assert_eq!(cut_in_pieces(octets, piece, max), whole, "{octets:?}");
        }
    }
}

/// The lengths of the complete messages, and the result for the rest.
type Cut = (Vec<usize>, Result<Option<usize>, FramingError>);

fn cut(mut rest: &[u8], max: usize) -> Cut {
    let mut messages = Vec::new();
    loop {
        match message_length(rest, max) {
            Ok(Some(length)) if length <= rest.len() => {
                assert!((2..=max).contains(&length), "{length}");
                messages.push(length);
                rest = &rest[length..];
            }
            outcome => return (messages, outcome),
        }
    }
}

/// Splits the stream as a session does, which stores incomplete messages.
fn cut_in_pieces(octets: &[u8], piece: usize, max: usize) -> Cut {
    let (mut waiting, mut messages, mut outcome) = (Vec::new(), Vec::new(), Ok(None));
    for octets in octets.chunks(piece) {
        waiting.extend_from_slice(octets);
        let (whole, rest) = cut(&waiting, max);
        waiting.drain(..whole.iter().sum::<usize>());
        messages.extend(whole);
        outcome = rest;
        if outcome.is_err() {
            break;
        }
    }
    (messages, outcome)
}

/// Number of octets that contain any length header.
const HEADER: usize = 8;
