//! Arbitrary octets in a NETCONF session, split into messages.

use portreeve_netconf_message::framing::{Frame, FrameReader, FrameWriter, Framing, FramingError};

/// Checks that messages and errors are the same regardless of how reads split them, and that
/// messages survive being written with chunks and read back.
pub fn netconf_framing(octets: &[u8]) {
    for framing in [Framing::EndOfMessage, Framing::Chunked] {
        let whole = read(framing, octets, octets.len());
        for piece in [1, 2, 7] {
            assert_eq!(read(framing, octets, piece), whole, "{octets:?}");
        }
        write_and_read(&whole.0);
    }
}

/// The complete messages, the octets of the unfinished one, and the error.
type Reading = (Vec<Vec<u8>>, Vec<u8>, Option<FramingError>);

fn read(framing: Framing, octets: &[u8], piece: usize) -> Reading {
    let mut reader = FrameReader::default();
    reader.set_framing(framing);
    let (mut messages, mut rest) = (Vec::new(), Vec::new());
    for mut piece in octets.chunks(piece.max(1)) {
        loop {
            match reader.next_frame(&mut piece) {
                Ok(Some(Frame::Payload(payload))) => {
                    assert!(!payload.is_empty());
                    rest.extend_from_slice(payload);
                }
                Ok(Some(Frame::End)) => messages.push(std::mem::take(&mut rest)),
                Ok(None) => break,
                Err(error) => return (messages, rest, Some(error)),
            }
        }
    }
    (messages, rest, None)
}

fn write_and_read(messages: &[Vec<u8>]) {
    let mut writer = FrameWriter::default();
    writer.set_framing(Framing::Chunked);
    let mut output = Vec::new();
    for message in messages {
        for payload in message.chunks(5) {
            writer.write_payload(payload, &mut output);
        }
        writer.end_message(&mut output);
    }
    let written: Vec<_> = messages.iter().filter(|message| !message.is_empty()).cloned().collect();
    assert_eq!(read(Framing::Chunked, &output, output.len()), (written, Vec::new(), None));
}
