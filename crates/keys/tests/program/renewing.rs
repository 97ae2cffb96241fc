//! Certificates that follow others.

use std::fs;

use crate::fixture::{Home, foreign};

#[test]
fn a_certificate_is_followed_by_another_for_the_same_key_and_names() {
    let home = Home::empty();
    for line in [
        "ca --name Test",
        "host gw.example --san 192.0.2.1 --days 10",
        "user ops --days 10 --principal night",
    ] {
        home.done(line);
    }
    let kept =
        ["hosts/gw.example/key.pem", "users/ops/key.pem", "users/ops/id_ed25519"].map(|name| home.read(name));
    let before = home.read("hosts/gw.example/cert.pem");
    let (out, told) = home.done("renew --days 100");
    assert_eq!(out, "");
    for words in [
        "FILE",
        "WAS UNTIL",
        "hosts/gw.example/cert.pem",
        "users/ops/id_ed25519-cert.pub",
        "root@gw.example:/etc/portreeve/keys",
        "portreeved reload, on gw.example",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_ne!(home.read("hosts/gw.example/cert.pem"), before);
    let now =
        ["hosts/gw.example/key.pem", "users/ops/key.pem", "users/ops/id_ed25519"].map(|name| home.read(name));
    assert_eq!(now, kept);
    let (shown, _) = home.done("list --json");
    assert_eq!(
        shown.matches("\"days-left\":99").count() + shown.matches("\"days-left\":100").count(),
        4,
        "{shown}"
    );
    let (shown, _) = home.done(&format!("show {}", home.file("users/ops/id_ed25519-cert.pub").display()));
    assert!(shown.contains("ops, night"), "{shown}");
    let line = ["verify", "-CAfile", "ca.pem", "-verify_ip", "192.0.2.1", "hosts/gw.example/cert.pem"];
    if let Some(told) = foreign("openssl", &line, &home.file("")) {
        assert!(told.contains("OK"), "{told}");
        let line = ["x509", "-in", "hosts/gw.example/cert.pem", "-noout", "-pubkey"];
        let of_certificate = foreign("openssl", &line, &home.file("")).unwrap();
        let line = ["pkey", "-in", "hosts/gw.example/key.pem", "-pubout"];
        assert_eq!(foreign("openssl", &line, &home.file("")).unwrap(), of_certificate);
    }
}

#[test]
fn unasked_only_what_ends_soon_is_renewed_and_for_as_long_as_before() {
    let home = Home::empty();
    for line in ["ca", "user ops --tls --days 10", "user night --tls --days 200"] {
        home.done(line);
    }
    let night = home.read("users/night/cert.pem");
    home.done("renew");
    assert_eq!(home.read("users/night/cert.pem"), night);
    let (shown, _) = home.done(&format!("show --json {}", home.file("users/ops/cert.pem").display()));
    assert!(shown.contains("\"days-left\":9") || shown.contains("\"days-left\":10"), "{shown}");
    let (_, told) = home.done("renew --within 5");
    assert!(told.contains("nothing ends within 5 days"), "{told}");
    let (_, told) = home.done("renew night");
    assert!(told.contains("users/night/cert.pem") && !told.contains("users/ops"), "{told}");
}

#[test]
fn a_pinned_certificate_is_told_of_again() {
    let home = Home::empty();
    home.done("user ops --self-signed --tls");
    let (before, _) = home.done("lines ops --only agent");
    let (lines, told) = home.done("renew ops");
    assert!(told.contains("its fingerprint is another"), "{told}");
    let (after, _) = home.done("lines ops --only agent");
    assert!(after != before && lines.contains(&after), "{lines}");
}

#[test]
fn what_cannot_be_renewed_is_told_and_does_not_keep_others_from_it() {
    let (home, other) = (Home::new(), Home::new());
    home.done("revoke ops");
    fs::copy(other.file("hosts/gw.example/cert.pem"), home.file("hosts/gw.example/cert.pem")).unwrap();
    home.done("user night");
    let night = home.read("users/night/cert.pem");
    let output = home.run("renew --within 36500");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    for words in [
        "users/ops/cert.pem: revoked, which its successor would not be",
        "hosts/gw.example/cert.pem: not signed by the authority of this folder",
        "users/night/cert.pem  ",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_ne!(home.read("users/night/cert.pem"), night);
    assert!(home.refused(&format!("renew {}", home.file("ca.pem").display())).contains("an authority"));
    assert!(home.refused("renew nobody").contains("no host or user"));
}
