use std::{collections::HashMap, io};

use super::*;

/// Files by name; `Include` names one.
struct Texts(HashMap<PathBuf, String>);

impl Files for Texts {
    fn text(&self, path: &Path) -> io::Result<Option<String>> {
        Ok(self.0.get(path).cloned())
    }

    fn included(&self, pattern: &str, _: &Path, _: &Local) -> io::Result<Vec<PathBuf>> {
        Ok(vec![pattern.into()])
    }
}

fn local() -> Local {
    Local { home: "/home/ann".into(), user: "ann".into(), uid: 1000, host: "desk".into() }
}

fn read_all(host: &str, user: Option<&str>, files: &[(&str, &str)]) -> Result<HostSettings, ConfigError> {
    let local = local();
    let texts = files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect();
    HostSettings::read(Query { host, user, local: &local }, &["config".into()], &Texts(texts))
}

fn read(host: &str, text: &str) -> HostSettings {
    read_all(host, None, &[("config", text)]).unwrap()
}

#[test]
fn the_first_value_wins_and_identities_add_up() {
    let found = read(
        "gw",
        "Host gw\n Port 2222\n IdentityFile a\nHost *\n Port 22\n User root\n IdentityFile b\n IdentityFile a\n",
    );
    assert_eq!((found.port, found.user.as_deref()), (Some(2222), Some("root")));
    assert_eq!(found.identity_files, ["a", "b"]);
}

#[test]
fn blocks_for_other_hosts_say_nothing() {
    let text = "Host *.example !secret.example\n Port 1\nHost secret*\n Port 2\n";
    assert_eq!(read("a.example", text).port, Some(1));
    assert_eq!(read("secret.example", text).port, Some(2));
    assert_eq!(read("other", text).port, None);
}

#[test]
fn conditions_look_at_hosts_and_users() {
    let text = "Match user root\n Port 1\nMatch localuser ann originalhost gw\n Port 2\nMatch !all\n Port 3\nMatch all\n Port 4\n";
    assert_eq!(read_all("x", Some("root"), &[("config", text)]).unwrap().port, Some(1));
    assert_eq!(read("gw", text).port, Some(2));
    assert_eq!(read("x", text).port, Some(4));
}

#[test]
fn final_blocks_see_the_name_that_is_connected_to() {
    let text =
        "Match final host gw.example\n Port 7\nHost gw\n HostName %h.example\nHost gw.example\n User late\n";
    let found = read("gw", text);
    assert_eq!((found.port, found.user.as_deref()), (Some(7), Some("late")));
    let without = read("gw", "Host gw\n HostName gw.example\nHost gw.example\n User late\n");
    assert_eq!(without.user, None, "one pass only");
}

#[test]
fn files_are_included_only_where_their_block_applies() {
    let files = [
        ("config", "Host a\n Include part\nHost b\n Include missing\n User u\n"),
        ("part", "Port 5\nHost nobody\n Port 6\n"),
    ];
    assert_eq!(read_all("a", None, &files).unwrap().port, Some(5));
    let b = read_all("b", None, &files).unwrap();
    assert_eq!((b.port, b.user.as_deref()), (None, Some("u")));
}

#[test]
fn a_block_of_an_included_file_ends_with_it() {
    let files = [("config", "Include part\nPort 9\n"), ("part", "Host nobody\n Port 6\n")];
    assert_eq!(read_all("a", None, &files).unwrap().port, Some(9));
}

#[test]
fn files_that_include_each_other_are_refused() {
    let error = read_all("a", None, &[("config", "Include config\n")]).unwrap_err();
    assert!(error.what.contains("deep"), "{error}");
    let twice = read_all("a", None, &[("config", "Include config config\n")]).unwrap_err();
    assert!(twice.what.contains("deep"), "{twice}");
}

#[test]
fn errors_name_file_and_line() {
    let error = read_all("a", None, &[("config", "# one\n\nPort 99999\n")]).unwrap_err();
    assert_eq!(error.to_string(), "config:3: port is a number from 1 to 65535");
}

#[test]
fn what_we_cannot_evaluate_is_refused_only_where_it_matters() {
    let text = "Match host other exec \"true\"\n Port 1\n";
    assert_eq!(read("gw", text).port, None);
    let error = read_all("other", None, &[("config", text)]).unwrap_err();
    assert!(error.to_string().starts_with("config:1: match exec is not supported"), "{error}");
}

#[test]
fn of_jump_and_command_the_first_counts() {
    let jump = read("a", "ProxyJump gate\nProxyCommand nc %h %p\n");
    assert!(matches!(jump.proxy, Some(Proxy::Jump(hops)) if hops.len() == 1));
    let command = read("a", "Host a\nProxyCommand nc %h %p\nHost *\nProxyJump gate\n");
    assert_eq!(command.proxy, Some(Proxy::Command(Place { file: "config".into(), line: 2 })));
    assert_eq!(read("a", "ProxyJump none\nProxyJump gate\n").proxy, Some(Proxy::Jump(Vec::new())));
}

#[test]
fn ways_to_log_in_are_those_that_are_preferred_and_not_switched_off() {
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
