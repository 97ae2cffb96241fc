use std::time::Duration;

use portreeve_channel::Step;
use portreeve_secret::Secret;

use super::*;
use crate::{Inbox, Key, Login, Transport};

fn order() -> Order {
    Order {
        persist: Duration::from_secs(60),
        patience: Duration::from_millis(6000),
        transport: Transport::Tls,
        user: String::new(),
        host: "router.example".to_owned(),
        port: 10161,
        family: Some(6),
        options: vec![(Key::Authority, "/a.pem".to_owned()), (Key::Pin, "sha256:AB".to_owned())],
    }
}

#[test]
fn every_frame_is_read_as_it_was_written() {
    let opened = Opened { peer: "router".to_owned(), protocol: "TLSv1.3".to_owned(), note: vec![1, 2, 3] };
    let failed = ChannelError::at(Step::ServerIdentity, "it has expired").cured_by("renew it");
    let frames = [
        Frame::Order(order()),
        Frame::Opened(opened),
        Frame::Failed(failed),
        Frame::Failed(ChannelError::at(Step::Data, "gone")),
        Frame::Question(Question::HostKey {
            host: "[gw.example]:5161".to_owned(),
            kind: "ssh-ed25519".to_owned(),
            fingerprint: "SHA256:DB+6ZtbVtp3k31LCU7fwTPFDniC971AYpvmxIJGUFHw".to_owned(),
            other: "/home/ops/.ssh/known_hosts:3".to_owned(),
        }),
        Frame::Question(Question::PassPhrase { file: "/home/ops/.ssh/id_ed25519".to_owned() }),
        Frame::Question(Question::Password { asker: asker() }),
        Frame::Question(prompt(true)),
        Frame::Question(prompt(false)),
        Frame::Question(Question::Notice {
            asker: asker(),
            name: "PAM".to_owned(),
            instructions: "Change it.".to_owned(),
        }),
        Frame::Answer(Answer(None)),
        Frame::Answer(Answer(Some(Secret::from("")))),
        Frame::Answer(Answer(Some(Secret::from("pässword")))),
        Frame::Answer(Answer(Some(Secret::new(vec![b'x'; Frame::LONGEST_ANSWER])))),
        Frame::Note(&[7; 32]),
        Frame::Note(&[]),
    ];
    for frame in frames {
        let mut octets = frame.encode().unwrap();
        assert_eq!(length(&octets), Ok(Some(octets.len())));
        assert_eq!(Frame::read(&mut octets).unwrap(), frame);
    }
}

fn asker() -> Login {
    Login { user: "ops".to_owned(), host: "gw.example".to_owned(), on_the_way: true }
}

fn prompt(echo: bool) -> Question {
    let (name, instructions) = ("PAM".to_owned(), "Two things.".to_owned());
    Question::Prompt { asker: asker(), name, instructions, prompt: "Code: ".to_owned(), echo }
}

#[test]
fn an_answer_is_wiped_from_where_it_was_read() {
    let frame = Frame::Answer(Answer(Some(Secret::from("password")))).encode().unwrap();
    let mut inbox = Inbox::default();
    inbox.room()[..frame.len()].copy_from_slice(&frame);
    inbox.note_read(frame.len());
    assert!(matches!(inbox.next_frame(), Ok(Some(Frame::Answer(Answer(Some(_)))))));
    assert!(inbox.room().iter().all(|octet| *octet == 0));
    assert_eq!(format!("{:?}", Answer(Some(Secret::from("password")))), "Answer(secret)");
}

#[test]
fn an_answer_in_another_form_is_none() {
    let too_long = [&[0x45, 0x82, 0x10, 0x02, 1][..], &[b'x'; Frame::LONGEST_ANSWER + 1]].concat();
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
fn a_message_is_its_own_frame() {
    let mut message = [0x30, 3, 2, 1, 0];
    assert_eq!(Frame::Message(&mut message.clone()).encode().unwrap(), message);
    assert!(matches!(Frame::read(&mut message), Ok(Frame::Message(_))));
}

#[test]
fn frames_are_cut_wherever_reads_end() {
    let stream = [Frame::Order(order()).encode().unwrap(), vec![0x30, 1, 9], vec![0x43, 1, 5]].concat();
    for piece in 1..stream.len() {
        let (mut inbox, mut found) = (Inbox::default(), 0);
        for octets in stream.chunks(piece) {
            inbox.room()[..octets.len()].copy_from_slice(octets);
            inbox.note_read(octets.len());
            while inbox.next_frame().unwrap().is_some() {
                found += 1;
            }
        }
        assert_eq!(found, 3, "pieces of {piece}");
    }
}

#[test]
fn garbage_ends_the_conversation() {
    let table: [(&[u8], FrameError); 6] = [
        (b"GET / HTTP/1.1\r\n", FrameError::Malformed),
        (&[0x31, 0], FrameError::Malformed),
        (&[0x30, 0x80], FrameError::Malformed),
        (&[0x30, 0x85, 0], FrameError::Malformed),
        (&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], FrameError::TooLong),
        (&[0x60, 0x83, 1, 0, 0], FrameError::TooLong),
    ];
    for (octets, expected) in table {
        let mut inbox = Inbox::default();
        inbox.room()[..octets.len()].copy_from_slice(octets);
        inbox.note_read(octets.len());
        assert_eq!(inbox.next_frame().unwrap_err(), expected, "{octets:?}");
    }
}

#[test]
fn another_version_is_not_understood() {
    let mut octets = Frame::Order(order()).encode().unwrap();
    let version = octets.windows(3).position(|window| window == [2, 1, 3]).unwrap() + 2;
    octets[version] = 1;
    assert_eq!(Frame::read(&mut octets), Err(FrameError::Malformed));
}

#[test]
fn a_note_that_is_too_long_is_not_taken() {
    let mut octets = vec![0x43, 65];
    octets.resize(67, 0);
    assert_eq!(Frame::read(&mut octets), Err(FrameError::Malformed));
}

//= rfc5592#5.2-3a
//= rfc6353#5.2-5a
//= type=test
#[test]
fn sessions_are_shared_by_who_asks_and_whom_and_not_by_how_long() {
    let first = order();
    assert!(first.shares_session_with(&Order { persist: Duration::ZERO, ..first.clone() }));
    assert!(!first.shares_session_with(&Order { port: 1, ..first.clone() }));
    assert!(!first.shares_session_with(&Order { user: "ops".to_owned(), ..first.clone() }));
    assert!(!first.shares_session_with(&Order { options: Vec::new(), ..first.clone() }));
}
