//! Arbitrary octets on a session broker's socket, as received by the broker or by a command.

use portreeve_broker_protocol::{Frame, FrameBuffer};

/// Checks that frames are the same regardless of how reads split them, and that encoding a decoded
/// frame gives an equivalent one.
pub fn broker_frames(octets: &[u8]) {
    let whole = cut(octets, octets.len());
    assert_eq!(whole, cut(octets, 3), "{octets:?}");
    for frame in whole {
        let mut inbox = FrameBuffer::default();
        let rest = fill(&mut inbox, &frame);
        if !rest.is_empty() {
            continue;
        }
        let again = inbox.next_frame().expect("the frame was just encoded").expect("the frame is complete");
        assert_eq!(again.encode().expect("the frame is short enough"), frame);
    }
}

/// Returns the frames in `octets`, read in pieces and encoded again, up to the first invalid one.
fn cut(octets: &[u8], piece: usize) -> Vec<Vec<u8>> {
    let (mut inbox, mut frames) = (FrameBuffer::default(), Vec::new());
    for octets in octets.chunks(piece.max(1)) {
        let mut rest = octets;
        while !rest.is_empty() {
            rest = fill(&mut inbox, rest);
            loop {
                match inbox.next_frame() {
                    Ok(Some(frame)) => frames.push(encoded(&frame)),
                    Ok(None) => break,
                    Err(_) => return frames,
                }
            }
        }
    }
    frames
}

/// Copies as many octets as `inbox` has room for, and returns the rest.
fn fill<'o>(inbox: &mut FrameBuffer, octets: &'o [u8]) -> &'o [u8] {
    let room = inbox.free_space();
    let count = room.len().min(octets.len());
    room[..count].copy_from_slice(&octets[..count]);
    inbox.advance(count);
    &octets[count..]
}

fn encoded(frame: &Frame<'_>) -> Vec<u8> {
    frame.encode().expect("the frame is short enough")
}
