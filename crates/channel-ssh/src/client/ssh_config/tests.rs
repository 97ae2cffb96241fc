use std::{collections::HashMap, io};

use super::*;

/// Files in memory; `Include` refers to one of them.
struct MemoryFiles(HashMap<PathBuf, String>);

impl ConfigFiles for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Option<String>> {
        Ok(self.0.get(path).cloned())
    }

    fn included(&self, pattern: &str, _: &Path, _: &LocalUser) -> io::Result<Vec<PathBuf>> {
        Ok(vec![pattern.into()])
    }
}

fn local() -> LocalUser {
    LocalUser { home: "/home/ann".into(), user: "ann".into(), uid: 1000, host: "desk".into() }
}

fn read_all(host: &str, user: Option<&str>, files: &[(&str, &str)]) -> Result<HostSettings, ConfigError> {
    let local = local();
    let files_by_name = files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect();
    HostSettings::read(
        HostQuery { host, user, local: &local },
        &["config".into()],
        &MemoryFiles(files_by_name),
    )
}

fn read(host: &str, text: &str) -> HostSettings {
    read_all(host, None, &[("config", text)]).unwrap()
}

#[test]
fn first_value_applies_but_all_identity_files_are_used() {
    let found = read(
        "gw",
        "Host gw\n Port 2222\n IdentityFile a\nHost *\n Port 22\n User root\n IdentityFile b\n IdentityFile a\n",
    );
    assert_eq!((found.port, found.user.as_deref()), (Some(2222), Some("root")));
    assert_eq!(found.identity_files, ["a", "b"]);
}

#[test]
fn host_blocks_for_other_hosts_are_ignored() {
    let text = "Host *.example !secret.example\n Port 1\nHost secret*\n Port 2\n";
    assert_eq!(read("a.example", text).port, Some(1));
    assert_eq!(read("secret.example", text).port, Some(2));
    assert_eq!(read("other", text).port, None);
}

#[test]
fn match_conditions_compare_hosts_and_users() {
    let text = "Match user root\n Port 1\nMatch localuser ann originalhost gw\n Port 2\nMatch !all\n Port 3\nMatch all\n Port 4\n";
    assert_eq!(read_all("x", Some("root"), &[("config", text)]).unwrap().port, Some(1));
    assert_eq!(read("gw", text).port, Some(2));
    assert_eq!(read("x", text).port, Some(4));
}

#[test]
fn match_final_causes_a_second_pass_with_the_resolved_host_name() {
    let text =
        "Match final host gw.example\n Port 7\nHost gw\n HostName %h.example\nHost gw.example\n User late\n";
    let found = read("gw", text);
    assert_eq!((found.port, found.user.as_deref()), (Some(7), Some("late")));
    let without = read("gw", "Host gw\n HostName gw.example\nHost gw.example\n User late\n");
    assert_eq!(without.user, None, "no second pass without Match final");
}

#[test]
fn include_in_a_block_that_does_not_match_is_ignored() {
    let files = [
        ("config", "Host a\n Include part\nHost b\n Include missing\n User u\n"),
        ("part", "Port 5\nHost unused\n Port 6\n"),
    ];
    assert_eq!(read_all("a", None, &files).unwrap().port, Some(5));
    let b = read_all("b", None, &files).unwrap();
    assert_eq!((b.port, b.user.as_deref()), (None, Some("u")));
}

#[test]
fn host_block_in_an_included_file_ends_with_that_file() {
    let files = [("config", "Include part\nPort 9\n"), ("part", "Host unused\n Port 6\n")];
    assert_eq!(read_all("a", None, &files).unwrap().port, Some(9));
}

#[test]
fn recursive_include_is_rejected() {
    let error = read_all("a", None, &[("config", "Include config\n")]).unwrap_err();
    assert!(error.problem.contains("deep"), "{error}");
    let twice = read_all("a", None, &[("config", "Include config config\n")]).unwrap_err();
    assert!(twice.problem.contains("deep"), "{twice}");
}

#[test]
fn ssh_config_error_contains_file_and_line() {
    let error = read_all("a", None, &[("config", "# one\n\nPort 99999\n")]).unwrap_err();
    assert_eq!(error.to_string(), "config:3: invalid port: expected a number from 1 to 65535");
}

#[test]
fn match_exec_is_rejected_only_if_the_preceding_conditions_match() {
    let text = "Match host other exec \"true\"\n Port 1\n";
    assert_eq!(read("gw", text).port, None);
    let error = read_all("other", None, &[("config", text)]).unwrap_err();
    assert!(error.to_string().starts_with("config:1: match exec is not supported"), "{error}");
}

#[test]
fn first_of_proxy_jump_and_proxy_command_applies() {
    let jump = read("a", "ProxyJump gate\nProxyCommand nc %h %p\n");
    assert!(matches!(jump.proxy, Some(Proxy::Jump(hops)) if hops.len() == 1));
    let command = read("a", "Host a\nProxyCommand nc %h %p\nHost *\nProxyJump gate\n");
    assert_eq!(command.proxy, Some(Proxy::Command(FileLocation { file: "config".into(), line: 2 })));
    assert_eq!(read("a", "ProxyJump none\nProxyJump gate\n").proxy, Some(Proxy::Jump(Vec::new())));
}

#[test]
fn login_methods_batch_mode_and_number_of_password_prompts_are_parsed() {
    use LoginMethod::{KeyboardInteractive, Password, PublicKey};
    for (text, expected) in [
        ("", &[PublicKey, KeyboardInteractive, Password][..]),
        ("PasswordAuthentication no\n", &[PublicKey, KeyboardInteractive]),
        ("KbdInteractiveAuthentication no\nPubkeyAuthentication no\n", &[Password]),
        ("ChallengeResponseAuthentication no\nPubkeyAuthentication unbound\n", &[PublicKey, Password]),
        ("PreferredAuthentications password,gssapi-with-mic,publickey\n", &[Password, PublicKey]),
        ("PreferredAuthentications password,publickey\nPasswordAuthentication no\n", &[PublicKey]),
        (
            "Host other\nPasswordAuthentication no\nHost a\nPasswordAuthentication yes\n",
            &[PublicKey, KeyboardInteractive, Password],
        ),
    ] {
        assert_eq!(read("a", text).methods(), expected, "{text}");
    }
    let found = read("a", "BatchMode yes\nNumberOfPasswordPrompts 1\n");
    assert_eq!((found.batch_mode, found.password_prompts), (Some(true), Some(1)));
}
