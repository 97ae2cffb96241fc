//! Created files, their directories and modes.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::fixture::TestHome;

#[test]
fn private_keys_and_directories_are_accessible_to_owner_only() {
    let home = TestHome::new();
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
fn existing_key_is_renamed_and_replaced_only_with_force() {
    let home = TestHome::new();
    let before = home.read("users/ops/key.pem");
    let output = home.fail("user ops");
    assert!(output.contains("already exists") && output.contains("--force"), "{output}");
    assert!(home.fail("ca").contains("ca.key: already exists"));
    assert_eq!(home.read("users/ops/key.pem"), before);
    let (_, output) = home.succeed("user ops --force");
    assert_ne!(home.read("users/ops/key.pem"), before);
    let kept = output
        .lines()
        .filter_map(|line| line.strip_prefix("kept: "))
        .find(|line| line.contains("/key.pem.old-"));
    assert_eq!(fs::read_to_string(kept.unwrap()).unwrap(), before);
}

#[test]
fn ca_creates_only_requested_authorities_and_later_adds_missing_ones() {
    let home = TestHome::empty();
    home.succeed("ca --tls");
    assert!(home.file("ca.pem").exists() && !home.file("ssh_ca").exists());
    home.succeed("host gw.example");
    assert!(!home.file("hosts/gw.example/ssh_host_ed25519_key").exists());
    assert!(home.fail("host gw.example --ssh").contains("portreeve keys ca --ssh"));
    let before = home.read("ca.key");
    home.succeed("ca");
    assert!(home.file("ssh_ca").exists());
    assert_eq!(home.read("ca.key"), before);
    home.succeed("host gw.example --ssh");
    assert!(home.file("hosts/gw.example/ssh_host_ed25519_key-cert.pub").exists());
}

#[test]
fn commands_without_an_authority_suggest_portreeve_keys_ca() {
    let home = TestHome::empty();
    for line in ["host gw.example", "user ops", "user ops --tls"] {
        assert!(home.fail(line).contains("`portreeve keys ca"), "{line}");
    }
    assert!(home.fail("list").contains("portreeve keys ca"));
    assert!(home.fail("lines").contains("portreeve keys ca"));
    assert!(home.fail("lines missing").contains("portreeve keys list"));
}

#[test]
fn encrypted_authority_signs_and_revokes_only_with_pass_phrase() {
    let home = TestHome::empty();
    let (right, wrong) = (home.elsewhere("right"), home.elsewhere("wrong"));
    fs::write(&right, "correct horse\n").unwrap();
    fs::write(&wrong, "battery staple\n").unwrap();
    home.succeed(&format!("ca --passphrase-file {}", right.display()));
    assert!(home.read("ca.key").contains("ENCRYPTED"));
    for kind in ["--tls", "--ssh"] {
        assert!(home.fail(&format!("user ops {kind}")).contains("the key is encrypted with a pass phrase"));
        let output = home.fail(&format!("user ops {kind} --passphrase-file {}", wrong.display()));
        assert!(output.contains("the pass phrase is wrong"), "{output}");
        assert!(!output.contains("horse") && !output.contains("staple"), "{output}");
    }
    home.succeed(&format!("user ops --passphrase-file {}", right.display()));
    let (_, output) = home.succeed(&format!("revoke ops --passphrase-file {}", right.display()));
    assert!(output.contains("revoked: X.509 user certificate of ops"), "{output}");
    assert!(home.fail("ca --passphrase --force").contains("--passphrase-file"));
}

#[test]
fn invalid_names_are_rejected_without_creating_files() {
    let home = TestHome::empty();
    home.succeed("ca");
    for line in ["user ../x", "host a/b", "user a,b", "host zürich.example", "user .x"] {
        home.fail(line);
    }
    assert!(!home.file("users").exists() && !home.file("hosts").exists());
}

fn mode(home: &TestHome, name: &str) -> u32 {
    fs::metadata(home.file(name)).unwrap().permissions().mode() & 0o777
}
