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
fn ssh_keygen_reads_the_list_and_voids_the_same() {
    let home = Home::new();
    home.done("user night");
    let uncounted = ["-q", "-s", "ssh_ca", "-I", "day", "-n", "day", "users/night/id_ed25519.pub"];
    let kept = home.elsewhere("day-cert.pub");
    std::fs::copy(home.file("users/night/id_ed25519-cert.pub"), &kept).unwrap();
    if foreign("ssh-keygen", &uncounted, &home.file("")).is_none() {
        return;
    }
    // ssh-keygen counts nothing unless it is told to, and has written over ours.
    let day = home.file("users/night/id_ed25519-cert.pub");
    std::fs::rename(&day, home.elsewhere("zero-cert.pub")).unwrap();
    std::fs::rename(&kept, &day).unwrap();
    let zero = home.elsewhere("zero-cert.pub");
    let (lines, _) = home.done(&format!("revoke ops {} {}", day.display(), zero.display()));
    assert!(lines.contains("\nid: day\n"), "{lines}");
    let told = foreign("ssh-keygen", &["-Q", "-l", "-f", "ssh_revoked"], &home.file(""));
    assert!(told.unwrap().contains("KRL version 2"));
    for (file, revoked) in [
        ("users/ops/id_ed25519.pub", true),
        ("users/night/id_ed25519-cert.pub", true),
        (zero.to_str().unwrap(), true),
        ("users/night/id_ed25519.pub", false),
        ("hosts/gw.example/ssh_host_ed25519_key-cert.pub", false),
    ] {
        let asked = std::process::Command::new("ssh-keygen")
            .args(["-Q", "-f", "ssh_revoked", file])
            .current_dir(home.file(""))
            .output()
            .unwrap();
        assert_eq!(!asked.status.success(), revoked, "{file}");
    }
}

#[test]
fn a_list_that_ssh_keygen_has_made_is_shown_and_added_to() {
    let home = Home::new();
    home.done("user night");
    std::fs::write(home.elsewhere("text"), "serial: 3\nserial: 1000-2000\nid: lost laptop\n").unwrap();
    let text = home.elsewhere("text");
    let line = ["-q", "-k", "-s", "ssh_ca.pub", "-f", "ssh_revoked", text.to_str().unwrap()];
    if foreign("ssh-keygen", &line, &home.file("")).is_none() {
        return;
    }
    home.done("revoke ops");
    let (shown, _) = home.done(&format!("show {}", home.file("ssh_revoked").display()));
    for words in [
        "serial 3 of SHA256:",
        "serials 1000 to 2000 of SHA256:",
        "key ID lost laptop of SHA256:",
        "key SHA256:",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let told = foreign("ssh-keygen", &["-Q", "-l", "-f", "ssh_revoked"], &home.file("")).unwrap();
    for words in ["serial: 3", "serial: 1000-2000", "id: lost laptop"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
