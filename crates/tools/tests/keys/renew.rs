//! Tests of renewed certificates.

use std::fs;

use crate::fixture::{TestHome, run_tool};

#[test]
fn renew_retains_key_and_names() {
    let home = TestHome::empty();
    for line in [
        "ca --name Test",
        "host gw.example --san 192.0.2.1 --days 10",
        "user ops --days 10 --principal night",
    ] {
        home.succeed(line);
    }
    let kept =
        ["hosts/gw.example/key.pem", "users/ops/key.pem", "users/ops/id_ed25519"].map(|name| home.read(name));
    let before = home.read("hosts/gw.example/cert.pem");
    let (out, notes) = home.succeed("renew --days 100");
    assert_eq!(out, "");
    for words in [
        "FILE",
        "OLD EXPIRY",
        "hosts/gw.example/cert.pem",
        "users/ops/id_ed25519-cert.pub",
        "root@gw.example:/etc/portreeve/keys",
        "run `portreeved reload` on gw.example",
    ] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    assert_ne!(home.read("hosts/gw.example/cert.pem"), before);
    let now =
        ["hosts/gw.example/key.pem", "users/ops/key.pem", "users/ops/id_ed25519"].map(|name| home.read(name));
    assert_eq!(now, kept);
    let (shown, _) = home.succeed("list --json");
    assert_eq!(
        shown.matches("\"days-left\":99").count() + shown.matches("\"days-left\":100").count(),
        4,
        "{shown}"
    );
    let (shown, _) = home.succeed(&format!("show {}", home.file("users/ops/id_ed25519-cert.pub").display()));
    assert!(shown.contains("ops, night"), "{shown}");
    let line = ["verify", "-CAfile", "ca.pem", "-verify_ip", "192.0.2.1", "hosts/gw.example/cert.pem"];
    if let Some(notes) = run_tool("openssl", &line, &home.file("")) {
        assert!(notes.contains("OK"), "{notes}");
        let line = ["x509", "-in", "hosts/gw.example/cert.pem", "-noout", "-pubkey"];
        let of_certificate = run_tool("openssl", &line, &home.file("")).unwrap();
        let line = ["pkey", "-in", "hosts/gw.example/key.pem", "-pubout"];
        assert_eq!(run_tool("openssl", &line, &home.file("")).unwrap(), of_certificate);
    }
}

#[test]
fn renew_without_names_renews_only_expiring_certificates() {
    let home = TestHome::empty();
    for line in ["ca", "user ops --tls --days 10", "user night --tls --days 200"] {
        home.succeed(line);
    }
    let night = home.read("users/night/cert.pem");
    home.succeed("renew");
    assert_eq!(home.read("users/night/cert.pem"), night);
    let (shown, _) = home.succeed(&format!("show --json {}", home.file("users/ops/cert.pem").display()));
    assert!(shown.contains("\"days-left\":9") || shown.contains("\"days-left\":10"), "{shown}");
    let (_, notes) = home.succeed("renew --within 5");
    assert!(notes.contains("no certificate expires within 5 days"), "{notes}");
    let (_, notes) = home.succeed("renew night");
    assert!(notes.contains("users/night/cert.pem") && !notes.contains("users/ops"), "{notes}");
}

#[test]
fn renew_of_pinned_certificate_prints_new_configuration_lines() {
    let home = TestHome::empty();
    home.succeed("user ops --self-signed --tls");
    let (before, _) = home.succeed("lines ops --only agent");
    let (lines, notes) = home.succeed("renew ops");
    assert!(notes.contains("has a new fingerprint"), "{notes}");
    let (after, _) = home.succeed("lines ops --only agent");
    assert!(after != before && lines.contains(&after), "{lines}");
}

#[test]
fn renew_reports_failures_and_renews_the_other_certificates() {
    let (home, other) = (TestHome::new(), TestHome::new());
    home.succeed("revoke ops");
    fs::copy(other.file("hosts/gw.example/cert.pem"), home.file("hosts/gw.example/cert.pem")).unwrap();
    home.succeed("user night");
    let night = home.read("users/night/cert.pem");
    let output = home.run("renew --within 36500");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{notes}");
    for words in [
        "users/ops/cert.pem: the certificate is revoked, so it is not renewed",
        "hosts/gw.example/cert.pem: not signed by the authority in this directory",
        "users/night/cert.pem  ",
    ] {
        assert!(notes.contains(words), "{words}: {notes}");
    }
    assert_ne!(home.read("users/night/cert.pem"), night);
    assert!(home.fail(&format!("renew {}", home.file("ca.pem").display())).contains("an authority"));
    assert!(home.fail("renew missing").contains("no host or user"));
}
