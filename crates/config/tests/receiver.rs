//! The file of the receiver of notifications: its own sections.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{path::Path, time::Duration};

use portreeve_config::{Forward, ForwardSecurity, HandlerInput, NoFiles, ReceiverConfig, parse_receiver};
use portreeve_smi::{MessageProcessingModel, SecurityLevel, TransportDomain};

const HEAD: &str = "[weak]\nallow = [\"communities\"]\n[[listen]]\naddress = \"127.0.0.1:1162\"\n\
                    [[user]]\nname = \"traps\"\nauth-pass = \"over the hills\"\npriv-pass = \"and far away\"\n\
                    [[user]]\nname = \"localized\"\nauth-key = \
                    \"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\"\n\
                    [[accept]]\nname = \"traps\"\n";

fn parse(text: &str) -> Result<ReceiverConfig, String> {
    let parsed = parse_receiver(&format!("{HEAD}{text}"), Path::new("trapd.toml"), &NoFiles);
    parsed.map(|(config, _)| config).map_err(|error| error.to_string())
}

fn forward(keys: &str) -> Forward {
    let mut config = parse(&format!("[[forward]]\n{keys}")).unwrap_or_else(|error| panic!("{error}"));
    config.forwards.remove(0)
}

#[test]
fn target_is_reached_with_informs_of_a_user_unless_the_file_says_otherwise() {
    let target = forward("to = \"udp:192.0.2.1\"\nuser = \"traps\"\n");
    assert_eq!(
        (target.to.transport, &*target.to.host, target.to.port),
        (TransportDomain::Udp, "192.0.2.1", 162)
    );
    assert!(target.is_confirmed && target.notifications.is_empty());
    assert_eq!((target.timeout, target.retries), (Duration::from_secs(5), 3));
    assert_eq!((target.queue_octets, target.queue_age), (16 << 20, Duration::from_secs(3600)));
    let ForwardSecurity::User(name, SecurityLevel::AuthPriv) = target.security else { panic!() };
    assert_eq!(*name, *b"traps");
}

#[test]
fn community_version_and_notifications_are_those_of_the_file() {
    let target = forward(
        "to = \"tcp:[2001:db8::1]:1162\"\nversion = \"v2c\"\ncommunity = \"far\"\nkind = \"trap\"\n\
         notifications = [\"linkDown\", \"1.3.6.1.4.1\"]\ntimeout = 2\nretries = 1\nqueue-size = 65536\n\
         queue-age = 60\n",
    );
    let ForwardSecurity::Community(model, community) = &target.security else { panic!() };
    assert_eq!((*model, community.expose()), (MessageProcessingModel::V2c, &b"far"[..]));
    assert!(!target.is_confirmed);
    let subtrees: Vec<_> = target.notifications.iter().map(ToString::to_string).collect();
    assert_eq!(subtrees, ["1.3.6.1.6.3.1.1.5.3", "1.3.6.1.4.1"]);
    assert_eq!((target.timeout, target.retries), (Duration::from_secs(2), 1));
    assert_eq!((target.queue_octets, target.queue_age), (65_536, Duration::from_secs(60)));
}

#[test]
fn community_of_a_target_is_not_accepted() {
    let text = "[[forward]]\nto = \"udp:192.0.2.1\"\nversion = \"v2c\"\ncommunity = \"far\"\n";
    let config = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let tables = config.shared.tables("0x8000000005706f72747265657665".parse().unwrap());
    assert_eq!(tables.communities.iter().count(), 0);
}

#[test]
fn session_has_the_login_and_the_files_of_the_target() {
    let target = forward(
        "to = \"ssh:relay@noc.example\"\nssh-key = \"relay_ed25519\"\nknown-hosts = \"known_hosts\"\n",
    );
    assert_eq!((&*target.to.host, target.to.port), ("noc.example", 5162));
    let ForwardSecurity::Session(session) = target.security else { panic!() };
    assert_eq!(session.login, "relay");
    assert_eq!(session.ssh_key.unwrap().path, Path::new("relay_ed25519"));
    assert_eq!(session.known_hosts.unwrap().path, Path::new("known_hosts"));

    let target = forward(
        "to = \"tls:noc.example\"\ncertificate = \"relay.pem\"\nkey = \"relay.key\"\nauthorities = [\"ca.pem\"]\n\
         server-identity = \"noc\"\n",
    );
    let ForwardSecurity::Session(session) = target.security else { panic!() };
    assert_eq!((&*session.login, session.server_identity.as_deref()), ("", Some("noc")));
    assert_eq!(session.certificate.unwrap().path, Path::new("relay.pem"));
    assert_eq!(session.authorities.len(), 1);
}

