//! Messages of the minimum and the maximum size that the configuration allows.

use portreeve_mib::modules::snmpv2_mib::*;
use portreeve_smi::{ErrorStatus, Value};
use portreeve_snmp_manager::{Operation, Request};

use crate::fixture::{Manager, OPS, TestHome, ops};

#[test]
fn agent_with_minimum_message_size_returns_one_long_value_but_not_two() {
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
fn largest_response_fills_maximum_message_size() {
    let home = home_with("sizes-greatest", 65_507);
    let _agent = home.run();
    let mut manager = home.ops();
    manager.set(&[(&SYS_CONTACT, &[0], Value::OctetString(&[b'x'; 255]))]).unwrap();
    let max_variables = (200..260).rev().find(|count| {
        let name = [&SYS_CONTACT.oid()[..], &[0]].concat();
        let request = Request::read(Operation::Get, std::iter::repeat_n(name, *count));
        let response = manager.client.request(&request).unwrap();
        !response.is_error()
    });
    // Each variable takes 4 octets of headers, 10 of name and 258 of value; all other headers fit
    // into the rest.
    assert_eq!(max_variables, Some(65_507 / 272));
}

fn home_with(name: &str, size: usize) -> TestHome {
    let home = TestHome::with(name, "");
    home.write(&home.base().replace("workers = 2", &format!("workers = 2\nmax-message-size = {size}")));
    home.append(OPS);
    home
}
