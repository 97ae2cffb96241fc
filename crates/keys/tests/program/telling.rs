//! What is said of files, and to the other ends.

use crate::fixture::Home;

#[test]
fn each_thing_is_listed_once_and_private_keys_are_not() {
    let home = Home::new();
    let (listed, _) = home.done("list");
    for words in
        ["X.509 authority", "X.509 host certificate", "X.509 user certificate", "SSH user certificate"]
    {
        assert_eq!(listed.matches(words).count(), 1, "{listed}");
    }
    assert!(!listed.contains("private"), "{listed}");
    let (json, _) = home.done("list --json");
    assert!(json.trim_start().starts_with('[') && json.contains("\"revoked\":false"), "{json}");
}

#[test]
fn data_is_on_standard_output_and_talk_is_not() {
    let home = Home::empty();
    home.done("ca");
    let (out, err) = home.done("host gw.example");
    assert!(out.contains("[[listen]]") && !out.contains("made in"), "{out}");
    assert!(err.contains("made in") && err.contains("sha256:"), "{err}");
    let (again, err) = home.done("lines gw.example");
    assert_eq!((again, err.as_str()), (out, ""));
}

#[test]
fn no_private_key_is_ever_shown() {
    let home = Home::new();
    let secret = home.read("users/ops/key.pem").lines().nth(1).unwrap().to_owned();
    let folder = home.file("");
    for line in ["list", "list --json", "lines ops", &format!("show {}", folder.display())] {
        let (out, err) = home.done(line);
        assert!(!out.contains(&secret) && !err.contains(&secret), "{line}");
    }
}

#[test]
fn only_the_lines_that_are_wanted_are_printed_without_headings() {
    let home = Home::new();
    for (line, begins) in [
        ("lines gw.example --only agent", "\n[[listen]]\n"),
        ("lines gw.example --only known-hosts", "[gw.example]:5161,[192.0.2.1]:5161 ssh-ed25519 "),
        ("lines ops --only agent", "\n[[session-user]]\n"),
        ("lines ops --only authorized-keys", "cert-authority,principals=\"ops\" ssh-ed25519 "),
        ("lines ops --only client", "portreeve get --certificate "),
        ("lines --only known-hosts", "@cert-authority * ssh-ed25519 "),
    ] {
        let (out, _) = home.done(line);
        assert!(out.starts_with(begins), "{line}: {out}");
        assert!(!out.contains("# "), "{line}: {out}");
    }
}

#[test]
fn a_list_is_as_wide_as_it_may_be_and_has_a_line_for_each_where_nobody_says() {
    let home = Home::new();
    let (whole, _) = home.done("list");
    let (narrow, _) = home.done_within("80", "list");
    assert!(narrow.lines().all(|line| line.len() <= 80), "{narrow}");
    assert!(
        whole.lines().count() < narrow.lines().count() && whole.lines().any(|line| line.len() > 80),
        "{whole}"
    );
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&whole), words(&narrow));
}

#[test]
fn a_host_and_a_user_of_one_name_are_told_apart() {
    let home = Home::new();
    home.done("user gw.example");
    assert!(home.refused("lines gw.example").contains("say hosts/gw.example or users/gw.example"));
    home.done("lines users/gw.example");
}

#[test]
fn keys_that_others_can_read_are_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let key = home.file("users/ops/key.pem");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (_, warned) = home.done(&format!("show {}", key.display()));
    assert!(
        warned.contains("others may use this private key (mode 0644)") && warned.contains("chmod 600"),
        "{warned}"
    );
}

#[test]
fn without_an_authority_fingerprints_are_pinned() {
    let home = Home::empty();
    home.done("host gw.example --self-signed");
    home.done("user ops --self-signed");
    let (agent, _) = home.done("lines gw.example --only agent");
    assert!(!agent.contains("authorities") && agent.contains("authorized-keys"), "{agent}");
    let (agent, _) = home.done("lines ops --only agent");
    assert!(agent.contains("[[tls.name]]\nfingerprint = \"sha256:"), "{agent}");
    let (client, _) = home.done("lines ops --only client");
    assert!(client.contains("--pin sha256:") && !client.contains("--ca "), "{client}");
    let (keys, _) = home.done("lines ops --only authorized-keys");
    assert!(keys.starts_with("ssh-ed25519 "), "{keys}");
}
