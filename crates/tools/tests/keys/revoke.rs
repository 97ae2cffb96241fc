//! Revoked credentials on the revocation lists.

use crate::fixture::{TestHome, run_tool};

#[test]
fn revoked_user_is_on_x509_and_ssh_lists_in_every_host_directory() {
    let home = TestHome::new();
    home.succeed("host other.example");
    let (lines, notes) = home.succeed("revoke ops");
    assert!(lines.starts_with("ssh-ed25519 "), "{lines}");
    for words in [
        "revoked: X.509 user certificate of ops",
        "revoked: SSH key of ops",
        "root@gw.example:/etc/portreeve/keys",
        "run `portreeved reload` on other.example",
    ] {
        assert!(notes.contains(words), "{notes}");
    }
    for host in ["gw.example", "other.example"] {
        for name in ["ca.crl", "ssh_revoked"] {
            assert_eq!(home.octets(&format!("hosts/{host}/{name}")), home.octets(name), "{host}/{name}");
        }
    }
    let line =
        ["verify", "-crl_check", "-CAfile", "ca.pem", "-CRLfile", "ca.crl", "hosts/gw.example/cert.pem"];
    if run_tool("openssl", &line, &home.file("")).is_some() {
        let notes = run_tool(
            "openssl",
            &["crl", "-in", "ca.crl", "-noout", "-text", "-CAfile", "ca.pem"],
            &home.file(""),
        );
        let notes = notes.unwrap();
        assert!(notes.contains("verify OK") && notes.matches("Serial Number").count() == 1, "{notes}");
    }
    let (listed, _) = home.succeed("list");
    assert_eq!(listed.matches(" revoked ").count(), 2, "{listed}");
}

#[test]
fn revoking_a_user_twice_adds_one_entry() {
    let home = TestHome::new();
    home.succeed("user night");
    home.succeed("revoke ops");
    let (lines, notes) = home.succeed("revoke ops");
    assert_eq!(lines, "");
    assert!(notes.contains("is already revoked"), "{notes}");
    home.succeed("revoke night");
    let (shown, _) = home.succeed(&format!("show {}", home.file("ca.crl").display()));
    assert!(shown.contains("number 3, 2 revoked"), "{shown}");
    let (shown, _) = home.succeed(&format!("show {}", home.file("ssh_revoked").display()));
    assert!(shown.contains("SSH revocation list") && shown.contains("number 3, 2 revoked"), "{shown}");
    assert_eq!(shown.matches("key SHA256:").count(), 2, "{shown}");
}

#[test]
fn single_certificate_is_revoked_by_serial_number() {
    let home = TestHome::new();
    let certificate = home.file("users/ops/id_ed25519-cert.pub");
    let (lines, _) = home.succeed(&format!("revoke {}", certificate.display()));
    assert!(lines.starts_with("serial: "), "{lines}");
    let (shown, _) = home.succeed(&format!("show {}", home.file("ssh_revoked").display()));
    assert!(shown.contains(&format!("revokes      {} of SHA256:", lines.trim().replace(':', ""))), "{shown}");
    let (shown, _) = home.succeed(&format!("show {}", certificate.display()));
    assert!(shown.contains("revoked      yes"), "{shown}");
    let (shown, _) = home.succeed(&format!("show {}", home.file("users/ops/id_ed25519.pub").display()));
    assert!(!shown.contains("revoked      yes"), "{shown}");
}

#[test]
fn invalid_revocation_list_is_never_overwritten() {
    let home = TestHome::new();
    std::fs::write(home.file("ssh_revoked"), "serial: 7\n").unwrap();
    for line in ["revoke ops", "list"] {
        assert!(home.fail(line).contains("ssh-keygen -k -s ssh_ca.pub"), "{line}");
    }
    assert_eq!(home.read("ssh_revoked"), "serial: 7\n");
}

#[test]
fn revoke_rejects_authorities_unknown_names_and_foreign_certificates() {
    let (home, other) = (TestHome::new(), TestHome::new());
    let before = home.read("ca.crl");
    let foreign = other.file("users/ops/cert.pem");
    assert!(home.fail(&format!("revoke {}", foreign.display())).contains("not signed by"));
    assert!(home.fail(&format!("revoke {}", home.file("ca.pem").display())).contains("cannot be revoked"));
    home.fail("revoke missing");
    home.fail("revoke ../keys");
    assert_eq!(home.read("ca.crl"), before);
}
