use portreeve_mib::names;
use portreeve_smi::{Oid, OwnedValue};

use super::Exposition;
use crate::poller::Variable;

fn variable(name: &str, value: OwnedValue) -> Variable {
    (oid(name), value)
}

fn oid(name: &str) -> Oid {
    Oid::new(&names::parse(name).unwrap()).unwrap()
}

fn samples(variables: &[Variable], columns: &[Oid], labels: &[(&str, &str)]) -> Vec<String> {
    let mut exposition = Exposition::default();
    exposition.add_variables(variables.iter(), columns, labels);
    let text = exposition.finish();
    text.lines().filter(|line| !line.starts_with("# HELP")).map(str::to_owned).collect()
}

#[test]
fn metrics_have_same_names_types_and_values_as_in_snmp_exporter() {
    let variables = [
        variable("ifInOctets.1", OwnedValue::Counter32(7)),
        variable("ifHCInOctets.1", OwnedValue::Counter64((1 << 53) + 5)),
        variable("ifAdminStatus.1", OwnedValue::Integer(1)),
        variable("ifType.1", OwnedValue::Integer(6)),
        variable("ifPhysAddress.1", OwnedValue::OctetString(vec![0, 0xab, 1, 2, 3, 4])),
        variable("sysDescr.0", OwnedValue::OctetString(b"a \"b\"\\\n".to_vec())),
        variable("sysObjectID.0", OwnedValue::ObjectId(oid("1.3.6.1.4.1.8072"))),
        variable("1.3.6.1.4.1.99999.1.0", OwnedValue::Integer(1)),
    ];
    let expected = "\
# TYPE ifAdminStatus gauge
ifAdminStatus{ifIndex=\"1\"} 1
# TYPE ifHCInOctets counter
ifHCInOctets{ifIndex=\"1\"} 5
# TYPE ifInOctets counter
ifInOctets{ifIndex=\"1\"} 7
# TYPE ifPhysAddress gauge
ifPhysAddress{ifIndex=\"1\",ifPhysAddress=\"00:AB:01:02:03:04\"} 1
# TYPE ifType_info gauge
ifType_info{ifIndex=\"1\",ifType=\"ethernetCsmacd\"} 1
# TYPE sysDescr gauge
sysDescr{sysDescr=\"a \\\"b\\\"\\\\\\n\"} 1
# TYPE sysObjectID gauge
sysObjectID{sysObjectID=\"1.3.6.1.4.1.8072\"} 1";
    assert_eq!(samples(&variables, &[], &[]).join("\n"), expected);
}

#[test]
fn addresses_in_index_are_labels_as_in_snmp_exporter() {
    let endpoint =
        |index: &str| variable(&format!("udpEndpointProcess.{index}.0.0.0.7"), OwnedValue::Gauge32(9));
    let cases = [
        (r#"ipv4."127.0.0.1".53"#, "1", "127.0.0.1"),
        (r#"ipv6."2001:db8::1".53"#, "2", "2001:0DB8:0000:0000:0000:0000:0000:0001"),
        (r#"ipv4z."10.0.0.1%3".53"#, "3", "10.0.0.1%3"),
        (r#"ipv6z."fe80::1%3".53"#, "4", "FE80:0000:0000:0000:0000:0000:0000:0001%3"),
        (r#"dns."ns.example".53"#, "16", "ns.example"),
        // The octets do not match the type.
        ("ipv4.3.1.2.3.53", "1", "0x010203"),
        (r#"dns.2.27.91.53"#, "16", "0x1B5B"),
        ("ipv4.4.300.1.2.3.53", "1", "300.1.2.3"),
    ];
    for (index, kind, address) in cases {
        let expected = format!(
            "udpEndpointProcess{{udpEndpointLocalAddressType=\"{kind}\",udpEndpointLocalAddress=\"{address}\",\
             udpEndpointLocalPort=\"53\",udpEndpointRemoteAddressType=\"0\",udpEndpointRemoteAddress=\"0x\",\
             udpEndpointRemotePort=\"0\",udpEndpointInstance=\"7\"}} 9"
        );
        assert_eq!(samples(&[endpoint(index)], &[], &[])[1], expected, "{index}");
    }
}

#[test]
fn control_characters_in_text_are_replaced_in_labels() {
    let text = OwnedValue::OctetString(b"a\x1b[2J\tb\r\n\xff\0".to_vec());
    let expected = "sysDescr{sysDescr=\"a\u{fffd}[2J\tb\r\\n\u{fffd}\u{fffd}\"} 1";
    assert_eq!(samples(&[variable("sysDescr.0", text)], &[], &[])[1], expected);
}

#[test]
fn label_column_is_added_to_metrics_of_tables_with_same_index() {
    let variables = [
        variable("ifInOctets.1", OwnedValue::Counter32(7)),
        variable("ifInOctets.2", OwnedValue::Counter32(8)),
        variable("ifName.1", OwnedValue::OctetString(b"eth0".to_vec())),
    ];
    let expected = [
        "# TYPE ifInOctets counter",
        "ifInOctets{target=\"core\",ifIndex=\"1\",ifName=\"eth0\"} 7",
        "ifInOctets{target=\"core\",ifIndex=\"2\"} 8",
    ];
    assert_eq!(samples(&variables, &[oid("ifName")], &[("target", "core")]), expected);
}

#[test]
fn duplicate_variable_yields_one_sample_with_the_last_value() {
    let twice = [
        variable("sysUpTime.0", OwnedValue::TimeTicks(1)),
        variable("sysUpTime.0", OwnedValue::TimeTicks(2)),
    ];
    assert_eq!(samples(&twice, &[], &[]), ["# TYPE sysUpTime gauge", "sysUpTime 2"]);
}

#[test]
fn metric_help_line_has_description_and_oid() {
    let mut exposition = Exposition::default();
    exposition.add_variables([variable("sysUpTime.0", OwnedValue::TimeTicks(1))].iter(), &[], &[]);
    let text = exposition.finish();
    let help = text.lines().next().unwrap();
    assert!(help.starts_with("# HELP sysUpTime ") && help.ends_with(" - 1.3.6.1.2.1.1.3"), "{help}");
}
