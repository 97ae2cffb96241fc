use std::time::Duration;

use portreeve_channel::ChannelStep;
use portreeve_secret::Secret;

use super::*;
use crate::{FrameBuffer, LoginTarget, SessionOption, Transport};

fn order() -> SessionRequest {
    SessionRequest {
        persist: Duration::from_secs(60),
        timeout: Duration::from_millis(6000),
        transport: Transport::Tls,
        user: String::new(),
        host: "router.example".to_owned(),
        port: 10161,
        family: Some(6),
        options: vec![
            (SessionOption::Authority, "/a.pem".to_owned()),
            (SessionOption::Pin, "sha256:AB".to_owned()),
        ],
    }
}

#[test]
fn every_frame_type_is_unchanged_after_encoding_and_parsing() {
    let opened =
        SessionOpened { peer: "router".to_owned(), protocol: "TLSv1.3".to_owned(), note: vec![1, 2, 3] };
    let failed = ChannelError::at(ChannelStep::ServerIdentity, "it has expired").with_hint("renew it");
    let frames = [
        Frame::Request(order()),
        Frame::Opened(opened),
        Frame::Failed(failed),
        Frame::Failed(ChannelError::at(ChannelStep::Data, "gone")),
        Frame::Prompt(PromptRequest::HostKey {
            host: "[gw.example]:5161".to_owned(),
            key_type: "ssh-ed25519".to_owned(),
            fingerprint: "SHA256:DB+6ZtbVtp3k31LCU7fwTPFDniC971AYpvmxIJGUFHw".to_owned(),
            known_key_at: "/home/ops/.ssh/known_hosts:3".to_owned(),
        }),
        Frame::Prompt(PromptRequest::PassPhrase { file: "/home/ops/.ssh/id_ed25519".to_owned() }),
        Frame::Prompt(PromptRequest::Password { login: login_target() }),
        Frame::Prompt(prompt(true)),
        Frame::Prompt(prompt(false)),
        Frame::Prompt(PromptRequest::Notice {
            login: login_target(),
            name: "PAM".to_owned(),
            instructions: "Change it.".to_owned(),
        }),
        Frame::PromptResponse(PromptResponse(None)),
        Frame::PromptResponse(PromptResponse(Some(Secret::from("")))),
        Frame::PromptResponse(PromptResponse(Some(Secret::from("pässword")))),
        Frame::PromptResponse(PromptResponse(Some(Secret::new(vec![b'x'; Frame::MAX_RESPONSE_LEN])))),
        Frame::Note(&[7; 32]),
        Frame::Note(&[]),
    ];
    for frame in frames {
        let mut octets = frame.encode().unwrap();
        assert_eq!(frame_length(&octets), Ok(Some(octets.len())));
        assert_eq!(Frame::read(&mut octets).unwrap(), frame);
    }
}

fn login_target() -> LoginTarget {
    LoginTarget { user: "ops".to_owned(), host: "gw.example".to_owned(), is_jump_host: true }
}

fn prompt(echo: bool) -> PromptRequest {
    let (name, instructions) = ("PAM".to_owned(), "Two things.".to_owned());
    PromptRequest::Prompt { login: login_target(), name, instructions, prompt: "Code: ".to_owned(), echo }
}

#[test]
fn prompt_response_is_wiped_from_the_read_buffer() {
    let frame = Frame::PromptResponse(PromptResponse(Some(Secret::from("password")))).encode().unwrap();
    let mut buffer = FrameBuffer::default();
    buffer.free_space()[..frame.len()].copy_from_slice(&frame);
    buffer.advance(frame.len());
    assert!(matches!(buffer.next_frame(), Ok(Some(Frame::PromptResponse(PromptResponse(Some(_)))))));
    assert!(buffer.free_space().iter().all(|octet| *octet == 0));
    assert_eq!(format!("{:?}", PromptResponse(Some(Secret::from("password")))), "PromptResponse(secret)");
}

#[test]
fn malformed_or_oversize_prompt_response_is_rejected() {
    let too_long = [&[0x45, 0x82, 0x10, 0x02, 1][..], &[b'x'; Frame::MAX_RESPONSE_LEN + 1]].concat();
    for octets in [
        &[0x45, 0][..],
        &[0x45, 1, 1],
        &[0x45, 0x82, 0, 0],
        &[0x45, 0x82, 0, 1, 2],
        &[0x45, 0x82, 0, 2, 0, 0],
        &too_long,
    ] {
        assert!(matches!(Frame::read(&mut octets.to_vec()), Err(FrameError::Malformed)), "{octets:?}");
    }
}

