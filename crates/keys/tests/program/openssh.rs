//! OpenSSH reads and believes what is made.

use crate::fixture::{Home, foreign};

#[test]
fn ssh_keygen_reads_what_a_certificate_says() {
    let home = Home::empty();
    home.done("ca");
    home.done("user ops --principal night --source-address 192.0.2.0/24,2001:db8::/32 --days 7");
    home.done("host gw.example --san 192.0.2.1");
    let Some(told) = foreign("ssh-keygen", &["-L", "-f", "users/ops/id_ed25519-cert.pub"], &home.file(""))
    else {
        return;
    };
    for words in [
        "ssh-ed25519-cert-v01@openssh.com user certificate",
        "Key ID: \"ops\"",
        "night",
        "source-address 192.0.2.0/24,2001:db8::/32",
        "Extensions: (none)",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let told = foreign(
        "ssh-keygen",
        &["-L", "-f", "hosts/gw.example/ssh_host_ed25519_key-cert.pub"],
        &home.file(""),
    );
    let told = told.unwrap();
    assert!(
        told.contains("host certificate") && told.contains("gw.example") && told.contains("192.0.2.1"),
        "{told}"
    );
}

#[test]
fn ssh_keygen_shows_the_same_fingerprints_and_opens_the_keys() {
    let home = Home::new();
    let (shown, _) = home.done(&format!("show {}", home.file("users/ops/id_ed25519.pub").display()));
    let Some(told) = foreign("ssh-keygen", &["-l", "-f", "users/ops/id_ed25519.pub"], &home.file("")) else {
        return;
    };
    let fingerprint = told.split(' ').find(|word| word.starts_with("SHA256:")).unwrap();
    assert!(shown.contains(fingerprint), "{shown}{told}");
    let public = foreign("ssh-keygen", &["-y", "-f", "users/ops/id_ed25519"], &home.file("")).unwrap();
    assert_eq!(public.trim(), home.read("users/ops/id_ed25519.pub").trim());
}

#[test]
fn a_key_made_by_ssh_keygen_is_signed_beside_it() {
    let home = Home::new();
    let line = ["-q", "-t", "ecdsa", "-b", "256", "-N", "", "-C", "mine", "-f", "id_own"];
    if foreign("ssh-keygen", &line, &home.elsewhere("")).is_none() {
        return;
    }
    let (lines, _) = home.done(&format!("sign {} --user ops", home.elsewhere("id_own.pub").display()));
    assert!(lines.contains("[[session-user]]"), "{lines}");
    let told = foreign("ssh-keygen", &["-L", "-f", "id_own-cert.pub"], &home.elsewhere("")).unwrap();
    assert!(told.contains("ecdsa-sha2-nistp256-cert-v01@openssh.com user certificate"), "{told}");
    assert!(
        home.refused(&format!("sign {} --user ops", home.elsewhere("id_own.pub").display()))
            .contains("is there")
    );
    assert!(
        home.refused(&format!("sign {} --user ops", home.elsewhere("id_own").display())).contains("neither")
    );
}

#[test]
fn ssh_keygen_makes_a_krl_of_the_list_that_voids_the_same() {
    let home = Home::new();
    home.done("user night");
    home.done(&format!("revoke ops {}", home.file("users/night/id_ed25519-cert.pub").display()));
    let line = ["-k", "-f", "krl", "-s", "ssh_ca.pub", "ssh_revoked"];
    if foreign("ssh-keygen", &line, &home.file("")).is_none() {
        return;
    }
    for (file, revoked) in [
        ("users/ops/id_ed25519.pub", true),
        ("users/night/id_ed25519-cert.pub", true),
        ("users/night/id_ed25519.pub", false),
        ("hosts/gw.example/ssh_host_ed25519_key-cert.pub", false),
    ] {
        let asked = std::process::Command::new("ssh-keygen")
            .args(["-Q", "-f", "krl", file])
            .current_dir(home.file(""))
            .output()
            .unwrap();
        assert_eq!(!asked.status.success(), revoked, "{file}");
    }
}
