//! Any octets in a session's stream, cut into messages.

use portreeve_transport::{FramingError, message_length};

/// Promises: messages are cut the same wherever reads end, none is longer than allowed or has no octets, and what a few octets
/// have told, more of them do not take back.
pub fn stream_framing(octets: &[u8]) {
    for max in [484, 65_535] {
        let whole = cut(octets, max);
        let mut told = Ok(None);
        for end in 0..=octets.len().min(HEADER) {
            let now = message_length(&octets[..end], max);
            assert!(told == Ok(None) || told == now, "{told:?} became {now:?}: {octets:?}");
            told = now;
        }
        for piece in [1, 3, 100] {
            assert_eq!(cut_in_pieces(octets, piece, max), whole, "{octets:?}");
        }
    }
}

/// The lengths of the messages that are whole, and what is said of the rest.
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
            said => return (messages, said),
        }
    }
}

/// As a session does, which keeps what is not whole yet.
fn cut_in_pieces(octets: &[u8], piece: usize, max: usize) -> Cut {
    let (mut waiting, mut messages, mut said) = (Vec::new(), Vec::new(), Ok(None));
    for octets in octets.chunks(piece) {
        waiting.extend_from_slice(octets);
        let (whole, rest) = cut(&waiting, max);
        waiting.drain(..whole.iter().sum::<usize>());
        messages.extend(whole);
        said = rest;
        if said.is_err() {
            break;
        }
    }
    (messages, said)
}

/// Octets that tell any length, and some more.
const HEADER: usize = 8;