#[test]
fn snmp_message_is_encoded_as_a_frame_without_changes() {
    let mut message = [0x30, 3, 2, 1, 0];
    assert_eq!(Frame::Message(&mut message.clone()).encode().unwrap(), message);
    assert!(matches!(Frame::read(&mut message), Ok(Frame::Message(_))));
}

#[test]
fn frames_are_reassembled_from_reads_of_any_size() {
    let stream = [Frame::Request(order()).encode().unwrap(), vec![0x30, 1, 9], vec![0x43, 1, 5]].concat();
    for piece in 1..stream.len() {
        let (mut buffer, mut found) = (FrameBuffer::default(), 0);
        for octets in stream.chunks(piece) {
            buffer.free_space()[..octets.len()].copy_from_slice(octets);
            buffer.advance(octets.len());
            while buffer.next_frame().unwrap().is_some() {
                found += 1;
            }
        }
        assert_eq!(found, 3, "pieces of {piece}");
    }
}

#[test]
fn malformed_and_oversize_frames_are_rejected() {
    let table: [(&[u8], FrameError); 6] = [
        (b"GET / HTTP/1.1\r\n", FrameError::Malformed),
        (&[0x31, 0], FrameError::Malformed),
        (&[0x30, 0x80], FrameError::Malformed),
        (&[0x30, 0x85, 0], FrameError::Malformed),
        (&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], FrameError::TooLong),
        (&[0x60, 0x83, 1, 0, 0], FrameError::TooLong),
    ];
    for (octets, expected) in table {
        let mut buffer = FrameBuffer::default();
        buffer.free_space()[..octets.len()].copy_from_slice(octets);
        buffer.advance(octets.len());
        assert_eq!(buffer.next_frame().unwrap_err(), expected, "{octets:?}");
    }
}

#[test]
fn request_with_another_protocol_version_is_rejected() {
    let mut octets = Frame::Request(order()).encode().unwrap();
    let version = octets.windows(3).position(|window| window == [2, 1, 3]).unwrap() + 2;
    octets[version] = 1;
    assert_eq!(Frame::read(&mut octets), Err(FrameError::Malformed));
}

#[test]
fn note_frame_longer_than_64_octets_is_rejected() {
    let mut octets = vec![0x43, 65];
    octets.resize(67, 0);
    assert_eq!(Frame::read(&mut octets), Err(FrameError::Malformed));
}

//= rfc5592#5.2-3a
//= rfc6353#5.2-5a
//= type=test
#[test]
fn requests_share_session_if_only_their_persist_times_differ() {
    let first = order();
    assert!(first.shares_session_with(&SessionRequest { persist: Duration::ZERO, ..first.clone() }));
    assert!(!first.shares_session_with(&SessionRequest { port: 1, ..first.clone() }));
    assert!(!first.shares_session_with(&SessionRequest { user: "ops".to_owned(), ..first.clone() }));
    assert!(!first.shares_session_with(&SessionRequest { options: Vec::new(), ..first.clone() }));
}

/// Otherwise, the broker could not send the frame, and the command would report that the broker has
/// exited.
#[test]
fn long_texts_of_a_server_are_shortened_so_that_their_frame_can_be_sent() {
    let text = "é".repeat(MAX_CONTROL_LEN);
    let failed = ChannelError::at(ChannelStep::Data, &text).with_hint(&text);
    let opened = SessionOpened { peer: text.clone(), protocol: "TLSv1.3".to_owned(), note: vec![7; 64] };
    match Frame::read(&mut Frame::Failed(failed).encode().unwrap()).unwrap() {
        Frame::Failed(error) => assert!(text.starts_with(&error.cause) && error.cause.len() == MAX_TEXT_LEN),
        other => panic!("{other:?}"),
    }
    match Frame::read(&mut Frame::Opened(opened).encode().unwrap()).unwrap() {
        Frame::Opened(opened) => assert!(text.starts_with(&opened.peer) && opened.note == [7; 64]),
        other => panic!("{other:?}"),
    }
}
