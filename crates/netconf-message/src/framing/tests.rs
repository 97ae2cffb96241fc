use proptest::prelude::*;

use super::{
    Frame, FrameReader, FrameWriter, Framing, FramingError, FramingErrorReason::*, MAX_CHUNK_OCTETS,
};

/// The complete messages, the unfinished one, and the error.
#[derive(Debug, PartialEq, Eq, Default)]
struct Reading {
    messages: Vec<Vec<u8>>,
    rest: Vec<u8>,
    error: Option<FramingError>,
}

fn read<'o>(framing: Framing, pieces: impl IntoIterator<Item = &'o [u8]>) -> Reading {
    let mut reader = FrameReader::default();
    reader.set_framing(framing);
    let mut reading = Reading::default();
    for mut piece in pieces {
        loop {
            match reader.next_frame(&mut piece) {
                Ok(Some(Frame::Payload(octets))) => {
                    assert!(!octets.is_empty());
                    reading.rest.extend_from_slice(octets);
                }
                Ok(Some(Frame::End)) => reading.messages.push(std::mem::take(&mut reading.rest)),
                Ok(None) => break,
                Err(error) => {
                    reading.error = Some(error);
                    return reading;
                }
            }
        }
        assert!(piece.is_empty());
    }
    reading
}

fn messages(framing: Framing, octets: &[u8]) -> Vec<Vec<u8>> {
    let reading = read(framing, [octets]);
    assert_eq!((reading.error, reading.rest.as_slice()), (None, &b""[..]), "{octets:?}");
    reading.messages
}

#[test]
fn chunks_of_one_message_are_joined() {
    let octets = b"\n#4\n<rpc\n#18\n message-id=\"102\"\n\n#7\n</rpc>#\n##\n";
    assert_eq!(messages(Framing::Chunked, octets), [b"<rpc message-id=\"102\"\n</rpc>#".to_vec()]);
}

#[test]
fn chunk_data_may_look_like_framing() {
    assert_eq!(messages(Framing::Chunked, b"\n#4\n\n##\n\n#6\n]]>]]>\n##\n"), [b"\n##\n]]>]]>".to_vec()]);
}

#[test]
fn chunked_messages_follow_one_another() {
    assert_eq!(messages(Framing::Chunked, b"\n#1\na\n##\n\n#1\nb\n##\n"), [b"a".to_vec(), b"b".to_vec()]);
}

#[test]
fn extra_line_feed_is_accepted_between_messages() {
    assert_eq!(
        messages(Framing::Chunked, b"\n\n#1\na\n##\n\n\n#1\nb\n##\n\n"),
        [b"a".to_vec(), b"b".to_vec()]
    );
}

#[test]
fn line_feed_after_a_message_can_begin_the_next_one() {
    // A client that writes lines sends "#1" in the line after the line feed of its last message.
    assert_eq!(messages(Framing::Chunked, b"\n#1\na\n##\n\n#1\nb\n##\n\n"), [b"a".to_vec(), b"b".to_vec()]);
}

//= rfc6242#4.2-p2
//= type=test
#[test]
fn chunk_sizes_up_to_the_maximum_of_32_bits_are_accepted() {
    for size in ["1", "9", "10", "4294967295"] {
        let reading = read(Framing::Chunked, [format!("\n#{size}\nx").as_bytes()]);
        assert_eq!((reading.rest.as_slice(), reading.error), (&b"x"[..], None), "{size}");
    }
}

//= rfc6242#4.2-p1
//= type=test
#[test]
fn each_violation_of_chunked_framing_has_its_reason_and_offset() {
    for (octets, reason, offset) in [
        ("x", NoLineFeed, 0),
        ("#1\nx", NoLineFeed, 0),
        ("\r\n#1\nx", NoLineFeed, 0),
        ("\nx", NoHash, 1),
        ("\n\n\n#1\nx", NoHash, 2),
        ("\n#0\n", InvalidChunkSize, 2),
        ("\n#01\nx", InvalidChunkSize, 2),
        ("\n#+1\nx", InvalidChunkSize, 2),
        ("\n#\n", InvalidChunkSize, 2),
        ("\n#1a\nx", InvalidChunkSize, 3),
        ("\n#1 \nx", InvalidChunkSize, 3),
        ("\n#1\r\nx", InvalidChunkSize, 3),
        ("\n#4294967296\n", ChunkSizeTooLarge, 11),
        ("\n#10000000000\n", ChunkSizeTooLarge, 12),
        ("\n##\n", EmptyMessage, 2),
        ("\n#1\nxy", NoLineFeed, 5),
        ("\n#1\nx\n\n##\n", NoHash, 6),
        ("\n#1\nx\n##x", InvalidEndOfChunks, 8),
        ("\n#1\nx\n###", InvalidEndOfChunks, 8),
        ("\n#1\nx\n##\nx", NoLineFeed, 9),
        ("\n#1\nx]]>]]>", NoLineFeed, 5),
    ] {
        let error = read(Framing::Chunked, [octets.as_bytes()]).error;
        assert_eq!(error, Some(FramingError { reason, offset }), "{octets:?}");
    }
}

#[test]
fn error_is_returned_again_by_later_calls() {
    let mut reader = FrameReader::default();
    reader.set_framing(Framing::Chunked);
    let first = reader.next_frame(&mut &b"\n#0"[..]).unwrap_err();
    assert_eq!(reader.next_frame(&mut &b"1\nx\n##\n"[..]), Err(first));
}

