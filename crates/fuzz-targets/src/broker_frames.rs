//! Any octets at either end of a session broker's socket.

use portreeve_broker_protocol::{Frame, Inbox};

/// Promises: frames are cut the same wherever reads end, and what was read is written again as something that reads the
/// same.
pub fn broker_frames(octets: &[u8]) {
    let whole = cut(octets, octets.len());
    assert_eq!(whole, cut(octets, 3), "{octets:?}");
    for frame in whole {
        let mut inbox = Inbox::default();
        let rest = fill(&mut inbox, &frame);
        if !rest.is_empty() {
            continue;
        }
        let again = inbox.next_frame().expect("it was written by us").expect("it is whole");
        assert_eq!(again.encode().expect("it was short enough"), frame);
    }
}

/// The frames in `octets`, read in pieces and written again, up to what is none.
fn cut(octets: &[u8], piece: usize) -> Vec<Vec<u8>> {
    let (mut inbox, mut frames) = (Inbox::default(), Vec::new());
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

/// Hands in as much as there is room for; returns the rest.
fn fill<'o>(inbox: &mut Inbox, octets: &'o [u8]) -> &'o [u8] {
    let room = inbox.room();
    let count = room.len().min(octets.len());
    room[..count].copy_from_slice(&octets[..count]);
    inbox.note_read(count);
    &octets[count..]
}

fn encoded(frame: &Frame<'_>) -> Vec<u8> {
    frame.encode().expect("it was short enough")
}
