//! Compares our reading of ssh_config with `ssh -G`.

use std::{collections::BTreeMap, path::Path, process::Command, time::Duration};

use portreeve_channel_ssh::client::{
    LocalUser,
    ssh_config::{DiskFiles, HostQuery, HostSettings, JumpHost, Proxy, StrictHostKeyChecking},
};

#[test]
fn parsed_settings_match_the_output_of_ssh_g() {
    if !Path::new("/usr/bin/ssh").exists() {
        println!("skipped: ssh is missing");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part.conf");
    std::fs::write(&part, "User included\nHost unused\n Port 99\n").unwrap();
    let file = folder.path().join("config");
    for config in CONFIGURATIONS {
        let config = config.replace("@FOLDER@", &folder.path().display().to_string());
        std::fs::write(&file, &config).unwrap();
        for host in ["gw", "gw.example", "secret.example", "10.1.2.3", "other"] {
            for user in [None, Some("root"), Some("bob")] {
                assert_eq!(
                    own_settings(&file, host, user),
                    ssh_settings(&file, host, user),
                    "{host} {user:?}\n{config}"
                );
            }
        }
    }
}

#[test]
fn invalid_ssh_config_files_are_rejected_as_by_openssh() {
    if !Path::new("/usr/bin/ssh").exists() {
        println!("skipped: ssh is missing");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    for config in [
        "Port 0\n",
        "Port 70000\n",
        "Port\n",
        "IdentitiesOnly perhaps\n",
        "StrictHostKeyChecking perhaps\n",
        "ConnectTimeout soon\n",
        "Match moon full\n",
        "User \"open\n",
        "Host other\n Port 0\n",
    ] {
        std::fs::write(&file, config).unwrap();
        let local = LocalUser::current();
        let query = HostQuery { host: "gw", user: None, local: &local };
        assert!(HostSettings::read(query, std::slice::from_ref(&file), &DiskFiles).is_err(), "{config}");
        let ssh = Command::new("ssh").arg("-G").arg("-F").arg(&file).arg("gw").output().unwrap();
        assert!(!ssh.status.success(), "{config}");
    }
}

type Settings = BTreeMap<&'static str, String>;

fn own_settings(file: &Path, host: &str, user: Option<&str>) -> Settings {
    let local = LocalUser::current();
    let found =
        HostSettings::read(HostQuery { host, user, local: &local }, &[file.to_owned()], &DiskFiles).unwrap();
    let mut settings = Settings::new();
    let name = found.host_name.unwrap_or_else(|| host.to_owned());
    settings.insert("hostname", name.replace("%h", host).replace("%%", "%"));
    settings.insert("port", found.port.unwrap_or(22).to_string());
    let own = user.map(str::to_owned).or(found.user).unwrap_or(local.user);
    settings.insert("user", own);
    settings.insert("identityfile", found.identity_files.join(" "));
    settings.insert("certificatefile", found.certificate_files.join(" "));
    settings.insert("identitiesonly", if found.identities_only == Some(true) { "yes" } else { "no" }.into());
    settings.insert("identityagent", found.identity_agent.unwrap_or_default());
    settings.insert("hostkeyalias", found.host_key_alias.unwrap_or_default());
    settings.insert(
        "proxyjump",
        match found.proxy {
            Some(Proxy::Jump(hops)) => hops.iter().map(hop).collect::<Vec<_>>().join(","),
            _ => String::new(),
        },
    );
    settings.insert("userknownhostsfile", found.user_known_hosts.unwrap_or_default().join(" "));
    settings.insert(
        "stricthostkeychecking",
        match found.strict_host_key_checking {
            Some(StrictHostKeyChecking::Yes) => "true",
            Some(StrictHostKeyChecking::AcceptNew) => "accept-new",
            Some(StrictHostKeyChecking::Ask) | None => "ask",
        }
        .into(),
    );
    let timeout = found.connect_timeout.flatten().as_ref().map(Duration::as_secs);
    settings.insert("connecttimeout", timeout.map_or_else(|| "none".into(), |seconds| seconds.to_string()));
    settings
}

fn hop(hop: &JumpHost) -> String {
    let user = hop.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
    let port = hop.port.map(|port| format!(":{port}")).unwrap_or_default();
    format!("{user}{}{port}", hop.host)
}

fn ssh_settings(file: &Path, host: &str, user: Option<&str>) -> Settings {
    let mut command = Command::new("ssh");
    command.arg("-G").arg("-F").arg(file);
    if let Some(user) = user {
        command.args(["-l", user]);
    }
    let output = command.arg(host).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).unwrap();
    let of = |keyword: &str| -> String {
        let values = output.lines().filter_map(|line| line.strip_prefix(keyword)?.strip_prefix(' '));
        values.collect::<Vec<_>>().join(" ")
    };
    let mut settings = Settings::new();
    for keyword in KEYWORDS {
        let mut value = of(keyword);
        // Remove ssh's own default, which it prints if the file sets no value.
        if DEFAULTS.iter().any(|(of, part)| of == keyword && value.contains(part)) {
            value.clear();
        }
        if *keyword == "stricthostkeychecking" && value == "false" {
            value = "accept-new".into();
        }
        settings.insert(keyword, value);
    }
    settings
}

const KEYWORDS: &[&str] = &[
    "hostname",
    "port",
    "user",
    "identityfile",
    "certificatefile",
    "identitiesonly",
    "identityagent",
    "hostkeyalias",
    "proxyjump",
    "userknownhostsfile",
    "stricthostkeychecking",
    "connecttimeout",
];

const DEFAULTS: &[(&str, &str)] =
    &[("identityfile", "~/.ssh/id_rsa ~/.ssh/id_ecdsa"), ("userknownhostsfile", "/.ssh/known_hosts2")];

const CONFIGURATIONS: &[&str] = &[
    "",
    "Host gw\n Port 2222\n IdentityFile ~/.ssh/a\nHost *\n Port 23\n User someone\n IdentityFile ~/.ssh/b\n IdentityFile ~/.ssh/a\n",
    "Host *.example !secret.example\n Port 1\nHost secret* 10.1.*.?\n Port 2\nHost ?w\n Port 3\n",
    "PORT=5\nuser = \"quoted\" # a comment\nHostName %h.lan\n",
    "Host gw\n HostName gw.example\nHost gw.example\n User late\n",
    "Match final host gw.example\n Port 7\nHost gw\n HostName %h.example\nHost gw.example\n User late\n",
    "Match user root\n Port 1\nMatch originalhost gw,other\n Port 2\nMatch !host=*.example\n Port 3\nMatch all\n Port 4\n",
    "Match host gw !user root\n Port 8\n",
    "Host gw\n Include @FOLDER@/pa*.conf\nPort 9\n",
    "Include @FOLDER@/part.conf @FOLDER@/missing\nPort 9\n",
    "ProxyJump ann@gate:2222,last\nProxyJump other\n",
    "Host gw\n ProxyJump none\nHost *\n ProxyJump gate\n",
    "StrictHostKeyChecking yes\nHostKeyAlias rack\nConnectTimeout 1m30s\nUserKnownHostsFile /a /b\n",
    "StrictHostKeyChecking no\nConnectTimeout 10\n",
    "StrictHostKeyChecking accept-new\nIdentitiesOnly yes\nIdentityAgent /run/agent\nCertificateFile /c1\nCertificateFile /c2\n",
    "IdentityFile \"/with blank/key\"\nSendEnv LANG LC_*\nGSSAPIAuthentication yes\n",
];
