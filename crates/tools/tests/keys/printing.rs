//! Printed descriptions and configuration lines.

use crate::fixture::TestHome;

#[test]
fn list_shows_each_item_once_without_private_keys() {
    let home = TestHome::new();
    let (listed, _) = home.succeed("list");
    for words in
        ["X.509 authority", "X.509 host certificate", "X.509 user certificate", "SSH user certificate"]
    {
        assert_eq!(listed.matches(words).count(), 1, "{listed}");
    }
    assert!(!listed.contains("private"), "{listed}");
    let (json, _) = home.succeed("list --json");
    assert!(json.trim_start().starts_with('[') && json.contains("\"revoked\":false"), "{json}");
}

#[test]
fn stdout_contains_data_and_stderr_contains_notes() {
    let home = TestHome::empty();
    home.succeed("ca");
    let (out, err) = home.succeed("host gw.example");
    assert!(out.contains("[[listen]]") && !out.contains("created in"), "{out}");
    assert!(err.contains("created in") && err.contains("sha256:"), "{err}");
    let (again, err) = home.succeed("lines gw.example");
    assert_eq!((again, err.as_str()), (out, ""));
}

#[test]
fn private_keys_are_never_printed() {
    let home = TestHome::new();
    let secret = home.read("users/ops/key.pem").lines().nth(1).unwrap().to_owned();
    let folder = home.file("");
    for line in ["list", "list --json", "lines ops", &format!("show {}", folder.display())] {
        let (out, err) = home.succeed(line);
        assert!(!out.contains(&secret) && !err.contains(&secret), "{line}");
    }
}

#[test]
fn lines_command_can_print_one_section_without_headings() {
    let home = TestHome::new();
    for (line, begins) in [
        ("lines gw.example --only agent", "\n[[listen]]\n"),
        ("lines gw.example --only known-hosts", "[gw.example]:5161,[192.0.2.1]:5161 ssh-ed25519 "),
        ("lines ops --only agent", "\n[[session-user]]\n"),
        ("lines ops --only authorized-keys", "cert-authority,principals=\"ops\" ssh-ed25519 "),
        ("lines ops --only client", "portreeve get --certificate "),
        ("lines --only known-hosts", "@cert-authority * ssh-ed25519 "),
    ] {
        let (out, _) = home.succeed(line);
        assert!(out.starts_with(begins), "{line}: {out}");
        assert!(!out.contains("# "), "{line}: {out}");
    }
}

#[test]
fn list_wraps_at_terminal_width() {
    let home = TestHome::new();
    let (whole, _) = home.succeed("list");
    let (narrow, _) = home.succeed_with_width("80", "list");
    assert!(narrow.lines().all(|line| line.len() <= 80), "{narrow}");
    assert!(
        whole.lines().count() < narrow.lines().count() && whole.lines().any(|line| line.len() > 80),
        "{whole}"
    );
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&whole), words(&narrow));
}

#[test]
fn host_and_user_of_same_name_are_distinguished_by_directory() {
    let home = TestHome::new();
    home.succeed("user gw.example");
    assert!(home.fail("lines gw.example").contains("use hosts/gw.example or users/gw.example"));
    home.succeed("lines users/gw.example");
}

#[test]
fn show_warns_about_private_keys_readable_by_other_users() {
    use std::os::unix::fs::PermissionsExt;
    let home = TestHome::new();
    let key = home.file("users/ops/key.pem");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (_, warned) = home.succeed(&format!("show {}", key.display()));
    assert!(
        warned.contains("other users can read this private key (mode 0644)") && warned.contains("chmod 600"),
        "{warned}"
    );
}

#[test]
fn printed_configuration_trusts_self_signed_credentials_directly() {
    let home = TestHome::empty();
    home.succeed("host gw.example --self-signed");
    home.succeed("user ops --self-signed");
    let (agent, _) = home.succeed("lines gw.example --only agent");
    assert!(!agent.contains("authorities") && agent.contains("authorized-keys"), "{agent}");
    let (agent, _) = home.succeed("lines ops --only agent");
    assert!(agent.contains("[[tls.name]]\nfingerprint = \"sha256:"), "{agent}");
    let (client, _) = home.succeed("lines ops --only client");
    assert!(client.contains("--pin sha256:") && !client.contains("--ca "), "{client}");
    let (keys, _) = home.succeed("lines ops --only authorized-keys");
    assert!(keys.starts_with("ssh-ed25519 "), "{keys}");
}
