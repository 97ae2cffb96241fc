//! User authentication with keys, certificates and ssh-agent.

use portreeve_channel::ChannelStep;
use portreeve_channel_ssh::client::NoPrompter;

use crate::{
    scripted_prompter::ScriptedPrompter,
    sshd::{TestHome, connect_error, exchange, try_connect},
};

//= rfc5592#5.3-3
//= type=test
#[test]
fn unlisted_key_is_refused_with_a_hint() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    home.keygen(".ssh/other", &["-t", "ed25519", "-N", ""]);
    let error =
        connect_error(server.port, &home.settings("IdentityFile ~/.ssh/other\nIdentityFile ~/.ssh/missing"));
    assert_eq!(error.step, ChannelStep::ClientIdentity);
    assert!(error.cause.contains("accepts publickey; keys offered: 1"), "{error}");
    assert!(error.cause.contains("missing: no such file"), "{error}");
    assert!(error.hint.unwrap().contains("authorized_keys"));
}

#[test]
fn login_succeeds_with_ed25519_ecdsa_and_rsa_keys() {
    let Some(home) = TestHome::new() else { return };
    for kind in ["ed25519", "ecdsa", "rsa"] {
        let key = format!(".ssh/mine_{kind}");
        home.keygen(&key, &["-t", kind, "-N", ""]);
        let server = home.start_sshd(kind, "");
        home.add_known_host(&server);
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        exchange(server.port, &home.settings(&format!("IdentityFile ~/{key}")), &NoPrompter)
            .unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

#[test]
fn login_succeeds_with_keys_in_pem_and_pkcs8_format() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    let forms = [("rsa", "PEM"), ("rsa", "PKCS8"), ("ecdsa", "PEM"), ("ecdsa", "PKCS8")];
    for (kind, form, phrase) in
        forms.into_iter().flat_map(|(kind, form)| ["", "open sesame"].map(|phrase| (kind, form, phrase)))
    {
        let key = format!(".ssh/{kind}_{form}_{}", phrase.len());
        home.keygen(&key, &["-t", kind, "-m", form, "-N", phrase]);
        assert!(!home.text(&key).contains("OPENSSH"), "{key}");
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        let settings = home.settings(&format!("IdentityFile ~/{key}"));
        // The encryption that ssh-keygen uses in PEM files is supported for RSA keys only.
        if (kind, form, phrase) == ("ecdsa", "PEM", "open sesame") {
            let error = connect_error(server.port, &settings);
            assert!(error.cause.contains("ssh-keygen -p -f converts"), "{error}");
            continue;
        }
        let prompter = ScriptedPrompter::new(&["wrong", phrase]);
        exchange(server.port, &settings, &prompter).unwrap_or_else(|error| panic!("{key}: {error}"));
        let asked = prompter.asked.lock().unwrap().len();
        assert_eq!(asked, if phrase.is_empty() { 0 } else { 2 }, "{key}");
        if !phrase.is_empty() {
            assert!(connect_error(server.port, &settings).cause.contains("no pass phrase was given"));
            std::fs::remove_file(home.path(&format!("{key}.pub"))).unwrap();
            let error = connect_error(server.port, &settings);
            assert!(error.cause.contains("has no .pub file"), "{error}");
            assert!(error.hint.unwrap().contains("replace or repair the configured key"));
        }
    }
}

#[test]
fn encrypted_key_is_decrypted_with_the_pass_phrase_from_the_prompt() {
    let Some(home) = TestHome::new() else { return };
    home.keygen(".ssh/locked", &["-t", "ed25519", "-N", "open sesame"]);
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    home.write("authorized_keys", &home.text(".ssh/locked.pub"));
    let settings = home.settings("IdentityFile ~/.ssh/locked");
    let prompter = ScriptedPrompter::new(&["wrong", "open sesame"]);
    exchange(server.port, &settings, &prompter).unwrap();
    let asked = prompter.asked.lock().unwrap();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|question| question.starts_with("PassPhrase")), "{asked:?}");
    let error = connect_error(server.port, &settings);
    assert_eq!(error.step, ChannelStep::ClientIdentity);
    assert!(error.cause.contains("no pass phrase was given"), "{error}");
    let wrong_answers = ScriptedPrompter::new(&["a", "b", "c", "d"]);
    let error = try_connect(server.port, &settings, &wrong_answers).err().unwrap();
    assert!(error.cause.contains("wrong pass phrase"), "{error}");
}

#[test]
fn user_is_not_prompted_for_encrypted_key_that_server_rejects() {
    let Some(home) = TestHome::new() else { return };
    home.keygen(".ssh/locked", &["-t", "ed25519", "-N", "open sesame"]);
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    let prompter = ScriptedPrompter::new(&["open sesame"]);
    exchange(
        server.port,
        &home.settings("IdentityFile ~/.ssh/locked\nIdentityFile ~/.ssh/id_ed25519"),
        &prompter,
    )
    .unwrap();
    assert!(prompter.asked.lock().unwrap().is_empty());
}

