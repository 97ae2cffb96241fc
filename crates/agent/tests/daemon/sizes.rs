//! Messages of the least and the greatest size that the file may allow.

use portreeve_mib::modules::snmpv2_mib::*;
use portreeve_smi::{ErrorStatus, Value};
use portreeve_snmp_manager::{Operation, Request};

use crate::fixture::{Home, Manager, OPS, ops};

#[test]
fn the_least_message_size_is_enough_for_every_version_and_level() {
    let home = home_with("sizes-least", 484);
    let _agent = home.run();
    for mut manager in [home.reader(), home.ops(), Manager::open(&home.tcp(), ops())] {
        assert!(!manager.text(&SYS_NAME).is_empty());
    }
    let long = "x".repeat(200);
    home.ops().set_text(&SYS_CONTACT, &long).unwrap();
    assert_eq!(home.ops().text(&SYS_CONTACT), long);
    let two = Request::read(
        Operation::Get,
        [&SYS_CONTACT, &SYS_CONTACT].map(|scalar| [&scalar.oid()[..], &[0]].concat()),
    );
    let response = home.ops().client.request(&two).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::TooBig));
}

#[test]
fn an_answer_fills_the_greatest_message_to_the_last_variable() {
    let home = home_with("sizes-greatest", 65_507);
    let _agent = home.run();
    let mut manager = home.ops();
    manager.set(&[(&SYS_CONTACT, &[0], Value::OctetString(&[b'x'; 255]))]).unwrap();
    let most = (200..260).rev().find(|count| {
        let name = [&SYS_CONTACT.oid()[..], &[0]].concat();
        let request = Request::read(Operation::Get, std::iter::repeat_n(name, *count));
        let response = manager.client.request(&request).unwrap();
        !response.is_error()
    });
    // Each takes 4 octets of header, 10 of name and 258 of value, and all headers together less than the rest.
    assert_eq!(most, Some(65_507 / 272));
}

fn home_with(name: &str, size: usize) -> Home {
    let home = Home::with(name, "");
    home.write(&home.base().replace("workers = 2", &format!("workers = 2\nmax-message-size = {size}")));
    home.append(OPS);
    home
}
