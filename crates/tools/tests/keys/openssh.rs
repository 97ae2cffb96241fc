//! OpenSSH accepts the created files.

use crate::fixture::{TestHome, run_tool};

#[test]
fn ssh_keygen_reads_certificates() {
    let home = TestHome::empty();
    home.succeed("ca");
    home.succeed("user ops --principal night --source-address 192.0.2.0/24,2001:db8::/32 --days 7");
    home.succeed("host gw.example --san 192.0.2.1");
    let Some(output) = run_tool("ssh-keygen", &["-L", "-f", "users/ops/id_ed25519-cert.pub"], &home.file(""))
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
        assert!(output.contains(words), "{words}: {output}");
    }
    let output = run_tool(
        "ssh-keygen",
        &["-L", "-f", "hosts/gw.example/ssh_host_ed25519_key-cert.pub"],
        &home.file(""),
    );
    let output = output.unwrap();
    assert!(
        output.contains("host certificate") && output.contains("gw.example") && output.contains("192.0.2.1"),
        "{output}"
    );
}

#[test]
fn ssh_keygen_prints_same_fingerprints_and_opens_keys() {
    let home = TestHome::new();
    let (shown, _) = home.succeed(&format!("show {}", home.file("users/ops/id_ed25519.pub").display()));
    let Some(output) = run_tool("ssh-keygen", &["-l", "-f", "users/ops/id_ed25519.pub"], &home.file(""))
    else {
        return;
    };
    let fingerprint = output.split(' ').find(|word| word.starts_with("SHA256:")).unwrap();
    assert!(shown.contains(fingerprint), "{shown}{output}");
    let public = run_tool("ssh-keygen", &["-y", "-f", "users/ops/id_ed25519"], &home.file("")).unwrap();
    assert_eq!(public.trim(), home.read("users/ops/id_ed25519.pub").trim());
}

#[test]
fn key_made_by_ssh_keygen_is_signed() {
    let home = TestHome::new();
    let line = ["-q", "-t", "ecdsa", "-b", "256", "-N", "", "-C", "mine", "-f", "id_own"];
    if run_tool("ssh-keygen", &line, &home.elsewhere("")).is_none() {
        return;
    }
    let (lines, _) = home.succeed(&format!("sign {} --user ops", home.elsewhere("id_own.pub").display()));
    assert!(lines.contains("[[session-user]]"), "{lines}");
    let output = run_tool("ssh-keygen", &["-L", "-f", "id_own-cert.pub"], &home.elsewhere("")).unwrap();
    assert!(output.contains("ecdsa-sha2-nistp256-cert-v01@openssh.com user certificate"), "{output}");
    assert!(
        home.fail(&format!("sign {} --user ops", home.elsewhere("id_own.pub").display()))
            .contains("already exists")
    );
    assert!(
        home.fail(&format!("sign {} --user ops", home.elsewhere("id_own").display())).contains("neither")
    );
}

#[test]
fn ssh_keygen_recognizes_revoked_keys_and_certificates() {
    let home = TestHome::new();
    home.succeed("user night");
    let uncounted = ["-q", "-s", "ssh_ca", "-I", "day", "-n", "day", "users/night/id_ed25519.pub"];
    let kept = home.elsewhere("day-cert.pub");
    std::fs::copy(home.file("users/night/id_ed25519-cert.pub"), &kept).unwrap();
    if run_tool("ssh-keygen", &uncounted, &home.file("")).is_none() {
        return;
    }
    // Without an option, ssh-keygen issues certificates with serial number 0. It has overwritten
    // the certificate of `night`, which is restored here.
    let day = home.file("users/night/id_ed25519-cert.pub");
    std::fs::rename(&day, home.elsewhere("zero-cert.pub")).unwrap();
    std::fs::rename(&kept, &day).unwrap();
    let zero = home.elsewhere("zero-cert.pub");
    let (lines, _) = home.succeed(&format!("revoke ops {} {}", day.display(), zero.display()));
    assert!(lines.contains("\nid: day\n"), "{lines}");
    let output = run_tool("ssh-keygen", &["-Q", "-l", "-f", "ssh_revoked"], &home.file(""));
    assert!(output.unwrap().contains("KRL version 2"));
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
fn revocation_list_made_by_ssh_keygen_is_extended() {
    let home = TestHome::new();
    home.succeed("user night");
    std::fs::write(home.elsewhere("text"), "serial: 3\nserial: 1000-2000\nid: lost laptop\n").unwrap();
    let text = home.elsewhere("text");
    let line = ["-q", "-k", "-s", "ssh_ca.pub", "-f", "ssh_revoked", text.to_str().unwrap()];
    if run_tool("ssh-keygen", &line, &home.file("")).is_none() {
        return;
    }
    home.succeed("revoke ops");
    let (shown, _) = home.succeed(&format!("show {}", home.file("ssh_revoked").display()));
    for words in [
        "serial 3 of SHA256:",
        "serials 1000 to 2000 of SHA256:",
        "key ID lost laptop of SHA256:",
        "key SHA256:",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let output = run_tool("ssh-keygen", &["-Q", "-l", "-f", "ssh_revoked"], &home.file("")).unwrap();
    for words in ["serial: 3", "serial: 1000-2000", "id: lost laptop"] {
        assert!(output.contains(words), "{words}: {output}");
    }
}
