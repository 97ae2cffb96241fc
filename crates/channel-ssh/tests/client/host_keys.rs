//! Verification of the server's host key.

use portreeve_channel::{ChannelStep, SshProof};
use portreeve_channel_ssh::client::NoPrompter;

use crate::{
    scripted_prompter::ScriptedPrompter,
    sshd::{TestHome, connect_error, exchange, try_connect},
};

#[test]
fn client_connects_to_known_server_and_identifies_it() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    let settings = home.settings("");
    exchange(server.port, &settings, &NoPrompter).unwrap();
    let (channel, _runtime) = try_connect(server.port, &settings, &NoPrompter).unwrap();
    let peer = channel.peer();
    assert_eq!(peer.user, "127.0.0.1");
    assert!(matches!(peer.proof, SshProof::HostKey { .. }));
}

//= rfc5592#5.3-2
//= type=test
#[test]
fn unknown_server_is_refused_when_the_user_cannot_be_prompted() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    for config in ["", "StrictHostKeyChecking yes"] {
        let error = connect_error(server.port, &home.settings(config));
        assert_eq!(error.step, ChannelStep::ServerIdentity);
        assert!(error.cause.contains("is not known: ssh-ed25519 SHA256:"), "{error}");
        assert!(error.hint.unwrap().contains("ssh-keyscan"));
    }
    assert_eq!(home.text(".ssh/known_hosts"), "");
}

#[test]
fn unknown_server_is_added_to_known_hosts_only_if_the_user_agrees() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    let no = ScriptedPrompter::new(&["no"]);
    assert_eq!(
        try_connect(server.port, &home.settings(""), &no).err().unwrap().step,
        ChannelStep::ServerIdentity
    );
    let yes = ScriptedPrompter::new(&["yes"]);
    exchange(server.port, &home.settings("HashKnownHosts yes"), &yes).unwrap();
    assert!(home.text(".ssh/known_hosts").starts_with("|1|"));
    exchange(server.port, &home.settings(""), &NoPrompter).unwrap();
    assert_eq!(yes.asked.lock().unwrap().len(), 1);
}

#[test]
fn accept_new_policy_adds_new_host_keys_and_refuses_changed_keys() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.write(".ssh/known_hosts", "# no newline at the end");
    for config in ["StrictHostKeyChecking accept-new", "StrictHostKeyChecking no"] {
        exchange(server.port, &home.settings(config), &NoPrompter).unwrap();
    }
    let known = home.text(".ssh/known_hosts");
    assert_eq!(known, format!("# no newline at the end\n[127.0.0.1]:{} {}\n", server.port, server.key));

    home.keygen("other", &["-t", "ed25519", "-N", ""]);
    home.write(".ssh/known_hosts", &format!("[127.0.0.1]:{} {}\n", server.port, home.public("other")));
    let yes = ScriptedPrompter::new(&["yes"]);
    let error = try_connect(server.port, &home.settings("StrictHostKeyChecking no"), &yes).err().unwrap();
    assert_eq!(error.step, ChannelStep::ServerIdentity);
    assert!(error.cause.contains("has changed") && error.cause.contains("known_hosts:1"), "{error}");
    let hint = error.hint.unwrap();
    assert!(hint.contains(&format!("ssh-keygen -R '[127.0.0.1]:{}'", server.port)), "{hint}");
    assert!(yes.asked.lock().unwrap().is_empty(), "the user is not asked about a changed key");
}

#[test]
fn accept_new_policy_refuses_a_host_key_of_a_second_type() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.keygen("other", &["-t", "ecdsa", "-N", ""]);
    home.write(".ssh/known_hosts", &format!("[127.0.0.1]:{} {}\n", server.port, home.public("other")));
    let error = connect_error(server.port, &home.settings("StrictHostKeyChecking accept-new"));
    assert!(error.cause.contains("lists a key of another type"), "{error}");
}

#[test]
fn host_key_type_in_known_hosts_is_negotiated_first() {
    let Some(home) = TestHome::new() else { return };
    home.keygen("host_ecdsa", &["-t", "ecdsa", "-N", ""]);
    let server = home.start_sshd("a", &format!("HostKey {}", home.path("host_ecdsa").display()));
    let line = format!("[127.0.0.1]:{} {}\n", server.port, home.public("host_ecdsa"));
    home.write(".ssh/known_hosts", &line);
    exchange(server.port, &home.settings("StrictHostKeyChecking yes"), &NoPrompter).unwrap();
}

#[test]
fn revoked_host_key_is_refused() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    home.write(".ssh/known_hosts", &format!("{}@revoked * {}\n", home.text(".ssh/known_hosts"), server.key));
    let error = connect_error(server.port, &home.settings(""));
    assert_eq!(error.step, ChannelStep::ServerIdentity);
    assert!(error.cause.contains("is revoked") && error.cause.contains("known_hosts:2"), "{error}");
}

#[test]
fn host_certificate_is_trusted_only_for_its_names_and_validity_period() {
    let Some(home) = TestHome::new() else { return };
    home.keygen("ca", &["-t", "ed25519", "-N", ""]);
    for (name, arguments, expected) in [
        ("good", &["-h", "-n", "127.0.0.1", "-V", "-1h:+1h"][..], None),
        (
            "wrong",
            &["-h", "-n", "elsewhere", "-V", "-1h:+1h"],
            Some("the certificate is not for \"127.0.0.1\""),
        ),
        ("expired", &["-h", "-n", "127.0.0.1", "-V", "-2h:-1h"], Some("the certificate has expired")),
        ("early", &["-h", "-n", "127.0.0.1", "-V", "+1h:+2h"], Some("the certificate is not valid yet")),
    ] {
        let key = format!("host_{name}");
        home.keygen(&key, &["-t", "ed25519", "-N", ""]);
        home.sign("ca", &key, arguments);
        let server = home.start_sshd(
            name,
            &format!("HostCertificate {}", home.path(&format!("{key}-cert.pub")).display()),
        );
        home.write(".ssh/known_hosts", &format!("@cert-authority * {}\n", home.public("ca")));
        let settings = home.settings("StrictHostKeyChecking yes");
        match expected {
            None => {
                let (channel, _runtime) = try_connect(server.port, &settings, &NoPrompter).unwrap();
                assert!(
                    matches!(&channel.peer().proof, SshProof::Certificate { key_id, .. } if key_id == "id")
                );
                drop(channel);
                // Revoking the authority's key revokes all of its certificates.
                let revoked = format!("@revoked * {}\n", home.public("ca"));
                home.write(".ssh/known_hosts", &(home.text(".ssh/known_hosts") + &revoked));
                assert!(connect_error(server.port, &settings).cause.contains("is revoked"));
            }
            Some(why) => {
                let error = connect_error(server.port, &settings);
                assert_eq!(error.step, ChannelStep::ServerIdentity);
                assert!(error.cause.ends_with(why), "{name}: {error}");
            }
        }
    }
}
