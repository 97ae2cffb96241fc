use std::{fs::Permissions, os::unix::fs::PermissionsExt, path::Path};

use super::*;
use crate::client::LocalUser;

fn settings(config: &str) -> (tempfile::TempDir, ClientSettings) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    std::fs::write(&file, config).unwrap();
    let local = LocalUser { home: "/home/ann".into(), user: "ann".into(), uid: 1000, host: "desk".into() };
    let settings = ClientSettings {
        local,
        config_files: vec![file],
        agent: Some("/run/agent".into()),
        ..ClientSettings::current()
    };
    (folder, settings)
}

//= rfc5592#5.3-3a
//= type=test
#[test]
fn user_on_the_command_line_overrides_ssh_config() {
    let (_folder, settings) = settings("Host gw\n  User ops\n");
    let user = |typed| SshTarget::look_up("gw", typed, None, &settings).unwrap().user;
    assert_eq!((user(Some("eve")).as_str(), user(None).as_str()), ("eve", "ops"));
}

#[test]
fn defaults_apply_when_ssh_config_is_empty() {
    let (_folder, settings) = settings("");
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    assert_eq!((target.host.as_str(), target.port, target.user.as_str()), ("gw", 5161, "ann"));
    assert_eq!(
        target.identity_files.first().map(PathBuf::as_path),
        Some(Path::new("/home/ann/.ssh/id_ed25519"))
    );
    assert_eq!(
        target.known_hosts.first().map(PathBuf::as_path),
        Some(Path::new("/home/ann/.ssh/known_hosts"))
    );
    assert_eq!(target.agent.as_deref(), Some(Path::new("/run/agent")));
    assert_eq!(target.key_name.with_port(), "[gw]:5161");
    assert!(!target.has_named_identities && !target.identities_only);
}

#[test]
fn user_and_port_on_the_command_line_override_ssh_config() {
    let (_folder, settings) =
        settings("Host gw\n HostName 10.0.0.1\n Port 22\n User root\n HostKeyAlias rack\n");
    let target = SshTarget::look_up("gw", Some("bob"), Some(830), &settings).unwrap();
    assert_eq!((target.host.as_str(), target.port, target.user.as_str()), ("10.0.0.1", 830, "bob"));
    assert_eq!(target.key_name, HostName::alias("rack"));
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    assert_eq!((target.port, target.user.as_str()), (5161, "root"));
}

#[test]
fn ssh_config_port_applies_only_if_set_for_exact_host_and_not_22() {
    for (config, port) in [
        ("Port 2222", 5161),
        ("Host *\n Port 2222", 5161),
        ("Host g?\n Port 2222", 5161),
        ("Match all\n Port 2222", 5161),
        ("Match host !gw\n Port 2222", 5161),
        ("Host other\n Port 2222", 5161),
        ("Host gw\n Port 22", 5161),
        ("Host gw\n Port 22\nHost gw\n Port 2222", 5161),
        ("Host gw\n Port 2222", 2222),
        ("Host other gw g*\n Port 2222", 2222),
        ("Host *\n Port 1\nHost gw\n Port 2222", 2222),
        ("Match originalhost gw\n Port 2222", 2222),
        ("Host gw\n HostName deep.example\nMatch host deep.example\n Port 2222", 2222),
        ("Host gw\n Port 2222\nHost gw\n Port 3333", 2222),
    ] {
        let (_folder, settings) = settings(config);
        let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
        assert_eq!(target.port, port, "{config}");
        let typed = SshTarget::look_up("gw", None, Some(22), &settings).unwrap();
        assert_eq!(typed.port, 22, "{config}");
    }
}

#[test]
fn port_in_file_included_by_host_block_applies() {
    let (folder, settings) = settings("");
    let place = folder.path().join("ports");
    std::fs::write(&place, "Port 2222\n").unwrap();
    std::fs::write(folder.path().join("config"), format!("Host gw\n Include {}\n", place.display())).unwrap();
    assert_eq!(SshTarget::look_up("gw", None, None, &settings).unwrap().port, 2222);
}

