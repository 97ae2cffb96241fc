//! Messages that are malformed, or whose content is.

use std::net::UdpSocket;

use portreeve_smi::{MessageProcessingModel, ber::ReverseWriter};
use portreeve_snmp_manager::{ErrorStatus, OidRef, Operation, Request, TrapSender, Value};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};

use crate::site::{LOCAL, Site, TRAP_OID, UP_TIME, community, options, refused, trap_v1};

/// Returns an inform of SNMPv2c whose snmpTrapOID has this encoding.
fn inform_with(encoded_oid: &[u8]) -> Vec<u8> {
    let up_time = [&[0x30, 13, 6, 8, 43, 6, 1, 2, 1, 1, 3, 0, 0x43, 1][..], &[7]].concat();
    let name = [6, 10, 43, 6, 1, 6, 3, 1, 1, 4, 1, 0];
    let value = [&long_header(6, encoded_oid.len())[..], encoded_oid].concat();
    let bind = [&long_header(0x30, name.len() + value.len())[..], &name, &value].concat();
    let mut octets = vec![0; 4096];
    let mut writer = ReverseWriter::new(&mut octets);
    writer.raw(&[&up_time[..], &bind].concat()).unwrap();
    prepend_pdu(&mut writer, PduType::InformRequest, 1, 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").unwrap();
    writer.written().to_vec()
}

fn long_header(tag: u8, length: usize) -> [u8; 4] {
    let [high, low] = u16::try_from(length).unwrap().to_be_bytes();
    [tag, 0x82, high, low]
}

/// Sends a message and returns whether the receiver responds before it responds to an inform that
/// is sent after it.
fn is_answered(site: &Site, message: &[u8]) -> bool {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.send_to(message, ("127.0.0.1", site.port)).unwrap();
    // The receiver handles one message after the other.
    let response = site.inform(community(true)).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
    socket.set_nonblocking(true).unwrap();
    socket.recv(&mut [0; 1000]).is_ok()
}

#[test]
fn inform_with_an_invalid_type_is_dropped_and_one_of_128_arcs_is_accepted() {
    let site = Site::new("trap-oid", "");
    let receiver = site.run();
    // 1.3 and 126 arcs of five octets each: the longest identifier.
    let longest = [&[43][..], &[0x8f, 0xff, 0xff, 0xff, 0x7f].repeat(126)].concat();
    let too_long = [&longest[..], &[1]].concat();
    let endless_arc = [43, 0xff, 0xff];
    let arc_above_32_bits = [43, 0x9f, 0xff, 0xff, 0xff, 0x7f];
    for (number, invalid) in (1..).zip([&[][..], &too_long, &endless_arc, &arc_above_32_bits]) {
        assert!(!is_answered(&site, &inform_with(invalid)), "{invalid:?}");
        assert_eq!(site.lines(), number, "only the valid inform is printed");
    }
    assert!(is_answered(&site, &inform_with(&longest)));
    assert_eq!(site.lines(), 6);
    assert!(receiver.end().contains("notifications refused source=127.0.0.1 count=4"));
}

#[test]
fn notification_without_a_type_or_with_a_wrong_order_is_refused() {
    let site = Site::new("no-type", "");
    let _receiver = site.run();
    let up_time: (&[u32], _) = (UP_TIME, Value::TimeTicks(1));
    let kind: (&[u32], _) = (TRAP_OID, Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1])));
    let wrong_kind: (&[u32], _) = (TRAP_OID, Value::OctetString(b"1.3.6.1"));
    for variables in [&[][..], &[up_time], &[kind, up_time], &[up_time, wrong_kind]] {
        let mut request = Request::new(Operation::Inform);
        variables.iter().for_each(|(name, value)| request.push(name, *value));
        let mut sender = TrapSender::open(&site.address(), community(true), LOCAL, &options()).unwrap();
        sender.send(Default::default(), request.variables()).unwrap();
    }
    site.inform(community(true)).unwrap();
    assert_eq!(site.lines(), 1);
}

#[test]
fn v1_trap_with_an_empty_or_long_enterprise_does_not_stop_the_receiver() {
    let site = Site::new("enterprise", "");
    let _receiver = site.run();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    let long: Vec<u32> = [1, 3].into_iter().chain(std::iter::repeat_n(1, 126)).collect();
    for enterprise in [&[][..], &[0, 0], &[1], &long] {
        // Some of them cannot be encoded.
        let _ = v1.send_v1(&trap_v1(enterprise));
    }
    // An empty identifier on the wire: the trap of an enterprise without octets.
    let trap = [
        &[0x30, 34, 2, 1, 0, 4, 6][..],
        b"public",
        &[0xa4, 21, 6, 0, 0x40, 4, 192, 0, 2, 1, 2, 1, 6, 2, 1, 17, 0x43, 2, 16, 104, 0x30, 0],
    ]
    .concat();
    let mut trap = trap;
    trap[1] = u8::try_from(trap.len() - 2).unwrap();
    let pdu = 2 + 3 + 2 + 6;
    trap[pdu + 1] = u8::try_from(trap.len() - pdu - 2).unwrap();
    assert!(!is_answered(&site, &trap));
    let text = site.text_of("traps.log");
    assert!(text.lines().last().unwrap().ends_with("coldStart"), "{text}");
    assert!(!text.contains("1.1.1.1.1.1.1.1.1"), "a trap without a translation is refused: {text}");
}

#[test]
fn hostile_datagrams_are_dropped_and_counted() {
    let site = Site::new("hostile", "");
    let receiver = site.run();
    let valid = inform_with(&[43, 6, 1, 6, 3, 1, 1, 5, 1]);
    let mut messages = vec![vec![0x30], vec![0x30, 0x84, 0xff, 0xff, 0xff, 0xff], vec![0xff; 1000]];
    messages.extend((1..valid.len()).map(|length| valid[..length].to_vec()));
    for message in &messages {
        assert!(!is_answered(&site, message));
    }
    let log = receiver.end();
    assert_eq!(refused(&log), messages.len(), "{log}");
}

#[test]
fn text_of_a_sender_does_not_control_the_terminal_or_end_a_line_of_json() {
    let site = Site::new("controls", "");
    site.replace("log = ", "json = \"traps.jsonl\"\nlog = ");
    let _receiver = site.run();
    let mut request = crate::site::cold_start();
    request.push(&[1, 3, 6, 1, 2, 1, 1, 5, 0], Value::OctetString(b"a\n0 0 forged\x1b[2J"));
    site.request(community(true), &request).unwrap();
    assert_eq!(site.text_of("traps.jsonl").lines().count(), 1);
    // As in Net-SNMP, the line break of a value is printed.
    let text = site.text_of("traps.log");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(!text.contains('\x1b') && !site.text_of("traps.jsonl").contains('\x1b'), "{text:?}");
}
