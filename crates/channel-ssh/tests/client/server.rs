//! Whether the server is whom we mean.

use portreeve_channel::{SshProof, Step};
use portreeve_channel_ssh::client::Nobody;

use crate::{
    answers::Answers,
    sshd::{Home, echo, refused, try_connect},
};

#[test]
fn a_known_server_is_connected_to_and_named() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    let settings = home.settings("");
    echo(server.port, &settings, &Nobody).unwrap();
    let (channel, _runtime) = try_connect(server.port, &settings, &Nobody).unwrap();
    let peer = channel.peer();
    assert_eq!(peer.user, "127.0.0.1");
    assert!(matches!(peer.proof, SshProof::HostKey { .. }));
}

//= rfc5592#5.3-2
//= type=test
#[test]
fn an_unknown_server_is_refused_where_nobody_can_be_asked() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    for config in ["", "StrictHostKeyChecking yes"] {
        let error = refused(server.port, &home.settings(config));
        assert_eq!(error.step, Step::ServerIdentity);
        assert!(error.cause.contains("is not known: ssh-ed25519 SHA256:"), "{error}");
        assert!(error.cure.unwrap().contains("ssh-keyscan"));
    }
    assert_eq!(home.text(".ssh/known_hosts"), "");
}

#[test]
fn an_unknown_server_is_added_once_somebody_says_yes() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    let no = Answers::new(&["no"]);
    assert_eq!(try_connect(server.port, &home.settings(""), &no).err().unwrap().step, Step::ServerIdentity);
    let yes = Answers::new(&["yes"]);
    echo(server.port, &home.settings("HashKnownHosts yes"), &yes).unwrap();
    assert!(home.text(".ssh/known_hosts").starts_with("|1|"));
    echo(server.port, &home.settings(""), &Nobody).unwrap();
    assert_eq!(yes.asked.lock().unwrap().len(), 1);
}

#[test]
fn accept_new_adds_at_the_first_meeting_and_refuses_a_changed_key() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.write(".ssh/known_hosts", "# no newline at the end");
    for config in ["StrictHostKeyChecking accept-new", "StrictHostKeyChecking no"] {
        echo(server.port, &home.settings(config), &Nobody).unwrap();
    }
    let known = home.text(".ssh/known_hosts");
    assert_eq!(known, format!("# no newline at the end\n[127.0.0.1]:{} {}\n", server.port, server.key));

    home.keygen("other", &["-t", "ed25519", "-N", ""]);
    home.write(".ssh/known_hosts", &format!("[127.0.0.1]:{} {}\n", server.port, home.public("other")));
    let yes = Answers::new(&["yes"]);
    let error = try_connect(server.port, &home.settings("StrictHostKeyChecking no"), &yes).err().unwrap();
    assert_eq!(error.step, Step::ServerIdentity);
    assert!(error.cause.contains("has changed") && error.cause.contains("known_hosts:1"), "{error}");
    let cure = error.cure.unwrap();
    assert!(cure.contains(&format!("ssh-keygen -R '[127.0.0.1]:{}'", server.port)), "{cure}");
    assert!(yes.asked.lock().unwrap().is_empty(), "a changed key is nobody's to accept");
}

#[test]
fn a_host_known_by_another_kind_of_key_is_no_first_meeting() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.keygen("other", &["-t", "ecdsa", "-N", ""]);
    home.write(".ssh/known_hosts", &format!("[127.0.0.1]:{} {}\n", server.port, home.public("other")));
    let error = refused(server.port, &home.settings("StrictHostKeyChecking accept-new"));
    assert!(error.cause.contains("has a key of another kind"), "{error}");
}

#[test]
fn the_server_is_asked_for_the_kind_of_key_that_is_known() {
    let Some(home) = Home::new() else { return };
    home.keygen("host_ecdsa", &["-t", "ecdsa", "-N", ""]);
    let server = home.sshd("a", &format!("HostKey {}", home.path("host_ecdsa").display()));
    let line = format!("[127.0.0.1]:{} {}\n", server.port, home.public("host_ecdsa"));
    home.write(".ssh/known_hosts", &line);
    echo(server.port, &home.settings("StrictHostKeyChecking yes"), &Nobody).unwrap();
}

#[test]
fn a_revoked_key_is_refused() {
    let Some(home) = Home::new() else { return };
    let server = home.sshd("a", "");
    home.know(&server);
    home.write(".ssh/known_hosts", &format!("{}@revoked * {}\n", home.text(".ssh/known_hosts"), server.key));
    let error = refused(server.port, &home.settings(""));
    assert_eq!(error.step, Step::ServerIdentity);
    assert!(error.cause.contains("is revoked") && error.cause.contains("known_hosts:2"), "{error}");
}

#[test]
fn a_certified_host_is_trusted_for_its_names_and_its_time() {
    let Some(home) = Home::new() else { return };
    home.keygen("ca", &["-t", "ed25519", "-N", ""]);
    for (name, arguments, expected) in [
        ("good", &["-h", "-n", "127.0.0.1", "-V", "-1h:+1h"][..], None),
        ("wrong", &["-h", "-n", "elsewhere", "-V", "-1h:+1h"], Some("it is not for \"127.0.0.1\"")),
        ("expired", &["-h", "-n", "127.0.0.1", "-V", "-2h:-1h"], Some("it has expired")),
        ("early", &["-h", "-n", "127.0.0.1", "-V", "+1h:+2h"], Some("it is not valid yet")),
    ] {
        let key = format!("host_{name}");
        home.keygen(&key, &["-t", "ed25519", "-N", ""]);
        home.sign("ca", &key, arguments);
        let server =
            home.sshd(name, &format!("HostCertificate {}", home.path(&format!("{key}-cert.pub")).display()));
        home.write(".ssh/known_hosts", &format!("@cert-authority * {}\n", home.public("ca")));
        let settings = home.settings("StrictHostKeyChecking yes");
        match expected {
            None => {
                let (channel, _runtime) = try_connect(server.port, &settings, &Nobody).unwrap();
                assert!(
                    matches!(&channel.peer().proof, SshProof::Certificate { key_id, .. } if key_id == "id")
                );
                drop(channel);
                // The authority's own key, revoked, takes everything with it.
                let revoked = format!("@revoked * {}\n", home.public("ca"));
                home.write(".ssh/known_hosts", &(home.text(".ssh/known_hosts") + &revoked));
                assert!(refused(server.port, &settings).cause.contains("is revoked"));
            }
            Some(why) => {
                let error = refused(server.port, &settings);
                assert_eq!(error.step, Step::ServerIdentity);
                assert!(error.cause.ends_with(why), "{name}: {error}");
            }
        }
    }
}