#[test]
fn jump_host_uses_its_given_port_or_the_port_in_ssh_config() {
    let (_folder, settings) = settings("Host *\n Port 2222\n");
    let hop = |port| JumpHost { user: None, host: "gate".into(), port };
    assert_eq!(SshTarget::for_jump_host(&hop(None), &settings).unwrap().port, 2222);
    assert_eq!(SshTarget::for_jump_host(&hop(Some(22)), &settings).unwrap().port, 22);
}

#[test]
fn ssh_config_settings_apply_and_their_paths_are_expanded() {
    let (_folder, settings) = settings(
        "IdentityFile ~/.ssh/%h_%r\nCertificateFile %d/c\nIdentityAgent none\nUserKnownHostsFile /k/%k none\nConnectTimeout 5\n",
    );
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    assert_eq!(target.identity_files, [Path::new("/home/ann/.ssh/gw_ann")]);
    assert_eq!(target.certificate_files, [Path::new("/home/ann/c")]);
    assert_eq!(target.known_hosts, [Path::new("/k/gw")]);
    assert_eq!((target.agent, target.timeout), (None, Some(Duration::from_secs(5))));
    assert!(target.has_named_identities);
}

#[test]
fn caller_can_add_identity_files_and_replace_known_hosts_of_ssh_config() {
    let (_folder, mut settings) = settings("IdentityFile /b\nUserKnownHostsFile /x\n");
    settings.identity_files = vec!["/a".into()];
    settings.known_hosts = Some(vec!["/known".into()]);
    let target = SshTarget::look_up("gw", None, None, &settings).unwrap();
    assert_eq!(target.identity_files, [Path::new("/a"), Path::new("/b")]);
    assert_eq!(target.known_hosts, [Path::new("/known")]);
    assert!(target.global_known_hosts.is_empty());
}

#[test]
fn proxy_jump_is_ignored_for_the_jump_host_itself() {
    let (_folder, settings) = settings("Host *\n ProxyJump gate:2222\n");
    assert_eq!(SshTarget::look_up("gw", None, None, &settings).unwrap().jump_hosts.len(), 1);
    let hop = JumpHost { user: None, host: "gate".into(), port: Some(2222) };
    let gate = SshTarget::for_jump_host(&hop, &settings).unwrap();
    assert_eq!((gate.port, gate.jump_hosts), (2222, Vec::new()));
}

#[test]
fn proxy_command_is_rejected_with_file_and_line() {
    let (_folder, settings) = settings("Host gw\n ProxyCommand nc %h %p\n");
    let error = SshTarget::look_up("gw", None, None, &settings).unwrap_err();
    assert!(error.cause.ends_with("config:2: ProxyCommand is not supported"), "{error}");
    assert!(SshTarget::look_up("other", None, None, &settings).is_ok());
}

#[test]
fn ssh_config_or_included_file_writable_by_others_is_rejected() {
    let (folder, settings) = settings("Include more\n");
    let [outer, inner] = ["config", "more"].map(|name| folder.path().join(name));
    std::fs::write(&outer, format!("Include {}\n", inner.display())).unwrap();
    std::fs::write(&inner, "Host gw\n User ops\n").unwrap();
    let mode = |file: &Path, mode| std::fs::set_permissions(file, Permissions::from_mode(mode)).unwrap();
    let found = || SshTarget::look_up("gw", None, None, &settings);
    assert_eq!(found().unwrap().user, "ops");
    for file in [outer, inner] {
        mode(&file, 0o664);
        let error = found().unwrap_err();
        assert_eq!(error.cause, format!("{}: writable by its group or others", file.display()));
        assert!(error.hint.is_some_and(|hint| hint.contains("chmod go-w")));
        mode(&file, 0o644);
    }
}
