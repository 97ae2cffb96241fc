//! What is made, where, and for whose eyes.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::fixture::Home;

#[test]
fn private_keys_are_for_their_owner_alone() {
    let home = Home::new();
    for name in [
        "ca.key",
        "ssh_ca",
        "hosts/gw.example/key.pem",
        "hosts/gw.example/ssh_host_ed25519_key",
        "users/ops/key.pem",
        "users/ops/id_ed25519",
    ] {
        assert_eq!(mode(&home, name), 0o600, "{name}");
    }
    for name in ["", "hosts", "hosts/gw.example", "users/ops"] {
        assert_eq!(mode(&home, name), 0o700, "{name}");
    }
}

#[test]
fn nothing_is_made_twice_unless_it_is_wanted_and_then_the_old_one_is_kept() {
    let home = Home::new();
    let before = home.read("users/ops/key.pem");
    let told = home.refused("user ops");
    assert!(told.contains("is there already") && told.contains("--force"), "{told}");
    assert!(home.refused("ca").contains("ca.key: is there already"));
    assert_eq!(home.read("users/ops/key.pem"), before);
    let (_, told) = home.done("user ops --force");
    assert_ne!(home.read("users/ops/key.pem"), before);
    let kept = told
        .lines()
        .filter_map(|line| line.strip_prefix("kept: "))
        .find(|line| line.contains("/key.pem.old-"));
    assert_eq!(fs::read_to_string(kept.unwrap()).unwrap(), before);
}

#[test]
fn only_what_was_named_is_made_and_what_is_missing_can_follow() {
    let home = Home::empty();
    home.done("ca --tls");
    assert!(home.file("ca.pem").exists() && !home.file("ssh_ca").exists());
    home.done("host gw.example");
    assert!(!home.file("hosts/gw.example/ssh_host_ed25519_key").exists());
    assert!(home.refused("host gw.example --ssh").contains("portreeve keys ca --ssh"));
    let before = home.read("ca.key");
    home.done("ca");
    assert!(home.file("ssh_ca").exists());
    assert_eq!(home.read("ca.key"), before);
    home.done("host gw.example --ssh");
    assert!(home.file("hosts/gw.example/ssh_host_ed25519_key-cert.pub").exists());
}

#[test]
fn without_an_authority_it_is_said_how_to_get_one() {
    let home = Home::empty();
    for line in ["host gw.example", "user ops", "user ops --tls"] {
        assert!(home.refused(line).contains("`portreeve keys ca"), "{line}");
    }
    assert!(home.refused("list").contains("portreeve keys ca"));
    assert!(home.refused("lines").contains("portreeve keys ca"));
    assert!(home.refused("lines nobody").contains("portreeve keys list"));
}

#[test]
fn an_authority_under_a_pass_phrase_signs_only_with_it() {
    let home = Home::empty();
    let (right, wrong) = (home.elsewhere("right"), home.elsewhere("wrong"));
    fs::write(&right, "correct horse\n").unwrap();
    fs::write(&wrong, "battery staple\n").unwrap();
    home.done(&format!("ca --passphrase-file {}", right.display()));
    assert!(home.read("ca.key").contains("ENCRYPTED"));
    for kind in ["--tls", "--ssh"] {
        assert!(home.refused(&format!("user ops {kind}")).contains("the key has a pass phrase"));
        let told = home.refused(&format!("user ops {kind} --passphrase-file {}", wrong.display()));
        assert!(told.contains("the pass phrase is wrong"), "{told}");
        assert!(!told.contains("horse") && !told.contains("staple"), "{told}");
    }
    home.done(&format!("user ops --passphrase-file {}", right.display()));
    let (_, told) = home.done(&format!("revoke ops --passphrase-file {}", right.display()));
    assert!(told.contains("revoked: X.509 user certificate of ops"), "{told}");
    assert!(home.refused("ca --passphrase --force").contains("--passphrase-file"));
}

#[test]
fn names_that_lead_elsewhere_make_nothing() {
    let home = Home::empty();
    home.done("ca");
    for line in ["user ../x", "host a/b", "user a,b", "host zürich.example", "user .x"] {
        home.refused(line);
    }
    assert!(!home.file("users").exists() && !home.file("hosts").exists());
}

fn mode(home: &Home, name: &str) -> u32 {
    fs::metadata(home.file(name)).unwrap().permissions().mode() & 0o777
}