#[test]
fn login_succeeds_with_ssh_agent_keys_unless_ssh_config_excludes_them() {
    let Some(home) = TestHome::new() else { return };
    home.keygen("held", &["-t", "ed25519", "-N", ""]);
    home.keygen("held_rsa", &["-t", "rsa", "-N", ""]);
    let agent = home.start_agent(&["held_rsa", "held"]);
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    for key in ["held", "held_rsa"] {
        home.write("authorized_keys", &home.text(&format!("{key}.pub")));
        let with_agent = format!("IdentityAgent {}\n", agent.socket.display());
        exchange(server.port, &home.settings(&with_agent), &NoPrompter)
            .unwrap_or_else(|error| panic!("{key}: {error}"));
        // The key is specified by its public key only.
        let named =
            format!("{with_agent}IdentitiesOnly yes\nIdentityFile {}.pub\n", home.path(key).display());
        exchange(server.port, &home.settings(&named), &NoPrompter).unwrap();
        let withheld = format!("{with_agent}IdentitiesOnly yes\nIdentityFile ~/.ssh/id_ed25519\n");
        assert_eq!(connect_error(server.port, &home.settings(&withheld)).step, ChannelStep::ClientIdentity);
        assert_eq!(
            connect_error(server.port, &home.settings("IdentityAgent none")).step,
            ChannelStep::ClientIdentity
        );
    }
}

#[test]
fn unreachable_ssh_agent_is_reported() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "");
    home.add_known_host(&server);
    home.write("authorized_keys", "");
    let error = connect_error(server.port, &home.settings("IdentityAgent /nowhere"));
    assert!(error.cause.contains("ssh-agent at /nowhere: "), "{error}");
}

#[test]
fn login_succeeds_with_a_certificate_from_file_or_ssh_agent() {
    let Some(home) = TestHome::new() else { return };
    home.keygen("ca", &["-t", "ed25519", "-N", ""]);
    let server = home.start_sshd("a", &format!("TrustedUserCAKeys {}", home.path("ca.pub").display()));
    home.add_known_host(&server);
    home.write("authorized_keys", "");
    let user = portreeve_channel_ssh::client::LocalUser::current().user;
    assert_eq!(connect_error(server.port, &home.settings("")).step, ChannelStep::ClientIdentity);

    home.sign("ca", ".ssh/id_ed25519", &["-n", &user, "-V", "-1h:+1h"]);
    exchange(server.port, &home.settings(""), &NoPrompter).unwrap();

    std::fs::rename(home.path(".ssh/id_ed25519-cert.pub"), home.path("certificate")).unwrap();
    assert_eq!(connect_error(server.port, &home.settings("")).step, ChannelStep::ClientIdentity);
    let named = format!("CertificateFile {}", home.path("certificate").display());
    exchange(server.port, &home.settings(&named), &NoPrompter).unwrap();

    let agent = home.start_agent(&[".ssh/id_ed25519"]);
    std::fs::remove_file(home.path(".ssh/id_ed25519")).unwrap();
    let with_agent = format!("{named}\nIdentityAgent {}", agent.socket.display());
    exchange(server.port, &home.settings(&with_agent), &NoPrompter).unwrap();
    drop(agent);

    // An ssh-agent that holds the certificate too.
    home.keygen(".ssh/held", &["-t", "ed25519", "-N", ""]);
    home.sign("ca", ".ssh/held", &["-n", &user, "-V", "-1h:+1h"]);
    std::fs::remove_file(home.path("agent")).unwrap_or_default();
    let agent = home.start_agent(&[".ssh/held"]);
    for name in [".ssh/held", ".ssh/held-cert.pub"] {
        std::fs::remove_file(home.path(name)).unwrap();
    }
    let with_agent = format!("IdentityAgent {}\n", agent.socket.display());
    for named in ["", "IdentityFile ~/.ssh/held"] {
        exchange(server.port, &home.settings(&format!("{with_agent}{named}")), &NoPrompter).unwrap();
    }
}

#[test]
fn error_after_too_many_keys_suggests_identities_only() {
    let Some(home) = TestHome::new() else { return };
    let server = home.start_sshd("a", "MaxAuthTries 3");
    home.add_known_host(&server);
    let mut config = String::new();
    for number in 0..6 {
        home.keygen(&format!(".ssh/k{number}"), &["-t", "ed25519", "-N", ""]);
        config += &format!("IdentityFile ~/.ssh/k{number}\n");
    }
    let error = connect_error(server.port, &home.settings(&config));
    assert_eq!(error.step, ChannelStep::ClientIdentity);
    assert!(error.cause.contains("the server closed the connection after"), "{error}");
    assert!(error.hint.unwrap().contains("IdentitiesOnly"));
}