//= rfc6242#4.3-p1
//= type=test
#[test]
fn message_ends_at_the_delimiter() {
    for (octets, expected) in [
        ("<a/>]]>]]><b/>]]>]]>", vec!["<a/>", "<b/>"]),
        ("]]>]]>", vec![""]),
        ("]]]>]]>", vec!["]"]),
        ("]]]]>]]>", vec!["]]"]),
        ("]]>]>]]>]]>", vec!["]]>]>"]),
        ("]]>]]]>]]>", vec!["]]>]"]),
        ("]]>]]>]]>]]>", vec!["", ""]),
        ("]]>x]]>]]>", vec!["]]>x"]),
        ("]x]]x]]>]]>", vec!["]x]]x"]),
    ] {
        let expected: Vec<_> = expected.iter().map(|text| text.as_bytes().to_vec()).collect();
        assert_eq!(messages(Framing::EndOfMessage, octets.as_bytes()), expected, "{octets}");
    }
}

#[test]
fn start_of_a_delimiter_is_kept_until_it_is_decided() {
    let reading = read(Framing::EndOfMessage, [&b"a]]>]]"[..]]);
    assert_eq!((reading.messages.len(), reading.rest.as_slice()), (0, &b"a"[..]));
    let reading = read(Framing::EndOfMessage, [&b"a]]>]]"[..], b"x"]);
    assert_eq!(reading.rest, b"a]]>]]x");
}

//= rfc6242#4.1-p1
//= type=test
#[test]
fn framing_changes_after_a_message_in_the_same_octets() {
    let mut reader = FrameReader::default();
    let mut input = &b"<hello/>]]>]]>\n#1\nx\n##\n"[..];
    assert_eq!(reader.next_frame(&mut input), Ok(Some(Frame::Payload(b"<hello/>"))));
    assert_eq!(reader.next_frame(&mut input), Ok(Some(Frame::End)));
    reader.set_framing(Framing::Chunked);
    assert_eq!(reader.next_frame(&mut input), Ok(Some(Frame::Payload(b"x"))));
    assert_eq!(reader.next_frame(&mut input), Ok(Some(Frame::End)));
    assert_eq!(reader.next_frame(&mut input), Ok(None));
}

#[test]
fn written_chunks_have_the_maximum_size() {
    let payload = vec![b'x'; MAX_CHUNK_OCTETS + 1];
    let mut output = Vec::new();
    let mut writer = FrameWriter::default();
    writer.set_framing(Framing::Chunked);
    writer.write_payload(&payload, &mut output);
    writer.end_message(&mut output);
    let mut expected = b"\n#65536\n".to_vec();
    expected.extend_from_slice(&payload[1..]);
    expected.extend_from_slice(b"\n#1\nx\n##\n");
    assert!(output == expected);
}

#[test]
fn empty_message_is_not_written() {
    for framing in [Framing::EndOfMessage, Framing::Chunked] {
        let mut output = Vec::new();
        let mut writer = FrameWriter::default();
        writer.set_framing(framing);
        writer.write_payload(b"", &mut output);
        writer.end_message(&mut output);
        assert_eq!(output, b"");
        writer.write_payload(b"x", &mut output);
        writer.end_message(&mut output);
        let length = output.len();
        writer.end_message(&mut output);
        assert_eq!(output.len(), length, "the end is written once");
    }
}

/// Octets that often look like framing.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let symbol = prop_oneof![
        Just(&b"]"[..]),
        Just(&b">"[..]),
        Just(&b"]]>]]>"[..]),
        Just(&b"\n"[..]),
        Just(&b"\n#"[..]),
        Just(&b"#"[..]),
        Just(&b"1"[..]),
        Just(&b"2\n"[..]),
        Just(&b"0"[..]),
        Just(&b"\n##\n"[..]),
        Just(&b"x"[..]),
    ];
    proptest::collection::vec(symbol, 0..60).prop_map(|symbols| symbols.concat())
}

/// Splits `octets` into pieces of the given lengths, which are repeated.
fn pieces<'o>(octets: &'o [u8], lengths: &[usize]) -> Vec<&'o [u8]> {
    let mut rest = octets;
    let mut pieces = Vec::new();
    for length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at((*length).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

proptest! {
    #[test]
    fn messages_do_not_depend_on_the_pieces(
        octets in octets(),
        lengths in proptest::collection::vec(1usize..9, 1..9),
        is_chunked: bool,
    ) {
        let framing = if is_chunked { Framing::Chunked } else { Framing::EndOfMessage };
        prop_assert_eq!(read(framing, pieces(&octets, &lengths)), read(framing, [octets.as_slice()]));
    }

    #[test]
    fn end_of_message_framing_splits_at_each_first_delimiter(octets in octets()) {
        // The oracle searches the whole text.
        let mut rest = octets.as_slice();
        let mut expected = Vec::new();
        while let Some(at) = rest.windows(6).position(|window| window == b"]]>]]>") {
            expected.push(rest[..at].to_vec());
            rest = &rest[at + 6..];
        }
        let reading = read(Framing::EndOfMessage, [octets.as_slice()]);
        prop_assert_eq!(reading.messages, expected);
        // Octets that could still become a delimiter are not passed on.
        prop_assert!(rest.starts_with(&reading.rest));
        prop_assert!(b"]]>]]>".starts_with(&rest[reading.rest.len()..]));
    }

    #[test]
    fn written_messages_are_read_back(
        written in proptest::collection::vec(proptest::collection::vec(octets(), 1..4), 1..4),
    ) {
        let mut writer = FrameWriter::default();
        writer.set_framing(Framing::Chunked);
        let mut output = Vec::new();
        let mut expected = Vec::new();
        for message in &written {
            for piece in message {
                writer.write_payload(piece, &mut output);
            }
            writer.end_message(&mut output);
            expected.push(message.concat());
        }
        expected.retain(|message| !message.is_empty());
        prop_assert_eq!(messages(Framing::Chunked, &output), expected);
    }
}