#[test]
fn received_version_needs_no_credentials() {
    let target = forward("to = \"udp:192.0.2.1\"\nversion = \"as-received\"\n");
    assert!(matches!(target.security, ForwardSecurity::AsReceived) && target.is_confirmed);
    let target = forward("to = \"udp:192.0.2.1\"\nversion = \"v1\"\ncommunity = \"far\"\n");
    assert!(!target.is_confirmed, "SNMPv1 has no informs");
}

#[test]
fn invalid_target_is_rejected_with_its_line_and_a_cure() {
    for (keys, expected) in [
        ("", "[[forward]] requires the key `to`"),
        ("to = \"noc\"", "`to` \"noc\" has no transport"),
        ("to = \"udp:noc.example\"", "udp and tcp need an IP address"),
        ("to = \"udp:[fe80::1]:162\"", "is link-local, so that it does not name an interface"),
        ("to = \"udp:192.0.2.1\"", "a target over udp or tcp needs `user`"),
        ("to = \"udp:192.0.2.1\"\nuser = \"other\"", "undefined user \"other\""),
        (
            "to = \"udp:192.0.2.1\"\nuser = \"localized\"\nlevel = \"authNoPriv\"",
            "informs need a user with pass phrases",
        ),
        ("to = \"udp:192.0.2.1\"\nuser = \"localized\"\nkind = \"trap\"", "no keys for level \"authPriv\""),
        ("to = \"udp:192.0.2.1\"\nversion = \"v4\"", "unknown version \"v4\""),
        ("to = \"udp:192.0.2.1\"\nversion = \"v2c\"", "needs `community`"),
        ("to = \"udp:192.0.2.1\"\nversion = \"as-received\"\nuser = \"traps\"", "`user` has no effect"),
        (
            "to = \"udp:192.0.2.1\"\nversion = \"as-received\"\ncommunity = \"far\"",
            "`community` has no effect",
        ),
        (
            "to = \"udp:192.0.2.1\"\nuser = \"traps\"\nssh-key = \"x\"",
            "a target over udp does not support `ssh-key`",
        ),
        (
            "to = \"tls:noc\"\nversion = \"as-received\"",
            "a target over tls cannot use version \"as-received\"",
        ),
        ("to = \"ssh:noc\"", "a target over ssh needs a user"),
        ("to = \"tls:noc\"", "a target over tls needs a certificate"),
        ("to = \"tls:noc\"\ncertificate = \"c\"\nkey = \"k\"", "needs a trusted authority or a fingerprint"),
        (
            "to = \"tls:noc\"\nuser = \"x\"\ncertificate = \"c\"\nkey = \"k\"\nauthorities = \"a\"",
            "a target over tls does not support `user`",
        ),
        ("to = \"udp:192.0.2.1\"\nuser = \"traps\"\nnotifications = []", "`notifications` is empty"),
        ("to = \"udp:192.0.2.1\"\nuser = \"traps\"\nnotifications = \"nothing\"", "\"nothing\": "),
        ("to = \"udp:192.0.2.1\"\nuser = \"traps\"\nkind = \"set\"", "unknown `kind` \"set\""),
        ("to = \"udp:192.0.2.1\"\nfallback = \"x\"", "[[forward]] has no key `fallback`"),
    ] {
        let error = parse(&format!("[[forward]]\n{keys}\n")).err().unwrap_or_default();
        assert!(error.contains(expected), "{keys}: {error}");
        assert!(error.starts_with("trapd.toml:"), "{error}");
    }
}

#[test]
fn handler_has_an_absolute_path_and_a_form_of_its_input() {
    let handler = |keys: &str| {
        let config = parse(&format!("[[handler]]\n{keys}"));
        config.map(|mut config| config.handlers.remove(0))
    };
    let command = "command = [\"/bin/x\", \"relative/y\"]\n";
    let text = handler(command).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((text.input, text.command.len()), (HandlerInput::Text, 2));
    let json = handler(&format!("{command}input = \"json\"\n")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(json.input, HandlerInput::Json);
    let error = handler(&format!("{command}input = \"xml\"\n")).unwrap_err();
    assert!(error.contains("unknown form of the input \"xml\""), "{error}");
    assert!(error.contains("accepted: \"text\" or \"json\""), "{error}");
    let error = handler("command = [\"relative/x\"]\n").unwrap_err();
    assert!(error.contains("the program \"relative/x\" is not an absolute path"), "{error}");
}
