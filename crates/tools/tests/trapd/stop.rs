//! The end of the program while notifications wait for the disk.

use std::{
    io::{Read, Write},
    net::{TcpStream, UdpSocket},
    time::Duration,
};

use portreeve_snmp_message::PduType;

use crate::{
    full_pipe::FullPipe,
    site::{Site, await_true},
    wire::{DISCOVERY, notification, number_and_status},
};

#[test]
fn informs_that_wait_at_the_end_are_written_and_acknowledged() {
    let site = Site::new("stop", "");
    let tcp = format!("[[listen]]\ntransport = \"tcp\"\naddress = \"127.0.0.1:{}\"\n", site.port);
    site.replace("[[user]]", &format!("{tcp}[[user]]"));
    let mut log = FullPipe::replace_log(&site);
    let receiver = site.run();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.connect(("127.0.0.1", site.port)).unwrap();
    udp.set_read_timeout(Some(TIMEOUT)).unwrap();
    let connect = || TcpStream::connect(("127.0.0.1", site.port));
    let mut tcp = connect().unwrap();
    tcp.set_read_timeout(Some(TIMEOUT)).unwrap();
    for number in 1..=3 {
        udp.send(&notification(PduType::InformRequest, number)).unwrap();
        tcp.write_all(&notification(PduType::InformRequest, 10 + number)).unwrap();
    }
    udp.send(DISCOVERY).unwrap();
    tcp.write_all(DISCOVERY).unwrap();
    for report in [receive(&udp), read_message(&mut tcp)] {
        assert!(report.windows(2).any(|octets| octets == [4, 13]), "the engine ID is in {report:?}");
    }
    receiver.signal("TERM");
    await_true("the end of reading", || connect().is_err());
    udp.send(&notification(PduType::InformRequest, 4)).unwrap();
    assert_eq!(log.read_lines(6).len(), 6);
    for number in 1..=3 {
        assert_eq!(number_and_status(&receive(&udp)), (number, 0));
        assert_eq!(number_and_status(&read_message(&mut tcp)), (10 + number, 0));
    }
    assert_eq!(tcp.read(&mut [0]).unwrap(), 0, "the session is closed");
    receiver.await_end();
    assert!(log.read_lines(0).is_empty(), "an inform that arrives during the end is not accepted");
}

#[test]
fn program_ends_although_its_output_is_not_read() {
    let site = Site::new("stalled", "");
    let _log = FullPipe::replace_log(&site);
    let receiver = site.run();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.connect(("127.0.0.1", site.port)).unwrap();
    udp.set_read_timeout(Some(TIMEOUT)).unwrap();
    udp.send(&notification(PduType::InformRequest, 1)).unwrap();
    udp.send(DISCOVERY).unwrap();
    receive(&udp);
    receiver.signal("TERM");
    let (succeeds, log) = receiver.await_exit();
    assert!(!succeeds && log.ends_with("the output has accepted nothing for 20 seconds\n"), "{log}");
}

fn receive(socket: &UdpSocket) -> Vec<u8> {
    let mut octets = vec![0; 1000];
    let length = socket.recv(&mut octets).unwrap();
    octets.truncate(length);
    octets
}

/// Reads a message of less than 256 octets.
fn read_message(stream: &mut TcpStream) -> Vec<u8> {
    let mut message = vec![0; 2];
    stream.read_exact(&mut message).unwrap();
    if message[1] == 0x81 {
        message.push(0);
        stream.read_exact(&mut message[2..]).unwrap();
    }
    let header = message.len();
    message.resize(header + usize::from(message[header - 1]), 0);
    stream.read_exact(&mut message[header..]).unwrap();
    message
}

const TIMEOUT: Duration = Duration::from_secs(10);
