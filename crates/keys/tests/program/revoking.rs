//! What counts no more, and who hears of it.

use crate::fixture::{Home, foreign};

#[test]
fn a_revoked_user_is_on_both_lists_and_in_every_hosts_folder() {
    let home = Home::new();
    home.done("host other.example");
    let (lines, told) = home.done("revoke ops");
    assert!(lines.starts_with("ssh-ed25519 "), "{lines}");
    for words in [
        "revoked: X.509 user certificate of ops",
        "revoked: SSH key of ops",
        "root@gw.example:/etc/portreeve/keys",
        "portreeved reload, on other.example",
    ] {
        assert!(told.contains(words), "{told}");
    }
    for host in ["gw.example", "other.example"] {
        for name in ["ca.crl", "ssh_revoked"] {
            assert_eq!(home.octets(&format!("hosts/{host}/{name}")), home.octets(name), "{host}/{name}");
        }
    }
    let line =
        ["verify", "-crl_check", "-CAfile", "ca.pem", "-CRLfile", "ca.crl", "hosts/gw.example/cert.pem"];
    if foreign("openssl", &line, &home.file("")).is_some() {
        let told = foreign(
            "openssl",
            &["crl", "-in", "ca.crl", "-noout", "-text", "-CAfile", "ca.pem"],
            &home.file(""),
        );
        let told = told.unwrap();
        assert!(told.contains("verify OK") && told.matches("Serial Number").count() == 1, "{told}");
    }
    let (listed, _) = home.done("list");
    assert_eq!(listed.matches(" revoked ").count(), 2, "{listed}");
}

#[test]
fn lists_grow_and_nobody_is_on_them_twice() {
    let home = Home::new();
    home.done("user night");
    home.done("revoke ops");
    let (lines, told) = home.done("revoke ops");
    assert_eq!(lines, "");
    assert!(told.contains("was revoked before"), "{told}");
    home.done("revoke night");
    let (shown, _) = home.done(&format!("show {}", home.file("ca.crl").display()));
    assert!(shown.contains("number 3, 2 revoked"), "{shown}");
    let (shown, _) = home.done(&format!("show {}", home.file("ssh_revoked").display()));
    assert!(shown.contains("SSH revocation list") && shown.contains("number 3, 2 revoked"), "{shown}");
    assert_eq!(shown.matches("key SHA256:").count(), 2, "{shown}");
}

#[test]
fn a_single_certificate_is_revoked_by_its_number() {
    let home = Home::new();
    let certificate = home.file("users/ops/id_ed25519-cert.pub");
    let (lines, _) = home.done(&format!("revoke {}", certificate.display()));
    assert!(lines.starts_with("serial: "), "{lines}");
    let (shown, _) = home.done(&format!("show {}", home.file("ssh_revoked").display()));
    assert!(shown.contains(&format!("revokes      {} of SHA256:", lines.trim().replace(':', ""))), "{shown}");
    let (shown, _) = home.done(&format!("show {}", certificate.display()));
    assert!(shown.contains("it counts no more"), "{shown}");
    let (shown, _) = home.done(&format!("show {}", home.file("users/ops/id_ed25519.pub").display()));
    assert!(!shown.contains("it counts no more"), "{shown}");
}

#[test]
fn a_list_that_is_none_is_never_written_over() {
    let home = Home::new();
    std::fs::write(home.file("ssh_revoked"), "serial: 7\n").unwrap();
    for line in ["revoke ops", "list"] {
        assert!(home.refused(line).contains("ssh-keygen -k -s ssh_ca.pub"), "{line}");
    }
    assert_eq!(home.read("ssh_revoked"), "serial: 7\n");
}

#[test]
fn what_is_not_this_folders_is_not_revoked() {
    let (home, other) = (Home::new(), Home::new());
    let before = home.read("ca.crl");
    let foreign = other.file("users/ops/cert.pem");
    assert!(home.refused(&format!("revoke {}", foreign.display())).contains("not signed by"));
    assert!(home.refused(&format!("revoke {}", home.file("ca.pem").display())).contains("cannot be revoked"));
    home.refused("revoke nobody");
    home.refused("revoke ../keys");
    assert_eq!(home.read("ca.crl"), before);
}
