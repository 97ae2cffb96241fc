//! The files: lines in Net-SNMP's form and in formats, and JSON.

use std::{fs, os::unix::fs::PermissionsExt};

use portreeve_snmp_manager::{TrapSender, Value};

use crate::site::{
    LOCAL, PRIVATE, Receiver, Site, await_true, community, notification, options, trap_v1, user,
};

const LINK_DOWN_INDEX: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 2];

#[test]
fn default_lines_are_those_of_snmptrapd() {
    let site = Site::new("default-lines", "");
    site.replace("format = \"%w %q %v\\\\n\"\n", "");
    let _receiver = site.run();
    let mut link_down = notification(crate::site::LINK_DOWN);
    link_down.push(LINK_DOWN_INDEX, Value::Integer(2));
    site.request(community(true), &link_down).unwrap();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    site.await_lines(5);
    let text = site.text_of("traps.log");
    let lines: Vec<&str> = text.lines().collect();
    let (date, rest) = lines[0].split_at(19);
    assert!(
        date.chars()
            .zip("0000-00-00 00:00:00".chars())
            .all(|(found, form)| { if form == '0' { found.is_ascii_digit() } else { found == form } })
    );
    // The name, and the addresses, of which only the port of the sender is not known.
    let port = site.port;
    assert!(rest.starts_with(" UDP: [127.0.0.1]:"), "{rest}");
    assert!(rest.ends_with(&format!("->[127.0.0.1]:{port}]:")), "{rest}");
    assert_eq!(
        lines[1],
        "SNMPv2-MIB::sysUpTime.0 = Timeticks: (4200) 0:00:42.00\t\
         SNMPv2-MIB::snmpTrapOID.0 = OID: IF-MIB::linkDown\tIF-MIB::ifIndex.2 = INTEGER: 2"
    );
    assert!(lines[2].contains(" 192.0.2.1 [192.0.2.1] (via UDP: [127.0.0.1]:"), "{}", lines[2]);
    assert!(lines[2].ends_with("TRAP, SNMP v1, community public"), "{}", lines[2]);
    assert_eq!(lines[3], "\tSNMPv2-SMI::enterprises.32473 Enterprise Specific Trap (17) Uptime: 0:00:42.00");
}

#[test]
fn format_of_the_command_line_replaces_that_of_the_file() {
    let site = Site::new("format", "");
    let config = site.config();
    let arguments = ["--config", config.to_str().unwrap(), "-On", "-F", "%w|%q|%N|%P|%#v|%T\\n"];
    let _receiver = Receiver::start(&arguments);
    site.inform(community(true)).unwrap();
    site.inform(user()).unwrap();
    let mut v1 = TrapSender::open(&site.address(), community(false), LOCAL, &options()).unwrap();
    v1.send_v1(&trap_v1(PRIVATE)).unwrap();
    site.await_lines(3);
    let text = site.text_of("traps.log");
    // With the alternate form, a comma precedes each variable.
    let variables = ", .1.3.6.1.2.1.1.3.0 = Timeticks: (4200) 0:00:42.00, \
                     .1.3.6.1.6.3.1.1.4.1.0 = OID: .1.3.6.1.6.3.1.1.5.1";
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            format!("0|0|.|INFORM, SNMP v2c, community public|{variables}|0"),
            format!("0|0|.|INFORM, SNMP v3, user traps, context |{variables}|0"),
            "6|.17|.1.3.6.1.4.1.32473|TRAP, SNMP v1, community public||4200".to_owned()
        ]
    );
}

#[test]
fn json_lines_are_written_to_a_file_of_their_own() {
    let site = Site::new("json", "");
    site.replace("log = ", "json = \"traps.jsonl\"\nlog = ");
    let _receiver = site.run();
    site.inform(user()).unwrap();
    let line = fs::read_to_string(site.path.join("traps.jsonl")).unwrap();
    for expected in [
        r#""kind":"inform","version":"v3","transport":"udp","#,
        r#""security-model":"usm","security-name":"traps","security-level":"authPriv","#,
        r#""uptime":4200,"trap-oid":".1.3.6.1.6.3.1.1.5.1","trap-name":"SNMPv2-MIB::coldStart","#,
    ] {
        assert!(line.contains(expected), "{expected} is missing in {line}");
    }
    assert_eq!((line.lines().count(), site.lines()), (1, 1));
}

#[test]
fn action_that_is_not_permitted_is_not_done() {
    let site = Site::new("actions", "");
    site.replace(
        "[[accept]]\nname = \"public\"\n",
        "[[accept]]\nname = \"public\"\nactions = [\"execute\"]\n",
    );
    let _receiver = site.run();
    site.inform(community(true)).unwrap();
    site.inform(user()).unwrap();
    assert_eq!(site.lines(), 1, "only the notification of the user is logged");
}

#[test]
fn file_that_other_users_can_read_is_a_warning_also_when_it_is_opened_again() {
    let site = Site::new("readable-log", "");
    let set_mode = |mode| fs::set_permissions(site.log(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o600);
    let receiver = site.run();
    assert!(!receiver.log().contains("readable by other users"), "{}", receiver.log());
    fs::remove_file(site.log()).unwrap();
    fs::write(site.log(), "").unwrap();
    set_mode(0o640);
    receiver.signal("HUP");
    await_true("the new file", || site.inform(community(true)).is_ok() && site.lines() > 0);
    receiver.await_log(&["WARN", "the file is readable by other users", "/traps.log", "mode=\"0640\""]);
    receiver.end();
    set_mode(0o604);
    let receiver = site.run();
    receiver.await_log(&["WARN", "the file is readable by other users", "mode=\"0604\""]);
    receiver.end();
}
