//! Sessions over SSH, TLS and DTLS.

use std::fs;

use portreeve_broker_protocol::Transport;
use portreeve_snmp_manager::ErrorStatus;

use crate::{
    keys,
    site::{Receiver, Site, cold_start, run_once},
};

#[test]
fn inform_in_a_session_is_acknowledged_and_has_the_name_of_its_sender() {
    let site = Site::new("sessions", "");
    let (authority, _) = keys::write(&site);
    site.write(&(site.text() + &keys::sections(&site, &authority)));
    site.replace("%w %q %v", "%b|%P");
    let _receiver = site.run();
    for (number, transport) in (1..).zip([Transport::Ssh, Transport::Tls, Transport::Dtls]) {
        let response = keys::open(&site, transport).request(&cold_start()).unwrap();
        assert_eq!(response.error_status(), Some(ErrorStatus::NoError));
        assert_eq!(site.lines(), number);
    }
    let text = site.text_of("traps.log");
    for (line, name) in text.lines().zip(["SSH", "TLSTCP", "DTLSUDP"]) {
        assert!(line.starts_with(&format!("{name}: [127.0.0.1]:")), "{line}");
        assert!(line.ends_with("|INFORM, SNMP v3, user ops, context "), "{line}");
    }
}

#[test]
fn certificates_of_net_snmp_are_mapped_by_snmptrapd_conf() {
    let site = Site::new("classic-tls", "");
    let (_, ops) = keys::write(&site);
    let tls = |kind: &str| site.path.join("tls").join(kind);
    for (kind, file, name) in [
        ("certs", "host.pem", "receiver.crt"),
        ("private", "host.key", "receiver.key"),
        ("certs", "ops.pem", "ops.crt"),
        ("ca-certs", "ca.pem", "authority.crt"),
    ] {
        fs::create_dir_all(tls(kind)).unwrap();
        fs::copy(site.path.join(file), tls(kind).join(name)).unwrap();
    }
    let own = "[snmp] localCert receiver\n[snmp] trustCert authority\nauthUser log -s tsm ops priv\n";
    let listeners = [
        format!("tls:127.0.0.1:{}", site.port + keys::TLS),
        format!("dtls:127.0.0.1:{}", site.port + keys::TLS),
    ];
    for rule in [
        "certSecName 10 ops --sn ops".to_owned(),
        format!("certSecName 10 {ops} --cn"),
        "certSecName 10 authority --cn".to_owned(),
    ] {
        let conf = site.write_file("snmptrapd.conf", &format!("{own}{rule}\n"));
        let (log, state) = (format!("-Lf{}", site.log().display()), site.path.join("state"));
        let mut command = std::process::Command::new(&*crate::site::PROGRAM);
        command.env("SNMPCONFPATH", &site.path).args(["-c", conf.to_str().unwrap(), &log, "--state-dir"]);
        let receiver = Receiver::start_command(command.arg(state).args(&listeners));
        for transport in [Transport::Tls, Transport::Dtls] {
            let before = site.lines();
            keys::open(&site, transport).request(&cold_start()).unwrap();
            assert_eq!(site.lines(), before + 2, "{rule}: one notification in the default form");
        }
        assert!(!receiver.log().contains("snmptrapd.conf:"), "{}", receiver.log());
        receiver.end();
    }
}

#[test]
fn certificate_that_does_not_exist_is_reported_with_its_line() {
    let site = Site::new("classic-no-certificate", "");
    let text = "authUser log -s tsm ops priv\n[snmp] localCert receiver\ncertSecName 10 ops --sn ops\n\
                snmpTrapdAddr tls:127.0.0.1\n";
    let conf = site.write_file("snmptrapd.conf", text);
    let (success, _, text) = run_once(&["--check", "-c"], &conf);
    assert!(!success);
    assert!(
        text.contains("snmptrapd.conf:3: certSecName: certificate \"ops\" not found: searched in "),
        "{text}"
    );
    assert!(text.contains("snmptrapd.conf:2: certificate \"receiver\" not found: searched in "), "{text}");
}

#[test]
fn check_reads_the_keys_of_the_listeners() {
    let site = Site::new("check-keys", "");
    let (authority, _) = keys::write(&site);
    site.write(&(site.text() + &keys::sections(&site, &authority)));
    assert!(run_once(&["--check", "--config"], &site.config()).0);
    fs::remove_file(site.path.join("host.key")).unwrap();
    fs::remove_file(site.path.join("ssh_host")).unwrap();
    let (success, _, text) = run_once(&["--check", "--config"], &site.config());
    assert!(!success && text.contains("/host.key: ") && text.contains("/ssh_host: "), "{text}");
}
